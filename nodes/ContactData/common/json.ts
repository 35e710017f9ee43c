import type { IDataObject } from 'n8n-workflow';

/** A plain JSON object, as opposed to an array, null or a scalar. */
export function isRecord(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function asRecord(value: unknown): IDataObject | undefined {
	return isRecord(value) ? value : undefined;
}

export function asText(value: unknown): string | undefined {
	return typeof value === 'string' && value !== '' ? value : undefined;
}

export function asNumber(value: unknown): number | undefined {
	return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
