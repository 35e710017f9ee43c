import fc from 'fast-check';

/** Without the signs that stand around addresses, or between two, and with no file's ending. */
export const usualAddress = fc
	.emailAddress()
	.filter((email) => !/[*?%/{|}`=]|^'|^_.*_$|\.(?:bmp|css|gif|ico|jpe?g|png|svg)$/.test(email));
