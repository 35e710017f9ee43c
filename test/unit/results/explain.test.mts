import fc from 'fast-check';
import type { INode } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import type { Next, Problem } from '../../../nodes/ContactData/common/errors.ts';
import { toFailure } from '../../../nodes/ContactData/common/errors.ts';
import type { Ending, Situation } from '../../../nodes/ContactData/results/explain.ts';
import { explain, toError } from '../../../nodes/ContactData/results/explain.ts';
import { retryIt } from '../../support/texts.mts';

const NODE: INode = {
	id: '1',
	name: 'Contact Data',
	type: 'n8n-nodes-contact-data.contactData',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};
const NEXTS: Array<Next | undefined> = ['again', 'stop', 'read', 'look', 'checkUsage', undefined];
const SCOPES: Array<Problem['scope']> = [undefined, 'request', 'account', 'run'];
const MEND = { message: 'No', description: 'Mend it.' };
const FRESH: Ending = { hasPaid: false, hasPaidBefore: false, retry: 'goesOn' };
const PAID: Ending = { hasPaid: true, hasPaidBefore: false, retry: 'goesOn' };
const CALLED: Ending = { ...PAID, retry: 'paysAgain' };

const problem: fc.Arbitrary<Problem> = fc.record({
	message: fc.constant(MEND.message),
	description: fc.constant(MEND.description),
	next: fc.constantFrom(...NEXTS),
	scope: fc.constantFrom(...SCOPES),
});
const situation: fc.Arbitrary<Situation> = fc
	.record({
		size: fc.constantFrom('single' as const, 'bulk' as const),
		paidFor: fc.uniqueArray(fc.stringMatching(/^[a-z]{2,4}-\d$/), { maxLength: 25 }),
		unsure: fc.nat(60),
		item: fc.option(fc.nat(9), { nil: undefined }),
		id: fc.option(fc.constant('own-id'), { nil: undefined }),
		ending: fc.option(
			fc.record({
				hasPaidBefore: fc.boolean(),
				retry: fc.constantFrom('goesOn' as const, 'paysAgain' as const, 'none' as const),
			}),
			{ nil: undefined },
		),
	})
	.map(({ ending, ...where }) => {
		if (ending === undefined) return where;
		const hasPaid = ending.hasPaidBefore || where.paidFor.length > 0 || where.unsure > 0;
		return { ...where, ending: { ...ending, hasPaid } };
	});

describe('whatever went wrong, and whatever is paid for', () => {
	const check = (property: (text: string, problem: Problem, where: Situation) => void) =>
		fc.assert(
			fc.property(problem, situation, (what, drawn) => {
				// What is to be read has an id.
				const where = what.next === 'read' ? { ...drawn, id: 'own-id' } : drawn;
				property(explain(what, where), what, where);
			}),
		);

	it('it says how to mend it', () => {
		check((text) => {
			expect(text).toContain(MEND.description);
		});
	});

	it('up to 20 ids that are paid for are named, in one list', () => {
		check((text, { next }, { paidFor, id }) => {
			const ids = new Set([...(next === 'read' && id !== undefined ? [id] : []), ...paidFor]);
			const lists = [
				...text.matchAll(
					/paid for: (.*?)(?: and (\d+) more(?:, which are in the usage of your account)?)?\. Read/g,
				),
			];
			expect(lists).toHaveLength(ids.size > 0 ? 1 : 0);
			const [, list = '', more = 0] = lists[0] ?? [];
			expect(list.split(', ').filter(Boolean)).toEqual([...ids].slice(0, 20));
			expect(Number(more)).toBe(Math.max(0, ids.size - 20));
		});
	});

	it('nothing was charged only where that is sure', () => {
		check((text, _, { paidFor, unsure, ending }) => {
			const isPaid = paidFor.length > 0 || unsure > 0 || ending?.hasPaid === true;
			if (isPaid) expect(text).not.toMatch(/Nothing was charged/);
			else if (ending?.retry !== 'goesOn') expect(text).not.toMatch(/Nothing was charged\./);
		});
	});

	it("n8n's Retry is advised where it goes on from what is paid for, and nowhere else", () => {
		check((text, { next }, { ending }) => {
			if (ending?.retry !== 'goesOn' || next === 'stop') expect(text).not.toContain(retryIt);
			else if (ending.hasPaid) expect(text).toContain(retryIt);
		});
	});

	it('a retry that pays again is told as that', () => {
		check((text, _, { ending }) => {
			const paysAgain = ending?.hasPaid === true && ending.retry === 'paysAgain';
			expect(text.includes('would pay again')).toBe(paysAgain);
		});
	});

	it('how many searches may have been charged is told', () => {
		check((text, _, { unsure }) => {
			if (unsure > 1)
				expect(text).toContain(`${unsure} searches of this run may have been charged`);
		});
	});
});

