import type { IDataObject } from 'n8n-workflow';
import { expect, it } from 'vitest';
import { lookups } from '../../../nodes/ContactData/lookups/index.ts';
import { accepted, noteShown } from '../../../nodes/ContactData/orders/order.ts';
import { refundOf } from '../../../nodes/ContactData/orders/refunds.ts';
import { summarize } from '../../../nodes/ContactData/results/summary.ts';
import { orderOf, rowsFor, settingsFor } from '../../support/rows.mts';

const { emailFinder } = lookups;
const ROWS = rowsFor(emailFinder, [{ fullname: 'Ada Hart' }, { fullname: 'Bob Low' }]);
const refusal = { message: 'No', description: '', affects: 'request' } as const;

/** A batch that was charged 3 credits. */
function batch(
	kind: 'completed' | 'failed',
	stats: IDataObject,
	origin: 'new' | 'earlierTry' = 'new',
) {
	const order = { ...orderOf('bulk', 'b-1', ROWS), origin };
	order.fate = accepted('b-1', { credits_used: 3 });
	noteShown(order, { kind, body: { stats }, refusal });
	return order;
}

it.for(['completed', 'failed'] as const)('a batch that is %s gives back what it says', (kind) => {
	const cost = { initial: 3, refunded: 3, final: 0 };
	expect(refundOf(emailFinder, batch(kind, { credits_cost: cost }))).toBe(3);
	expect(refundOf(emailFinder, batch(kind, { credits_cost: { refunded: 4 } }))).toBe(0);
	expect(refundOf(emailFinder, batch(kind, {}))).toBe(0);
});

it('what an earlier try got back is told, and is in the balance that this one has read', () => {
	const account = { fingerprint: 'a', baseUrl: '', requestsPerSecond: 1, redact: String };
	const connection = { account, send: async () => await Promise.resolve() };
	const run = { settings: settingsFor(emailFinder, 'bulk'), input: [], connection };
	const refunded = { credits_cost: { refunded: 1 } };
	const lineOf = (origin: 'new' | 'earlierTry') =>
		summarize(run, { outputs: [], orders: [batch('completed', refunded, origin)], balance: 110 });
	expect(lineOf('earlierTry')).toContain('1 refunded. The account has about 110 credits left.');
	expect(lineOf('new')).toContain('1 refunded. The account has about 108 credits left.');
});
