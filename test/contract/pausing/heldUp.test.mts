import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { passTime, skipTime, startClock } from '../../support/clock.mts';
import { contactData } from '../../support/n8nCore/contactData.mts';
import type { NodeUnderTest } from '../../support/n8nCore/environment.mts';
import { ServiceInProcess } from '../../support/n8nCore/inProcess.mts';
import { loopOverItems, start } from '../../support/n8nCore/testNodes.mts';
import { callWebhookInProcess } from '../../support/n8nCore/webhook.mts';
import {
	resumeWorkflow,
	runWorkflow,
	type ParkedExecution,
	type WorkflowOptions,
	type WorkflowRun,
} from '../../support/n8nCore/workflow.mts';
import { people } from '../../support/people.mts';
import { keptRunning } from '../../support/texts.mts';
import { hintsOf } from './suspended.mts';

// n8n's limit of executions at once holds up an execution that is resumed. When its pause is over
// meanwhile, n8n resumes it again, each minute, from what it was before.

const MINUTE = 60_000;
const JOB_MS = 10 * MINUTE;
const TIMEOUT_MS = 20 * MINUTE;
const LIMIT_MS = 300 * MINUTE;
const HELD_UP = expect.stringContaining(keptRunning) as string;

beforeEach(() => startClock());
afterEach(() => void vi.useRealTimers());

const sleep = async (ms: number) => await new Promise<void>((resolve) => setTimeout(resolve, ms));

let executions = 0;

/** Nodes of the action in front of a service, and an execution of them. */
function useExecution() {
	const service = new ServiceInProcess({ single: JOB_MS, webhooks: { send: 'none' } });
	const node = service.wire(contactData);
	const { credentials } = service;
	const find = (name: string): NodeUnderTest => ({
		node,
		name,
		parameters: {
			resource: 'emailFinder',
			operation: 'submitAndWait',
			fullname: `={{ $json.fullname ?? '${name}' }}`,
			companyDomain: 'acme.example',
			waitMode: 'suspend',
			options: { timeout: TIMEOUT_MS / 1000, searchAgain: true },
		},
	});
	const executionId = `held up ${++executions}`;
	const workflowOf = (nodes: NodeUnderTest[], edges?: WorkflowOptions['edges']) => ({
		nodes,
		edges,
		waitingBaseUrl: 'https://n8n.example/webhook-waiting',
		credentials,
		executionId,
		mode: 'trigger' as const,
	});
	return {
		find,
		workflowOf,
		run: async (workflow: WorkflowOptions) =>
			parkedBy(await passTime(runWorkflow(workflow), LIMIT_MS)),
		/** The callback of its search resumes it; n8n holds it up for so long. */
		resume: async (
			workflow: WorkflowOptions,
			paused: NodeUnderTest,
			parked: ParkedExecution,
			heldUpMs: number,
		) => {
			await passTime(sleep(JOB_MS), LIMIT_MS);
			const call = callWebhookInProcess({ ...paused, credentials, parked, body: {} });
			const { resumed } = await passTime(call, LIMIT_MS);
			if (resumed === undefined) throw new Error('Not resumed');
			skipTime(heldUpMs);
			return await passTime(resumeWorkflow(workflow, resumed), LIMIT_MS);
		},
	};
}

function parkedBy({ parked, error }: WorkflowRun): ParkedExecution {
	if (parked === undefined) throw new Error(`Not parked: ${error?.message}`);
	return parked;
}

/** When n8n resumes it by itself. */
const endOf = ({ data }: ParkedExecution) => new Date(data.waitTill ?? NaN).getTime();

describe('an execution that n8n has held up until its pause was over', () => {
	it('keeps running instead of being paused, and all nodes after that do', async () => {
		const { find, workflowOf, run, resume } = useExecution();
		const one = find('One');
		const nodes = [one, find('Two'), find('Three')];
		const workflow = workflowOf([start(people(1)), ...nodes]);
		const ended = await resume(workflow, one, await run(workflow), TIMEOUT_MS);
		expect(ended.status).toBe('success');
		expect(hintsOf(ended, 'Two')).toContainEqual(HELD_UP);
		expect(hintsOf(ended, 'Three')).toContainEqual(HELD_UP);
	});

	it('keeps running where no callback had come', async () => {
		const { find, workflowOf, run } = useExecution();
		const workflow = workflowOf([start(people(1)), find('One'), find('Two')]);
		const parked = await run(workflow);
		skipTime(endOf(parked) + MINUTE - Date.now());
		const ended = await passTime(resumeWorkflow(workflow, parked), LIMIT_MS);
		expect(ended.status).toBe('success');
		expect(hintsOf(ended, 'Two')).toContainEqual(HELD_UP);
	});

	it('keeps running in a loop, whenever in it that was', async () => {
		const { find, workflowOf, run, resume } = useExecution();
		const one = find('One');
		const workflow = workflowOf(
			[start(people(3)), loopOverItems('Loop'), one],
			[
				{ from: 'Start', to: 'Loop' },
				{ from: 'Loop', to: 'One', output: 1 },
				{ from: 'One', to: 'Loop' },
			],
		);
		const first = await run(workflow);
		const second = parkedBy(await resume(workflow, one, first, 0));
		const ended = await resume(workflow, one, second, TIMEOUT_MS);
		expect(ended.status).toBe('success');
		expect(ended.tasks('One')).toHaveLength(3);
		expect(hintsOf(ended, 'One')).toContainEqual(HELD_UP);
	});
});

it('an execution that was held up for less than its pause is paused again', async () => {
	const { find, workflowOf, run, resume } = useExecution();
	const one = find('One');
	const workflow = workflowOf([start(people(1)), one, find('Two')]);
	const ended = await resume(workflow, one, await run(workflow), 5 * MINUTE);
	expect(ended.status).toBe('waiting');
});
