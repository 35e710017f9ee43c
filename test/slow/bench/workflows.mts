import type { INodeParameters } from 'n8n-workflow';

import type { CredentialRef, WorkflowJson } from '../../support/n8n/api.mts';
import {
	chain,
	code,
	connected,
	contactData,
	loopOverItems,
	madeItems,
	type NodeSpec,
} from '../../support/n8n/workflows.mts';
import type { Service } from './service.mts';

/** The node that makes the people; what it takes is left out of all times. */
export const SOURCE = 'People';

/** One node of this package over `count` people, of whom `first` is the number of the first. */
export function ownWorkflow(
	credential: CredentialRef,
	operation: 'submitAndWait' | 'submitBulkAndWait',
	count: number,
	first = 0,
): WorkflowJson {
	return chain(operation, crowd(count, first), finder(credential, operation));
}

/** n8n alone: a Code node that makes items like this package's results out of nothing. */
export function resultsWorkflow(count: number): WorkflowJson {
	return chain(
		'Results',
		crowd(count),
		code(
			'Results',
			`return $input.all().map(({ json: { fullname, domain } }, index) => ({
	json: {
		index: String(index),
		qualification: 'valid',
		email: \`ada@\${domain}\`,
		info: { domain, firstname: 'Ada', lastname: fullname, companyInfo: { name: domain } },
		raw_params: { fullname, company_domain: domain },
		batch_id: '00000000-0000-0000-0000-000000000000',
		status: 'completed',
		found: true,
	},
	pairedItem: index,
}));`,
		),
	);
}

/** One item after another: Loop Over Items with a batch size of 1 around this package's node. */
export function oneByOneWorkflow(credential: CredentialRef, count: number): WorkflowJson {
	const find = finder(credential, 'submitAndWait');
	const workflow = chain('One by one', crowd(count), loopOverItems(1), find);
	return connected(workflow, { Loop: [[], [find.name]], [find.name]: [['Loop']] });
}

/**
 * What is built by hand without a package: HTTP Request in batches of 10 a second, Wait, HTTP
 * Request for the results, and If, which leads those that are not finished back to Wait.
 */
export function byHandWorkflow(service: Service, count: number): WorkflowJson {
	const workflow = chain(
		'By hand',
		crowd(count),
		httpRequest('Submit', service, {
			method: 'POST',
			sendBody: true,
			specifyBody: 'json',
			jsonBody: '={{ JSON.stringify({ fullname: $json.fullname, company_domain: $json.domain }) }}',
			options: { batching: { batch: { batchSize: 10, batchInterval: 1100 } } },
		}),
		{ name: 'Wait', type: 'n8n-nodes-base.wait', typeVersion: 1.1, parameters: { amount: 5 } },
		httpRequest('Look', service, {
			sendQuery: true,
			queryParameters: {
				parameters: [{ name: 'id', value: "={{ $('Submit').item.json.id }}" }],
			},
			options: { response: { response: { fullResponse: true } } },
		}),
		ifFinished(),
		{ name: 'Results', type: 'n8n-nodes-base.noOp' },
	);
	return connected(workflow, { Finished: [['Results'], ['Wait']] });
}

/** The crowd of `people.mts`. */
function crowd(count: number, first = 0): NodeSpec {
	const json = `{ fullname: 'Ada Number' + (n + ${first}), domain: \`company\${n % 1000}.example\` }`;
	return madeItems(SOURCE, count, json);
}

function finder(credential: CredentialRef, operation: string): NodeSpec {
	return contactData('Contact Data', credential, {
		resource: 'emailFinder',
		operation,
		fullname: '={{ $json.fullname }}',
		companyDomain: '={{ $json.domain }}',
		// Without the default of Max Credits.
		options: {},
	});
}

/** HTTP Request to the endpoint of single email finds. */
export function httpRequest(
	name: string,
	{ baseUrl, apiKey }: Service,
	more: INodeParameters,
): NodeSpec {
	return {
		name,
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: {
			url: `${baseUrl}/email/find/single`,
			sendHeaders: true,
			headerParameters: { parameters: [{ name: 'x-api-key', value: apiKey }] },
			options: {},
			...more,
		},
	};
}

function ifFinished(): NodeSpec {
	const finished = {
		id: 'finished',
		leftValue: '={{ $json.statusCode }}',
		rightValue: 200,
		operator: { type: 'number', operation: 'equals' },
	};
	return {
		name: 'Finished',
		type: 'n8n-nodes-base.if',
		typeVersion: 2.2,
		parameters: {
			conditions: {
				options: { caseSensitive: true, typeValidation: 'strict', version: 2 },
				conditions: [finished],
				combinator: 'and',
			},
			options: {},
		},
	};
}
