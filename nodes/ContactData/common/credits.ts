/** 0.1 and 0.2 come to a little more than 0.3 in a computer. */
export function addCredits(one: number, other: number): number {
	return Number((one + other).toFixed(6));
}

/** With its unit, as a user reads it. */
export function tellCredits(credits: number): string {
	return `${tellAmount(credits)} ${credits === 1 ? 'credit' : 'credits'}`;
}

export function tellAmount(credits: number): string {
	return Number(credits.toFixed(2)).toLocaleString('en');
}
