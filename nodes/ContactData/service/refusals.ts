import type { INode, JsonObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import { excerpt } from '../common/excerpt';
import type { Problem } from '../common/itemErrors';
import { asRecord, asText } from '../common/json';
import { lookups } from '../lookups';
import type { Advice } from '../lookups/types';
import type { Account } from './account';

/** What the service said when it did not do what was asked, and what the user can do about it. */
export interface Refusal extends Problem {
	/** HTTP status; absent when there was no answer. */
	status?: number;
	/** `account`: every other request of this account will be refused too. */
	scope: 'request' | 'account';
}

const ADVICE: readonly Advice[] = [
	...Object.values(lookups).flatMap(({ advice }) => advice),
	{
		says: /no apikey found/i,
		advice: "Open the Contact Data API credential and fill in 'API Key'.",
	},
	{
		says: /apikey is not valid/i,
		advice:
			"Open the Contact Data API credential and paste the key again from the API page of your account. Check that 'Base URL' belongs to the same account.",
	},
	{
		says: /insufficient credits/i,
		advice:
			'Nothing was charged for this request. Add credits to your account, then run the workflow again.',
	},
	{
		says: /too many requests/i,
		advice:
			"Nothing was charged for this request. Other programs seem to use the same API key: lower 'Requests per Second' in the credential, or run them one after another.",
	},
	{
		says: /too many .+ per batch/i,
		advice: 'Send fewer entries in one batch.',
	},
	{
		says: /at least 1 |missing \S+ payload/i,
		advice: 'Give the batch at least one entry.',
	},
	{
		says: /invalid json input|missing payload|error while parsing payload/i,
		advice:
			"The service could not read the request. Check 'Base URL' in the credential and that no proxy changes requests on the way.",
	},
	{
		says: /could not retrieve|id is missing|missing id/i,
		advice:
			'Check that the id is complete, that it belongs to this account, and that the resource and operation are those it was started with. Reading it again costs nothing.',
	},
	{
		says: /server error/i,
		advice: 'The service has a problem of its own. Try again later; reading costs nothing.',
	},
];

const ADVICE_BY_STATUS: Record<number, string> = {
	401: 'Open the Contact Data API credential and check the API key.',
	402: 'Nothing was charged for this request. Add credits to your account, then run the workflow again.',
	403: 'The service, or a firewall on the way, forbids this request. Check the values of this item. If every item is forbidden, check the API key in the Contact Data API credential and what your plan includes.',
	404: "Check 'Base URL' in the Contact Data API credential.",
	407: 'A proxy on the way asks for a login. Check the network settings of n8n.',
	413: 'The request was too large. Send fewer entries at once.',
};

/** Said where no connection was made; the reason follows. */
export const UNREACHABLE_SERVICE = 'The service could not be reached';

/** Said of an answer of which nobody can say what it means. */
export const UNREADABLE_ANSWER = 'The answer of the service could not be understood';

/** Statuses that concern the account rather than one request (`service-api.md` sections 5 and 7). */
const ACCOUNT_STATUSES = new Set([401, 402]);

/**
 * Reads an answer that is not what was asked for.
 * Error bodies are `{ message }`, or `{ reason, success }` for the 402 of a single (`service-api.md`
 * section 7).
 */
export function readRefusal(account: Account, status: number, body: unknown): Refusal {
	const record = asRecord(body);
	const said = asText(record?.message) ?? asText(record?.reason) ?? asText(record?.error);
	const message =
		said === undefined ? describeStatus(status) : excerpt(account.redact(said).trim(), 500);
	const advice =
		ADVICE.find(({ says }) => says.test(message))?.advice ??
		ADVICE_BY_STATUS[status] ??
		(status >= 500
			? 'The service has a problem of its own. Try again later.'
			: "Check 'Base URL' in the Contact Data API credential, and the values of this item.");
	return {
		message,
		description: advice,
		status,
		scope: ACCOUNT_STATUSES.has(status) ? 'account' : 'request',
	};
}

function describeStatus(status: number): string {
	if (status >= 300 && status < 400)
		return `The service pointed to another address (HTTP ${status})`;
	if (status === 404) return 'There is no such address at the service (HTTP 404)';
	if (status === 401) return 'The service did not accept the API key (HTTP 401)';
	if (status === 402) return 'The account has not enough credits (HTTP 402)';
	if (status === 429) return 'Too many requests (HTTP 429)';
	if (status >= 500) return `The service is not available at the moment (HTTP ${status})`;
	if (status >= 400) return `The service refused the request (HTTP ${status})`;
	return `${UNREADABLE_ANSWER} (HTTP ${status})`;
}

/** The refusal as the error that n8n shows; made from plain text, so it holds no request and no key. */
export function toApiError(
	node: INode,
	refusal: Pick<Refusal, 'message' | 'description' | 'status'>,
	itemIndex?: number,
): NodeApiError {
	const { message, description, status } = refusal;
	const plain: JsonObject = { message, description };
	return new NodeApiError(node, plain, {
		message,
		description,
		httpCode: status === undefined ? undefined : String(status),
		itemIndex,
	});
}
