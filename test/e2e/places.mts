import { randomUUID } from 'node:crypto';

import type { CredentialRef, N8nApi, WorkflowJson } from '../support/n8n/api.mts';
import type { Execution } from '../support/n8n/execution.mts';
import type { N8n } from '../support/n8n/n8n.mts';
import {
	calledByOthers,
	callWorkflow,
	chain,
	connected,
	contactData,
	editFields,
	items,
	loopOverItems,
	triggeredChain,
	waitForCall,
	type NodeSpec,
} from '../support/n8n/workflows.mts';
import { people } from '../support/people.mts';

// Where in n8n a node in Wait Mode Pause Until Notified can stand. Its items come from `Leads`, and end in `After`.

export interface Stage {
	n8n: N8n;
	credential: CredentialRef;
}

const leads = items('Leads', people(3));

const after = editFields('After', {
	n: "={{ $('Leads').item.json.n }}",
	id: '={{ $json.search_id }}',
});

function find({ credential }: Stage): NodeSpec {
	return contactData('Find', credential, {
		resource: 'emailFinder',
		operation: 'submitAndWait',
		waitMode: 'suspend',
		fullname: '={{ $json.fullname }}',
		companyDomain: 'acme.example',
	});
}

export async function inSubWorkflow(stage: Stage): Promise<Execution> {
	const { api } = stage.n8n;
	const called = triggeredChain('Sub-workflow', calledByOthers, find(stage));
	const id = await published(api, called);
	return await api.runWorkflow(chain('Caller', leads, callWorkflow(id), after));
}

export async function inLoop(stage: Stage): Promise<Execution> {
	const workflow = chain('Loop', leads, loopOverItems(2), find(stage), after);
	const outputs = { Loop: [['After'], ['Find']], Find: [['Loop']] };
	return await stage.n8n.api.runWorkflow(connected(workflow, outputs));
}

export async function twiceInARow(stage: Stage): Promise<Execution> {
	const verify = contactData('Verify', stage.credential, {
		resource: 'emailVerifier',
		operation: 'submitAndWait',
		waitMode: 'suspend',
		email: '={{ $json.email }}',
	});
	return await stage.n8n.api.runWorkflow(chain('Twice', leads, find(stage), verify, after));
}

export async function inTwoBranches(stage: Stage): Promise<Execution> {
	const phone = contactData('Phone', stage.credential, {
		resource: 'phoneFinder',
		operation: 'submitAndWait',
		waitMode: 'suspend',
		socialProfileUrl: '=https://www.linkedin.com/in/number-{{ $json.n }}',
	});
	const merge: NodeSpec = { name: 'Merge', type: 'n8n-nodes-base.merge', typeVersion: 3 };
	const row = chain('Branches', leads, find(stage), phone, merge, after);
	const workflow = connected(row, { Leads: [['Find', 'Phone']], Find: [['Merge']] });
	workflow.connections.Phone = { main: [[{ node: 'Merge', type: 'main', index: 1 }]] };
	return await stage.n8n.api.runWorkflow(workflow);
}

/** n8n then has the node twice on its list of what is still to run. */
export async function whereTwoBranchesMeet(stage: Stage): Promise<Execution> {
	const isOdd = {
		id: randomUUID(),
		leftValue: '={{ $json.n % 2 }}',
		rightValue: 1,
		operator: { type: 'number', operation: 'equals' },
	};
	const branch: NodeSpec = {
		name: 'Odd?',
		type: 'n8n-nodes-base.if',
		typeVersion: 2.2,
		parameters: {
			conditions: {
				options: { caseSensitive: true, typeValidation: 'strict', version: 2 },
				conditions: [isOdd],
				combinator: 'and',
			},
			options: {},
		},
	};
	const workflow = chain('Meeting branches', leads, branch, find(stage), after);
	return await stage.n8n.api.runWorkflow(connected(workflow, { 'Odd?': [['Find'], ['Find']] }));
}

export async function afterWait(stage: Stage): Promise<Execution> {
	const { api } = stage.n8n;
	const url = editFields('URL', { url: '={{ $execution.resumeUrl }}' });
	const workflow = chain('Wait', url, waitForCall(), leads, find(stage), after);
	const id = await api.startWorkflow(workflow);
	await api.waitForStatus(id, (status) => status === 'waiting');
	const [{ url: resumeUrl }] = (await api.getExecution(id)).json<{ url: string }>('URL');
	await fetch(resumeUrl);
	return await api.waitForEnd(id);
}

async function published(api: N8nApi, workflow: WorkflowJson): Promise<string> {
	const id = await api.importWorkflow(workflow);
	await api.activate(id);
	return id;
}