const single = { size: 'single', paidFor: [], unsure: 0, item: 3 } as const;

it.for<[string, Partial<Problem>, Partial<Situation>, string]>([
	['nothing is paid', { next: 'again' }, { ending: FRESH }, 'Mend it. Nothing was charged.'],
	['an item', { next: 'again' }, {}, 'Mend it. Nothing was charged for this item.'],
	[
		'nothing is paid in a sub-workflow',
		{ next: 'again' },
		{ ending: { ...FRESH, retry: 'paysAgain' } },
		'Mend it. Nothing was charged for this item.',
	],
	[
		'another node has paid',
		{ next: 'again' },
		{ ending: { ...PAID, hasPaidBefore: true } },
		"Mend it. Then choose 'Retry with currently saved workflow' in Executions: nothing is paid twice.",
	],
	[
		'one item of many',
		{},
		{ ending: PAID },
		"Mend it. To go on without this item, set 'On Error' in the settings of the node to Continue, and choose 'Retry with currently saved workflow' in Executions: nothing is paid twice.",
	],
	[
		'not the item alone',
		{ scope: 'account' },
		{ ending: PAID },
		"Mend it. Then choose 'Retry with currently saved workflow' in Executions: nothing is paid twice.",
	],
	[
		'read in an item',
		{ next: 'read' },
		{ id: 'a-1' },
		"Already started and paid for: a-1. Read the result free of charge with 'Get Result' ('Search ID' a-1, 'Wait for Result' on), or with 'ID of an Earlier Search'. Mend it.",
	],
	[
		'read where the run ends',
		{ next: 'read', scope: 'account' },
		{ id: 'a-1', paidFor: ['a-2', 'a-1'], size: 'bulk', ending: PAID },
		"Already started and paid for: a-1, a-2. Read the results free of charge with 'Get Bulk Results' (each as 'Batch ID', 'Wait for Result' on), or choose 'Retry with currently saved workflow' in Executions: nothing is paid twice. Mend it.",
	],
	[
		'read in a sub-workflow',
		{ next: 'read' },
		{ id: 'a-1', ending: { ...CALLED, hasPaidBefore: true } },
		"Already started and paid for: a-1. Read the result free of charge with 'Get Result' ('Search ID' a-1, 'Wait for Result' on), or with 'ID of an Earlier Search'. Mend it. What this execution has paid for before is in the output of its Contact Data nodes: each ID there can be an 'ID of an Earlier Search'. A retry of the workflow that called this one would pay again.",
	],
	[
		'look',
		{ next: 'look' },
		{ id: 'a-1' },
		"Mend it. Look at what there is with 'Get Result' and 'Search ID' a-1, which costs no credits, and ask the provider about it.",
	],
	[
		'one may have been charged, and another one failed',
		{ next: 'again' },
		{ unsure: 1 },
		'Mend it. One search of this run may have been charged. It was not sent again, so that you do not pay twice: check in the usage of your account whether it was charged.',
	],
])('%s', ([, what, where, text]) => {
	expect(explain({ ...MEND, ...what }, { ...single, ...where })).toBe(text);
});

describe('the error that n8n shows', () => {
	it('is of the service where that has refused', () => {
		const error = toError(
			NODE,
			{ problem: { ...MEND, status: 402, next: 'again' }, item: 3 },
			FRESH,
		);
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error).toMatchObject({ message: 'No', httpCode: '402', context: { itemIndex: 3 } });
		expect(error.description).toMatch(/^Mend it\. Nothing was charged/);
	});

	it('is what n8n has thrown, as long as there is nothing to add', () => {
		const thrown = new NodeOperationError(NODE, 'Bad', { description: 'So', itemIndex: 2 });
		expect(toError(NODE, toFailure(thrown))).toBe(thrown);
		const paid = { size: 'single', paidFor: ['a-1'], unsure: 0 } as const;
		const error = toError(NODE, { ...toFailure(thrown), paid });
		expect(error).toMatchObject({ message: 'Bad', context: { itemIndex: 2 } });
		expect(error.description).toMatch(/^So Already started and paid for: a-1\./);
		expect(thrown.description).toBe('So');
	});

	it('keeps the words of whatever else was thrown', () => {
		const thrown = new TypeError('Ouch');
		const error = toError(NODE, toFailure(thrown));
		expect(error).toBeInstanceOf(NodeOperationError);
		expect(error).toMatchObject({ message: 'Ouch', cause: thrown });
	});
});

it('after the brake, of what an earlier node has paid for: the IDs, as no retry starts anything more', () => {
	const ending: Ending = { ...PAID, hasPaidBefore: true };
	const where: Situation = { size: 'single', paidFor: [], unsure: 3, ending };
	const text = explain({ ...MEND, next: 'stop' }, where);
	expect(text).toContain("'ID of an Earlier Search'");
	expect(text).not.toContain(retryIt);
});
