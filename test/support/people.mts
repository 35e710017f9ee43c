/** Searches that the sandbox finds: `mustfind number 0` and so on, with the number in `n` too. */
export function people(count: number, mark = 'number'): Array<{ fullname: string; n: number }> {
	return Array.from({ length: count }, (_, n) => ({ fullname: `mustfind ${mark} ${n}`, n }));
}

/** The n-th of a crowd, in one of a thousand companies. Chance decides whether the sandbox finds it. */
export function person(n: number): { fullname: string; domain: string } {
	return { fullname: `Ada Number${n}`, domain: `company${n % 1000}.example` };
}

export function crowd(count: number): Array<ReturnType<typeof person>> {
	return Array.from({ length: count }, (_, n) => person(n));
}

/** A cell that was read in the wrong encoding: an error of its item, while an odd address is a result. */
export const WRONG_EMAIL = 'zo\ufffd@acme.com';
