import { setTimeout as delay } from 'node:timers/promises';
import type {
	ExecutionStatus,
	IConnections,
	ICredentialDataDecryptedObject,
	INode,
	IWorkflowSettings,
} from 'n8n-workflow';

import { Execution, type ExecutionRecord } from './execution.mts';

/** What Execute Workflow starts without anybody's call. */
const STARTERS = ['n8n-nodes-base.manualTrigger', 'n8n-nodes-base.scheduleTrigger'];

/** A workflow as the editor exports it. */
export interface WorkflowJson {
	name: string;
	nodes: INode[];
	connections: IConnections;
	settings?: IWorkflowSettings;
}

/** A credential saved in n8n, as nodes refer to it. */
export interface CredentialRef {
	id: string;
	name: string;
}

export interface CredentialJson {
	name: string;
	type: string;
	data: ICredentialDataDecryptedObject;
}

/** One row of the list of executions. */
export interface ExecutionSummary {
	id: string;
	workflowId: string;
	status: ExecutionStatus;
	mode: string;
}

export interface ExecutionFilter {
	workflowId?: string;
	status?: ExecutionStatus[];
}

interface Publication {
	status: 'in_progress' | 'published' | 'partial' | 'failed' | 'not_published';
	triggers: Array<{ errorMessage: string | null }>;
}

const DONE: Publication = { status: 'published', triggers: [] };

/** The owner account that the harness makes, also for looking around in the editor. */
export const LOGIN = { email: 'owner@example.com', password: 'Contact-Data-1' };

const OWNER_NAME = { firstName: 'Olive', lastName: 'Owner' };
export const UNFINISHED: ExecutionStatus[] = ['new', 'running', 'waiting', 'unknown'];
/** Of a hundred executions each. */
const MOST_PAGES = 20;
const FIRST_LOOK_MS = 50;
const SLOWEST_LOOK_MS = 500;
const DEFAULT_TIMEOUT_MS = 60_000;
/** Of an installation and of a retry, which are answered when they are over; all else takes seconds. */
const LONGEST_ANSWER_MS = 300_000;
const LOGIN_PATH = 'login';

/** n8n refused a call of its REST API. */
export class N8nApiError extends Error {
	constructor(
		request: string,
		readonly status: number,
		readonly body: string,
	) {
		super(`${request} → ${status}: ${body.slice(0, 500)}`);
	}
}

/** The REST API that n8n's editor uses, as the owner. */
export class N8nApi {
	private cookie = '';

	/**
	 * @param url base URL of n8n
	 * @param unflatten see `unflattenerOf`
	 * @param diagnose describes the state of n8n, for the message of a timeout
	 */
	constructor(
		readonly url: string,
		private readonly unflatten: (text: string) => unknown,
		private readonly diagnose: () => string,
	) {}

	/** The headers of a request as the owner, for calls beside `/rest`. */
	get headers(): Record<string, string> {
		return this.cookie ? { cookie: this.cookie } : {};
	}

	/** Makes the owner account of an empty n8n, or logs in to the one made before. */
	async login(): Promise<void> {
		const { data } = await this.send<{
			data: { userManagement: { showSetupOnFirstLoad: boolean } };
		}>('GET', 'settings');
		const { email, password } = LOGIN;
		if (data.userManagement.showSetupOnFirstLoad) {
			await this.rest('POST', 'owner/setup', { ...OWNER_NAME, email, password });
		} else {
			await this.rest('POST', LOGIN_PATH, { emailOrLdapLoginId: email, password });
		}
	}

	/** Calls `/rest/<path>` and gives the `data` of the answer. @throws {N8nApiError} */
	async rest<T = unknown>(method: string, path: string, body?: unknown): Promise<T> {
		return (await this.send<{ data: T }>(method, path, body)).data;
	}

	/** Saves a credential and gives the reference to put in a node. */
	async importCredential(credential: CredentialJson): Promise<CredentialRef> {
		const { id, name } = await this.rest<CredentialRef>('POST', 'credentials', credential);
		return { id, name };
	}

	/** Changes what a saved credential holds. */
	async updateCredential({ id }: CredentialRef, credential: CredentialJson): Promise<void> {
		await this.rest('PATCH', `credentials/${id}`, credential);
	}

	/** Runs the credential's own test, as the editor does when it is saved. */
	async testCredential(
		ref: CredentialRef,
		credential: CredentialJson,
	): Promise<{ status: 'OK' | 'Error'; message: string }> {
		return await this.rest('POST', 'credentials/test', {
			credentials: { ...credential, id: ref.id },
		});
	}

