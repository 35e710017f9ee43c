import { ServerResponse } from 'node:http';
import { NodeOperationError } from 'n8n-workflow';
import type {
	IExecuteFunctions,
	IHookFunctions,
	ILoadOptionsFunctions,
	INodeExecutionData,
	INodeType,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

/** A node that does, one per operation, what the harness must be able to carry. */
export class ProbeNode implements INodeType {
	description: INodeType['description'] = {
		displayName: 'Probe',
		name: 'probe',
		group: ['transform'],
		version: 1,
		description: 'Proves the harness',
		defaults: { name: 'Probe' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'contactDataApi', required: true }],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				path: 'webhook',
				restartWebhook: true,
			},
		],
		properties: [
			{ displayName: 'Operation', name: 'operation', type: 'string', default: 'get' },
			{ displayName: 'Path', name: 'path', type: 'string', default: '/echo' },
			{
				displayName: 'Hidden',
				name: 'hidden',
				type: 'string',
				default: 'default',
				displayOptions: { show: { operation: ['never'] } },
			},
			{
				displayName: 'Options',
				name: 'options',
				type: 'collection',
				default: {},
				options: [{ displayName: 'Limit', name: 'limit', type: 'number', default: 3 }],
			},
		],
	};

	methods = {
		listSearch: {
			async searchUrls(this: ILoadOptionsFunctions, filter?: string, paginationToken?: string) {
				const body = await request.call(this, '/account/info');
				return {
					results: [{ name: `${body.key} ${filter} ${paginationToken}`, value: 'url' }],
				};
			},
		},
	};

	webhookMethods = {
		default: {
			async checkExists(this: IHookFunctions) {
				return this.getWorkflowStaticData('node').url === this.getNodeWebhookUrl('default');
			},
			async create(this: IHookFunctions) {
				this.getWorkflowStaticData('node').url = this.getNodeWebhookUrl('default');
				return true;
			},
			async delete(this: IHookFunctions) {
				await request.call(this, '/echo');
				return true;
			},
		},
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const input = this.getInputData();
		switch (this.getNodeParameter('operation', 0)) {
			case 'get':
				return [await Promise.all(input.map((_, index) => getItem.call(this, index)))];
			case 'getReversed': {
				const items = await Promise.all(input.map((_, index) => getItem.call(this, index)));
				return [items.reverse()];
			}
			case 'failOnce': {
				const state: { tries?: number } = this.getContext('node');
				const tries = (state.tries ?? 0) + 1;
				state.tries = tries;
				if (tries === 1) throw new NodeOperationError(this.getNode(), 'First try');
				return [[{ json: { tries }, pairedItem: { item: 0 } }]];
			}
			case 'cancelled':
				return [[{ json: { cancelled: this.getExecutionCancelSignal()?.aborted ?? null } }]];
			case 'park': {
				const resumeUrl = this.evaluateExpression('{{ $execution.resumeUrl }}', 0);
				if (typeof resumeUrl !== 'string') throw new Error('No URL');
				input.splice(
					0,
					input.length,
					...input.map((_, index) => ({
						json: { id: `id-${index}`, resumeUrl },
						pairedItem: { item: index },
					})),
				);
				await this.putExecutionToWait(new Date('2030-01-01'));
				return [input];
			}
			case 'isTool':
				this.addExecutionHints({ message: 'A hint' });
				return [
					[
						{
							json: {
								rewired: this.getNode().rewireOutputLogTo ?? null,
								type: this.getNode().type,
							},
						},
					],
				];
			default:
				throw new NodeOperationError(this.getNode(), 'Unknown operation');
		}
	}

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		const body = this.getBodyData();
		const seen = this.getWorkflowStaticData('node');
		switch (body.want) {
			case 'refuse': {
				const reply: unknown = this.getResponseObject();
				if (!(reply instanceof ServerResponse)) throw new Error('No response');
				reply.writeHead(503, { 'content-type': 'text/plain' }).end('Later');
				return { noWebhookResponse: true };
			}
			case 'hang':
				return { noWebhookResponse: true };
			case 'throw':
				throw new Error('Broken');
			case 'resume': {
				const ids: unknown = this.evaluateExpression(
					'{{ $input.all().map((item) => item.json.id) }}',
				);
				if (!Array.isArray(ids)) throw new Error('No parked input');
				return {
					workflowData: [
						ids.map((done: string, index) => ({ json: { done }, pairedItem: { item: index } })),
					],
				};
			}
			case 'start':
				seen.ids = Array.isArray(seen.ids) ? [...seen.ids, 'new'] : [];
				return { workflowData: [[{ json: await request.call(this, '/echo') }]] };
			default:
				return {};
		}
	}
}

async function getItem(this: IExecuteFunctions, index: number): Promise<INodeExecutionData> {
	const path = this.getNodeParameter('path', index);
	if (typeof path !== 'string') throw new Error('No path');
	try {
		const json = await request.call(this, path);
		return { json, pairedItem: { item: index } };
	} catch (error) {
		if (!this.continueOnFail() || !(error instanceof Error)) throw error;
		return { json: { error: error.message }, pairedItem: { item: index } };
	}
}

async function request(
	this: IExecuteFunctions | IWebhookFunctions | IHookFunctions | ILoadOptionsFunctions,
	path: string,
): Promise<Echo> {
	const { baseUrl } = await this.getCredentials<{ baseUrl: string }>('contactDataApi');
	const options = { url: `${baseUrl}${path}`, json: true };
	const body: unknown = await this.helpers.httpRequestWithAuthentication.call(
		this,
		'contactDataApi',
		options,
	);
	if (!isEcho(body)) throw new Error('Not the answer of the test server');
	return body;
}

/** What the test server answers. */
type Echo = { path: string; key: string };

function isEcho(body: unknown): body is Echo {
	return typeof body === 'object' && body !== null && 'path' in body && 'key' in body;
}
