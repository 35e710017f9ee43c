/** One row of the results: what was measured, beside what people would use instead. */
export interface Row {
	what: string;
	/** What nobody could be faster than. */
	limit: string;
	ours: string;
	beside: string;
}

export function seconds(value: number): string {
	return `${value.toFixed(value < 10 ? 2 : 1)} s`;
}

export function megabytes(bytes: number): string {
	return `${Math.round(bytes / 1024 ** 2)} MB`;
}
