import {
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	NodeOperationError,
} from 'n8n-workflow';
import { type Failure, ProblemError, toFailure } from '../common/errors';
import { Parameters, problemOfOptions } from '../input/parameters';
import { failureOf, failuresOf, type RowOutput, rowWithoutSearch } from '../input/rows';
import { type Beginning, isStopped, mayRunAgain, openRun, type Run } from '../run/run';
import { ExecutionNotes, openSaved } from '../run/saved';
import { type Form, readForm, readSettings, type Task } from '../input/settings';
import { givesFailures, openToolCall, problemOfSettings, type ToolCall } from '../run/toolCall';
import { Ledger } from '../orders/ledger';
import { leftOfDay } from '../orders/limits';
import { costIn, paidIn } from '../orders/receipts';
import type { Order } from '../orders/order';
import type { Execution } from '../pausing/pause';
import { tellItem } from '../results/badRows';
import { type Ending, toError } from '../results/explain';
import { toErrorJson } from '../results/columns';
import { itemsOf, toErrorItem } from '../results/items';
import { toToolAnswer } from '../results/toolAnswer';
import { getInfo } from './account';
import { find } from './find';
import { getResult } from './getResult';
import { startOnly } from './startOnly';

/** What n8n adds by itself to Resource and Operation of a node whose credential signs requests. */
const CUSTOM_API_CALL = '__CUSTOM_API_CALL__';

/** What an operation comes to; its form is that of the run. */
interface Operated {
	run: Execution;
	outputs: RowOutput[];
	/** Those of batches that are read. */
	orders?: readonly Order[];
	isPaused?: boolean;
}

const OPERATE: Record<Task, (run: Execution) => Promise<Operated>> = {
	find,
	start: async (run) => ({ run, outputs: await startOnly(run) }),
	read: async (run) => ({ run, ...(await getResult(run)) }),
};

/** Runs the node once for all its input items. */
export async function execute(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const input = context.getInputData();
	if (input.length === 0) return [[]];
	const node = context.getNode();
	const problem = problemOfSettings(node) ?? problemOfOptions(node);
	if (problem !== undefined) throw toError(node, { problem }, NOTHING_PAID);
	const call = openToolCall(context);
	const parameters = new Parameters(context, input);
	let beginning: Beginning | undefined;
	let items: INodeExecutionData[];
	try {
		beginning = { input, parameters, call, saved: openSaved(context, call) };
		items = await operate(context, beginning);
	} catch (thrown) {
		const { failure, ending } = endOfRun(context, beginning, toFailure(thrown));
		// A run that throws under "Continue" would pass its input on as if it had succeeded.
		if (!givesFailures(context)) throw toError(node, failure, ending);
		items = failedItems(node, formOf(parameters), input, failure);
	}
	if (beginning === undefined || call === undefined) return [items];
	return [answerOfTool(beginning, call, formOf(parameters), items)];
}

async function operate(
	context: IExecuteFunctions,
	beginning: Beginning,
): Promise<INodeExecutionData[]> {
	const { input, parameters, call } = beginning;
	const resource = parameters.get('resource', 0);
	const operation = parameters.get('operation', 0) ?? '';
	if (resource === CUSTOM_API_CALL || operation === CUSTOM_API_CALL) {
		throw new NodeOperationError(context.getNode(), 'This node makes no custom API calls', {
			description:
				"Choose one of its operations, which cover the whole service. For a request of your own make a Header Auth credential with the header x-api-key, and use it in n8n's HTTP Request node.",
		});
	}
	if (resource === 'account') {
		const info = await getInfo(context, call);
		return input.map((_, item) => ({ json: { ...info }, pairedItem: item }));
	}
	const form = readForm(parameters);
	if (form === undefined) {
		throw new NodeOperationError(
			context.getNode(),
			`There is no operation '${String(operation)}' for the resource '${String(resource)}'`,
			{ description: "Choose 'Resource' and 'Operation' from their lists." },
		);
	}
	const settings = readSettings(parameters, form, call !== undefined);
	const begun = await openRun(context, beginning, settings);
	const ledger = new Ledger(begun);
	const operated = await OPERATE[form.task]({ ...begun, ledger, context });
	tellMemory(begun);
	return finish(operated);
}

/** That what was paid could not be read from n8n's database, or written there. */
function tellMemory({ table, connection, hint, logger }: Run): void {
	if (table?.problem === undefined) return;
	const limit =
		connection.account.maxCreditsPerDay === undefined
			? ''
			: " 'Max Credits per Day' counts only what is known.";
	const line = `n8n's Data Table contact_data_searches ${table.problem}${limit}`;
	hint(line);
	logger.warn(line);
}