	/** Saves a workflow and gives its id. */
	async importWorkflow({ name, nodes, connections, settings }: WorkflowJson): Promise<string> {
		const workflow = { name, nodes, connections, settings: settings ?? {}, active: false };
		return (await this.rest<{ id: string }>('POST', 'workflows', workflow)).id;
	}

	/** Publishes a workflow, until its trigger listens. Throws what the trigger says if it fails. */
	async activate(workflowId: string): Promise<void> {
		const { versionId } = await this.rest<{ versionId: string }>('GET', `workflows/${workflowId}`);
		await this.rest('POST', `workflows/${workflowId}/activate`, { versionId });
		const { status, triggers } = await this.untilSettled(
			workflowId,
			(status) => status !== 'not_published',
		);
		if (status === 'published') return;
		throw new Error(
			triggers.flatMap(({ errorMessage }) => errorMessage ?? []).join('; ') || status,
		);
	}

	/** Takes a workflow's trigger down. */
	async deactivate(workflowId: string): Promise<void> {
		await this.rest('POST', `workflows/${workflowId}/deactivate`, {});
		await this.untilSettled(workflowId, (status) => status === 'not_published');
	}

	/**
	 * Starts a workflow from its manual trigger or its schedule, as Execute Workflow does, and gives
	 * the execution's id at once. A workflow given as JSON is imported first.
	 */
	async startWorkflow(workflow: WorkflowJson | string): Promise<string> {
		const id = typeof workflow === 'string' ? workflow : await this.importWorkflow(workflow);
		const workflowData = await this.rest<WorkflowJson>('GET', `workflows/${id}`);
		const trigger = workflowData.nodes.find(({ type }) => STARTERS.includes(type));
		if (!trigger) throw new Error(`Workflow ${id} has no manual trigger and no schedule.`);
		const { executionId } = await this.rest<{ executionId: string }>(
			'POST',
			`workflows/${id}/run`,
			// Early 2.x wants the whole workflow once more.
			{ workflowData, triggerToStartFrom: { name: trigger.name } },
		);
		return executionId;
	}

	/** Starts a workflow and waits for its end, however it ends: look at `status` and `error`. */
	async runWorkflow(
		workflow: WorkflowJson | string,
		options: { timeoutMs?: number } = {},
	): Promise<Execution> {
		return await this.waitForEnd(await this.startWorkflow(workflow), options);
	}

	/** Waits until an execution is over: neither running nor parked. */
	async waitForEnd(id: string, options: { timeoutMs?: number } = {}): Promise<Execution> {
		const isOver = (status: ExecutionStatus) => !UNFINISHED.includes(status);
		for (;;) {
			await this.waitForStatus(id, isOver, options);
			const execution = await this.getExecution(id);
			// Between two pauses, n8n 1 lists an execution as over for a moment.
			if (isOver(execution.status)) return execution;
		}
	}

	/** Waits until an execution has a status that fits, e.g. `waiting`. */
	async waitForStatus(
		id: string,
		fits: (status: ExecutionStatus) => boolean,
		options: { timeoutMs?: number } = {},
	): Promise<void> {
		await this.waitForExecution((summary) => summary.id === id && fits(summary.status), options);
	}

	/** Makes a trigger of a workflow listen for one test event, as Execute Step does. */
	async listen(workflowId: string, trigger: string): Promise<unknown> {
		const workflowData = await this.rest<WorkflowJson>('GET', `workflows/${workflowId}`);
		return await this.rest('POST', `workflows/${workflowId}/run`, {
			workflowData,
			triggerToStartFrom: { name: trigger },
		});
	}

	/**
	 * Waits until one of the newest 100 executions fits, and gives it.
	 *
	 * @throws after `timeoutMs` (default 60 s), with n8n's newest executions and the end of its log
	 */
	async waitForExecution(
		fits: (summary: ExecutionSummary) => boolean,
		{ timeoutMs = DEFAULT_TIMEOUT_MS, ...filter }: ExecutionFilter & { timeoutMs?: number } = {},
	): Promise<ExecutionSummary> {
		const deadline = Date.now() + timeoutMs;
		for (let pause = FIRST_LOOK_MS; ; pause = Math.min(pause * 1.5, SLOWEST_LOOK_MS)) {
			const executions = await this.listExecutions(filter);
			const found = executions.find(fits);
			if (found) return found;
			if (Date.now() + pause > deadline) {
				const seen = executions.slice(0, 5).map(({ id, status }) => `${id} ${status}`);
				throw new Error(
					`No such execution within ${timeoutMs / 1000} s. Newest: ${seen.join(', ') || 'none'}.\n${this.diagnose()}`,
				);
			}
			await delay(pause);
		}
	}

