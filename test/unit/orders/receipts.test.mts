import { describe, expect, it } from 'vitest';
import { lookups } from '../../../nodes/ContactData/lookups/index.ts';
import { accepted, type Order } from '../../../nodes/ContactData/orders/order.ts';
import { plan, toEntries } from '../../../nodes/ContactData/orders/plan.ts';
import { namedKey, Receipts } from '../../../nodes/ContactData/orders/receipts.ts';
import { rowsFor } from '../../support/rows.mts';

const { emailVerifier } = lookups;
const ENDPOINT = {
	baseUrl: 'https://api.example.com',
	lookup: emailVerifier,
	size: 'bulk' as const,
	isList: false,
};
const newReceipts = (node = {}) => new Receipts({ node, turn: '0', executionId: '1' });

const rowsOf = (...names: string[]) =>
	rowsFor(
		emailVerifier,
		names.map((name) => ({ email: `${name}@acme.example` })),
	);

function orderOf(...names: string[]): Order {
	const [order] = plan(ENDPOINT, rowsOf(...names), newReceipts());
	if (order === undefined) throw new Error('Nothing to submit');
	return { ...order, fate: accepted(order.key, { id: order.key, credits_used: 2 }) };
}

describe('a receipt', () => {
	it.for([
		['answer', { message: 'Created' }],
		['id', undefined],
		['id that is text', { id: 7 }],
	] as const)('without an %s tells of a submission whose outcome is unknown', ([, answer]) => {
		const [{ name = '' } = {}] = toEntries(ENDPOINT, rowsOf('ada'));
		const receipts = newReceipts({
			receipts: { '0': { key: { names: name, naming: 2, answer } } },
		});
		expect(receipts.paid()).toEqual({ paidFor: [], unsure: 1 });
		expect(plan(ENDPOINT, rowsOf('ada'), receipts)).toMatchObject([{ fate: { kind: 'unknown' } }]);
	});

	it('with names of another version may be of any search: with the ids, none is sent', () => {
		const receipts = newReceipts({
			receipts: { '0': { key: { names: 'anything', naming: 1, answer: { id: 'paid' } } } },
		});
		expect(plan(ENDPOINT, rowsOf('ada'), receipts)).toMatchObject([
			{ fate: { kind: 'unknown', reason: expect.stringContaining('as paid,') as string } },
		]);
	});

	it('of what the user had named says so: nobody has paid for it here, and it is doubted as before', () => {
		const receipts = newReceipts();
		receipts.write({ ...orderOf('ada'), key: namedKey('x'), fate: accepted('x', { id: 'x' }) });
		expect(receipts.paid()).toEqual({ paidFor: [], unsure: 0 });
		const [order] = plan(ENDPOINT, rowsOf('ada'), receipts);
		expect(order).toMatchObject({ origin: 'named', fate: { id: 'x' } });
		expect(order?.entries[0]).not.toHaveProperty('place');
	});
});

describe('what earlier tries submitted', () => {
	const planAfter = (names: string[], ...submitted: Order[]) => {
		const receipts = newReceipts();
		for (const order of submitted) receipts.write(order);
		return plan(ENDPOINT, rowsOf(...names), receipts).map(({ key, origin, count, entries }) => ({
			key,
			origin,
			count,
			items: entries.map(({ rows }) => rows.map(({ item }) => item)),
			places: entries.map(({ place }) => place),
		}));
	};

	it('is known again, in whatever order and batch it would be now', () => {
		const [first, second] = [orderOf('ada', 'bob'), orderOf('eve')];
		const earlier = { origin: 'earlierTry' };
		expect(planAfter(['eve', 'new', 'bob', 'ada', 'bob'], first, second)).toMatchObject([
			{ ...earlier, key: first.key, count: 2, items: [[3], [2, 4]], places: [0, 1] },
			{ ...earlier, key: second.key, count: 1, items: [[0]], places: [0] },
			{ origin: 'new', count: 1, items: [[1]] },
		]);
	});

	it('counts as a whole where only a part of it is asked for now, and not where none is', () => {
		const orders = planAfter(['bob'], orderOf('ada', 'bob'), orderOf('eve'));
		expect(orders).toMatchObject([{ origin: 'earlierTry', count: 2, items: [[0]], places: [1] }]);
	});

	it('gives a search of two batches once: the first has paid for it', () => {
		const orders = planAfter(['ada'], orderOf('ada', 'bob'), orderOf('ada', 'eve'));
		expect(orders).toHaveLength(1);
	});
});
