import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { IHttpRequestOptions, INodeType, IRunExecutionData } from 'n8n-workflow';
import { jsonParse } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ContactDataTrigger } from '../../../nodes/ContactData/ContactDataTrigger.node.ts';
import { triggerUrl } from '../../../nodes/ContactData/input/webhook.ts';
import { contactData } from '../../support/n8nCore/contactData.mts';
import { callWebhookInProcess } from '../../support/n8nCore/webhook.mts';
import { resumeWorkflow, type WorkflowRun } from '../../support/n8nCore/workflow.mts';
import { seenBefore } from '../../support/texts.mts';
import { type Reads, record, type Saved, type SavedExecution, toWorkflow } from './record.mts';

// What an earlier version of the package has left in n8n's database comes to this one: an update does
// not wait for executions. `CONTACT_DATA_RECORD=<version>` writes the file of a release.

const FOLDER = new URL('./', import.meta.url);
const NODE = 'Contact Data';
const CREDENTIALS = {
	contactDataApi: { apiKey: 'key', baseUrl: 'https://service.example', requestsPerSecond: 1_000 },
};

const { CONTACT_DATA_RECORD: version } = process.env;
if (version !== undefined) {
	it('is written', async () => {
		const text = JSON.stringify(await record(version));
		writeFileSync(new URL(`${version}.json`, FOLDER), `${text}\n`);
	});
}

const versions = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));
const all = versions.map((name) => jsonParse<Saved>(readFileSync(new URL(name, FOLDER), 'utf8')));

/** The node in front of a service that knows what was started, and whose submissions are counted. */
function inFrontOf(node: INodeType, reads: Reads) {
	const posts: unknown[] = [];
	const answer = ({ method, url, qs, body }: IHttpRequestOptions) => {
		const { pathname } = new URL(url);
		const id = typeof qs?.id === 'string' ? qs.id : '';
		if (method === 'POST') posts.push(body);
		const read = reads[`${pathname} ${id}`] ?? { status: 404, body: {} };
		const { status, body: said } =
			pathname === '/account/info' ? { status: 200, body: { credits: 1_000 } } : read;
		return { statusCode: status, headers: {}, body: JSON.stringify(said) };
	};
	const request = async (_: string, options: IHttpRequestOptions): Promise<unknown> =>
		await Promise.resolve(answer(options));
	const wired: INodeType = {
		description: node.description,
		async execute() {
			this.helpers.httpRequestWithAuthentication = request;
			return (await node.execute?.call(this)) ?? [];
		},
		async webhook() {
			this.helpers.httpRequestWithAuthentication = request;
			return (await node.webhook?.call(this)) ?? {};
		},
	};
	return { node: wired, posts };
}

const ALL_FOUND = ({ items }: SavedExecution) => items.map(() => ({ found: true }));
const resultsOf = (run: WorkflowRun) => run.items(NODE).map(({ json }) => json);

describe.for(all)('of version $version', (saved) => {
	beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: saved.at }));
	afterEach(() => void vi.useRealTimers());

	it.for(saved.failed)('an execution that is retried pays nothing: $name', async (execution) => {
		const { node, posts } = inFrontOf(contactData, execution.reads);
		const options = toWorkflow(execution, node, CREDENTIALS);
		const retry = async (data: IRunExecutionData) =>
			await resumeWorkflow(options, { id: '8', mode: 'retry', data });

		for (const onError of ['stopWorkflow', 'continueRegularOutput'] as const) {
			const data = structuredClone(execution.data);
			const [entry] = data.executionData?.nodeExecutionStack ?? [];
			if (entry) entry.node.onError = onError;
			const run = await retry(data);
			expect(run.error).toBeUndefined();
			expect(resultsOf(run)).toMatchObject(ALL_FOUND(execution));
		}
		expect(posts).toEqual([]);
	});

	it.for(saved.parked)('a parked execution comes out right: $name', async (execution) => {
		const { node, posts } = inFrontOf(contactData, execution.reads);
		const options = toWorkflow(execution, node, CREDENTIALS);
		const parked = { id: '7', mode: 'trigger', data: execution.data } as const;
		const { nodes, ...environment } = options;
		const call = await callWebhookInProcess({ ...environment, ...nodes[1], parked, body: {} });
		if (call.resumed === undefined) throw new Error(`Not resumed: ${call.response?.status}`);
		const run = await resumeWorkflow(options, call.resumed);
		const results = resultsOf(run);
		const wrong = results.pop();
		expect(wrong).toMatchObject({ who: '', error: expect.any(String) as string });
		expect(results.map(({ who }) => who)).toEqual(
			execution.items.slice(0, -1).map(({ who }) => who),
		);
		for (const { found, status } of results) {
			expect({ found, status }).toEqual({ found: true, status: 'completed' });
		}
		expect(posts).toEqual([]);
	});

	it('what has started a workflow starts it no second time', async () => {
		const { body, node: staticData, reads } = saved.trigger;
		const { node } = inFrontOf(new ContactDataTrigger(), reads);
		const given = { node, credentials: CREDENTIALS, body, staticData, workflowId: 'updated' };
		const again = await callWebhookInProcess(given);
		expect(again.response?.body).toEqual({ message: seenBefore });
		const first = await callWebhookInProcess({ ...given, staticData: {}, workflowId: 'other' });
		expect(first.workflowData).toBeDefined();
	});

	it('the URL of the trigger is known', () => {
		const { global } = saved.trigger;
		const [instance = '', id] =
			/"owner":"(\S+) (\S+)"/.exec(JSON.stringify(global))?.slice(1) ?? [];
		const context = {
			getWorkflowStaticData: () => global,
			getWorkflow: () => ({ id, active: true }),
			getInstanceId: () => instance,
		};
		expect(triggerUrl.find(context)).toBe('https://n8n.example/webhook/an-id/webhook');
	});
});
