import type { IExecuteFunctions } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import type { Run } from '../../../nodes/ContactData/input/run.ts';
import { toAccount } from '../../../nodes/ContactData/service/account.ts';
import {
	findResumeUrl,
	obstacleOfExecution,
	willRunAgain,
} from '../../../nodes/ContactData/suspension/suspend.ts';
import { neverResumed } from '../../support/texts.mts';

const node = {
	id: '1',
	name: 'Contact Data',
	type: 'contactData',
	typeVersion: 1,
	position: [0, 0] as [number, number],
	parameters: {},
};

function contextOf(resumeUrl: unknown): IExecuteFunctions {
	const context: Partial<IExecuteFunctions> = {
		getNode: () => node,
		getExecutionId: () => '7',
		getExecutionContext: () => undefined,
		evaluateExpression: (() => resumeUrl) as IExecuteFunctions['evaluateExpression'],
	};
	return context as IExecuteFunctions;
}

describe('the URL by which the service resumes an execution', () => {
	const account = toAccount('key', 'https://service.example', 10);
	const run: Partial<Run> = { node, connection: { account, send: async () => undefined } };
	const urlOf = (resumeUrl: unknown) => findResumeUrl(contextOf(resumeUrl), run as Run);

	it.for([
		['https://n8n.example/w/7', 'https://n8n.example/w/7/contact-data'],
		['https://n8n.example/w/7?signature=a', 'https://n8n.example/w/7/contact-data?signature=a'],
	])('has a path of its own at its end: %s', ([url, expected]) => {
		expect(urlOf(url)).toBe(expected);
	});

	it.for(['', undefined, null, {}, 'http://localhost:5678/w/7?signature=a'])(
		'is refused where nobody can call it: %j',
		(url) => {
			expect(() => urlOf(url)).toThrow(neverResumed);
		},
	);
});

it.for([
	[64_999, false],
	[65_000, true],
] as const)('a Timeout of %i ms can be parked: %s', ([timeoutMs, canPark]) => {
	expect(obstacleOfExecution(contextOf(''), timeoutMs) === undefined).toBe(canPark);
});

it('n8n runs a node again whose first item has an error, and none without items', () => {
	const retrying = { ...node, retryOnFail: true };
	expect(willRunAgain(retrying, [{ json: { error: 'x' } }])).toBe(true);
	expect(willRunAgain(retrying, [{ json: {} }, { json: { error: 'x' } }])).toBe(false);
	expect(willRunAgain(retrying, [])).toBe(false);
	expect(willRunAgain(node, [{ json: { error: 'x' } }])).toBe(false);
});
