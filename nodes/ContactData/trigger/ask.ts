import { inTurns } from '../common/bounds';
import { monotonicMs, sleepUnlessAborted } from '../common/time';
import type { LookupEvent } from '../lookups';
import { isOfAnotherId } from '../results/whose';
import type { Connection } from '../service/request';
import { type Ended, hasEnded, type Shown } from '../service/state';
import { lookOnce } from '../waiting/look';

/** Nobody promises that a notification is sent again, and a result may be readable only after it. */
const LOOK_AFTER_MS = [0, 5_000, 12_000, 25_000];
/** How long a sender waits for its answer. */
const PATIENCE_MS = 30_000;
/** Looks at the same time, for all notifications of the process: the others wait for their turn. */
const lookInTurn = inTurns(24);

/** Whether an id belongs to a lookup of this kind. */
export interface Question {
	id: string;
	event: LookupEvent;
}

/** A lookup that has ended. */
export interface Found extends Question {
	shown: Ended;
}

/**
 * Asks the service until it knows an id as a lookup that has ended, for half a minute where that may
 * still come.
 * @param isSure whether the kind is known, so that the service may know the id a moment later
 * @returns the lookup; or what was said last to each question where none has ended
 */
export async function lookUntilEnded(
	connection: Connection,
	questions: readonly Question[],
	isSure: boolean,
): Promise<Found | Shown[]> {
	const begunAt = monotonicMs();
	const said = new Map<Question, Shown>();
	let open = [...questions];
	for (const ms of LOOK_AFTER_MS) {
		if (open.length === 0) break;
		if (ms > 0) await sleepUnlessAborted(begunAt + ms - monotonicMs());
		const asked = open;
		open = [];
		for (const question of asked) {
			const target = { ...question.event, id: question.id };
			const shown = await lookInTurn(
				async () => await lookOnce(connection, target, begunAt + PATIENCE_MS - monotonicMs()),
			);
			if (hasEnded(shown) && !isOfAnotherId(question.id, shown.body)) {
				return { ...question, shown };
			}
			said.set(question, shown);
			if (mayEnd(shown, isSure)) open.push(question);
		}
	}
	return [...said.values()];
}

/** Whether a later look may show its end. */
function mayEnd(shown: Shown, isSure: boolean): boolean {
	if (shown.kind !== 'fault') return shown.kind === 'ongoing';
	return shown.fault === 'passing' || lacksResults(shown) || (shown.fault === 'refused' && isSure);
}

/** Whether the service knows it as finished, and only its results are not there yet. */
export function lacksResults(shown: Shown): boolean {
	return shown.kind === 'fault' && shown.refusal.status === 200;
}
