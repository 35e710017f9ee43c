import { type INode, type JsonObject, NodeApiError } from 'n8n-workflow';
import type { Problem } from '../common/errors';
import { asRecord, asText, excerpt } from '../common/values';
import { lookups } from '../lookups';
import type { Advice } from '../lookups/types';
import type { Account, Unsent } from './request';

/** Why the service did not do what was asked, and what the user can do about it. */
export interface Refusal extends Problem {
	affects: 'request' | 'account';
	/** Whether the account has too few credits. */
	lacksCredits?: boolean;
}

/** Where it is not known whether a request has come to the service; the reason may follow. */
export const NOT_ASKED = 'The service could not be asked';

/** Where an answer is none that the service gives. */
export const UNREADABLE_ANSWER = 'The answer of the service could not be understood';

/** What to do about such an answer, as the beginning of a sentence. */
export const CHECK_ANSWERS =
	"Check that 'Base URL' in the Contact Data API credential is right and that no proxy changes the answers";

/** Where nobody has answered, and why: so it is with every request of the account. */
export function unreachable(
	{ baseUrl }: Account,
	{ reason, isUntrusted = false }: Pick<Unsent, 'reason' | 'isUntrusted'>,
): Refusal {
	const certificate = isUntrusted
		? "If your network checks encrypted traffic, n8n must know its certificate: set NODE_EXTRA_CA_CERTS where n8n runs. Else check 'Base URL'"
		: "Check 'Base URL'";
	return {
		message: `The service could not be reached: ${reason}`,
		description: `${certificate} in the Contact Data API credential (${baseUrl}) and the network of n8n.`,
		affects: 'account',
	};
}

/** A number of a row, or a record's ID of Airtable or Salesforce: the service's own are UUIDs. */
const OF_RECORD = /^(?:\d{1,12}|rec\w{14}|00\w{13}(?:\w{3})?)$/;

/** What to do where the service has nothing for an id. */
export function adviceOnId(id: string): string {
	// n8n shows what looks like a link in an error as one.
	const shown = excerpt(id, 100).replaceAll('<', ' ');
	const odd = OF_RECORD.test(id)
		? `${shown} looks like the number of a row or the ID of a record: an ID of the service has about 36 characters. `
		: '';
	return `${odd}Check that the ID ${shown} is complete and of this account, and that 'Resource' and 'Operation' fit what it was started with: results are kept for a time only.`;
}

const ADD_CREDITS = 'Add credits to your account.';
/** Not only with status 402. */
const NO_CREDITS = /insufficient (credits?|balance|funds)|not enough credits/i;

/** For messages that tell more than their status. */
const ADVICE: readonly Advice[] = [
	...Object.values(lookups).flatMap(({ advice }) => advice),
	{
		says: /apikey is not valid/i,
		advice:
			"Open the Contact Data API credential and paste the key again from the API menu of your account dashboard. Check that 'Base URL' belongs to the same account.",
	},
	{ says: NO_CREDITS, advice: ADD_CREDITS, remedy: 'again' },
	{
		// Of the gateway before the service, for a path that it does not know.
		says: /^missing authentication token$/i,
		advice: "Check 'Base URL' and 'API Key' in the Contact Data API credential.",
	},
];

const CHECK_SENT = 'Check the values that were sent.';
const CHECK_VALUES = `Check 'Base URL' in the Contact Data API credential. ${CHECK_SENT}`;

/** By status, or its hundred; the message is for answers without one. */
const PROBLEMS: Record<number, Problem> = {
	300: {
		message: 'The service pointed to another address',
		description:
			"Redirects are not followed: set 'Base URL' in the Contact Data API credential to the service's own address.",
	},
	400: {
		message: 'The service refused the request',
		description: CHECK_VALUES,
		remedy: 'again',
	},
	401: {
		message: 'The service did not accept the API key',
		description: "Open the Contact Data API credential and check 'API Key'.",
	},
	402: {
		message: 'The account does not have enough credits',
		description: ADD_CREDITS,
		remedy: 'again',
	},
	403: {
		message: 'The request was refused',
		description:
			"The service, or a firewall on the way, forbids it: check the values of this item. If every item is refused, check 'API Key' in the Contact Data API credential and what your plan includes.",
	},
	404: {
		message: 'There is no such address at the service',
		description: "Check 'Base URL' in the Contact Data API credential.",
	},
	407: {
		message: "The proxy of n8n's network wants a login",
		description:
			'The proxy wants a login: give it in HTTPS_PROXY where n8n runs (http://user:password@proxy:port), or take the service out of the proxy with NO_PROXY.',
	},
	429: {
		message: 'Too many requests',
		description:
			"Other programs seem to use the same API key: lower 'Requests per Second' in the credential, or let them work one after another.",
		remedy: 'again',
	},
	500: {
		message: 'The service is not available at the moment',
		description: 'The service has a problem, which may be over in a while.',
	},
};
const ANY_OTHER: Problem = { message: UNREADABLE_ANSWER, description: CHECK_VALUES };

/**
 * Reads an answer that is not what was asked for.
 * Error bodies are `{ message }`, or `{ reason, success }` for the 402 of a single (`service-api.md`
 * section 7); those of other statuses are not documented.
 * @param location where a redirect points to
 */
export function refusalIn(status: number, body: unknown, location = ''): Refusal {
	const hundred = 100 * Math.floor(status / 100);
	const problem = PROBLEMS[status] ?? PROBLEMS[hundred] ?? ANY_OTHER;
	const said = hundred === 300 ? undefined : findMessage(body);
	const to = hundred === 300 ? excerpt(location.replace(/[?#].*/s, ''), MAX_LOCATION_LENGTH) : '';
	const message = said ?? `${problem.message} (HTTP ${status}${to && `, ${to}`})`;
	const advice = ADVICE.find(({ says }) => says.test(message));
	const lacksCredits = status === 402 || (hundred === 400 && NO_CREDITS.test(message));
	return {
		message,
		description: advice?.advice ?? (status === 400 && said ? CHECK_SENT : problem.description),
		remedy: advice === undefined ? problem.remedy : advice.remedy,
		status,
		affects: status === 401 || lacksCredits ? 'account' : 'request',
		lacksCredits,
	};
}

const MAX_MESSAGE_LENGTH = 500;
const MAX_LOCATION_LENGTH = 200;

/** The beginning of the message in an answer, where the service or servers in general put it. */
export function findMessage(body: unknown): string | undefined {
	const { message, reason, error, detail } = asRecord(body) ?? {};
	const found = [body, message, reason, error, asRecord(error)?.message, detail]
		.map((text) => asText(text)?.trim() ?? '')
		// A page, or JSON that was cut off, is no message.
		.find((text) => /^[^<{[]/.test(text));
	return found === undefined ? undefined : excerpt(found, MAX_MESSAGE_LENGTH);
}

/** The error that n8n shows; made from plain text, so that it has no request and no key in it. */
export function toApiError(
	node: INode,
	refusal: Pick<Refusal, 'message' | 'description' | 'status'>,
): NodeApiError {
	const { message, description, status } = refusal;
	const plain: JsonObject = { message, description };
	return new NodeApiError(node, plain, {
		message,
		description,
		httpCode: status === undefined ? undefined : String(status),
	});
}
