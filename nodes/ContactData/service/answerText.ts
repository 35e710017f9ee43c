/** The text of an answer's body, and why it may be only the beginning. */
export interface AnswerText {
	text: string;
	isTooLarge?: boolean;
	/** What the network threw on the way. */
	failure?: unknown;
}

/**
 * Reads a body as it comes, and hangs up where it is larger than `maxBytes`, unpacked. A body that is
 * text already is taken as it is.
 * @returns `undefined` for what is no body of text
 */
export async function readText(body: unknown, maxBytes: number): Promise<AnswerText | undefined> {
	if (typeof body === 'string') return { text: body };
	if (!isStream(body)) return undefined;
	const decoder = new TextDecoder();
	let text = '';
	let bytes = 0;
	try {
		for await (const chunk of body) {
			if (!(chunk instanceof Uint8Array)) return undefined;
			bytes += chunk.length;
			// To leave the loop ends the connection.
			if (bytes > maxBytes) return { text, isTooLarge: true };
			text += decoder.decode(chunk, { stream: true });
		}
	} catch (failure) {
		return { text, failure };
	}
	return { text: text + decoder.decode() };
}

function isStream(value: unknown): value is AsyncIterable<unknown> {
	return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
