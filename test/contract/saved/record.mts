import type { IDataObject, INodeParameters, INodeType, IRunExecutionData } from 'n8n-workflow';
import { HookContext } from 'n8n-core';
import { ContactDataTrigger } from '../../../nodes/ContactData/ContactDataTrigger.node.ts';
import type { LookupName } from '../../../nodes/ContactData/lookups/index.ts';
import { contactData } from '../../support/n8nCore/contactData.mts';
import {
	createAdditionalData,
	createWorkflow,
	type NodeUnderTest,
} from '../../support/n8nCore/environment.mts';
import { ServiceInProcess } from '../../support/n8nCore/inProcess.mts';
import { start } from '../../support/n8nCore/testNodes.mts';
import { callWebhookInProcess, webhookDataOf } from '../../support/n8nCore/webhook.mts';
import type { WorkflowOptions, WorkflowRun } from '../../support/n8nCore/workflow.mts';
import { runWorkflow } from '../../support/n8nCore/workflow.mts';
import { LOOKUP_NAMES } from '../../support/searches.mts';

/** What the service answers to a read, by path and id. */
export type Reads = Record<string, { status: number; body: unknown }>;

/** An execution as a version of the package has left it in n8n's database. */
export interface SavedExecution {
	name: string;
	resource: string;
	operation: string;
	parameters: INodeParameters;
	settings: NodeUnderTest['settings'];
	items: IDataObject[];
	data: IRunExecutionData;
	/** Paid for. */
	ids: string[];
	reads: Reads;
}

/** All that a version of the package has left behind. */
export interface Saved {
	version: string;
	/** When, in milliseconds since 1970. */
	at: number;
	/** That ended with an error, at the time limit. */
	failed: SavedExecution[];
	parked: SavedExecution[];
	trigger: { body: IDataObject; node: IDataObject; global: IDataObject; reads: Reads };
}

/** To a saved node in front of a service. */
export function toWorkflow(
	{ resource, operation, parameters, settings, items }: Omit<SavedExecution, 'data'>,
	node: INodeType,
	credentials: WorkflowOptions['credentials'],
): WorkflowOptions {
	const entry = { node, settings, parameters: { resource, operation, ...parameters } };
	return {
		nodes: [start(items), entry],
		credentials,
		executionId: '7',
		mode: 'trigger',
		workflowId: 'saved',
	};
}

type Given = Pick<SavedExecution, 'name' | 'parameters' | 'items'>;

const WORDS = ['Ada Mustfind', 'Zoë Mustfind', 'Øyvind Mustfind', 'ADA  mustfind '];
const LOOKUPS: Record<LookupName, Given[]> = {
	emailFinder: [
		{
			name: 'email finder',
			parameters: { fullname: '={{ $json.who }}', companyDomain: 'https://www.Acme.example/jobs' },
			items: WORDS.map((who) => ({ who })),
		},
	],
	emailVerifier: [
		{
			name: 'email verifier',
			parameters: { email: '={{ $json.who }}' },
			items: [
				'mustfind.a@acme.example',
				'Mustfind.B@Acme.example',
				'mustfind.c@mueller.example',
			].map((who) => ({ who })),
		},
	],
	phoneFinder: [
		{
			name: 'phone finder by page',
			parameters: { identifyBy: 'profileUrl', socialProfileUrl: '={{ $json.who }}' },
			items: ['mustfind-a', 'Mustfind-B/', 'mustfind-%C3%A9'].map((who) => ({
				who: `https://de.linkedin.com/in/${who}`,
			})),
		},
		{
			name: 'phone finder by name',
			parameters: {
				identifyBy: 'nameAndCompany',
				firstname: '={{ $json.who }}',
				lastname: 'Mustfind',
				companyName: 'Acme & Söhne GmbH',
			},
			items: ['Ada', 'Zoë', 'Jean-Luc'].map((who) => ({ who })),
		},
	],
};

