import { monotonicMs } from '../common/clock';
import { excerpt } from '../common/excerpt';
import { ensureError } from '../common/itemErrors';
import { asRecord, asText } from '../common/json';
import type { LastingConnection } from '../input/credential';
import type { Lookup, Size } from '../lookups/types';
import type { Fate } from '../service/state';
import { hasEnded } from '../service/state';
import { lookAt } from '../waiting/look';
import { CALLBACK_PATIENCE_MS, nextCallDelay, nextLookDelay } from './schedule';

/** The callback that follows has no more time for the results of a batch. */
const READ_TIMEOUT_MS = { single: 10_000, bulk: CALLBACK_PATIENCE_MS.bulk };
const CALL_TIMEOUT_MS = 30_000;
const NOT_FOUND = 404;
const CONFLICT = 409;
/** Calls that find no parked execution, after which there is none. */
const MAX_NOT_FOUND = 3;
/** What n8n says of them; a proxy in front of n8n has other words while that is away. */
const IS_NOT_FOUND = /execution.*does not (exist|contain)/i;
/** What n8n says of an execution that was resumed by another call. */
const HAS_FINISHED = /finished/i;
const MAX_TEXT_LENGTH = 200;

/** What is known of a parked execution. */
export interface FollowedExecution {
	executionId: string;
	/** Of the lookups that are not seen to be finished, in the order of submission. */
	ids: string[];
	lookup: Lookup;
	size: Size;
	resumeUrl: string;
	/** From `estimated_duration`. */
	estimateMs?: number;
	account: string;
	/** These times are of the monotonic clock, in milliseconds. */
	parkedAt: number;
	deadline: number;
	nextLookAt: number;
	/** Looks in a row that failed. */
	faults: number;
	/** Calls of the resume URL so far. */
	calls: number;
	/** Those that found no execution. */
	notFound: number;
	/** Whether n8n has taken one of them. */
	isTaken: boolean;
}

/** What holds at this moment. */
interface Following {
	isStillParked: () => boolean;
	/** How many may be under way at once for this execution. */
	mostReads: () => number;
}

/**
 * Looks at what a parked execution waits for, and calls it when nothing is left; else plans the next
 * look or call.
 * @returns whether the execution needs no more looks and calls
 */
export async function followUp(
	parked: FollowedExecution,
	connection: LastingConnection,
	{ isStillParked, mostReads }: Following,
): Promise<boolean> {
	const isAllFinished = await look(parked, connection, { isStillParked, mostReads });
	return isAllFinished && isStillParked() && (await call(parked, connection, isStillParked));
}

/**
 * The latest submission first, as it is likely to end last; and more at once each time that all of
 * those are finished, as thousands one after another take longer than a wait.
 * @returns whether all are finished
 */
async function look(
	parked: FollowedExecution,
	connection: LastingConnection,
	{ isStillParked, mostReads }: Following,
): Promise<boolean> {
	const { lookup, size } = parked;
	// What is heard in the meantime may bring it forward.
	parked.nextLookAt = parked.deadline;
	for (let count = 1; parked.ids.length > 0; count = Math.min(2 * count, mostReads())) {
		if (!isStillParked()) return false;
		const ids = parked.ids.slice(-count).reverse();
		const looks = await Promise.all(
			ids.map(async (id) => ({
				id,
				fate: await lookAt({ connection, lookup, size }, id, READ_TIMEOUT_MS[size]),
			})),
		);
		const finished = new Set(looks.flatMap(({ id, fate }) => (hasEnded(fate) ? id : [])));
		parked.ids = parked.ids.filter((id) => !finished.has(id));
		const unfinished = looks.find(({ id }) => !finished.has(id));
		if (unfinished === undefined) continue;
		planNextLook(parked, unfinished.fate);
		return false;
	}
	return true;
}

function planNextLook(parked: FollowedExecution, fate: Fate): void {
	const now = monotonicMs();
	parked.faults = fate.kind === 'fault' ? parked.faults + 1 : 0;
	const delay = nextLookDelay({
		elapsedMs: now - parked.parkedAt,
		leftMs: parked.deadline - now,
		estimateMs: parked.estimateMs,
		progress: fate.kind === 'ongoing' ? fate.progress : undefined,
		faults: parked.faults,
	});
	parked.nextLookAt = Math.min(parked.nextLookAt, now + delay);
}

/** Calls the execution as the service would have done; whether it is over. */
async function call(
	parked: FollowedExecution,
	{ sendUnsigned, logger }: LastingConnection,
	isStillParked: () => boolean,
): Promise<boolean> {
	const { executionId, isTaken } = parked;
	parked.calls++;
	const { status, text } = await send(parked.resumeUrl, sendUnsigned);
	// It was resumed in this process.
	if (!isStillParked()) return true;
	const isTakenNow = status < 300;
	parked.nextLookAt = monotonicMs() + nextCallDelay(parked.calls, isTakenNow);
	if (isTakenNow) {
		parked.isTaken = true;
		return false;
	}
	if (status === CONFLICT && (isTaken || HAS_FINISHED.test(text))) {
		return true;
	}
	if (parked.calls === 1) {
		logger.warn(
			`The results for execution ${executionId} are there, but n8n did not take the call to resume it, which is made again: ${status > 0 ? `${status} ` : ''}${text}`,
		);
	}
	if (status === NOT_FOUND && IS_NOT_FOUND.test(text)) parked.notFound++;
	return parked.notFound >= MAX_NOT_FOUND;
}

/** The status and the text of n8n's answer, or of the failure. */
async function send(
	url: string,
	sendUnsigned: LastingConnection['sendUnsigned'],
): Promise<{ status: number; text: string }> {
	try {
		const answer: unknown = await sendUnsigned({
			method: 'POST',
			url,
			timeout: CALL_TIMEOUT_MS,
			// n8n's `timeout` is for silence only.
			abortSignal: AbortSignal.timeout(CALL_TIMEOUT_MS),
			disableFollowRedirect: true,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
		});
		const { statusCode, body } = asRecord(answer) ?? {};
		const text = asText(asRecord(body)?.message) ?? asText(body) ?? '';
		return { status: Number(statusCode), text: readable(text, url) };
	} catch (error) {
		return { status: NaN, text: readable(ensureError(error).message, url) };
	}
}

/** For the log: without n8n's signature, as who has it may resume the execution. */
function readable(text: string, url: string): string {
	const [, ...values] = url.split(/[?&]\w+=/);
	const hidden = values.reduce((left, value) => left.split(value).join('[signature]'), text);
	return excerpt(hidden, MAX_TEXT_LENGTH);
}
