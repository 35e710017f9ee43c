import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { skipTime } from '../../support/clock.mts';
import type { Bench, Given } from '../../support/n8nCore/contactData.mts';
import type { NodeUnderTest } from '../../support/n8nCore/environment.mts';
import { setValue, start } from '../../support/n8nCore/testNodes.mts';
import {
	callWebhook,
	type CallWebhookOptions,
	type CallWebhookResult,
} from '../../support/n8nCore/webhook.mts';
import {
	resumeWorkflow,
	runWorkflow,
	type ParkedExecution,
	type WorkflowOptions,
	type WorkflowRun,
} from '../../support/n8nCore/workflow.mts';

const NODE = 'Contact Data';
const DAY_S = 86_400;
const MOST_CALLS = 5;

/** Unless a test gives others. */
const FIELDS: Readonly<Record<string, INodeParameters>> = {
	emailFinder: { fullname: '={{ $json.fullname }}', companyDomain: 'acme.example' },
	emailVerifier: { email: '={{ $json.email }}' },
	phoneFinder: { identifyBy: 'profileUrl', socialProfileUrl: '={{ $json.url }}' },
};

export interface SuspendGiven extends Pick<Given, 'parameters' | 'options' | 'settings'> {
	/** The JSON of the input items; `n` is added, for the pairing. */
	items: Array<Record<string, unknown>>;
}

/** A workflow `Start` → the action node in Wait Mode Pause Until Notified → `After`, which is paired with `Start`. */
export class Suspended {
	readonly node: NodeUnderTest;
	readonly workflow: WorkflowOptions;

	constructor(
		private readonly bench: Pick<Bench, 'node' | 'credentials'>,
		resource: string,
		operation: 'submitAndWait' | 'submitBulkAndWait',
		{ items, parameters, options, ...given }: SuspendGiven,
		executionId = '7',
	) {
		this.node = bench.node(resource, operation, {
			...given,
			// So that time may be skipped.
			options: { timeout: DAY_S, ...options },
			parameters: { ...FIELDS[resource], ...parameters, waitMode: 'suspend' },
		});
		const numbered = items.map((item, n) => ({ ...item, n }));
		const nodes = [start(numbered), this.node, setValue('After', "={{ $('Start').item.json.n }}")];
		this.workflow = { nodes, credentials: bench.credentials, executionId, mode: 'trigger' };
	}

	async run(): Promise<WorkflowRun> {
		return await runWorkflow(this.workflow);
	}

	/** Runs it until it is parked. */
	async park(): Promise<ParkedExecution> {
		const { parked, status, error } = await this.run();
		if (parked === undefined) throw new Error(`Not parked but ${status}: ${error?.message}`);
		return parked;
	}

	/** A callback of the service, or of somebody else. */
	async call(
		parked: ParkedExecution,
		call: Omit<CallWebhookOptions, keyof NodeUnderTest | 'parked'> = {},
	): Promise<CallWebhookResult> {
		const { credentials } = this.bench;
		return await callWebhook({ ...this.node, credentials, parked, body: {}, ...call });
	}

	/** Sends callbacks until one resumes the execution: the node may be looking itself just then. */
	async bring(
		parked: ParkedExecution,
		call: Parameters<Suspended['call']>[1] = {},
	): Promise<ParkedExecution> {
		let answer: CallWebhookResult['response'];
		for (let calls = 0; calls < MOST_CALLS; calls++) {
			const { resumed, response } = await this.call(parked, call);
			if (resumed !== undefined) return resumed;
			answer = response;
			await new Promise((resolve) => setTimeout(resolve, 1_000));
		}
		throw new Error(`Not resumed: ${JSON.stringify(answer)}`);
	}

	/** The same, and lets it go on. */
	async resume(
		parked: ParkedExecution,
		call: Parameters<Suspended['call']>[1] = {},
	): Promise<WorkflowRun> {
		return await resumeWorkflow(this.workflow, await this.bring(parked, call));
	}

	/** Runs it from end to end: parked, and resumed by a callback when that much time is over. */
	async runThrough(ms: number): Promise<WorkflowRun> {
		const parked = await this.park();
		skipTime(ms);
		return await this.resume(parked);
	}

	/** What n8n does when the time of the wait is over. */
	async reachDeadline(parked: ParkedExecution): Promise<WorkflowRun> {
		return await resumeWorkflow(this.workflow, parked);
	}
}

/** The same for lists of people: one list is one item. */
export function suspendedLists(
	bench: Pick<Bench, 'node' | 'credentials'>,
	lists: string[][],
	given: Omit<SuspendGiven, 'items' | 'parameters'> = {},
): Suspended {
	return new Suspended(bench, 'emailFinder', 'submitBulkAndWait', {
		items: lists.map((names) => ({
			list: names.map((fullname) => ({ fullname, company_domain: 'acme.example' })),
		})),
		parameters: { inputMode: 'array', searches: '={{ $json.list }}' },
		...given,
	});
}

/** What a node says above its output. */
export function hintsOf(run: WorkflowRun, name = NODE): string[] {
	return run.tasks(name).flatMap(({ hints = [] }) => hints.map(({ message }) => message));
}

/** The JSON of the action node's items. */
export function resultsOf(run: WorkflowRun, output = 0): Array<INodeExecutionData['json']> {
	return run.items(NODE, { output }).map(({ json }) => json);
}

/** With which item of `Start` each item after the node is paired. */
export function pairsOf(run: WorkflowRun): unknown[] {
	return run.items('After').map(({ json }) => json.value);
}

/** The receipts in a parked execution: what n8n keeps as the node's input. */
export function receiptsOf({ data }: ParkedExecution): Array<INodeExecutionData['json']> {
	const items = data.executionData?.nodeExecutionStack[0]?.data.main?.[0] ?? [];
	return items.map(({ json }) => json);
}
