import type { INode } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { expect, it } from 'vitest';

import { waitError, withStartedIds } from '../../../nodes/ContactData/results/failures.ts';

const NODE: INode = {
	id: '1',
	name: 'Contact Data',
	type: 'n8n-nodes-contact-data.contactData',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

it.for([
	['single', "'Get Result', 'Search ID' a-1"],
	['bulk', "'Get Bulk Results', 'Batch ID' a-1"],
] as const)('of a wait: what happened, and how to read the result (%s)', ([size, reading]) => {
	const refusal = { message: 'No answer.', description: 'Wait.', scope: 'request' } as const;
	const error = waitError(NODE, refusal, { id: 'a-1', size, itemIndex: 3 });
	expect(error.message).toBe('No answer.');
	expect(error.description).toBe(
		`Wait. Already started and paid for: a-1; read the result free of charge with ${reading} and 'Wait for Result', or retry this execution, which does not start it again.`,
	);
	expect(error.context.itemIndex).toBe(3);
});

it('of a run: every id that its text does not name already', () => {
	const error = new NodeOperationError(NODE, 'Ended', {
		description: 'Look. Already started and paid for: a-1; read it.',
	});
	withStartedIds(error, ['a-1', 'a-2', 'a-3'], 'single');
	expect(error.description).toBe(
		"Look. Already started and paid for: a-1; read it. Already started and paid for: a-2, a-3; read the results free of charge with 'Get Result', each as 'Search ID' and 'Wait for Result', or retry this execution, which does not start them again.",
	);
});

it('of a run: all its ids, where it says nothing else', () => {
	const error = withStartedIds(new NodeOperationError(NODE, 'Ended'), ['a-1', 'a-2'], 'bulk');
	expect(error.description).toMatch(/^Already started and paid for: a-1, a-2; read the results /);
});
