import dns from 'node:dns';
import { HookContext } from 'n8n-core';
import type { IDataObject, WorkflowActivateMode, WorkflowExecuteMode } from 'n8n-workflow';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { triggerUrl } from '../../../nodes/ContactData/run/triggerUrl.ts';
import { useFastClock } from '../../support/clock.mts';
import { expectNoKey, useBench } from '../../support/n8nCore/contactData.mts';
import {
	createAdditionalData,
	createWorkflow,
	type EnvironmentOptions,
} from '../../support/n8nCore/environment.mts';
import { watchLog } from '../../support/n8nCore/log.mts';
import { webhookDataOf } from '../../support/n8nCore/webhook.mts';
import { NOBODY } from '../../support/ports.mts';
import { keyMissing } from '../../support/texts.mts';
import { trigger } from './trigger.mts';

const BASE = 'https://n8n.example/webhook';
const URL = `${BASE}/an-id/webhook`;
/** Where a service on the internet reaches nobody. */
const PRIVATE_BASE = 'http://localhost:5678/webhook';

const bench = useBench();
const account = () => bench().sandbox.service.account();
const asked = () => bench().sandbox.requests.filter(({ path }) => path === '/account/info').length;

type Hook = 'checkExists' | 'create' | 'delete';
/** For a published workflow, or while somebody listens for a test event. */
type HookCall = Hook | { test: Hook };

/** Calls hooks as n8n does; gives what the last one returned, and the URL that action nodes then find. */
async function call(
	calls: HookCall[],
	{ kept = {}, ...more }: EnvironmentOptions & { kept?: IDataObject } = {},
) {
	const entry = { node: trigger, settings: { webhookId: 'an-id' } };
	const environment = { credentials: bench().credentials, webhookBaseUrl: BASE, ...more };
	const workflow = createWorkflow([entry], {}, environment);
	Object.assign(workflow.getStaticData('global'), kept);
	const [node] = Object.values(workflow.nodes);
	let result: boolean | undefined;
	for (const one of calls) {
		const isTest = typeof one !== 'string';
		const hook = isTest ? one.test : one;
		const [mode, activation] = modeOf(hook, isTest);
		const additionalData = createAdditionalData(mode, environment);
		const data = webhookDataOf(entry, additionalData, isTest);
		const context = new HookContext(workflow, node, additionalData, mode, activation, data);
		result = await trigger.webhookMethods.default[hook].call(context);
	}
	expectNoKey([result, workflow.staticData], bench().sandbox.apiKey);
	Object.assign(kept, workflow.getStaticData('global'));
	const additionalData = createAdditionalData('trigger', environment);
	const context = new HookContext(workflow, node, additionalData, 'trigger', 'activate');
	return { result, url: triggerUrl.find(context) };
}

const urlAfter = async (...given: Parameters<typeof call>) => (await call(...given)).url;

/** As n8n calls a hook; the end of a test says that it is an update. */
function modeOf(hook: Hook, isTest: boolean): [WorkflowExecuteMode, WorkflowActivateMode] {
	if (!isTest) return ['trigger', 'activate'];
	return hook === 'delete' ? ['internal', 'update'] : ['manual', 'manual'];
}

/** A credential for a service on the internet. No resolver is asked: it may be slow, or not there. */
function distantService() {
	const lookup = vi.spyOn(dns, 'lookup').mockImplementation(notFound);
	onTestFinished(() => lookup.mockRestore());
	const { credentials } = bench();
	credentials.contactDataApi.baseUrl = 'https://service.invalid';
	return { credentials, lookup };
}

beforeEach(() => {
	account().webhooks = undefined;
});

it('checkExists lets n8n call create each time, and asks nothing', async () => {
	account().webhooks = [URL];
	expect(await call(['checkExists'])).toMatchObject({ result: false });
	expect(asked()).toBe(0);
});

