import { unlessAborted } from '../common/time';

/** A search that a run of this process is going to send. */
class Reservation {
	private end = () => {};
	/** Ends when it is known what became of the search. */
	readonly ended = new Promise<void>((resolve) => {
		this.end = resolve;
	});

	constructor(readonly owner: Reservations) {}

	free(): void {
		this.end();
	}
}

/** By account and search. */
const reserved = new Map<string, Reservation>();

/** What one run is going to send: runs that only want the result wait for it. */
export class Reservations {
	/** @param account its fingerprint */
	constructor(private readonly account: string) {}

	/** Reserves a search, unless another run has done so. */
	take(hash: string): void {
		const name = this.nameOf(hash);
		if (!reserved.has(name)) reserved.set(name, new Reservation(this));
	}

	/** Whether another run is going to send it. */
	isOfAnother(hash: string): boolean {
		const { owner = this } = reserved.get(this.nameOf(hash)) ?? {};
		return owner !== this;
	}

	/** It was sent, or is not sent any more. One of another run stays. */
	free(hash: string): void {
		if (this.isOfAnother(hash)) return;
		const name = this.nameOf(hash);
		reserved.get(name)?.free();
		reserved.delete(name);
	}

	/** Waits until other runs have sent these, or have given them up; `false` where that took too long. */
	async othersDone(hashes: readonly string[], signal: AbortSignal): Promise<boolean> {
		const ends = hashes.map(async (hash) => await reserved.get(this.nameOf(hash))?.ended);
		return await unlessAborted(
			Promise.all(ends).then(() => {}),
			signal,
		);
	}

	private nameOf(hash: string): string {
		return `${this.account} ${hash}`;
	}
}
