import { expect, it, vi } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { useBench } from '../../support/n8nCore/contactData.mts';
import { receiptsOf, Suspended } from '../pausing/suspended.mts';

// The service takes a while for so many, so they are not sent here.
vi.mock('../../../nodes/ContactData/service/submission.ts', () => {
	let ids = 0;
	return {
		submit: async () => {
			const id = `id-${++ids}`;
			return { kind: 'accepted', id, answer: { id, credits_used: 1 } };
		},
	};
});

const bench = useBench();
useFastClock();

/** A call with so many arguments overflows the stack. */
const MANY = 130_000;

it('a run of 130,000 searches is parked with their ids', async () => {
	bench().sandbox.service.account('demo').credits = MANY;
	const items = Array.from({ length: MANY }, (_, n) => ({ email: `lead${n}@acme.example` }));
	const execution = new Suspended(bench(), 'emailVerifier', 'submitBulkAndWait', { items });
	const { parked, status } = await execution.run();
	expect(status).toBe('waiting');
	if (parked === undefined) throw new Error('Not parked');
	const receipts = receiptsOf(parked);
	expect(receipts).toHaveLength(MANY);
	expect(new Set(receipts.map(({ batch_id: id }) => id)).size).toBe(MANY / 5_000);
});
