import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { expect } from 'vitest';

import type { CredentialRef, WorkflowJson } from '../support/n8n/api.mts';
import type { Execution } from '../support/n8n/execution.mts';
import { chain, contactData, editFields, items, type NodeSpec } from '../support/n8n/workflows.mts';
import type { Sandbox } from '../support/sandbox/server.mts';
import { keptRunning } from '../support/texts.mts';

// What is looked at where money or a result could be lost.

export const FIND = {
	resource: 'emailFinder',
	operation: 'submitAndWait',
	fullname: '={{ $json.fullname }}',
	companyDomain: 'acme.example',
};
export const CONTINUE = { onError: 'continueRegularOutput' } as const;
export const SUSPEND_NOT_USED = expect.stringMatching(new RegExp(`^${keptRunning}\\S`)) as string;

/** The node between these leads and a node that reads them by their pairing. */
export function lookUp(
	credential: CredentialRef,
	leads: IDataObject[],
	parameters: INodeParameters,
	settings: Partial<NodeSpec> = {},
): WorkflowJson {
	return chain(
		'Look up',
		items('Leads', leads),
		contactData('Find', credential, parameters, settings),
		editFields('After', { n: "={{ $('Leads').item.json.n }}" }),
	);
}

/** The numbers of the leads with which the items are paired. */
export const pairs = (execution: Execution) => execution.json('After').map(({ n }) => Number(n));

export const hints = (execution: Execution) =>
	execution.hints('Find').map(({ message }) => message);

export const idsCharged = ({ ledger }: Sandbox) => new Set(ledger.entries.map(({ id }) => id));

export function expectPaidOnce({ ledger }: Sandbox, searches: number): void {
	expect(ledger.totals().searches).toBe(searches);
	expect(ledger.chargedTwice()).toEqual([]);
}
