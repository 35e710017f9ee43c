import type { INodeParameters } from 'n8n-workflow';
import { expect } from 'vitest';

import type { CredentialRef, WorkflowJson } from '../support/n8n/api.mts';
import { credentialFor, type Harness } from '../support/n8n/harness.mts';
import { lacks } from '../support/n8n/lacks.mts';
import { chain, contactData, editFields, items, type NodeSpec } from '../support/n8n/workflows.mts';
import { people } from '../support/people.mts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../support/sandbox/server.mts';

const PARK_TIMEOUT_MS = 40_000;

/** Whether n8n signs the address that calls a paused execution back. */
export const IS_SIGNED = !lacks('a signature in the address of a paused execution');
export const CALLBACK_PATH = IS_SIGNED ? /\/contact-data\?signature=/ : /\/contact-data$/;

/** A service and a credential of its own, so that tests can run side by side. */
export async function withService<T>(
	{ n8n }: Harness,
	options: SandboxOptions,
	use: (sandbox: Sandbox, credential: CredentialRef) => Promise<T>,
): Promise<T> {
	const sandbox = await startSandbox(options);
	try {
		const credential = await n8n.api.importCredential(credentialFor(sandbox));
		return await use(sandbox, credential);
	} finally {
		await sandbox.close();
	}
}

/** Finds that many emails, and parks meanwhile. */
export function workflow(
	credential: CredentialRef,
	count: number,
	parameters: INodeParameters = {},
	...after: NodeSpec[]
): WorkflowJson {
	return chain(
		'Suspended',
		items('Leads', people(count)),
		contactData('Find', credential, {
			resource: 'emailFinder',
			operation: 'submitAndWait',
			waitMode: 'suspend',
			fullname: '={{ $json.fullname }}',
			companyDomain: 'acme.example',
			...parameters,
		}),
		editFields('After', { n: "={{ $('Leads').item.json.n }}", id: '={{ $json.search_id }}' }),
		...after,
	);
}

/** Starts a workflow and gives its execution's id when it is parked. */
export async function park({ n8n }: Pick<Harness, 'n8n'>, toRun: WorkflowJson): Promise<string> {
	const { api } = n8n;
	const id = await api.startWorkflow(toRun);
	await api.waitForStatus(id, (status) => status !== 'running' && status !== 'new', {
		timeoutMs: PARK_TIMEOUT_MS,
	});
	expect((await api.getExecution(id)).status).toBe('waiting');
	return id;
}

export const looksOf = ({ requests }: Sandbox) =>
	requests.filter(({ method, path }) => method === 'GET' && path !== '/account/info');

export function callbackUrl({ requests }: Sandbox): string {
	const posted = JSON.stringify(requests.find(({ method }) => method === 'POST')?.body);
	const url = /"webhook":"([^"]+)"/.exec(posted)?.[1];
	if (url === undefined) throw new Error(`There is no callback URL in ${posted}`);
	return url;
}
