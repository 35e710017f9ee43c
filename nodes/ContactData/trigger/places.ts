/** A call that waits; it gives up where a newer one needs its place. */
interface Waiting {
	trigger: string;
	giveUp: AbortController;
}

/**
 * Places for calls that wait. The newest takes the place of the one that waits longest, of the same
 * trigger if there is one: else a few calls with invented ids would keep the true ones out.
 */
export class Places {
	/** Those that wait longest first. */
	private readonly taken = new Set<Waiting>();

	/** @param most at the same time: for one trigger, and for all of them in this process */
	constructor(private readonly most: { ofOne: number; inProcess: number }) {}

	/** @returns the signal to give up, and what ends the wait */
	take(trigger: string): { signal: AbortSignal; leave(): void } {
		const own = [...this.taken].filter((one) => one.trigger === trigger);
		const isFull = own.length >= this.most.ofOne || this.taken.size >= this.most.inProcess;
		const [longest] = own.length > 0 ? own : this.taken;
		if (isFull && longest) {
			this.taken.delete(longest);
			longest.giveUp.abort();
		}
		const waiting = { trigger, giveUp: new AbortController() };
		this.taken.add(waiting);
		return { signal: waiting.giveUp.signal, leave: () => this.taken.delete(waiting) };
	}
}
