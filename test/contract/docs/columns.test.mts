import { readFile } from 'node:fs/promises';
import type { INodeParameters } from 'n8n-workflow';
import { expect, it } from 'vitest';
import { lookups } from '../../../nodes/ContactData/lookups/index.ts';
import { jsonOf, useBench } from '../../support/n8nCore/contactData.mts';
import { items, parametersOf } from '../../support/searches.mts';

const ROOT = new URL('../../../', import.meta.url);
const bench = useBench({ single: 0, bulk: 0 });

async function columnsOf(resource: string, options: INodeParameters = {}): Promise<string[]> {
	const given = { items: items('mustfind'), parameters: parametersOf(resource), options };
	const [json] = jsonOf(await bench().run(resource, 'submitBulkAndWait', given));
	return Object.keys(json);
}

it.for(Object.values(lookups))('docs/output.md has the columns of the $title', async (lookup) => {
	const { name, title } = lookup;
	const page = await readFile(new URL('docs/output.md', ROOT), 'utf8');
	const [row = ''] = page.match(new RegExp(`^\\| ${title} .*`, 'm')) ?? [];
	const listed = [...row.matchAll(/`(\w+)`/g)].map(([, column]) => column);
	expect(listed).toEqual(await columnsOf(name));
});

// PostgreSQL refuses a row with any other.
it.for(['docs/tables.md', 'examples/postgres-leads.json'])(
	'the table that %s makes has the columns of a run',
	async (path) => {
		const text = await readFile(new URL(path, ROOT), 'utf8');
		const [, sql = ''] = /CREATE TABLE [^(]*\((.*?)\)/s.exec(text.replaceAll('\\n', '\n')) ?? [];
		const made = [...sql.matchAll(/(\w+) (?:text|boolean)/g)].map(([, column]) => column);
		const given = await columnsOf('emailFinder', { itemCustom: '={{ $json.who }}' });
		expect(made).toEqual(given);
	},
);
