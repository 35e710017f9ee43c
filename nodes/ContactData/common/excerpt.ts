/** Shows nothing, breaks the line, turns the direction, or is half a character. */
const NOT_SHOWN = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/** The beginning of a text from outside, printable. It is a copy: a slice would keep all of the text. */
export function excerpt(text: string, maxLength: number): string {
	return Array.from(text.slice(0, maxLength), (letter) =>
		NOT_SHOWN.test(letter) ? ' ' : letter,
	).join('');
}
