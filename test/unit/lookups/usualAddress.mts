import fc from 'fast-check';

/** As people have them: without the signs that stand around addresses, or between two. */
export const usualAddress = fc
	.emailAddress()
	.filter((email) => !/[*?%/{|}`]|^'|^_.*_$|=/.test(email));
