import type { IDataObject, INodeExecutionData, INodeType } from 'n8n-workflow';
import { passTime } from '../../support/clock.mts';
import { runNode, type RunNodeResult } from '../../support/n8nCore/execute.mts';
import { itemsOf, parametersOf } from '../node.mts';
import { LIMIT_MS, sleep, WAIT_BETWEEN_TRIES_MS } from '../run.mts';
import type { Schedule } from '../schedule.mts';
import type { Step } from './story.mts';

/** What n8n saves of an execution, and hands to its retry. */
export interface Saved {
	/** By node. */
	readonly contexts: ReadonlyMap<string, IDataObject>;
	readonly flow: IDataObject;
	/** What each step gave that has ended. */
	readonly outputs: ReadonlyArray<readonly INodeExecutionData[]>;
}

export interface Execution extends Saved {
	/** What ended it, and the step that it is of. */
	readonly error?: Error;
}

export const NEW: Saved = { contexts: new Map(), flow: {}, outputs: [] };

/** What all executions of a story have in common. */
export interface Surroundings {
	readonly node: INodeType;
	readonly key: string;
	readonly isCalled: boolean;
	/** Changes what n8n keeps of a run: to see the checks fail. */
	readonly spoil?: (result: RunNodeResult) => RunNodeResult;
	/** Pretends that no other workflow calls this one: to see the checks fail. */
	readonly hidesCaller?: boolean;
}

const DAY_MS = 86_400_000;
let executions = 0;

/** Runs the steps that have not ended, one after another, as n8n does: from the start, or as a retry. */
export async function execute(
	steps: readonly Step[],
	saved: Saved,
	around: Surroundings,
): Promise<Execution> {
	const executionId = String(++executions);
	// As after a restart, or on the next day: the process remembers no search.
	await passTime(sleep(DAY_MS), 2 * DAY_MS);
	const contexts = new Map(structuredClone([...saved.contexts]));
	let flow = structuredClone(saved.flow);
	const outputs = [...saved.outputs];
	for (const { name, runIndex, schedule } of steps.slice(outputs.length)) {
		let result: RunNodeResult | undefined;
		for (let count = 0; count < schedule.maxTries; count++) {
			if (count > 0) await passTime(sleep(WAIT_BETWEEN_TRIES_MS), LIMIT_MS);
			const run = runNode({
				node: around.node,
				name,
				parameters: parametersOf(schedule),
				settings: { onError: schedule.onError },
				items: itemsOf(schedule),
				credentials: {
					contactDataApi: { apiKey: around.key, baseUrl: 'https://api.example.com' },
				},
				executionId,
				runIndex,
				mode: around.isCalled && around.hidesCaller !== true ? 'integrated' : 'manual',
				contextData: contexts.get(name),
				flowData: flow,
			});
			result = await passTime(run, LIMIT_MS);
			if (around.spoil !== undefined) result = around.spoil(result);
			contexts.set(name, result.contextData);
			flow = result.flowData;
			if (result.error === undefined) break;
		}
		if (result?.error instanceof Error) return { contexts, flow, outputs, error: result.error };
		outputs.push(result?.items ?? []);
	}
	return { contexts, flow, outputs };
}

/** The steps as they are once somebody has changed the workflow. */
export function changed(steps: readonly Step[], change: (schedule: Schedule) => Schedule): Step[] {
	return steps.map((step) => ({ ...step, schedule: change(step.schedule) }));
}
