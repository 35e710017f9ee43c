import type { IExecuteFunctions } from 'n8n-workflow';
import type { OperationRun } from './operationRun';

const MAX_CUSTOM_DATA_LENGTH = 255;

/** n8n drops the data of an execution that is stopped, but not its custom data. */
export function noteIds(context: IExecuteFunctions, ids: string[]): void {
	if (ids.length === 0) return;
	const text = ids.join(' ');
	const end = text.lastIndexOf(' ', MAX_CUSTOM_DATA_LENGTH);
	const fitting = text.length > MAX_CUSTOM_DATA_LENGTH ? text.slice(0, Math.max(0, end)) : text;
	// n8n 1 has no custom data here.
	context.customData?.set('contact_data_ids', fitting);
}

/**
 * Works on, and notes what is paid for the moment that the execution is stopped: n8n saves it at once.
 * @param ids as they are known by then
 */
export async function notingWhenStopped<T>(
	{ context, run: { signal } }: OperationRun,
	ids: () => string[],
	work: () => Promise<T>,
): Promise<T> {
	const note = () => noteIds(context, ids());
	signal?.addEventListener('abort', note);
	try {
		return await work();
	} finally {
		signal?.removeEventListener('abort', note);
	}
}
