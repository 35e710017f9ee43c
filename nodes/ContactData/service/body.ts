import { asRecord, asText, excerpt, isRecord } from '../common/values';

const MB = 1024 ** 2;

/** The text of an answer's body, or the beginning of it. */
export interface AnswerText {
	text: string;
	/** Said of a body of which only the beginning was read. */
	tooLarge?: string;
	/** What the network threw on the way. */
	failure?: unknown;
}

/** Reads a body as it comes, and hangs up where it is larger, unpacked. */
export async function readText(
	body: unknown,
	contentType: unknown,
	maxBytes: number,
): Promise<AnswerText> {
	// In its tests of workflows n8n answers itself, by data.
	if (!isStream(body))
		return { text: typeof body === 'string' ? body : (JSON.stringify(body) ?? '') };
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
	} catch (failure) {
		return { text, failure };
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

/** What the service's own answers have, outside of any envelope. */
const OWN_KEYS = ['id', 'general', 'stats', 'results', 'qualification', 'credits', 'webhooks'];
/** May be said of what an envelope holds. */
const SAID_KEYS = ['status', 'state', 'message'];

/**
 * An answer without the envelope that some servers put around it: `{ data: {…} }`, or `[{…}]`. That it
 * still runs, or why it has failed, may be said outside.
 */
export function unwrap(body: unknown): unknown {
	if (Array.isArray(body)) return body.length === 1 ? body[0] : body;
	if (!isRecord(body) || !isRecord(body.data)) return body;
	if (OWN_KEYS.some((key) => key in body)) return body;
	const said = Object.entries(body).filter(([key]) => SAID_KEYS.includes(key));
	return { ...Object.fromEntries(said), ...body.data };
}

/** Whether an answer is a web page: of a proxy, or of a server that is not the service. */
export function isPage(body: unknown): boolean {
	return typeof body === 'string' && body.trimStart().startsWith('<');
}

const MAX_MESSAGE_LENGTH = 500;

/** What an answer says in words, as documented or as servers usually do: the beginning of it. */
export function findMessage(body: unknown): string | undefined {
	const { message, reason, error, detail } = asRecord(body) ?? {};
	const said = [body, message, reason, error, asRecord(error)?.message, detail]
		.map((text) => asText(text)?.trim() ?? '')
		// A page, or JSON that was cut off, is no message.
		.find((text) => /^[^<{[]/.test(text));
	return said === undefined ? undefined : excerpt(said, MAX_MESSAGE_LENGTH);
}
