import { asAmount, asRecord, asText } from '../common/values';
import { ask, askOnce, type ReadOutcome } from './reading';
import { type Refusal, unreachable } from './refusals';
import type { Connection } from './request';

export const ACCOUNT_PATH = '/account/info';
/** As the test of the credential says. */
const NO_SERVICE = "There is no contact data service at this 'Base URL'. Check the address.";

/** The account's credits and registered webhook URLs (`service-api.md` 4.13). */
interface AccountInfo {
	/** `undefined` where they are not told, or cannot be true. */
	credits: number | undefined;
	webhooks: string[];
}

export function toAccountInfo(body: unknown): AccountInfo {
	const { credits, webhooks } = asRecord(body) ?? {};
	const listed: unknown[] = Array.isArray(webhooks) ? webhooks : [];
	const amount = asAmount(credits) ?? -1;
	return {
		credits: amount < 0 ? undefined : amount,
		webhooks: listed.flatMap((url) => asText(url) ?? []),
	};
}

/** Reads the account; an answer that no contact data service would give is a lasting fault. */
export async function askAccount(
	connection: Connection,
	signal?: AbortSignal,
): Promise<ReadOutcome> {
	const outcome = await ask(connection, ACCOUNT_PATH, undefined, signal);
	const status = outcome.kind === 'answer' ? outcome.status : outcome.refusal.status;
	const isService = outcome.kind === 'answer' ? isAccount(outcome.body) : status !== 404;
	if (isService) return outcome;
	const description = `The 'Base URL' of the Contact Data API credential is ${connection.account.baseUrl}.`;
	return {
		kind: 'fault',
		fault: 'lasting',
		refusal: { message: NO_SERVICE, description, status, affects: 'account' },
	};
}

function isAccount(body: unknown): boolean {
	const account = asRecord(body) ?? {};
	return 'credits' in account || 'webhooks' in account;
}

/** Questions that are under way: one at a time for each connection. */
const questions = new WeakMap<Connection, Promise<boolean>>();

/** Whether the service itself answers now: a gateway in its place knows nothing of the account. */
export async function isServiceThere(connection: Connection, timeoutMs: number): Promise<boolean> {
	const underWay = questions.get(connection);
	if (underWay !== undefined) return await underWay;
	const question = askOnce(connection, ACCOUNT_PATH, { timeoutMs }).then(
		(outcome) => outcome.kind === 'answer' && isAccount(outcome.body),
	);
	questions.set(connection, question);
	const isThere = await question;
	questions.delete(connection);
	return isThere;
}

/** `undefined`: not told for now. `isUnreachable`: nobody has answered, so it may be there later. */
export type Balance =
	{ credits: number | undefined } | { refusal: Refusal; isUnreachable: boolean };

/**
 * The balance before a run starts to spend. It also shows, before money is at stake, that the key
 * is right and the service can be reached; any other fault leaves the balance unknown.
 * @returns a refusal when no submission could succeed either
 */
export async function askBalance(
	connection: Connection,
	signal: AbortSignal | undefined,
): Promise<Balance> {
	const outcome = await askAccount(connection, signal);
	if (outcome.kind === 'answer') return { credits: toAccountInfo(outcome.body).credits };
	const { fault, refusal, unanswered } = outcome;
	if (unanswered !== undefined) {
		// Where there was no time for an answer, there is none for a submission either.
		if (signal?.aborted === true) return { credits: undefined };
		const { account } = connection;
		return {
			refusal: { ...unreachable(account, unanswered), remedy: 'again' },
			isUnreachable: true,
		};
	}
	// A key may be allowed to search, and not to see the account.
	if (fault !== 'lasting' && refusal.affects !== 'account') return { credits: undefined };
	return { refusal: { ...refusal, remedy: 'again' }, isUnreachable: false };
}