describe('create', () => {
	it.for<HookCall>(['create', { test: 'create' }])(
		'stops the activation (%j) with a wrong key, and says so',
		async (hook) => {
			const credentials = bench().credentials;
			credentials.contactDataApi.apiKey = 'wrong-key';
			const error = await call([hook], { credentials }).catch((thrown: unknown) => thrown);
			expect(error).toMatchObject({
				message: 'This apikey is not valid',
				description: expect.stringContaining('paste the key again') as string,
			});
			expectNoKey(error, 'wrong-key');
		},
	);

	it('stops the activation without a key', async () => {
		const credentials = bench().credentials;
		credentials.contactDataApi.apiKey = ' ';
		await expect(call(['create'], { credentials })).rejects.toThrow(keyMissing);
		expect(asked()).toBe(0);
	});

	it.for([
		{ kind: 'status', status: 500 },
		{ kind: 'status', status: 429 },
		{ kind: 'reset', when: 'before' },
		{ kind: 'html' },
		{ kind: 'empty' },
	] as const)('does not stop it when the service is down: %o', async (fault) => {
		bench().sandbox.faults.add({ ...fault, on: '*', times: 100 });
		expect(await call(['create'])).toMatchObject({ result: true });
		// Nor is it asked over and over while n8n starts.
		expect(asked()).toBe(1);
	});
});

describe('a service that does not answer', () => {
	useFastClock();

	it('does not keep the start of n8n waiting', async () => {
		bench().sandbox.faults.add({ kind: 'hang', on: '*', times: 100 });
		const begin = Date.now();
		expect(await call(['create'])).toMatchObject({ result: true });
		expect(Date.now() - begin).toBeLessThanOrEqual(10_000);
	});
});

describe("the URL for the workflow's action nodes", () => {
	it('is known once the workflow is published, also when the service is down', async () => {
		expect(await urlAfter([])).toBeUndefined();
		expect(await urlAfter(['create'])).toBe(URL);
		bench().sandbox.faults.add({ kind: 'html', on: '*', times: 1 });
		expect(await urlAfter(['create'])).toBe(URL);
	});

	it.for<[what: string, calls: HookCall[], url: string | undefined]>([
		['is taken back by delete', ['create', 'delete'], undefined],
		['is never the URL for test events', [{ test: 'create' }], undefined],
		['stays after a test event', ['create', { test: 'create' }, { test: 'delete' }], URL],
	])('%s', async ([, calls, url]) => {
		expect(await urlAfter(calls)).toBe(url);
	});

	it('is not known where the workflow was imported with what it keeps, until it is published', async () => {
		const kept: IDataObject = {};
		expect(await urlAfter(['create'], { kept, workflowId: 'one' })).toBe(URL);
		expect(await urlAfter([], { kept, workflowId: 'one' })).toBe(URL);
		expect(await urlAfter([], { kept, workflowId: 'other' })).toBeUndefined();
		// The command line of another n8n keeps the id.
		const instance = vi.spyOn(HookContext.prototype, 'getInstanceId').mockReturnValue('another');
		onTestFinished(() => instance.mockRestore());
		expect(await urlAfter([], { kept, workflowId: 'one' })).toBeUndefined();
		expect(await urlAfter(['create'], { kept, workflowId: 'one' })).toBe(URL);
	});

	it('is not believed where nothing says whose it is: a workflow file can name any', async () => {
		expect(await urlAfter([], { kept: { contactDataTriggerUrl: URL } })).toBeUndefined();
		expect(await urlAfter([], { kept: { contactDataTriggerUrl: { url: URL } } })).toBeUndefined();
	});

	it('is not known when the service could not reach it, and the log says what to set', async () => {
		const { credentials, lookup } = distantService();
		const webhookBaseUrl = PRIVATE_BASE;
		const log = watchLog();
		expect(await urlAfter(['create'], { webhookBaseUrl })).toBe(`${webhookBaseUrl}/an-id/webhook`);
		expect(log).toEqual([]);
		expect(await urlAfter(['create'], { webhookBaseUrl, credentials })).toBeUndefined();
		const message = expect.stringContaining('WEBHOOK_URL') as string;
		expect(log).toMatchObject([{ level: 'warn', message }]);
		expect(lookup).toHaveBeenCalled();
	});
});

it('delete without a service, and without a key', async () => {
	const credentials = { contactDataApi: { apiKey: '', baseUrl: NOBODY } };
	expect(await call(['delete'], { credentials })).toMatchObject({ result: true });
});

const notFound = ((host: string, _options: unknown, done: (error: Error) => void) => {
	done(Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' }));
}) as unknown as typeof dns.lookup;
