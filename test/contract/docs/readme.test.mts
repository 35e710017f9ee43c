import { readFile } from 'node:fs/promises';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { expect, it } from 'vitest';
import { ContactData } from '../../../nodes/ContactData/ContactData.node.ts';
import { useFastClock } from '../../support/clock.mts';
import { startSandbox } from '../../support/sandbox/server.mts';
import { renewed } from './renewed.mts';
import { runNode } from '../../support/n8nCore/execute.mts';

useFastClock();

const PAGES = ['README.md', 'docs/output.md'];
const EXAMPLE = /<!-- example: (.+) -->\n```json\n([^]*?)```/g;
/** A search that is not finished when the wait is over. */
const SLOW_MS = 60_000;

const people = [
	{ name: 'Amelia Hart', company: 'northfreight.example' },
	{ name: 'Jean-Pierre Moreau', company: 'moreau.example' },
];
const finder = { fullname: '={{ $json.name }}', companyDomain: '={{ $json.company }}' };
const verifier = { email: '={{ $json.email }}' };
const phone = { socialProfileUrl: '={{ $json.profile }}' };

/** What the examples are run with. */
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

function optionsOf(kinds: string[]): INodeParameters {
	if (kinds.includes('dryRun')) return { dryRun: true };
	return kinds.includes('ongoing') ? { timeout: 1, onTimeout: 'output' } : {};
}

/** Runs the operation that an example is of, against a sandbox whose ids are always the same. */
async function run(name: string): Promise<string> {
	const [resource, operation, ...kinds] = name.split(' ');
	const { items: all, parameters } = inputs[resource];
	const items = kinds.includes('one') ? all.slice(0, 1) : all;
	const sandbox = await startSandbox({
		idSeed: 'readme',
		single: kinds.includes('ongoing') ? SLOW_MS : 20,
		bulk: 20,
		account: { webhooks: ['https://n8n.example.com/webhook/contact-data'] },
	});
	try {
		const { apiKey, baseUrl } = sandbox;
		const result = await runNode({
			node: new ContactData(),
			credentials: { contactDataApi: { apiKey, baseUrl } },
			items: kinds.includes('wrong')
				? [...items.slice(0, 1), { name: 'Lukas Brandt', email: 'amelia.hart' }]
				: items,
			parameters: {
				resource,
				operation,
				...parameters,
				options: optionsOf(kinds),
			},
		});
		if (result.error !== undefined) throw result.error as Error;
		const shown = result.items.map(({ json }) => json);
		return `${JSON.stringify(shown.length === 1 ? shown[0] : shown, null, 2)}\n`;
	} finally {
		await sandbox.close();
	}
}

/** `npm run renew` writes what the runs gave into the page. */
it.for(PAGES)('shows what a run gives in every JSON of %s', async (page) => {
	const text = await readFile(page, 'utf8');
	const names = [...text.matchAll(EXAMPLE)].map(([, name]) => name);
	expect(names).not.toEqual([]);
	expect(text.match(/```json/g)).toHaveLength(names.length);

	const given = new Map<string, string>();
	for (const name of names) given.set(name, await run(name));
	const current = text.replace(
		EXAMPLE,
		(_, name: string) => `<!-- example: ${name} -->\n\`\`\`json\n${given.get(name)}\`\`\``,
	);
	expect(await renewed(page, async () => current)).toBe(current);
});
