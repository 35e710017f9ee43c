import { unlessAborted } from '../common/pause';

/** The end of what is being started, by what it is about. */
const turns = new Map<unknown, Promise<void>>();

/**
 * One after another in this process, of all that are about the same.
 * @param topics objects are told apart by identity
 * @returns `undefined` where the time was up before its turn came
 */
export async function inTurn<T>(
	topics: Iterable<unknown>,
	work: () => Promise<T>,
	timeUp?: AbortSignal,
): Promise<T | undefined> {
	const all = new Set(topics);
	const others = new Set([...all].flatMap((topic) => turns.get(topic) ?? []));
	let end = () => {};
	const ended = new Promise<void>((resolve) => {
		end = resolve;
	});
	const before = Promise.all(others).then(() => {});
	const turn = before.then(async () => await ended);
	// Whoever gives up its turn lets nobody in before those that it waited for.
	for (const topic of all) turns.set(topic, turn);
	void turn.then(() => {
		for (const topic of all) if (turns.get(topic) === turn) turns.delete(topic);
	});
	try {
		return (await unlessAborted(before, timeUp)) ? await work() : undefined;
	} finally {
		end();
	}
}
