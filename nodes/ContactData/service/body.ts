import type { IDataObject } from 'n8n-workflow';
import { asRecord, asText, isRecord } from '../common/values';

const MB = 1024 ** 2;

/** The text of an answer's body, or the beginning of it. */
export interface AnswerText {
	text: string;
	/** Said of a body of which only the beginning was read. */
	tooLarge?: string;
	/** What the network threw on the way. */
	failure?: unknown;
}

/**
 * Reads a body as it comes, and hangs up where it is larger, unpacked.
 * @param contentType may name another charset than UTF-8
 */
export async function readText(
	body: unknown,
	maxBytes: number,
	contentType: unknown,
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

function isStream(body: unknown): body is AsyncIterable<Uint8Array> {
	return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

function decoderFor(contentType: unknown): InstanceType<typeof TextDecoder> {
	const [, charset = 'utf-8'] = /charset="?([\w-]+)/i.exec(String(contentType)) ?? [];
	try {
		return new TextDecoder(charset);
	} catch {
		return new TextDecoder();
	}
}

/** What the service's own answers have, outside of any envelope. */
const OWN_KEYS = [
	'id',
	'general',
	'stats',
	'results',
	'qualification',
	'email',
	'number',
	'credits',
	'credits_used',
	'webhooks',
];
/** Said of a lookup, and not of its answer. */
const STATE = /^(ongoing|failed|error|cancell?ed|expired|aborted)$/i;

/** An answer without the envelope that some servers put around it: `{ data: {…} }`, or `[{…}]`. */
export function unwrap(body: unknown): unknown {
	if (Array.isArray(body)) return body.length === 1 && isRecord(body[0]) ? body[0] : body;
	if (!isRecord(body) || !isRecord(body.data)) return body;
	const { success, status } = body;
	const isEnvelope =
		success !== false && !STATE.test(String(status)) && !OWN_KEYS.some((key) => key in body);
	return isEnvelope ? body.data : body;
}

const MESSAGE_KEYS = [
	'message',
	'Message',
	'reason',
	'error',
	'errors',
	'detail',
	'details',
	'title',
	'msg',
	'data',
];
/** Whether an answer is a web page: of a proxy, or of a server that is not the service. */
export function isPage(body: unknown): boolean {
	return typeof body === 'string' && body.trimStart().startsWith('<');
}

/** What an answer says in words: `message`, as documented, or wherever else servers put it. */
export function findMessage(body: unknown, depth = 0): string | undefined {
	// A page, or JSON that was cut off, is no message.
	if (typeof body === 'string') return /^[<{[]/.test(body.trim()) ? undefined : asText(body.trim());
	if (depth > 3) return undefined;
	const places: unknown[] = Array.isArray(body) ? body.slice(0, 3) : valuesOf(asRecord(body));
	for (const place of places) {
		const message = findMessage(place, depth + 1);
		if (message !== undefined) return message;
	}
	return undefined;
}

function valuesOf(record: IDataObject = {}): unknown[] {
	return MESSAGE_KEYS.map((key) => record[key]);
}
