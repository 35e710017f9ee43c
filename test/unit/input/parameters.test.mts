import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { expect, it } from 'vitest';

import { Parameters } from '../../../nodes/ContactData/input/parameters.ts';

const BY_N8N = 'by n8n';

/** A reader of these parameters for these items; `asked` says for which items it asks n8n. */
function readerOf(parameters: object, items: IDataObject[]) {
	const asked: number[] = [];
	// The only parts of n8n's context that reading parameters needs.
	const context = {
		getNode: () => ({ parameters }),
		getNodeParameter: (_name: string, item: number) => {
			asked.push(item);
			return BY_N8N;
		},
	} as unknown as IExecuteFunctions;
	return {
		reader: new Parameters(
			context,
			items.map((json) => ({ json })),
		),
		asked,
	};
}

/** Reads one parameter, or one option, of each item. */
function readAll(saved: unknown, items: IDataObject[], isOption = false) {
	const parameters = isOption ? { options: { value: saved } } : { value: saved };
	const { reader, asked } = readerOf(parameters, items);
	const read = (item: number) =>
		isOption ? reader.option('value', item) : reader.get('value', item);
	return { values: items.map((_, item) => read(item)), asked };
}

it.for([
	['={{ $json.name }}', { name: 'Ada' }, 'Ada'],
	['={{$json.n}}', { n: 0 }, 0],
	['={{ $json.name }}', { name: '' }, ''],
	['={{ $json.name }}', { name: null }, null],
	['={{ $json.name }}', {}, undefined],
	['={{ $json.person.name }}', { person: { name: 'Ada' } }, 'Ada'],
	['={{ $json.a.b }}', { a: {} }, undefined],
] as const)('%s of %j is taken from each item without n8n', ([saved, json, value]) => {
	for (const isOption of [false, true]) {
		const { values, asked } = readAll(saved, [json, {}, json], isOption);
		expect([values[0], values[2]]).toEqual([value, value]);
		expect(asked.filter((item) => item !== 1)).toEqual([]);
	}
});

it.for([
	['={{ $json.person.name }}', {}],
	['={{ $json.person.name }}', { person: null }],
	['={{ $json.person.length }}', { person: 'Ada' }],
	['={{ $json.list.length }}', { list: ['Ada'] }],
	['={{ $json.person }}', { person: { name: 'Ada' } }],
	['={{ $json.flag }}', { flag: true }],
	['={{ $json.name.trim() }}', { name: 'Ada' }],
	['={{ $json.name }} Hart', { name: 'Ada' }],
	['={{ $json["name"] }}', { name: 'Ada' }],
] as const)('%s of %j is left to n8n, for each item', ([saved, json]) => {
	expect(readAll(saved, [json, json])).toEqual({ values: [BY_N8N, BY_N8N], asked: [0, 1] });
});

it('of a single item is left to n8n: of a tool call, `$json` may be another', () => {
	expect(readAll('={{ $json.name }}', [{ name: 'Ada' }])).toEqual({ values: [BY_N8N], asked: [0] });
});

it('an expression that is anywhere in it is resolved for each item', () => {
	const saved = { fields: [{ name: 'id', value: '={{ $json.id }}' }] };
	expect(readAll(saved, [{}, {}]).asked).toEqual([0, 1]);
});