	/** The newest 100 executions, newest first. */
	async listExecutions(filter: ExecutionFilter = {}): Promise<ExecutionSummary[]> {
		const query = new URLSearchParams({ limit: '100', filter: JSON.stringify(filter) });
		const { results } = await this.rest<{ results: ExecutionSummary[] }>(
			'GET',
			`executions?${query}`,
		);
		return results;
	}

	async getExecution(id: string): Promise<Execution> {
		const record = await this.rest<ExecutionRecord>('GET', `executions/${id}`);
		return new Execution(record, this.unflatten);
	}

	/** Cancels a running or parked execution, as the editor's Stop does. */
	async stopExecution(id: string): Promise<void> {
		await this.rest('POST', `executions/${id}/stop`, {});
	}

	/** Takes all triggers down, stops what runs or is parked, and removes all credentials. */
	async clear(): Promise<void> {
		const workflows = await this.rest<Array<{ id: string; active: boolean }>>('GET', 'workflows');
		for (const { id } of workflows.filter(({ active }) => active)) await this.deactivate(id);
		for (let round = 0; round < MOST_PAGES; round++) {
			const unfinished = await this.listExecutions({ status: UNFINISHED });
			if (unfinished.length === 0) break;
			// One may be over by now, which n8n calls an error.
			for (const { id } of unfinished) await this.stopExecution(id).catch(() => undefined);
		}
		for (const { id } of await this.rest<CredentialRef[]>('GET', 'credentials')) {
			await this.rest('DELETE', `credentials/${id}`);
		}
	}

	/** Retries a failed execution, as the Retry button does, and waits for its end. */
	async retryExecution(
		id: string,
		options: { timeoutMs?: number; loadWorkflow?: boolean } = {},
	): Promise<Execution> {
		const { loadWorkflow = false, ...waiting } = options;
		const retry = await this.rest<{ id: string }>('POST', `executions/${id}/retry`, {
			loadWorkflow,
		});
		return await this.waitForEnd(retry.id, waiting);
	}

	/**
	 * n8n answers before it has published a workflow or taken it back: waits until it has. In the
	 * moment when it is done it may still tell what was before. Early 2.x answers when it has, and has
	 * nothing to ask for.
	 */
	private async untilSettled(
		workflowId: string,
		fits: (status: Publication['status']) => boolean,
	): Promise<Publication> {
		const deadline = Date.now() + DEFAULT_TIMEOUT_MS;
		while (Date.now() < deadline) {
			const path = `workflows/${workflowId}/publication-status`;
			const publication = await this.rest<Publication>('GET', path).catch((error: unknown) => {
				if (error instanceof N8nApiError && error.status === 404) return undefined;
				throw error;
			});
			if (publication === undefined) return DONE;
			if (publication.status !== 'in_progress' && fits(publication.status)) return publication;
			await delay(FIRST_LOOK_MS);
		}
		throw new Error(`Workflow ${workflowId} is still being published.\n${this.diagnose()}`);
	}

	private async send<T>(method: string, path: string, body?: unknown): Promise<T> {
		const response = await this.fetchUnlessBusy(path, {
			method,
			headers: { 'content-type': 'application/json', ...this.headers },
			body: body === undefined ? undefined : JSON.stringify(body),
		});
		const text = await response.text();
		if (!response.ok) throw new N8nApiError(`${method} ${path}`, response.status, text);
		const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
		if (cookies.length > 0) this.cookie = cookies.join('; ');
		return JSON.parse(text) as T;
	}

	/** Under load n8n answers that its database is not ready: what changes nothing is asked for again. */
	private async fetchUnlessBusy(path: string, request: RequestInit): Promise<Response> {
		const deadline = Date.now() + DEFAULT_TIMEOUT_MS;
		for (;;) {
			const signal = AbortSignal.timeout(LONGEST_ANSWER_MS);
			const response = await fetch(`${this.url}rest/${path}`, { ...request, signal });
			const isHarmless = request.method === 'GET' || path === LOGIN_PATH;
			const isBusy = response.status === 503 && isHarmless;
			if (!isBusy || Date.now() > deadline) return response;
			await response.text();
			await delay(SLOWEST_LOOK_MS);
		}
	}
}
