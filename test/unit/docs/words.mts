/** Words that users never read: names of the code, of protocols and of programming. */
const NOT_FOR_USERS =
	/\b(?:lookups?|poll(?:s|ed|ing)?|suspend(?:s|ed|ing)?|park(?:s|ed|ing)?|submi(?:t|ts|tted|tting|ssions?)|payloads?|endpoints?|callbacks?|arrays?|booleans?|strings?|null|undefined|nobody|anew)\b/gi;

/** Which of them are in a text. */
export function wordsNotForUsers(text: string): string[] {
	return text.match(NOT_FOR_USERS) ?? [];
}

export function countSentences(text: string): number {
	return text
		.replaceAll('e.g.', '')
		.split(/(?<=[.!?])\s+/)
		.filter((sentence) => sentence !== '').length;
}

/** What a text quotes as a label of the editor, such as `'Max Credits'`. */
export function labelsIn(text: string): string[] {
	return [...text.matchAll(/(?<![\p{L}\p{N}])'(\p{Lu}[^'…]*)'(?!\p{L})/gu)].map(
		([, label]) => label,
	);
}
