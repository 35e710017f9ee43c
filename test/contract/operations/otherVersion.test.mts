import type { IDataObject } from 'n8n-workflow';
import { expect, it } from 'vitest';
import type { Given } from '../../support/n8nCore/contactData.mts';
import { shownError, useBench } from '../../support/n8nCore/contactData.mts';
import { retryIt } from '../../support/texts.mts';
import { FIND } from '../spending/money.mts';

// What another version has saved with an execution cannot be told apart: nothing is sent, and its ids are told.

const bench = useBench();

const MESSAGE =
	'Another version of this node has started this execution, and this one cannot go on from there';
const receipt = (id: string) => ({
	...{ names: 'tmYbSxxe', naming: 2, execution: '1' },
	answer: { message: 'Search started', id, credits_used: 1 },
});
const RECEIPTS: IDataObject = { '0': { one: receipt('old-1'), two: receipt('old-2') } };

const PAUSE = {
	contactDataPause: { execution: '0', wakesAt: 0, node: 'Contact Data', runsBefore: 0 },
};

it.for<[what: string, operation: string, saved: Pick<Given, 'contextData' | 'flowData'>]>([
	['receipts', 'submitAndWait', { contextData: { receipts: RECEIPTS } }],
	['receipts', 'submitBulk', { contextData: { receipts: RECEIPTS } }],
	['a pause', 'submitAndWait', { contextData: { receipts: RECEIPTS }, flowData: PAUSE }],
	['a pause alone', 'submitBulkAndWait', { flowData: PAUSE }],
])('%s, %s', async ([, operation, saved]) => {
	const items = [{ fullname: 'mustfind one' }];
	const run = await bench().run('emailFinder', operation, { parameters: FIND, items, ...saved });
	const { message, description } = shownError(run, bench().sandbox.apiKey);
	expect(message).toBe(MESSAGE);
	expect(description).toContain('Nothing was sent.');
	if (saved.contextData !== undefined) expect(description).toContain('old-1, old-2');
	expect(description).not.toContain(retryIt);
	bench().expectNothingSubmitted();
});
