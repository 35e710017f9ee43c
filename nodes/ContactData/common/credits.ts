/** 0.1 and 0.2 come to a little more than 0.3 in a computer. */
export function addCredits(one: number, other: number): number {
	return Number((one + other).toFixed(6));
}
