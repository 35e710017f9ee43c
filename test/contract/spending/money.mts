import { randomUUID } from 'node:crypto';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { expect } from 'vitest';
import type { AccountOptions } from '../../support/sandbox/accounts.mts';
import type { Sandbox } from '../../support/sandbox/server.mts';
import type { Bench } from '../../support/n8nCore/contactData.mts';
import { nodeName } from '../../support/n8nCore/environment.mts';
import { cloneAsStored, resumeWorkflow } from '../../support/n8nCore/workflow.mts';
import type { WorkflowOptions, WorkflowRun } from '../../support/n8nCore/workflow.mts';

/** Items for the verifier: all of them deliverable. */
export function addresses(count: number): IDataObject[] {
	return Array.from({ length: count }, (_, index) => ({ mail: `mustfind${index}@acme.com` }));
}

let people = 0;
/** The address of somebody whom no call before has asked for: deliverable. */
export const somebody = () => `mustfind.${++people}@acme.com`;

export const MAIL: INodeParameters = { email: '={{ $json.mail }}' };

/** Asserts that so many searches were charged, each of them once. */
export function expectChargedOnce({ sandbox: { ledger } }: Bench, searches: number): void {
	expect(ledger.chargedTwice()).toEqual([]);
	expect(ledger.totals().searches).toBe(searches);
}

/** A new account with these prices, of which nothing is known in this process. */
export function newAccount(
	{ sandbox: { service, baseUrl } }: Bench,
	prices: AccountOptions['prices'] = {},
	credits = 100_000,
) {
	const name = randomUUID();
	const apiKey = service.addAccount(name, { prices, credits, requestsPerSecond: 1_000 });
	const credentials = { contactDataApi: { apiKey, baseUrl, requestsPerSecond: 1_000 } };
	return { apiKey, credentials, held: service.account(name) };
}

/** The prices of the email finder. */
export const FINDING_AT = (price: number) => ({
	emailFinderSingle: price,
	emailFinderBulk: price,
});

/** For the finder: items with `fullname`. */
export const FIND: INodeParameters = {
	fullname: '={{ $json.fullname }}',
	companyDomain: 'acme.com',
};

/** Whether the error of an item begins with these words. */
export const failsWith =
	(words: string) =>
	({ error }: IDataObject): boolean =>
		typeof error === 'string' && error.startsWith(words);

export const idsCharged = ({ sandbox }: Bench): string[] =>
	sandbox.ledger.entries.map(({ id }) => id);

/** The statuses with which submissions were answered, in order. */
export function statusesOf({ requests }: Sandbox): Array<number | undefined> {
	return requests.filter(({ method }) => method === 'POST').map(({ status }) => status);
}

/**
 * The Retry button: what n8n's `ExecutionService.retry` makes of the execution that it has saved,
 * run as an execution of its own, with the settings of the nodes as they are now.
 */
export async function pressRetry(
	options: WorkflowOptions,
	{ data }: WorkflowRun,
	id = '2',
): Promise<WorkflowRun> {
	const saved = cloneAsStored(data);
	const { resultData, executionData } = saved;
	for (const { node } of executionData?.nodeExecutionStack ?? []) {
		const now = options.nodes.find((entry) => nodeName(entry) === node.name);
		Object.assign(node, now?.settings);
	}
	delete resultData.error;
	const tasks = resultData.runData[resultData.lastNodeExecuted ?? ''];
	if (tasks?.at(-1)?.error !== undefined) tasks.pop();
	return await resumeWorkflow(options, { id, mode: 'retry', data: saved });
}
