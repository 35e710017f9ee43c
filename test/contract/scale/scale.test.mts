import type { IExecuteFunctions, INodeType } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { isRecord } from '../../../nodes/ContactData/common/values.ts';
import { matchResults } from '../../../nodes/ContactData/results/match.ts';
import { lookups } from '../../../nodes/ContactData/lookups/index.ts';
import { contactData, jsonOf, type Given, useBench } from '../../support/n8nCore/contactData.mts';
import { runNode } from '../../support/n8nCore/execute.mts';
import { crowd } from '../../support/people.mts';

// What may not grow: counts. Never a time, which is another's load as well.

const bench = useBench();

const DRAGGED = { fullname: '={{ $json.person.name }}', companyDomain: '={{ $json.domain }}' };
const COMPUTED = { fullname: '={{ $json.person.name.trim() }}', companyDomain: 'acme.com' };

const contacts = (count: number) =>
	crowd(count).map(({ fullname, domain }) => ({ person: { name: fullname }, domain }));

/** Runs the finder and counts how often it asks n8n for what n8n computes or copies each time. */
async function runCounted(operation: string, given: Given) {
	const calls = { getNodeParameter: 0, getNode: 0, evaluateExpression: 0 };
	const counted = (context: IExecuteFunctions) => {
		for (const name of ['getNodeParameter', 'getNode', 'evaluateExpression'] as const) {
			const method = context[name].bind(context) as (...args: unknown[]) => unknown;
			Object.assign(context, {
				[name]: (...args: unknown[]) => {
					calls[name]++;
					return method(...args);
				},
			});
		}
	};
	const node: INodeType = {
		description: contactData.description,
		async execute() {
			counted(this);
			return await contactData.execute.call(this);
		},
	};
	const run = await runNode({
		credentials: bench().credentials,
		items: given.items,
		...bench().node('emailFinder', operation, given),
		node,
	});
	return { calls, results: jsonOf(run) };
}

describe('requests', () => {
	it('5,000 items are one POST and few looks', async () => {
		const items = contacts(5000);
		await bench().run('emailFinder', 'submitBulkAndWait', { parameters: DRAGGED, items });
		expect(bench().posts).toHaveLength(1);
		expect(bench().looks.length).toBeLessThanOrEqual(5);
	});

	it('single lookups that are over at the first look are looked at once', async () => {
		const items = contacts(300);
		await bench().run('emailFinder', 'submitAndWait', { parameters: DRAGGED, items });
		expect(bench().posts).toHaveLength(300);
		expect(bench().looks.length).toBeLessThanOrEqual(330);
	});
});

describe('what n8n is asked for', () => {
	it.for(['submitBulkAndWait', 'submitAndWait'])(
		'%s: fields of the item cost no more for 200 items than for 2',
		async (operation) => {
			const few = await runCounted(operation, { parameters: DRAGGED, items: contacts(2) });
			const many = await runCounted(operation, { parameters: DRAGGED, items: contacts(200) });
			expect(many.results).toHaveLength(200);
			expect(many.calls).toEqual(few.calls);
		},
	);

	it('a field that is not there, or is nothing, is asked of n8n no more often than one that is', async () => {
		const items = (count: number) =>
			contacts(count).map((one, n) => (n % 2 === 0 ? one : { ...one, earlier: null }));
		const given = { parameters: DRAGGED, options: { earlierId: '={{ $json.earlier }}' } };
		const few = await runCounted('submitBulkAndWait', { ...given, items: items(2) });
		const many = await runCounted('submitBulkAndWait', { ...given, items: items(200) });
		expect(many.calls).toEqual(few.calls);
	});

	it('an expression is resolved once for each item, a constant once for all', async () => {
		const few = await runCounted('submitBulkAndWait', { parameters: COMPUTED, items: contacts(2) });
		const many = await runCounted('submitBulkAndWait', {
			parameters: COMPUTED,
			items: contacts(200),
		});
		expect(many.calls.getNodeParameter - few.calls.getNodeParameter).toBe(198);
		expect(many.calls.getNode).toBe(few.calls.getNode);
		expect(many.calls.evaluateExpression).toBe(few.calls.evaluateExpression);
	});
});

