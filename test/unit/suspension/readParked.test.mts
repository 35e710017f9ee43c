import type { IWebhookFunctions } from 'n8n-workflow';
import { expect, it } from 'vitest';
import { readParked } from '../../../nodes/ContactData/suspension/parked.ts';
import { notWaiting } from '../../support/texts.mts';

const node = {
	id: '1',
	name: 'Contact Data',
	type: 'contactData',
	typeVersion: 1,
	position: [0, 0] as [number, number],
	parameters: {},
};

function read(input: unknown, resource = 'emailFinder') {
	const parameters: Record<string, unknown> = { resource, operation: 'submitAndWait' };
	const context: Partial<IWebhookFunctions> = {
		getNode: () => node,
		getNodeParameter: ((name: string) => parameters[name]) as IWebhookFunctions['getNodeParameter'],
		evaluateExpression: (() => input) as IWebhookFunctions['evaluateExpression'],
	};
	return readParked(context as IWebhookFunctions);
}

const waiting = { json: { status: 'ongoing', id: 'a' } };

it('what a paused execution waits for is in its items, and what is no item is left out', () => {
	const done = { json: { status: 'completed', id: 'b' } };
	const { ids, items } = read([null, 'text', {}, { json: null }, waiting, done, waiting]);
	expect(ids).toEqual(['a']);
	expect(items).toEqual([waiting, done, waiting]);
});

it.for([[], undefined, null, 'text', { json: {} }, [{ json: { status: 'completed', id: 'b' } }]])(
	'an execution that waits for nothing is refused: %j',
	(input) => {
		expect(() => read(input)).toThrow(notWaiting);
	},
);

it('so is a kind of lookup that nobody knows', () => {
	expect(() => read([waiting], 'unknown')).toThrow(notWaiting);
});