/** The items of a run. The receipts stay where n8n may try again, and where something still runs. */
function finish({ run, outputs, orders, isPaused = false }: Operated): INodeExecutionData[] {
	const { settings, node, input, ledger } = run;
	if (!isStopped(run)) throwFirstFailure(run, outputs);
	// A dry run gives an item for each entry.
	const form = settings.dryRun ? { ...settings, isSplit: true } : settings;
	const items = itemsOf(node, form, outputs, { items: input.length, orders });
	const isOver = outputs.every(
		({ output }) => output.kind !== 'failure' && output.json.status !== 'ongoing',
	);
	const [first] = items;
	// A paused node would be run again on what it has parked.
	if (mayRunAgain(run) && isPaused && first?.json.error === null) delete first.json.error;
	if (isOver && !settings.dryRun && !isStopped(run)) ledger.clear(mayRunAgain(run));
	const left = run.call && leftOfDay(run.connection.account);
	if (left !== undefined) for (const { json } of items) json.credits_left_today = left;
	return items;
}

/**
 * Unless the workflow goes on after errors, the one that caused the others ends the run.
 * @throws ProblemError of the first item that failed by itself
 */
function throwFirstFailure({ continueOnFail, call }: Run, outputs: readonly RowOutput[]): void {
	const failures = continueOnFail ? [] : failuresOf(outputs);
	const cause = failures.find(({ problem }) => problem.isConsequence !== true) ?? failures[0];
	if (cause === undefined) return;
	// An error would end some agents, and they could do something else.
	const isAnswer = cause.problem.limit !== undefined && call !== undefined;
	if (!isAnswer) throw new ProblemError(cause);
}

const NOTHING_PAID: Ending = { hasPaid: false, retry: 'none' };

/** What has ended a run, and what its execution has paid for by then. */
function endOfRun(
	context: IExecuteFunctions,
	beginning: Beginning | undefined,
	failure: Failure,
): { failure: Failure; ending: Ending } {
	// Where n8n cannot give the receipts, nobody knows more.
	if (beginning === undefined) return { failure, ending: NOTHING_PAID };
	const { saved, call, input } = beginning;
	const { size = 'single' } = formOf(beginning.parameters) ?? {};
	const paid = { size, ...paidIn(saved) };
	const isTool = call !== undefined;
	// Also what other nodes, and other turns of a loop, have started.
	const hasPaid =
		paid.paidFor.length + paid.unsure > 0 ||
		(!isTool && ExecutionNotes.of(context, saved).sent > 0);
	const retry = isTool ? 'none' : retryOf(context);
	const { item = -1 } = failure;
	const row = input.length > 1 && item >= 0 ? tellItem(item, input) : undefined;
	return { failure: { ...failure, row, paid }, ending: { hasPaid, retry } };
}

/** n8n retries what has failed by itself and is saved; of a sub-workflow, it retries the workflow that has called it. */
function retryOf(context: IExecuteFunctions): Ending['retry'] {
	if (context.getExecutionCancelSignal()?.aborted === true) return 'none';
	const mode = context.getMode();
	if (mode === 'integrated') return 'paysAgain';
	// n8n 2.0 does not tell its settings to a node.
	const settings = 'getWorkflowSettings' in context ? context.getWorkflowSettings() : {};
	const { saveDataErrorExecution, saveManualExecutions } = settings;
	const isSaved =
		mode === 'manual' ? saveManualExecutions !== false : saveDataErrorExecution !== 'none';
	return isSaved ? 'goesOn' : 'none';
}

/** `undefined` where there is no such operation, or it is one of its own parameters that is wrong. */
function formOf(parameters: Parameters): Form | undefined {
	try {
		return readForm(parameters);
	} catch {
		return undefined;
	}
}

/** One item for each of the input, where the run has failed as a whole. */
function failedItems(
	node: INode,
	form: Form | undefined,
	input: readonly INodeExecutionData[],
	failure: Failure,
): INodeExecutionData[] {
	if (form === undefined) {
		return input.map((_, item) => {
			const ofItem = { ...failure, item };
			return toErrorItem(node, ofItem, toErrorJson(ofItem));
		});
	}
	const outputs = input.map(({ json }, item): RowOutput => {
		const inputFields = form.includesInput ? json : undefined;
		const row = { ...rowWithoutSearch(item), inputFields };
		return { row, output: failureOf(failure) };
	});
	return itemsOf(node, form, outputs, { items: input.length });
}

/** What a model reads of a call: with each answer also what the calls of its tool have spent so far. */
function answerOfTool(
	{ parameters, saved }: Beginning,
	{ isOfAgent }: ToolCall,
	form: Form | undefined,
	items: INodeExecutionData[],
): INodeExecutionData[] {
	if (form === undefined) return items;
	const { lookup, size, task } = form;
	const { credits, inDoubt } = costIn(saved);
	const cost = { credits_spent: credits, ...(inDoubt > 0 && { searches_maybe_charged: inDoubt }) };
	const answer = toToolAnswer(
		{
			lookup,
			size,
			finishesBySameCall: isOfAgent && task !== 'start',
			takesEarlierId: task === 'find' && parameters.isAdded('earlierId'),
		},
		items.map(({ json }) => ({ ...json, ...cost })),
	);
	// A call has one item.
	return answer.map((json) => ({ json, pairedItem: 0 }));
}
