import { sleep } from 'n8n-workflow';

/**
 * Waits, and ends at once when the execution is cancelled: then it returns `false`.
 * n8n before 2.34 has no sleep that takes the signal, so the signal is listened to here as well.
 */
export async function pause(ms: number, signal?: AbortSignal): Promise<boolean> {
	if (signal === undefined) {
		await sleep(ms);
		return true;
	}
	if (signal.aborted) return false;
	let stopListening = () => {};
	const aborted = new Promise<void>((resolve) => {
		const onAbort = () => resolve();
		signal.addEventListener('abort', onAbort, { once: true });
		stopListening = () => signal.removeEventListener('abort', onAbort);
	});
	const slept = sleep(ms, signal).catch(() => undefined);
	await Promise.race([slept, aborted]);
	stopListening();
	return !signal.aborted;
}
