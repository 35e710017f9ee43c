import { readFile, writeFile } from 'node:fs/promises';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { expect, it } from 'vitest';
import { ContactData } from '../../../nodes/ContactData/ContactData.node.ts';
import { startSandbox } from '../../support/sandbox/server.mts';
import { runNode } from '../../support/n8nCore/execute.mts';

const README = new URL('../../../README.md', import.meta.url);
const EXAMPLE = /<!-- example: (.+) -->\n```json\n([^]*?)```/g;

const people = [
	{ name: 'Amelia Hart', company: 'northfreight.example' },
	{ name: 'Jean-Pierre Moreau', company: 'moreau.example' },
];
const finder = { fullname: '={{ $json.name }}', companyDomain: '={{ $json.company }}' };
const verifier = { email: '={{ $json.email }}' };
const phone = { socialProfileUrl: '={{ $json.profile }}' };

/** What the examples of the README are run with. */
const inputs: Record<string, { items: IDataObject[]; parameters: INodeParameters }> = {
	emailFinder: { items: people, parameters: finder },
	emailVerifier: {
		items: [{ email: 'amelia.hart@northfreight.example' }],
		parameters: verifier,
	},
	phoneFinder: {
		items: [
			{ profile: 'https://www.linkedin.com/in/mustfind-amelia' },
			{ profile: 'https://www.linkedin.com/in/notfound' },
		],
		parameters: phone,
	},
	account: { items: [{}], parameters: {} },
};

/** Runs the operation that an example is of, against a sandbox whose ids are always the same. */
async function run(name: string): Promise<string> {
	const [resource, operation, onError] = name.split(' ');
	const { items, parameters } = inputs[resource];
	const sandbox = await startSandbox({
		idSeed: 'readme',
		single: 20,
		bulk: 20,
		account: { webhooks: ['https://n8n.example.com/webhook/contact-data'] },
	});
	try {
		const { apiKey, baseUrl } = sandbox;
		const given = onError === undefined ? items : [...items, { email: 'amelia.hart' }];
		const result = await runNode({
			node: new ContactData(),
			credentials: { contactDataApi: { apiKey, baseUrl } },
			items: given,
			parameters: { resource, operation, ...parameters, options: waits(operation) },
			settings: onError === undefined ? {} : { onError: 'continueRegularOutput' },
		});
		if (result.error !== undefined) throw result.error as Error;
		const shown = result.items.map(({ json }) => json);
		return `${JSON.stringify(shown.length === 1 ? shown[0] : shown, null, 2)}\n`;
	} finally {
		await sandbox.close();
	}
}

function waits(operation: string): INodeParameters {
	return operation.endsWith('AndWait') ? { pollInterval: 0.1 } : {};
}

/** `UPDATE_README=1` writes what the runs gave into the README. */
it('shows what a run gives in every JSON of the README', async () => {
	const readme = await readFile(README, 'utf8');
	const names = [...readme.matchAll(EXAMPLE)].map(([, name]) => name);
	expect(readme.match(/```json/g)).toHaveLength(names.length);

	const given = new Map<string, string>();
	for (const name of names) given.set(name, await run(name));
	const current = readme.replace(
		EXAMPLE,
		(_, name: string) => `<!-- example: ${name} -->\n\`\`\`json\n${given.get(name)}\`\`\``,
	);
	if (process.env.UPDATE_README === '1') await writeFile(README, current);
	else expect(readme).toBe(current);
});
