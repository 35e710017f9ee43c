import { asRecord, asText, excerpt, isRecord } from '../common/values';

export const MB = 1024 ** 2;

/** The text of an answer's body, or its beginning where it is too large or breaks off. */
interface Received {
	text: string;
	/** How large it is, in words. */
	tooLarge?: string;
	/** What the network threw. */
	error?: unknown;
}

/** Reads a body as it comes, and hangs up where it is larger, unpacked. */
export async function readText(
	body: unknown,
	contentType: unknown,
	maxBytes: number,
): Promise<Received> {
	// n8n's evaluation of workflows answers by itself, with data.
	if (!isStream(body)) {
		return { text: typeof body === 'string' ? body : (JSON.stringify(body) ?? '') };
	}
	const decoder = decoderFor(contentType);
	let text = '';
	let bytes = 0;
	try {
		for await (const chunk of body) {
			bytes += chunk.length;
			// To leave the loop ends the connection.
			if (bytes > maxBytes) return { text, tooLarge: `larger than ${maxBytes / MB} MB` };
			text += decoder.decode(chunk, { stream: true });
		}
	} catch (error) {
		return { text, error };
	}
	return { text: text + decoder.decode() };
}

/** By the charset that the answer names; UTF-8 where it names none that is known. */
function decoderFor(contentType: unknown): InstanceType<typeof TextDecoder> {
	const [, charset] = /charset="?([^\s";]+)/i.exec(asText(contentType) ?? '') ?? [];
	try {
		return new TextDecoder(charset);
	} catch {
		return new TextDecoder();
	}
}

function isStream(body: unknown): body is AsyncIterable<Uint8Array> {
	return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

/** What the service's answers have, outside of any envelope. */
const ANSWER_KEYS = ['id', 'general', 'stats', 'results', 'qualification', 'credits', 'webhooks'];

/**
 * An answer without the envelope that some servers put around it: `{ data: {…} }`, or `[{…}]`. The
 * state of what is inside, or why it has failed, may stand outside.
 */
export function unwrap(body: unknown): unknown {
	if (Array.isArray(body)) return body.length === 1 ? body[0] : body;
	if (!isRecord(body) || !isRecord(body.data)) return body;
	if (ANSWER_KEYS.some((key) => key in body)) return body;
	const outside = Object.entries(body).filter(([key]) => /^(status|state|message)$/.test(key));
	return { ...Object.fromEntries(outside), ...body.data };
}

/** Whether an answer is a web page: of a proxy, or of a server that is not the service. */
export function isPage(body: unknown): boolean {
	return typeof body === 'string' && body.trimStart().startsWith('<');
}

const MAX_MESSAGE_LENGTH = 500;

/** The beginning of the message in an answer, where the service or servers in general put it. */
export function findMessage(body: unknown): string | undefined {
	const { message, reason, error, detail } = asRecord(body) ?? {};
	const found = [body, message, reason, error, asRecord(error)?.message, detail]
		.map((text) => asText(text)?.trim() ?? '')
		// A page, or JSON that was cut off, is no message.
		.find((text) => /^[^<{[]/.test(text));
	return found === undefined ? undefined : excerpt(found, MAX_MESSAGE_LENGTH);
}
