import type { IExecuteFunctions, IHookFunctions } from 'n8n-workflow';
import { LOOPBACK_HOST, parseUrl } from '../../../credentials/credentialChecks';
import { refuse } from '../common/errors';
import { asRecord, asText, isBlank } from '../common/values';
import { EVENT_PARAMETER, eventName } from '../lookups';
import type { Lookup, Size } from '../lookups/types';

const HTTP_URL = /^https?:\/\/[^\s/]+(\/\S*)?$/i;

const PUBLISH_FIRST = {
	message: 'Publish this workflow first',
	description:
		"'Webhook' is set to the Contact Data Trigger of this workflow, which gets its URL when the workflow is published. If it is published, set n8n's webhook URL (WEBHOOK_URL) to a public address and publish again; in n8n's queue mode choose By URL, with the production URL of the trigger.",
};
const ADD_TRIGGER = {
	message: 'This workflow has no Contact Data Trigger',
	description:
		"'Webhook' is set to the Contact Data Trigger of this workflow: add one and publish the workflow, or choose By URL.",
};

/** By the workflow that n8n's context has, in all its versions, but not of its type. */
function lacksTrigger(context: object): boolean {
	const nodes = 'workflow' in context ? asRecord(asRecord(context.workflow)?.nodes) : undefined;
	const isTrigger = (node: unknown) =>
		asText(asRecord(node)?.type)?.endsWith('.contactDataTrigger');
	return nodes !== undefined && !Object.values(nodes).some(isTrigger);
}

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
		if (url === undefined) {
			const words = lacksTrigger(workflow) ? ADD_TRIGGER : PUBLISH_FIRST;
			return refuse({ ...words, remedy: 'again', affects: 'run' });
		}
		return `${url}?${EVENT_PARAMETER}=${eventName(lookup, size)}`;
	}
	const value: unknown = locator === undefined ? option : locator.value;
	const url = typeof value === 'string' ? value.trim() : '';
	if (!HTTP_URL.test(url) || (/^http:/i.test(url) && !LOOPBACK_HOST.test(hostOf(url)))) {
		return refuse({
			message: `'Webhook' ${isBlank(value) ? 'is empty' : 'must be a URL that starts with https://'}`,
			description:
				"Choose one of the account's URLs, or enter one. If nobody is to be notified, remove 'Webhook' from Options.",
			remedy: 'again',
		});
	}
	if (hasPrivateHost(url) && !hasPrivateHost(baseUrl)) {
		return refuse({
			message: `The service cannot reach the 'Webhook' ${url}`,
			description:
				"Give an address that can be reached from the internet. If it is of this n8n, set n8n's webhook URL (WEBHOOK_URL) to a public address, and take the production URL that n8n shows then.",
			remedy: 'again',
		});
	}
	return url;
}

const SAVED_URL = 'contactDataTriggerUrl';

type Workflow = Pick<
	IExecuteFunctions | IHookFunctions,
	'getWorkflowStaticData' | 'getWorkflow' | 'getInstanceId'
>;

/** The URL of a workflow's trigger, in its static data. An import elsewhere copies that, so its owner is saved, too. */
export const triggerUrl = {
	remember(workflow: Workflow, url: string): void {
		workflow.getWorkflowStaticData('global')[SAVED_URL] = { url, owner: ownerOf(workflow) };
	},
	/** @param url forgotten only if it is this one: a workflow can have two triggers */
	forget(workflow: Workflow, url?: string): void {
		if (url !== undefined && this.find(workflow) !== url) return;
		delete workflow.getWorkflowStaticData('global')[SAVED_URL];
	},
	find(workflow: Workflow): string | undefined {
		const { url, owner } = asRecord(workflow.getWorkflowStaticData('global')[SAVED_URL]) ?? {};
		return owner === ownerOf(workflow) ? asText(url) : undefined;
	},
};

/** With the instance, as an import by n8n's command line keeps the workflow's id. */
function ownerOf(workflow: Workflow): string {
	return `${workflow.getInstanceId()} ${workflow.getWorkflow().id ?? ''}`;
}

function hostOf(url: string): string {
	return parseUrl(url)?.hostname ?? '';
}

const PRIVATE_HOSTS = [
	/^(10|127|192\.168|172\.(1[6-9]|2\d|3[01]))\.[\d.]+$|^0\.0\.0\.0$/,
	/^\[(f[cd]|::)/,
	/^[^.[]+$|\.(local|localhost|internal|lan|home|intranet)$/,
];

/** Whether a URL leads to a host that a service on the internet cannot reach. */
export function hasPrivateHost(url: string): boolean {
	return PRIVATE_HOSTS.some((host) => host.test(hostOf(url)));
}
