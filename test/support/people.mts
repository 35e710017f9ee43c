/** The n-th person that the rows of this bench look up. */
export function person(n: number): { fullname: string; domain: string } {
	return { fullname: `Ada Number${n}`, domain: `company${n % 1000}.example` };
}
