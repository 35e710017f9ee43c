import fc from 'fast-check';
import type { INode } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import type { Next } from '../../../nodes/ContactData/common/errors.ts';
import { toFailure } from '../../../nodes/ContactData/common/errors.ts';
import type { Situation } from '../../../nodes/ContactData/results/problems.ts';
import { explain, toError } from '../../../nodes/ContactData/results/problems.ts';

const NODE: INode = {
	id: '1',
	name: 'Contact Data',
	type: 'n8n-nodes-contact-data.contactData',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};
const ALONE: Situation = { size: 'single', asItem: false, paidFor: [], mayBePaid: false };
const NEXTS: Array<Next | undefined> = ['again', 'later', 'read', 'look', 'checkUsage', undefined];
const MEND = { message: 'No', description: 'Mend it.' };

const situation = fc.record({
	size: fc.constantFrom('single' as const, 'bulk' as const),
	asItem: fc.boolean(),
	paidFor: fc.uniqueArray(fc.stringMatching(/^[a-z]{2,4}-\d$/), { maxLength: 25 }),
	mayBePaid: fc.boolean(),
	id: fc.option(fc.constant('own-id'), { nil: undefined }),
});

describe('whatever went wrong, and whatever is paid for', () => {
	const check = (property: (text: string, next: Next | undefined, where: Situation) => void) =>
		fc.assert(
			fc.property(fc.constantFrom(...NEXTS), situation, (next, where) =>
				property(explain({ ...MEND, next }, where), next, where),
			),
		);

	it('it says how to mend it', () => {
		check((text) => {
			expect(text).toContain(MEND.description);
		});
	});

	it('up to 20 ids that are paid for are named, in one list', () => {
		check((text, next, { paidFor, id }) => {
			const ids = new Set([...(next === 'read' && id !== undefined ? [id] : []), ...paidFor]);
			const lists = [...text.matchAll(/paid for: (.*?)(?: and (\d+) more)?; /g)];
			expect(lists).toHaveLength(ids.size > 0 ? 1 : 0);
			const [, list = '', more = 0] = lists[0] ?? [];
			expect(list.split(', ').filter(Boolean)).toEqual([...ids].slice(0, 20));
			expect(Number(more)).toBe(Math.max(0, ids.size - 20));
		});
	});

	it('nobody is told to run again what is paid for, or may be', () => {
		check((text, next, { asItem, paidFor, mayBePaid }) => {
			if (paidFor.length > 0 || next === 'checkUsage' || (!asItem && mayBePaid)) {
				expect(text).not.toMatch(/run the workflow again|Nothing was (started|charged)/i);
			} else if (asItem && mayBePaid) {
				expect(text).not.toMatch(/run the workflow again(?!.*but not with those)/i);
			}
		});
	});

	it('an item speaks of no retry, which n8n does not offer there', () => {
		check((text, _, { asItem }) => {
			if (asItem) expect(text).not.toMatch(/retry|the other items/i);
		});
	});
});

it.for<[Next, Partial<Situation>, string]>([
	['again', {}, 'Mend it. Nothing was charged: then run the workflow again.'],
	['later', {}, 'Mend it. Run the workflow again later.'],
	['again', { mayBePaid: true }, 'Mend it. Then retry this execution.'],
	[
		'again',
		{ asItem: true },
		'Mend it. Nothing was charged for this item: then run the workflow again with the items that failed.',
	],
	[
		'read',
		{ id: 'a-1', asItem: true },
		"Already started and paid for: a-1; read the result free of charge with 'Get Result', 'Search ID' a-1 and 'Wait for Result'. Mend it.",
	],
	[
		'read',
		{ id: 'a-1', paidFor: ['a-2', 'a-1'], size: 'bulk' },
		"Already started and paid for: a-1, a-2; read the results free of charge with 'Get Bulk Results', each as 'Batch ID' and 'Wait for Result', or retry this execution, which does not start them again. Mend it.",
	],
	[
		'look',
		{ id: 'a-1' },
		"Mend it. Look at what there is with 'Get Result' and 'Search ID' a-1, which costs no credits, and ask the provider about it.",
	],
])('%s, %j', ([next, where, text]) => {
	expect(explain({ ...MEND, next }, { ...ALONE, ...where })).toBe(text);
});

describe('the error that n8n shows', () => {
	it('is of the service where that has refused', () => {
		const error = toError(NODE, { problem: { ...MEND, status: 402, next: 'again' }, item: 3 });
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error).toMatchObject({ message: 'No', httpCode: '402', context: { itemIndex: 3 } });
		expect(error.description).toMatch(/^Mend it\. Nothing was charged/);
	});

	it('is what n8n has thrown, as long as there is nothing to add', () => {
		const thrown = new NodeOperationError(NODE, 'Bad', { description: 'So', itemIndex: 2 });
		expect(toError(NODE, toFailure(thrown))).toBe(thrown);
		const paid = { size: 'single', paidFor: ['a-1'], mayBePaid: false } as const;
		const error = toError(NODE, { ...toFailure(thrown), paid });
		expect(error).toMatchObject({ message: 'Bad', context: { itemIndex: 2 } });
		expect(error.description).toMatch(/^So Already started and paid for: a-1;/);
		expect(thrown.description).toBe('So');
	});

	it('keeps the words of whatever else was thrown', () => {
		const thrown = new TypeError('Ouch');
		const error = toError(NODE, toFailure(thrown));
		expect(error).toBeInstanceOf(NodeOperationError);
		expect(error).toMatchObject({ message: 'Ouch', cause: thrown });
	});
});
