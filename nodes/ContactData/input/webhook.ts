import type { IExecuteFunctions, IHookFunctions } from 'n8n-workflow';
import { ProblemError } from '../common/errors';
import { asRecord, asText } from '../common/values';
import { EVENT_PARAMETER, eventName } from '../lookups';
import type { Lookup, Size } from '../lookups/types';

const HTTP_URL = /^https?:\/\/[^\s/]+(\/\S*)?$/i;

/**
 * The URL that the service notifies when a submission is finished, from the 'Webhook' option.
 * @throws ProblemError when what the user chose is empty or no URL, or there is no trigger to notify
 */
export function findWebhook(
	workflow: Workflow,
	{ lookup, size, baseUrl }: { lookup: Lookup; size: Size; baseUrl: string },
	option: unknown,
): string | undefined {
	if (option === undefined) return undefined;
	const locator = asRecord(option);
	if (locator?.mode === 'trigger') {
		const url = triggerUrl.find(workflow);
		if (url !== undefined) return `${url}?${EVENT_PARAMETER}=${eventName(lookup, size)}`;
		throw new ProblemError({
			problem: {
				message:
					"'Webhook' is set to This Workflow's Trigger, but the URL of that trigger is not known",
				description:
					"Add a Contact Data Trigger to this workflow and publish the workflow; if that is done, set n8n's webhook URL (WEBHOOK_URL) to a public address and publish again. In n8n's queue mode choose By URL instead, and give the production URL of the trigger. Nothing was started for this item.",
			},
		});
	}
	const value: unknown = locator === undefined ? option : locator.value;
	const url = typeof value === 'string' ? value.trim() : undefined;
	if (value === undefined || value === null || url === '') {
		throw new ProblemError({
			problem: {
				message: "'Webhook' is empty, so nobody would be notified",
				description:
					"Choose one of the account's URLs, or enter one. If nobody is to be notified, remove 'Webhook' from Options.",
			},
		});
	}
	if (url !== undefined && HTTP_URL.test(url)) {
		if (!hasPrivateHost(url) || hasPrivateHost(baseUrl)) return url;
		throw new ProblemError({
			problem: {
				message: `The service cannot reach the 'Webhook' ${url}, so nobody would be notified`,
				description:
					"Its host cannot be reached from the internet. Give an address that can: if it is of this n8n, set n8n's webhook URL (WEBHOOK_URL) to a public address, and take the production URL that n8n shows then.",
				next: 'again',
			},
		});
	}
	throw new ProblemError({
		problem: {
			message: "'Webhook' must be a URL that starts with https://",
			description: 'Give the address that the service is to notify when the results are ready.',
		},
	});
}

const KEY = 'contactDataTriggerUrl';

type Workflow = Pick<
	IExecuteFunctions | IHookFunctions,
	'getWorkflowStaticData' | 'getWorkflow' | 'getInstanceId'
>;

/**
 * The URL of a workflow's trigger, kept where the action nodes of the workflow find it. It is kept with
 * whose it is, as whoever exports the workflow and imports it elsewhere copies what it keeps.
 */
export const triggerUrl = {
	remember(workflow: Workflow, url: string): void {
		workflow.getWorkflowStaticData('global')[KEY] = { url, owner: ownerOf(workflow) };
	},
	/** @param url forgotten only if it is this one: a workflow can have two triggers */
	forget(workflow: Workflow, url?: string): void {
		if (url !== undefined && this.find(workflow) !== url) return;
		delete workflow.getWorkflowStaticData('global')[KEY];
	},
	find(workflow: Workflow): string | undefined {
		const { url, owner } = asRecord(workflow.getWorkflowStaticData('global')[KEY]) ?? {};
		return owner === ownerOf(workflow) ? asText(url) : undefined;
	},
};

/** An import by n8n's command line keeps the workflow's id. */
function ownerOf(workflow: Workflow): string {
	return `${workflow.getInstanceId()} ${workflow.getWorkflow().id ?? ''}`;
}

const PRIVATE_IPV4 =
	/^((10|127|192\.168|169\.254|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))(\.\d+)+|0\.0\.0\.0)$/;
const PRIVATE_IPV6 = /^\[(f[cd]|fe[89ab]|::)/i;
const PRIVATE_NAME = /^[^.]+$|\.(local|localhost|internal|lan|home|intranet)$/i;

/** Whether a URL leads to a host that a service on the internet cannot reach. */
export function hasPrivateHost(url: string): boolean {
	const [, host = ''] = /^[a-z]+:\/\/(?:[^/?#@]*@)?(\[[^\]]*\]|[^/:?#]+)/i.exec(url) ?? [];
	if (host.startsWith('[')) return PRIVATE_IPV6.test(host);
	return PRIVATE_IPV4.test(host) || PRIVATE_NAME.test(host);
}
