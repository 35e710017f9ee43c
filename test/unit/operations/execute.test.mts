import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { expect, it } from 'vitest';
import { execute } from '../../../nodes/ContactData/operations/execute.ts';
import { chooseFromLists, noOperation } from '../../support/texts.mts';

const node = { name: 'Contact Data', type: 'contactData' };

/** Runs with the only parts of n8n's context that are needed to choose an operation. */
async function errorOf(getNodeParameter: (name: string) => unknown): Promise<unknown> {
	const context = {
		getNodeParameter,
		getInputData: () => [{ json: {} }],
		getNode: () => node,
		continueOnFail: () => false,
	} as unknown as IExecuteFunctions;
	return await execute(context).then(
		() => undefined,
		(error: unknown) => error,
	);
}

it.for([
	['faxFinder', 'submit'],
	['emailFinder', 'sendLetter'],
	[undefined, undefined],
])('names a choice that there is not: %s %s', async ([resource, operation]) => {
	const error = await errorOf((name) => (name === 'resource' ? resource : operation));
	expect(error).toMatchObject({
		node,
		message: `${noOperation}'${operation}' for the resource '${resource}'`,
		description: chooseFromLists,
	});
});

it.for([
	['__CUSTOM_API_CALL__', undefined],
	['emailFinder', '__CUSTOM_API_CALL__'],
	['account', '__CUSTOM_API_CALL__'],
])('says what to choose for a Custom API Call: %s %s', async ([resource, operation]) => {
	const error = await errorOf((name) => (name === 'resource' ? resource : operation));
	expect(error).toMatchObject({ node, message: 'This node makes no custom API calls' });
});

it('names the node in a fault of its own', async () => {
	const error = await errorOf(() => {
		throw new TypeError('Ouch');
	});
	expect(error).toBeInstanceOf(NodeOperationError);
	expect(error).toMatchObject({ node, message: 'Ouch' });
});
