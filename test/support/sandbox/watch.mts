/** Lets callers wait for something to become true, looking only when something has happened. */
export class Watch {
	readonly #looks = new Set<() => void>();

	/** Something has happened. */
	readonly notify = (): void => {
		for (const look of this.#looks) look();
	};

	/** Gives what `look` gives as soon as that is truthy; rejects after `timeoutMs`. */
	async until<T>(look: () => T, timeoutMs: number): Promise<NonNullable<T>> {
		return await new Promise((resolve, reject) => {
			const settle = () => {
				try {
					const seen = look();
					if (!seen) return;
					resolve(seen);
				} catch (error) {
					reject(error instanceof Error ? error : new Error(String(error)));
				}
				this.#looks.delete(settle);
				clearTimeout(timer);
			};
			const timer = setTimeout(() => {
				this.#looks.delete(settle);
				reject(new Error(`Not seen in the sandbox within ${timeoutMs} ms: ${look.toString()}`));
			}, timeoutMs);
			this.#looks.add(settle);
			settle();
		});
	}
}
