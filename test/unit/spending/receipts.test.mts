import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import type { ItemSearch } from '../../../nodes/ContactData/input/searches.ts';
import { lookups } from '../../../nodes/ContactData/lookups/index.ts';
import type { Size } from '../../../nodes/ContactData/lookups/types.ts';
import type { Submission } from '../../../nodes/ContactData/spending/plan.ts';
import { plan } from '../../../nodes/ContactData/spending/plan.ts';
import { findEarlierSubmissions, Receipts } from '../../../nodes/ContactData/spending/receipts.ts';
import { wasInterrupted } from '../../support/texts.mts';

const endpoint = (size: Size) => ({
	baseUrl: 'https://api.example.com',
	lookup: lookups.emailVerifier,
	size,
});

const searchesFor = (...names: string[]): ItemSearch[] =>
	names.map((name, item) => ({
		item,
		search: { email: `${name}@acme.example` },
		envelope: {},
		group: '',
	}));

/** As n8n keeps them with the execution and hands them to the next try. */
function nextTry(saved: IDataObject, executionId = '1'): Receipts {
	return Receipts.of(structuredClone(saved), '0', executionId);
}

function submissionOf(...names: string[]): Submission {
	const [submission] = plan(endpoint('bulk'), searchesFor(...names));
	if (submission === undefined) throw new Error('Nothing to submit');
	return submission;
}

const accepted = (id: string) => ({
	kind: 'accepted' as const,
	id,
	answer: { id, credits_used: 2 },
});

describe('a receipt', () => {
	it('of what was accepted is the answer, and names its searches', () => {
		const saved: IDataObject = {};
		const submission = submissionOf('ada', 'bob');
		Receipts.of(saved, '0', '1').settle(submission, accepted('batch-1'));
		const receipts = nextTry(saved);
		expect(receipts.get(submission.key)).toEqual(accepted('batch-1'));
		expect(receipts.list()).toEqual([{ key: submission.key, names: submission.names }]);
		expect(receipts.paid()).toEqual({ paidFor: ['batch-1'], unsure: 0 });
	});

	it.for([
		['answer', { message: 'Created' }],
		['id', undefined],
		['id that is text', { id: 7 }],
	] as const)('without an %s tells of a submission whose outcome is unknown', ([, answer]) => {
		const { key } = submissionOf('ada');
		const receipts = Receipts.of({ receipts: { '0': { [key]: { answer } } } }, '0', '1');
		expect(receipts.get(key)).toMatchObject({ kind: 'unknown' });
		expect(receipts.paid()).toEqual({ paidFor: [], unsure: 1 });
	});

	it('of what was being sent when n8n crashed names its searches, and says so', () => {
		const saved: IDataObject = {};
		const submission = submissionOf('ada', 'bob');
		Receipts.of(saved, '0', '1').inFlight(submission, true);
		const receipts = nextTry(saved);
		expect(receipts.get(submission.key)).toMatchObject({
			kind: 'unknown',
			reason: `an earlier try was ${wasInterrupted}`,
		});
		expect(receipts.list()).toEqual([{ key: submission.key, names: submission.names }]);
		expect(receipts.paid()).toEqual({ paidFor: [], unsure: 2 });
	});

	it('is of an earlier execution where another one has made it', () => {
		const saved: IDataObject = {};
		const [own, unsettled] = [submissionOf('ada'), submissionOf('bob')];
		const receipts = Receipts.of(saved, '0', '1');
		receipts.settle(own, accepted('batch-1'));
		receipts.inFlight(unsettled, true);
		expect(nextTry(saved, '1').isOfEarlierExecution(own.key)).toBe(false);
		expect(nextTry(saved, '2').isOfEarlierExecution(own.key)).toBe(true);
		expect(nextTry(saved, '2').isOfEarlierExecution(unsettled.key)).toBe(false);
	});

	it('is of one run of the node: a turn of a loop does not see those of another', () => {
		const saved: IDataObject = {};
		Receipts.of(saved, '0', '1').settle(submissionOf('ada'), accepted('batch-1'));
		expect(Receipts.of(saved, '1', '1').list()).toEqual([]);
	});
});

describe('of a tool', () => {
	it('what its calls have spent in this execution is told, and of no other', () => {
		const saved: IDataObject = {};
		const [known, unknown] = [submissionOf('ada'), submissionOf('bob', 'eve')];
		const receipts = Receipts.ofTool(saved, '1');
		expect(receipts.calls).toEqual({ credits: 0, unsure: 0 });
		receipts.settle(known, accepted('batch-1'));
		receipts.settle(unknown, { kind: 'unknown', reason: 'the connection broke' });
		expect(receipts.calls).toEqual({ credits: 2, unsure: 2 });
		expect(Receipts.ofTool(saved, '2').calls).toEqual({ credits: 0, unsure: 0 });
		expect(Receipts.of(saved, '0', '1').calls).toBeUndefined();
	});

	it('what another execution has paid for is known, and not counted', () => {
		const submission = submissionOf('ada', 'bob');
		const first = Receipts.ofTool({}, '1');
		first.settle(submission, accepted('batch-1'));
		expect(first.entriesOf(submissionOf('ada').names)).toEqual([]);
		const second = Receipts.ofTool({}, '2');
		second.add(first.entriesOf(submission.names));
		expect(second.get(submission.key)).toEqual(accepted('batch-1'));
		expect(second.calls).toEqual({ credits: 0, unsure: 0 });
	});
});

describe('what earlier tries submitted', () => {
	const findAfter = (names: string[], ...submitted: Submission[]) => {
		const receipts = Receipts.of({}, '0', '1');
		for (const submission of submitted) receipts.settle(submission, accepted(submission.key));
		const { earlier, remaining } = findEarlierSubmissions(
			endpoint('bulk'),
			receipts,
			searchesFor(...names),
		);
		return {
			earlier: earlier.map(({ key, body, searches, items, size }) => {
				return { key, body, searches, items, size };
			}),
			remaining: remaining.map(({ item }) => item),
		};
	};
	const itemOf = (name: string, item: number) => ({ ...searchesFor(name)[0], item });

	it('is known again, in whatever order and batch it would be now', () => {
		const first = submissionOf('ada', 'bob');
		const second = submissionOf('eve');
		const [ada, bob, eve] = ['ada', 'bob', 'eve'].map((name) => ({
			email: `${name}@acme.example`,
		}));
		expect(findAfter(['eve', 'new', 'bob', 'ada', 'bob'], first, second)).toEqual({
			earlier: [
				{
					key: first.key,
					body: {},
					searches: [ada, bob],
					items: [[itemOf('ada', 3)], [itemOf('bob', 2), itemOf('bob', 4)]],
					size: 2,
				},
				{ key: second.key, body: {}, searches: [eve], items: [[itemOf('eve', 0)]], size: 1 },
			],
			remaining: [1],
		});
	});

	it('counts as a whole where only a part of it is asked for now, and not where none is', () => {
		const { earlier, remaining } = findAfter(
			['bob'],
			submissionOf('ada', 'bob'),
			submissionOf('eve'),
		);
		expect(earlier).toMatchObject([{ size: 2, items: [[{ item: 0 }]] }]);
		expect(remaining).toEqual([]);
	});

	it('gives a search of two batches once: the first has paid for it', () => {
		const { earlier } = findAfter(['ada'], submissionOf('ada', 'bob'), submissionOf('ada', 'eve'));
		expect(earlier).toHaveLength(1);
	});
});
