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
