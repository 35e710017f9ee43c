import type { INodeParameters } from 'n8n-workflow';

import type { CredentialRef, WorkflowJson } from '../../support/n8n/api.mts';
import { chain, contactData, madeItems } from '../../support/n8n/workflows.mts';
import { NODE } from './outcome.mts';

/** One kind of work in a soak. */
export interface Work {
	readonly items: number;
	/** Whether it gives a result for each item, or receipts. */
	readonly waits: boolean;
	readonly parameters: INodeParameters;
}

const FINDER = { fullname: '={{ $json.name }}', companyDomain: 'acme.example' };
const VERIFIER = { email: '={{ $json.email }}' };
const PHONE = { identifyBy: 'profileUrl', socialProfileUrl: '={{ $json.url }}' };

export const WORK: readonly [Work, ...Work[]] = [
	{
		items: 3,
		waits: false,
		parameters: { resource: 'emailFinder', operation: 'submit', ...FINDER },
	},
	{
		items: 3,
		waits: true,
		parameters: { resource: 'emailVerifier', operation: 'submitAndWait', ...VERIFIER },
	},
	{
		items: 20,
		waits: true,
		parameters: { resource: 'phoneFinder', operation: 'submitBulkAndWait', ...PHONE },
	},
	{
		items: 50,
		waits: false,
		parameters: { resource: 'emailFinder', operation: 'submitBulk', ...FINDER },
	},
	{
		items: 20,
		waits: true,
		parameters: {
			...{ resource: 'emailFinder', operation: 'submitBulkAndWait', waitMode: 'suspend' },
			...FINDER,
		},
	},
];

/** The kinds in turn. */
export function workOf(run: number): Work {
	return WORK[run % WORK.length] ?? WORK[0];
}

/** The workflow of a run; its people are made in n8n, and different in each run. */
export function workflowOf(run: number, credential: CredentialRef): WorkflowJson {
	const { items, parameters } = workOf(run);
	const json = `{ name: 'Run ${run} Person ' + n, email: 'run${run}.' + n + '@acme.example', url: 'https://social.example/in/run-${run}-' + n }`;
	const people = madeItems('People', items, json);
	return chain('Soak', people, contactData(NODE, credential, parameters));
}

/** The run that such a search is of. */
export function runOf([search = '']: readonly string[]): number {
	return Number(/run[ -]?(\d+)/i.exec(search)?.[1]);
}