const RUNS = ['submitAndWait', 'submitBulkAndWait'].flatMap((operation) =>
	LOOKUP_NAMES.flatMap((resource) =>
		LOOKUPS[resource].map((given) => ({ ...given, resource, operation, settings: {} })),
	),
);

/** Of nobody who could answer in time. */
const newService = () => new ServiceInProcess({ single: 3_600_000, bulk: 3_600_000 });

/** What the package as it is now leaves behind. */
export async function record(version: string): Promise<Saved> {
	const failed = RUNS.map(async (given) => {
		const options = { timeout: 1, pollInterval: 0.1 };
		const parameters = { ...given.parameters, options };
		return await recordRun({ ...given, name: `${given.name}, ${given.operation}`, parameters });
	});
	const parked = RUNS.map(async (given) => {
		const options = { timeout: 86_400, includeInputFields: true };
		const parameters = { ...given.parameters, waitMode: 'suspend', options };
		const items = [...given.items, { who: '' }];
		const settings = { onError: 'continueRegularOutput' as const };
		const name = `${given.name}, ${given.operation}`;
		return await recordRun({ ...given, name, parameters, items, settings });
	});
	return {
		version,
		at: Date.now(),
		failed: await Promise.all(failed),
		parked: await Promise.all(parked),
		trigger: await recordTrigger(),
	};
}

async function recordRun(given: Omit<SavedExecution, 'data' | 'ids' | 'reads'>) {
	const service = newService();
	const saved = { ...given, ids: [], reads: {} };
	const options = toWorkflow(saved, service.wire(contactData), service.credentials);
	const { data, parked }: WorkflowRun = await runWorkflow(options);
	const ids = service.service.ledger.entries.map(({ id }) => id);
	return { ...given, data: parked?.data ?? toRetry(data), ids, reads: readsOf(service) };
}

/** What n8n's Retry button makes of an execution that has failed. */
function toRetry(data: IRunExecutionData): IRunExecutionData {
	const { resultData } = data;
	delete resultData.error;
	resultData.runData[resultData.lastNodeExecuted ?? '']?.pop();
	return data;
}

function readsOf({ service, credentials }: ServiceInProcess): Reads {
	service.finish();
	const headers = { 'x-api-key': credentials.contactDataApi.apiKey };
	const reads = service.ledger.entries.map(({ id, endpoint }) => {
		const path = endpoint.replace('POST ', '');
		const request = { method: 'GET', path, query: { id }, headers, body: undefined };
		const { status, body } = service.handle(request);
		return [`${path} ${id}`, { status, body }] as const;
	});
	return Object.fromEntries(reads);
}

async function recordTrigger(): Promise<Saved['trigger']> {
	const service = newService();
	const { credentials } = service;
	const path = '/email/verify/single';
	const headers = { 'x-api-key': credentials.contactDataApi.apiKey };
	const search = { email: 'mustfind@acme.example' };
	service.service.handle({ method: 'POST', path, query: {}, headers, body: search });
	const reads = readsOf(service);
	const [{ id = '' } = {}] = service.service.ledger.entries;
	const body = { id };
	const node = service.wire(new ContactDataTrigger());
	const call = await callWebhookInProcess({ node, credentials, body, workflowId: 'saved' });
	const entry = { node: new ContactDataTrigger(), settings: { webhookId: 'an-id' } };
	const environment = { credentials, webhookBaseUrl: 'https://n8n.example/webhook' };
	const workflow = createWorkflow([entry], {}, environment);
	const [saved] = Object.values(workflow.nodes);
	const additionalData = createAdditionalData('trigger', environment);
	const data = webhookDataOf(entry, additionalData, false);
	const hook = new HookContext(workflow, saved, additionalData, 'trigger', 'activate', data);
	hook.helpers.httpRequestWithAuthentication = async () => await Promise.resolve({});
	await entry.node.webhookMethods.default.create.call(hook);
	return { body, node: call.staticData, global: workflow.getStaticData('global'), reads };
}
