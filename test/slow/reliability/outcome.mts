import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { expect } from 'vitest';

import type { WorkflowJson } from '../../support/n8n/api.mts';
import type { Execution } from '../../support/n8n/execution.mts';
import { people } from '../../support/people.mts';
import { chain, contactData, items } from '../../support/n8n/workflows.mts';
import { mayHaveBeenCharged } from '../../support/texts.mts';
import type { Stage } from './stage.mts';

export const NODE = 'Find';

/** The searches of a cell; one item each. */
export const PEOPLE = people(5);

/** Manual trigger, items, and the node. */
export function findWorkflow(
	{ credential }: Pick<Stage, 'credential'>,
	parameters: INodeParameters,
	leads: IDataObject[] = PEOPLE,
): WorkflowJson {
	return chain(
		'Cell',
		items('Leads', leads),
		contactData(NODE, credential, {
			resource: 'emailFinder',
			fullname: '={{ $json.fullname }}',
			companyDomain: 'acme.example',
			...parameters,
		}),
	);
}

/** What the user sees of an execution, in one line and without its ids. */
export function seenIn(execution: Execution, { sandbox }: Pick<Stage, 'sandbox'>): string {
	const { status, error } = execution;
	const withoutIds = (text: string) =>
		sandbox.ledger.entries.reduce((shown, { id }) => shown.replaceAll(id, '…'), text);
	if (error) return `"${withoutIds(error.message)}"`;
	const items = execution.json(NODE);
	const counts = new Map<string, number>();
	for (const item of items) {
		const what = withoutIds(kindOf(item));
		counts.set(what, (counts.get(what) ?? 0) + 1);
	}
	const parts = [...counts].map(([what, count]) => `${count} × ${what}`);
	return parts.join('; ') || status;
}

function kindOf({ error, status, found, search_id, batch_id }: IDataObject): string {
	if (typeof error === 'string') {
		return mayHaveBeenCharged.test(error) ? '"may have been charged"' : `"${error}"`;
	}
	if (status === 'completed') return found === true ? 'result' : 'not found';
	return (search_id ?? batch_id) ? 'receipt with its id' : 'item without an id';
}

/**
 * Asserts that nobody paid twice, and that no id is lost: each charge has its id in what n8n kept,
 * or the item says that it may have been charged.
 *
 * @param isCaught whether the trigger has heard of an id that n8n forgot
 */
export function checkMoney(
	{ sandbox, n8n }: Pick<Stage, 'sandbox' | 'n8n'>,
	executions: readonly Execution[],
	isCaught: (id: string) => boolean = () => false,
): { caught: number } {
	const { ledger } = sandbox;
	expect(ledger.chargedTwice()).toEqual([]);
	const texts = [...executions.map(({ record }) => record.data), n8n.logs()];
	const fates = ledger.entries.map(({ id, searches }) => {
		if (texts.some((text) => text.includes(id))) return 'kept';
		if (searches.every((search) => isTold(search, executions))) return 'told';
		return isCaught(id) ? 'caught' : id;
	});
	expect(fates.filter((fate) => !['kept', 'told', 'caught'].includes(fate))).toEqual([]);
	return { caught: fates.filter((fate) => fate === 'caught').length };
}

/** The ids that the trigger has started executions with. */
export function idsStarted(caught: readonly Execution[]): string[] {
	return caught.flatMap((execution) =>
		execution.json(NODE).flatMap(({ search_id: id }) => (typeof id === 'string' ? [id] : [])),
	);
}

/** Asserts that the trigger has started with no id twice, and tells which ids it has heard of. */
export function checkNet(caught: readonly Execution[]): (id: string) => boolean {
	const ids = idsStarted(caught);
	const twice = ids.filter((id, n) => ids.indexOf(id) !== n);
	const starts = caught.map(
		(one) => `${one.id} ${one.record.createdAt} ${idsStarted([one]).join()}`,
	);
	expect(twice, starts.join('\n')).toEqual([]);
	return (id) => ids.includes(id);
}

/** Whether the item that asked for a search says that it may have been charged. */
function isTold(search: string, executions: readonly Execution[]): boolean {
	const asked = PEOPLE.findIndex(({ fullname }) => search.includes(fullname));
	return executions.some((execution) => {
		const { error } = execution.json(NODE)[asked] ?? {};
		return typeof error === 'string' && mayHaveBeenCharged.test(error);
	});
}

/** Asserts that the key is in nothing that an execution left. */
export function checkKey({ sandbox }: Pick<Stage, 'sandbox'>, executions: readonly Execution[]) {
	for (const { record } of executions) {
		expect(JSON.stringify(record)).not.toContain(sandbox.apiKey);
	}
}
