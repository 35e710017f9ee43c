import { unlessAborted } from '../common/time';

/** The end of the latest work for each topic. */
const ends = new Map<object, Promise<void>>();

/**
 * Does what is to be done about a topic after all that was asked for before.
 * @returns `undefined` where the time was up before its turn came
 */
export async function inTurn<T>(
	topic: object,
	work: () => Promise<T>,
	timeUp: AbortSignal,
): Promise<T | undefined> {
	const before = ends.get(topic) ?? Promise.resolve();
	let end = () => {};
	const ended = new Promise<void>((resolve) => {
		end = resolve;
	});
	// Whoever gives up its turn lets nobody in before those that it waited for.
	const turn = before.then(async () => await ended);
	ends.set(topic, turn);
	void turn.then(() => {
		if (ends.get(topic) === turn) ends.delete(topic);
	});
	try {
		return (await unlessAborted(before, timeUp)) ? await work() : undefined;
	} finally {
		end();
	}
}
