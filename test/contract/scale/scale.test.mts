import { describe, expect, it } from 'vitest';
import { isRecord } from '../../../nodes/ContactData/common/values.ts';
import { contactDataAfter, jsonOf, useBench } from '../../support/n8nCore/contactData.mts';
import { runNode } from '../../support/n8nCore/execute.mts';
import { crowd } from '../../support/people.mts';

// What may not grow: counts. Never a time, which is another's load as well.

const bench = useBench();

const parameters = { fullname: '={{ $json.person.name }}', companyDomain: '={{ $json.domain }}' };
const contacts = (count: number) =>
	crowd(count).map(({ fullname, domain }) => ({ person: { name: fullname }, domain }));

it('single lookups that are over at the first look are looked at once', async () => {
	const items = contacts(100);
	await bench().run('emailFinder', 'submitAndWait', { parameters, items });
	expect(bench().posts).toHaveLength(100);
	expect(bench().looks.length).toBeLessThanOrEqual(110);
});

describe('fields of the item are what n8n would make of them', () => {
	const VALUES = ['Acme', ' Acme ', '', '=Acme', '{{ 1 }}', 1912, 0, true, null, ['Acme'], {}];

	const outcome = async (path: string, items: Array<{ company: { name?: unknown } }>) => {
		bench().sandbox.reset();
		const run = await bench().run('emailFinder', 'submitBulk', {
			parameters: { fullname: 'Ada Lovelace', companyName: path },
			items: JSON.parse(JSON.stringify(items)) as [],
			settings: { onError: 'continueRegularOutput' },
		});
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

/** Counts what is read of an object and of all that is in it. */
const countReads = <T extends object>(object: T, count: () => void): T =>
	new Proxy(object, {
		get(target, key, receiver) {
			count();
			const value: unknown = Reflect.get(target, key, receiver);
			return isRecord(value) || Array.isArray(value) ? countReads(value, count) : value;
		},
	});

it('an item is read hardly more often among 4,000 than among 400', async () => {
	const readsOf = async (count: number) => {
		let reads = 0;
		const node = contactDataAfter((context) => {
			const input = countReads(context.getInputData(), () => reads++);
			context.getInputData = () => input;
		});
		bench().sandbox.reset();
		const run = await runNode({
			credentials: bench().credentials,
			items: contacts(count),
			...bench().node('emailFinder', 'submitBulkAndWait', { parameters }),
			node,
		});
		expect(jsonOf(run)).toHaveLength(count);
		return reads / count;
	};
	expect(await readsOf(4000)).toBeLessThan(2 * (await readsOf(400)));
});
