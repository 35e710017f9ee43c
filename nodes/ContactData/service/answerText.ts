const MB = 1024 ** 2;
/** 300 for each of the 5,000 results of a batch; n8n takes half a kilobyte and more for each. */
const MAX_VALUES = 1_500_000;
/** Custom data that is deeper cannot be sent. n8n saves 300,000 levels, and cannot read them again. */
const MAX_LEVELS = 10_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** One of these is before each value but the first. */
const COMMA = 0x2c;
const LIST = 0x5b;
const OBJECT = 0x7b;
const LIST_END = 0x5d;
const OBJECT_END = 0x7d;

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
 * more values or levels than any result. A body that is text already is taken as it is.
 * @returns `undefined` for what is no body of text
 */
export async function readText(body: unknown, maxBytes: number): Promise<AnswerText | undefined> {
	if (typeof body === 'string') return { text: body };
	if (!isStream(body)) return undefined;
	const decoder = new TextDecoder();
	const measure = new JsonMeasure();
	let text = '';
	let bytes = 0;
	try {
		for await (const chunk of body) {
			if (!(chunk instanceof Uint8Array)) return undefined;
			bytes += chunk.length;
			// To leave the loop ends the connection.
			if (bytes > maxBytes) return { text, tooLarge: `larger than ${maxBytes / MB} MB` };
			text += decoder.decode(chunk, { stream: true });
			measure.add(chunk);
			if (measure.values > MAX_VALUES) {
				return { text, tooLarge: 'made of more than 1,500,000 values' };
			}
			if (measure.deepest > MAX_LEVELS) {
				return { text, tooLarge: 'nested more than 10,000 levels deep' };
			}
		}
	} catch (failure) {
		return { text, failure };
	}
	return { text: text + decoder.decode() };
}

/** Counts the values and the levels of a JSON text that comes in pieces. */
class JsonMeasure {
	values = 0;
	deepest = 0;
	private level = 0;
	private isInText = false;
	private isEscaped = false;

	add(piece: Uint8Array): void {
		for (const byte of piece) {
			if (this.isEscaped) this.isEscaped = false;
			else if (byte === QUOTE) this.isInText = !this.isInText;
			else if (this.isInText) this.isEscaped = byte === BACKSLASH;
			else if (byte === COMMA) this.values++;
			else if (byte === LIST || byte === OBJECT) {
				this.values++;
				this.deepest = Math.max(this.deepest, ++this.level);
			} else if (byte === LIST_END || byte === OBJECT_END) this.level--;
		}
	}
}

function isStream(value: unknown): value is AsyncIterable<unknown> {
	return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
