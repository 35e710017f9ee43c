/** Runs `work` over the list in order, at most `limit` at the same time. */
export async function forEachConcurrently<T>(
	limit: number,
	list: readonly T[],
	work: (entry: T, index: number) => Promise<void>,
): Promise<void> {
	const entries = list.entries();
	const worker = async () => {
		for (const [index, entry] of entries) await work(entry, index);
	};
	await Promise.all(Array.from({ length: Math.min(limit, list.length) }, worker));
}

/** Runs what it is given, at most `limit` at the same time; the others wait in their order. */
export function inTurns(limit: number): <T>(work: () => Promise<T>) => Promise<T> {
	const waiting: Array<() => void> = [];
	let running = 0;
	return async (work) => {
		if (running < limit) running++;
		else await new Promise<void>((resolve) => waiting.push(resolve));
		try {
			return await work();
		} finally {
			const next = waiting.shift();
			if (next === undefined) running--;
			else next();
		}
	};
}