describe('fields of the item are what n8n would make of them', () => {
	const VALUES = ['Acme', ' Acme ', '', '=Acme', '{{ 1 }}', 1912, 0, true, null, ['Acme'], {}];

	const outcome = async (path: string, items: Array<{ company: { name?: unknown } }>) => {
		const parameters = { fullname: 'Ada Lovelace', companyName: path };
		const settings = { onError: 'continueRegularOutput' } as const;
		bench().sandbox.reset();
		const given = { parameters, items: JSON.parse(JSON.stringify(items)) as [], settings };
		const run = await bench().run('emailFinder', 'submitBulk', given);
		return { posts: bench().posts, errors: jsonOf(run).map(({ error }) => error) };
	};

	it.for([...VALUES.map((name) => ({ name })), {}])('%j', async (company) => {
		const items = [{ company: { name: 'Other' } }, { company }];
		const taken = await outcome('={{ $json.company.name }}', items);
		const resolved = await outcome('={{ [$json.company.name][0] }}', items);
		expect(taken).toEqual(resolved);
	});

	it.for([
		'= {{ $json.company.name }}',
		'={{ $json.company.name }}!',
		'={{ $json.company.name.length }}',
		'={{ $json.company.constructor.name }}',
		'={{ $json.nothing.name }}',
	])('%s', async (path) => {
		const items = [{ company: { name: 'Acme' } }, { company: { name: 'Other' } }];
		const taken = await outcome(path, items);
		const resolved = await outcome(path.replace('$json', '[$json][0]'), items);
		expect(taken).toEqual(resolved);
	});
});

// What the CPU has to do is compared in `slow/bench`, where nothing runs beside it.
describe('how often data is read', () => {
	/** Counts what is read of an object and of all that is in it. */
	const countReads = <T extends object>(object: T, count: () => void): T =>
		new Proxy(object, {
			get(target, key, receiver) {
				count();
				const value: unknown = Reflect.get(target, key, receiver);
				return isRecord(value) || Array.isArray(value) ? countReads(value, count) : value;
			},
		});

	it('an item is read as often among 4,000 as among 400', async () => {
		const readsOf = async (count: number) => {
			let reads = 0;
			const node: INodeType = {
				description: contactData.description,
				async execute() {
					const input = countReads(this.getInputData(), () => reads++);
					this.getInputData = () => input;
					return await contactData.execute.call(this);
				},
			};
			bench().sandbox.reset();
			const given = { parameters: DRAGGED };
			const run = await runNode({
				credentials: bench().credentials,
				items: contacts(count),
				...bench().node('emailFinder', 'submitBulkAndWait', given),
				node,
			});
			expect(jsonOf(run)).toHaveLength(count);
			return reads / count;
		};
		expect(await readsOf(4000)).toBeCloseTo(await readsOf(400), 0);
	});

	it('searches and results are read as often among 4,000 as among 400', () => {
		const readsOf = (count: number) => {
			let reads = 0;
			const searches = Array.from({ length: count }, (_, n) => ({
				fullname: `Ada Number${n}`,
				company_domain: 'acme.com',
			}));
			const listed = searches
				.map((search, n) => ({ index: `${n}`, raw_params: { ...search } }))
				.reverse();
			const counted = <T extends object>(object: T) => countReads(object, () => reads++);
			const { unmatched } = matchResults(
				lookups.emailFinder,
				{ searches: counted(searches), size: count },
				counted(listed),
			);
			expect(unmatched).toEqual([]);
			return reads / count;
		};
		expect(readsOf(4000)).toBeCloseTo(readsOf(400), 0);
	});
});
