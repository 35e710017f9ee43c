/** What is answered where it is one too many. */
export const TOO_MANY_CALLS = 'Too many notifications at once';

/** A call from outside that is being followed up. */
export interface CallUnderWay {
	end(): void;
}

/**
 * Bounds the calls from outside that are followed up at the same time. n8n holds a V8 isolate of about
 * 10 MB for each until it is answered, so one too many is to be refused before anything is done for it.
 */
export class CallLimit {
	private readonly underWay = new Map<string, number>();
	private inProcess = 0;

	/** @param most at the same time: for one of what is called, and for all of them in this process */
	constructor(private readonly most: { ofOne: number; inProcess: number }) {}

	/** @returns `undefined` where it is one too many */
	begin(name: string): CallUnderWay | undefined {
		const ofOne = (this.underWay.get(name) ?? 0) + 1;
		if (ofOne > this.most.ofOne || this.inProcess >= this.most.inProcess) return undefined;
		this.underWay.set(name, ofOne);
		this.inProcess++;
		return { end: () => this.end(name) };
	}

	private end(name: string): void {
		const left = (this.underWay.get(name) ?? 0) - 1;
		if (left > 0) this.underWay.set(name, left);
		else this.underWay.delete(name);
		this.inProcess--;
	}
}
