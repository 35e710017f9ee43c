import { readFile } from 'node:fs/promises';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { expect, it } from 'vitest';
import { jsonOf, useBench } from '../../support/n8nCore/contactData.mts';

const ROOT = new URL('../../../', import.meta.url);
const bench = useBench({ single: 0, bulk: 0 });

const INPUTS: Record<string, { item: IDataObject; parameters: Record<string, string> }> = {
	'Email Finder': {
		item: { name: 'Ada Mustfind', lead: 'L-1' },
		parameters: { fullname: '={{ $json.name }}', companyDomain: 'acme.com' },
	},
	'Email Verifier': {
		item: { email: 'ada@acme.com' },
		parameters: { email: '={{ $json.email }}' },
	},
	'Phone Finder': {
		item: { page: 'https://www.linkedin.com/in/mustfind' },
		parameters: { socialProfileUrl: '={{ $json.page }}' },
	},
};

async function columnsOf(title: string, options: INodeParameters = {}): Promise<string[]> {
	const { item, parameters } = INPUTS[title];
	const resource = title.charAt(0).toLowerCase() + title.slice(1).replace(' ', '');
	const given = { items: [item], parameters, options };
	const [json] = jsonOf(await bench().run(resource, 'submitBulkAndWait', given));
	return Object.keys(json);
}

it.for(Object.keys(INPUTS))('docs/output.md has the columns of the %s', async (title) => {
	const page = await readFile(new URL('docs/output.md', ROOT), 'utf8');
	const [row = ''] = page.match(new RegExp(`^\\| ${title} .*`, 'm')) ?? [];
	const listed = [...row.matchAll(/`(\w+)`/g)].map(([, column]) => column);
	expect(listed).toEqual(await columnsOf(title));
});

// PostgreSQL refuses a row with any other.
it.for(['docs/tables.md', 'examples/postgres-leads.json'])(
	'the table that %s makes has the columns of a run',
	async (path) => {
		const text = await readFile(new URL(path, ROOT), 'utf8');
		const [, sql = ''] = /CREATE TABLE [^(]*\((.*?)\)/s.exec(text.replaceAll('\\n', '\n')) ?? [];
		const made = [...sql.matchAll(/(\w+) (?:text|boolean)/g)].map(([, column]) => column);
		const given = await columnsOf('Email Finder', { itemCustom: '={{ $json.lead }}' });
		expect(made).toEqual(given);
	},
);
