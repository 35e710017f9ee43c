import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import { format, resolveConfig } from 'prettier';
import { jsonParse, type IDataObject, type INodeProperties } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { isRecord } from '../../../nodes/ContactData/common/values.ts';
import { lookups } from '../../../nodes/ContactData/lookups/index.ts';
import { useFastClock } from '../../support/clock.mts';
import { contactData, jsonOf, type Given, useBench } from '../../support/n8nCore/contactData.mts';
import { renewed, ROOT } from './renewed.mts';
import { items, lookupOf, waysToAsk } from '../../support/searches.mts';

// The previews that the editor shows before a node has run. Each run here must fit its preview with
// nothing left over, and everything that a preview promises must come out.

const FOLDER = 'nodes/ContactData/__schema__/v1.0.0';

useFastClock();
const bench = useBench({ single: 0, bulk: 0, account: { webhooks: ['https://hooks.example/a'] } });

interface Schema {
	type: string | string[];
	properties?: Record<string, Schema>;
	items?: Schema;
	additionalProperties?: boolean;
}

/** Fails before anything is sent; of an address, which may say anything, only where it is two. */
const FAILS = 'undefined';
const TWO_ADDRESSES = 'bea@acme.example, ada';
const NO_ADDRESS = '..';

/** The user's own data; only a single phone search takes a text. */
const customFor = (resource: string, operation: string) => ({
	custom:
		/bulk/i.test(operation) || lookupOf(resource).singleCustom === 'object'
			? '{"row": 2}'
			: 'row 2',
	itemCustom: 'row 2',
});

/** All that can come out, by each of the ways to tell whom one asks for: with all columns, and as a node is at first. */
const searchesFor = (resource: string, operation: string): Given[] =>
	waysToAsk(resource, {
		name: '=Ada {{ $json.who }}',
		company: 'Acme',
		domain: 'acme.example',
		email: '={{ $json.who }}@acme.example',
		url: '=https://social.example/in/{{ $json.who }}',
	}).flatMap((parameters) => [
		{
			parameters,
			options: { ...customFor(resource, operation), retrieveGender: true },
			items: items('mustfind', 'notfound', FAILS, TWO_ADDRESSES, NO_ADDRESS),
			settings: { onError: 'continueRegularOutput' },
		},
		{ parameters, items: items('mustfind', 'notfound') },
	]);

const optionsOf = ({ options = [] }: INodeProperties) =>
	options.flatMap((option) => ('value' in option ? [String(option.value)] : []));

const resourcesOf = ({ displayOptions }: INodeProperties) =>
	(displayOptions?.show?.resource ?? []).filter((resource) => typeof resource === 'string');

/** Every resource and operation that the node's description offers. */
const PAIRS = contactData.description.properties
	.filter(({ name }) => name === 'operation')
	.flatMap((property) =>
		resourcesOf(property).flatMap((resource) =>
			optionsOf(property).map((operation) => ({ resource, operation })),
		),
	);

/** Runs a pair with what it needs, after a submission where it reads one. */
async function run(resource: string, operation: string): Promise<IDataObject[]> {
	if (resource === 'account') return jsonOf(await bench().run(resource, operation));
	const outputs: IDataObject[] = [];
	for (const search of searchesFor(resource, operation)) {
		let given: Given = search;
		const { settings } = search;
		if (operation === 'getResult') {
			given = { settings, items: jsonOf(await bench().run(resource, 'submit', search)) };
		} else if (operation === 'getBulkResult') {
			given = { settings, items: jsonOf(await bench().run(resource, 'submitBulk', search)) };
		}
		outputs.push(...jsonOf(await bench().run(resource, operation, given)));
	}
	return outputs;
}

/** The schema of what came out. */
function schemaOf(values: unknown[]): Schema {
	const isNull = (type: string) => Number(type === 'null');
	const types = [...new Set(values.map(typeOf))].sort((a, b) => isNull(a) - isNull(b));
	const records = values.filter(isRecord);
	const names = new Set(records.flatMap((record) => Object.keys(record)));
	const properties = [...names].map((name): [string, Schema] => {
		const given = records.filter((record) => name in record).map((record) => record[name]);
		return [name, schemaOf(given)];
	});
	const [type = 'null'] = types;
	return {
		type: types.length > 1 ? types : type,
		...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
		...(values.some(Array.isArray) && { items: schemaOf(values.filter(Array.isArray).flat()) }),
	};
}

function typeOf(value: unknown): string {
	if (value === null) return 'null';
	return Array.isArray(value) ? 'array' : typeof value;
}

/** The same schema, which also refuses what it does not name. */
function closed(schema: Schema): Schema {
	const { properties, items } = schema;
	return {
		...schema,
		...(items && { items: closed(items) }),
		...(properties && {
			additionalProperties: false,
			properties: Object.fromEntries(
				Object.entries(properties).map(([name, property]) => [name, closed(property)]),
			),
		}),
	};
}

/** All properties of a schema, as paths such as `info.firstname`. */
function paths({ properties = {} }: Schema, prefix = ''): string[] {
	return Object.entries(properties).flatMap(([name, property]) => [
		prefix + name,
		...paths(property, `${prefix}${name}.`),
	]);
}

function pathsIn(value: unknown, prefix = ''): string[] {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
	return Object.entries(value).flatMap(([name, inner]) => [
		prefix + name,
		...pathsIn(inner, `${prefix}${name}.`),
	]);
}

describe('output previews', () => {
	/** `npm run renew` writes them. */
	it.for(PAIRS)('$resource $operation: what comes out', async ({ resource, operation }) => {
		const outputs = await run(resource, operation);
		expect(outputs.length).toBeGreaterThan(0);
		const path = `${FOLDER}/${resource}/${operation}.json`;
		const text = await renewed(path, async () => {
			const style = await resolveConfig(path);
			const schema = { ...schemaOf(outputs), version: 1 };
			return await format(JSON.stringify(schema, null, 1), { ...style, parser: 'json' });
		});
		const preview = jsonParse<Schema>(text);

		const fits = new Ajv({ allErrors: true }).compile(closed(preview));
		for (const output of outputs) {
			fits(output);
			expect({ output, errors: fits.errors }).toEqual({ output, errors: null });
		}
		const seen = new Set(outputs.flatMap((output) => pathsIn(output)));
		expect(paths(preview).filter((path) => !seen.has(path))).toEqual([]);
	});

	it('are there for all pairs, and for nothing else', () => {
		const files = readdirSync(join(ROOT, FOLDER), { recursive: true, encoding: 'utf8' }).filter(
			(file) => file.endsWith('.json'),
		);
		const expected = PAIRS.map(({ resource, operation }) => join(resource, `${operation}.json`));
		expect(PAIRS).toHaveLength(6 * Object.keys(lookups).length + 1);
		expect(files.sort()).toEqual(expected.sort());
	});
});
