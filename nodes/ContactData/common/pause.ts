import { sleep } from 'n8n-workflow';

/**
 * Waits, and ends at once when the execution is cancelled: then it returns `false`.
 * n8n before 2.34 has no sleep that takes the signal, so the signal is listened to here as well.
 */
export async function pause(ms: number, signal?: AbortSignal): Promise<boolean> {
	return await unlessAborted(sleep(ms), signal);
}

/** Waits for `work`, which never rejects; `false` as soon as the signal is aborted. */
export async function unlessAborted(work: Promise<void>, signal?: AbortSignal): Promise<boolean> {
	if (signal === undefined) {
		await work;
		return true;
	}
	if (signal.aborted) return false;
	let stopListening = () => {};
	const aborted = new Promise<void>((resolve) => {
		const onAbort = () => resolve();
		signal.addEventListener('abort', onAbort);
		stopListening = () => signal.removeEventListener('abort', onAbort);
	});
	await Promise.race([work, aborted]);
	stopListening();
	return !signal.aborted;
}
