import { describe, expect, it } from 'vitest';
import type { ItemSearch } from '../../../nodes/ContactData/input/searches.ts';
import { lookups } from '../../../nodes/ContactData/lookups/index.ts';
import type { Size } from '../../../nodes/ContactData/lookups/types.ts';
import type { Submission } from '../../../nodes/ContactData/spending/plan.ts';
import { plan } from '../../../nodes/ContactData/spending/plan.ts';
import { findEarlierSubmissions, Receipts } from '../../../nodes/ContactData/spending/receipts.ts';

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
