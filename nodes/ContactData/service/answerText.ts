const MB = 1024 ** 2;
/** 300 for each of the 5,000 results of a batch; n8n takes half a kilobyte and more for each. */
const MAX_VALUES = 1_500_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** One of these is before each value but the first. */
const COMMA = 0x2c;
const LIST = 0x5b;
const OBJECT = 0x7b;

/** The text of an answer's body, and why it may be only the beginning. */
export interface AnswerText {
	text: string;
	/** By what measure it is too large to be read to its end. */
	tooLarge?: string;
	/** What the network threw on the way. */
	failure?: unknown;
}

/**
 * Reads a body as it comes, and hangs up where it is larger than `maxBytes`, unpacked, or made of
 * more values than any result. A body that is text already is taken as it is.
 * @returns `undefined` for what is no body of text
 */
export async function readText(body: unknown, maxBytes: number): Promise<AnswerText | undefined> {
	if (typeof body === 'string') return { text: body };
	if (!isStream(body)) return undefined;
	const decoder = new TextDecoder();
	const countValues = valueCounter();
	let text = '';
	let bytes = 0;
	try {
		for await (const chunk of body) {
			if (!(chunk instanceof Uint8Array)) return undefined;
			bytes += chunk.length;
			// To leave the loop ends the connection.
			if (bytes > maxBytes) return { text, tooLarge: `larger than ${maxBytes / MB} MB` };
			text += decoder.decode(chunk, { stream: true });
			if (countValues(chunk) > MAX_VALUES) {
				return { text, tooLarge: 'made of more than 1,500,000 values' };
			}
		}
	} catch (failure) {
		return { text, failure };
	}
	return { text: text + decoder.decode() };
}

/** Counts the values of a JSON text that comes in pieces. */
function valueCounter(): (piece: Uint8Array) => number {
	let values = 0;
	let isInText = false;
	let isEscaped = false;
	return (piece) => {
		for (const byte of piece) {
			if (isEscaped) isEscaped = false;
			else if (byte === QUOTE) isInText = !isInText;
			else if (isInText) isEscaped = byte === BACKSLASH;
			else if (byte === COMMA || byte === LIST || byte === OBJECT) values++;
		}
		return values;
	};
}

function isStream(value: unknown): value is AsyncIterable<unknown> {
	return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
