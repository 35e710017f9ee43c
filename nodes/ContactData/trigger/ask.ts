import { monotonicMs, sleepUnlessAborted, unlessAborted } from '../common/time';
import type { LookupEvent } from '../lookups';
import { lookupEvents } from '../lookups';
import { isOfAnotherId } from '../results/otherSearch';
import type { Fault } from '../service/reading';
import type { Connection } from '../service/request';
import type { Ended, Shown } from '../service/state';
import { hasEnded } from '../service/state';
import { lookAt } from '../waiting/look';
import { Places } from './places';

/** In the first round, whatever is in a notification: two ids as each kind of lookup. */
const MAX_LOOKS = 2 * lookupEvents.length;
const ROUND_MS = 5_000;
/** Nobody promises that a notification is sent again, and a result may be readable only after it. */
const LOOK_AGAIN_AFTER_MS = [2_000, 8_000, 20_000];
/** How long a sender waits for its answer. */
export const PATIENCE_MS = 30_000;
/** Ids that are asked for again though the service does not know them. */
const MAX_UNKNOWN = 2;

/** For those that are asked for again: n8n holds a V8 isolate for each. */
const places = new Places({ ofOne: 4, inProcess: 8 });

/** Whether an id belongs to a lookup of this kind. */
export interface Question {
	id: string;
	event: LookupEvent;
}

/** A question, and what the service has said to it last. */
export interface Look extends Question {
	shown: Shown;
}

/** A lookup that has ended. */
export interface Found extends Question {
	shown: Ended;
}

/** What the service is asked for a notification. */
export interface Asking {
	trigger: string;
	begunAt: number;
	/** The likeliest first. */
	ids: readonly string[];
	questions: readonly Question[];
	/** The kind that the notification names: the service may know the id as that a moment later. */
	expected: LookupEvent | undefined;
	/** Whether the trigger listens to this kind. */
	isWanted(event: LookupEvent): boolean;
}

/**
 * Asks the service until it knows an id as a lookup that has ended, for half a minute where that may
 * still come.
 * @returns what it has said; `undefined` where a newer notification has taken the place of this one
 */
export async function lookFor(connection: Connection, asking: Asking): Promise<Look[] | undefined> {
	const { trigger, begunAt, questions } = asking;
	const looks: Look[] = [];
	for (const question of questions.slice(0, MAX_LOOKS)) {
		if (!idsInQuestion(looks, asking).includes(question.id)) continue;
		const look = { ...question, shown: await ask(connection, question, begunAt + ROUND_MS) };
		looks.push(look);
		if (faultOf(look) === 'lasting') return looks;
	}
	if (openOf(looks, asking).length === 0) return looks;
	const { signal, leave } = places.take(trigger);
	const isOver = await unlessAborted(askAgain(connection, asking, looks, signal), signal);
	leave();
	return isOver ? looks : undefined;
}

/** What has ended, of the likeliest id. */
export function endedOf(looks: readonly Look[], { ids }: Pick<Asking, 'ids'>): Found | undefined {
	const ended = looks.filter(isFound);
	return ids.flatMap((id) => ended.filter((look) => look.id === id))[0];
}

/** An answer that is of another search, as it says itself, ends nothing. */
function isFound(look: Look): look is Look & Found {
	return hasEnded(look.shown) && !isOfAnotherId(look.id, look.shown.body);
}

async function askAgain(
	connection: Connection,
	asking: Asking,
	looks: readonly Look[],
	signal: AbortSignal,
): Promise<void> {
	for (const ms of LOOK_AGAIN_AFTER_MS) {
		const open = openOf(looks, asking);
		if (open.length === 0) return;
		if (!(await sleepUnlessAborted(asking.begunAt + ms - monotonicMs(), signal))) return;
		for (const look of open) {
			look.shown = await ask(connection, look, asking.begunAt + PATIENCE_MS);
			if (signal.aborted || faultOf(look) === 'lasting') return;
			// Where the service cannot be asked for one, it is not asked for the others.
			if (isFound(look) || faultOf(look) === 'passing') break;
		}
	}
}

/** Never throws. Where no time is left, nothing is asked, and that is a fault. */
async function ask(
	connection: Connection,
	{ id, event }: Question,
	endsAt: number,
): Promise<Shown> {
	const shown = await lookAt({ connection, ...event }, id, endsAt - monotonicMs());
	if (shown.kind !== 'fault') return shown;
	// It is known, and only its results are not there yet.
	if (shown.refusal.status === 200) return { ...shown, fault: 'passing' };
	// An account without this lookup may have the other ones.
	const isLacking = event.lookup.notInPlan?.test(shown.refusal.message) === true;
	return isLacking ? { ...shown, fault: 'refused' } : shown;
}

/** What may be told otherwise a little later; what still runs goes first. */
function openOf(looks: readonly Look[], asking: Asking): Look[] {
	const { ids, isWanted, expected } = asking;
	const meant = idsInQuestion(looks, asking);
	const wanted = looks.filter(({ id, event }) => meant.includes(id) && isWanted(event));
	const unknown = meant === ids ? wanted.filter(({ event }) => event === expected) : [];
	return [
		...wanted.filter(({ shown }) => shown.kind === 'ongoing'),
		...unknown.filter((look) => faultOf(look) === 'refused').slice(0, MAX_UNKNOWN),
		...wanted.filter((look) => faultOf(look) === 'passing'),
	];
}

/** All ids until one has ended, and then the likelier ones. */
function idsInQuestion(looks: readonly Look[], { ids }: Asking): readonly string[] {
	const ended = endedOf(looks, { ids });
	return ended === undefined ? ids : ids.slice(0, ids.indexOf(ended.id));
}

function faultOf({ shown }: Look): Fault['fault'] | undefined {
	return shown.kind === 'fault' ? shown.fault : undefined;
}
