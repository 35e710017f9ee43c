import fc from 'fast-check';
import type { INode } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import type { Failure, Remedy, Paid, Problem } from '../../../nodes/ContactData/common/errors.ts';
import { toFailure } from '../../../nodes/ContactData/common/errors.ts';
import type { Ending } from '../../../nodes/ContactData/results/explain.ts';
import { explain, toError } from '../../../nodes/ContactData/results/explain.ts';
import { alreadyPaidFor, nothingCharged, retryIt, retryPaysAgain } from '../../support/texts.mts';

const NODE: INode = {
	id: '1',
	name: 'Contact Data',
	type: 'n8n-nodes-contact-data.contactData',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};
const REMEDIES: Array<Remedy | undefined> = [
	'again',
	'stop',
	'read',
	'look',
	'checkUsage',
	undefined,
];
const AFFECTED: Array<Problem['affects']> = [undefined, 'request', 'account', 'run'];
const FIX = { message: 'No', description: 'Fix it.' };

const problem: fc.Arbitrary<Problem> = fc.record({
	message: fc.constant(FIX.message),
	description: fc.constant(FIX.description),
	remedy: fc.constantFrom(...REMEDIES),
	affects: fc.constantFrom(...AFFECTED),
});
/** What ends a run that has paid for something, or an item. */
const failure = fc
	.record({
		problem,
		item: fc.option(fc.nat(9), { nil: undefined }),
		id: fc.option(fc.constant('own-id'), { nil: undefined }),
		paid: fc.record({
			size: fc.constantFrom('single' as const, 'bulk' as const),
			paidFor: fc.uniqueArray(fc.stringMatching(/^[a-z]{2,4}-\d$/), { maxLength: 25 }),
			unsure: fc.nat(60),
		}),
	})
	.map(({ id, ...about }) => {
		// What is to be read has an id.
		const hasId = about.problem.remedy === 'read' || id !== undefined;
		return { ...about, ...(hasId && { ids: { id: 'own-id' } }) } satisfies Failure;
	});
const ending: fc.Arbitrary<Ending | undefined> = fc.option(
	fc.record({
		hasPaid: fc.boolean(),
		retry: fc.constantFrom('goesOn' as const, 'paysAgain' as const, 'none' as const),
	}),
	{ nil: undefined },
);

describe('whatever went wrong, and whatever is paid for', () => {
	const check = (
		property: (
			text: string,
			about: Paid & { next?: Remedy; id?: string },
			where: Ending | undefined,
		) => void,
	) =>
		fc.assert(
			fc.property(failure, ending, (what, drawn) => {
				const { paid, problem: its, ids } = what;
				const isPaid = paid.paidFor.length > 0 || paid.unsure > 0;
				const where = drawn && { ...drawn, hasPaid: drawn.hasPaid || isPaid };
				const size = ids === undefined ? paid.size : 'single';
				property(explain(what, where), { ...paid, size, next: its.remedy, id: ids?.id }, where);
			}),
		);

	it('it says how to fix it', () => {
		check((text) => {
			expect(text).toContain(FIX.description);
		});
	});

	it('up to 20 ids that are paid for are named, in one list that comes last', () => {
		check((text, { next, paidFor, id }) => {
			const ids = new Set([...(next === 'read' && id !== undefined ? [id] : []), ...paidFor]);
			const lists = [
				...text.matchAll(new RegExp(`${alreadyPaidFor}: (.*?)(?: and (\\d+) more.*?)?\\.$`, 'g')),
			];
			expect(lists).toHaveLength(ids.size > 0 ? 1 : 0);
			const [, list = '', more = 0] = lists[0] ?? [];
			expect(list.split(', ').filter(Boolean)).toEqual([...ids].slice(0, 20));
			expect(Number(more)).toBe(Math.max(0, ids.size - 20));
		});
	});

	it('nothing was charged only where that is sure', () => {
		check((text, { paidFor, unsure }, where) => {
			const isPaid = paidFor.length > 0 || unsure > 0 || where?.hasPaid === true;
			if (isPaid) expect(text).not.toContain(nothingCharged);
		});
	});

	it("n8n's Retry is advised where it goes on from what is paid for, and nowhere else", () => {
		check((text, { next, size, unsure }, where) => {
			// Nothing more is started after one batch of unknown fate, or three single searches.
			const brakes = size === 'bulk' || unsure >= 3;
			const isBraked = next === 'stop' || (next === 'checkUsage' && brakes);
			if (where?.retry !== 'goesOn' || isBraked) expect(text).not.toContain(retryIt);
			else if (where.hasPaid) expect(text).toContain(retryIt);
		});
	});

	it('a retry that pays again is told as that', () => {
		check((text, _, where) => {
			const paysAgain = where?.hasPaid === true && where.retry === 'paysAgain';
			expect(text.includes(retryPaysAgain)).toBe(paysAgain);
		});
	});

	it('how many searches may have been charged is told', () => {
		check((text, { unsure }) => {
			if (unsure > 1)
				expect(text).toContain(`${unsure} searches of this run may have been charged`);
		});
	});
});

describe('the error that n8n shows', () => {
	it('is what n8n has thrown, as long as there is nothing to add', () => {
		const thrown = new NodeOperationError(NODE, 'Bad', { description: 'So', itemIndex: 2 });
		expect(toError(NODE, toFailure(thrown))).toBe(thrown);
		const paid = { size: 'single', paidFor: ['a-1'], unsure: 0 } as const;
		const error = toError(NODE, { ...toFailure(thrown), paid });
		expect(error).toMatchObject({ message: 'Bad', context: { itemIndex: 2 } });
		expect(error.description).toContain('a-1');
		expect(thrown.description).toBe('So');
	});

	it('keeps the words of whatever else was thrown', () => {
		const thrown = new TypeError('Ouch');
		const error = toError(NODE, toFailure(thrown));
		expect(error).toBeInstanceOf(NodeOperationError);
		expect(error).toMatchObject({ message: 'Ouch', cause: thrown });
	});
});
