import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

export interface HttpCall {
	/** Default `'POST'`. */
	method?: string;
	/** A string or bytes go as they are, anything else as JSON with its content type. */
	body?: unknown;
	headers?: Record<string, string>;
	query?: Record<string, string>;
	/** The sender does not wait for the answer. */
	hangsUp?: boolean;
}

export interface HttpAnswer {
	status: number;
	headers: Record<string, string>;
	/** Parsed where it is JSON, text otherwise. */
	body: unknown;
}

/** The parts of Express's request that n8n adds to or reads from Node's own. */
type WebhookRequest = IncomingMessage & {
	body: unknown;
	rawBody: Buffer;
	query: Record<string, string>;
	params: Record<string, string>;
};

/** The parts of Express's response that nodes use, beside Node's own. */
type WebhookReply = ServerResponse & {
	status(code: number): WebhookReply;
	json(body: unknown): WebhookReply;
	send(body: string | Buffer): WebhookReply;
};

/** What is done with a request, as n8n's own server hands it to the node. */
export type HandleRequest = (request: WebhookRequest, reply: WebhookReply) => Promise<void>;

/** Hands the request to `handle` as if it had come over a connection; its body is taken as parsed. */
export async function withoutConnection(
	{ body = {}, headers = {}, query = {} }: HttpCall,
	handle: HandleRequest,
): Promise<HttpAnswer | undefined> {
	const answer: HttpAnswer = { status: 200, headers: {}, body: undefined };
	let isEnded = false;
	const events = new EventEmitter();
	const end = (given: unknown) => {
		answer.body = given;
		isEnded = true;
		events.emit('prefinish');
	};
	const reply = {
		status: (code: number) => Object.assign(reply, { statusCode: (answer.status = code) }),
		json: (given: unknown) => Object.assign(reply, { ended: end(given) }),
		send: (given: unknown) => Object.assign(reply, { ended: end(given) }),
		once: (name: string, listener: () => void) => events.once(name, listener),
	};
	const rawBody = Buffer.from(JSON.stringify(body) ?? '');
	const request = { body, rawBody, headers, query, params: {} };
	// Only these parts of either are used: the rest is the connection's.
	await handle(request as unknown as WebhookRequest, reply as unknown as WebhookReply);
	return isEnded ? answer : undefined;
}

/**
 * Sends one request over a real connection to `handle`. The answer is `undefined` when `handle`
 * returned without ending the reply.
 */
export async function withRequest(
	call: HttpCall,
	handle: HandleRequest,
): Promise<HttpAnswer | undefined> {
	let answered: Promise<boolean> | undefined;
	const server = createServer((message, response) => {
		answered = serve(message, response, async (request, reply) => {
			if (call.hangsUp) message.socket.destroy();
			await handle(request, reply);
		});
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const answer = fetch(urlOf(server, call.query), requestOf(call)).then(readAnswer);
	answer.catch(() => {}); // Cut off below when no reply comes.
	try {
		await Promise.race([once(server, 'request'), answer]);
		return (await answered) === true && !call.hangsUp ? await answer : undefined;
	} finally {
		server.closeAllConnections();
		server.close();
	}
}

/** Whether the reply was ended. */
async function serve(
	message: IncomingMessage,
	response: ServerResponse,
	handle: HandleRequest,
): Promise<boolean> {
	const rawBody = await buffer(message);
	const reply = asReply(response);
	let body: unknown;
	try {
		body = parseBody(rawBody, message.headers['content-type']);
	} catch {
		reply.status(422).json({ code: 422, message: 'Failed to parse request body' });
		return true;
	}
	const query = Object.fromEntries(new URL(message.url ?? '/', 'http://127.0.0.1').searchParams);
	await handle(Object.assign(message, { body, rawBody, query, params: {} }), reply);
	return response.writableEnded;
}

/** As n8n's `parseBody`: what it does not know stays `undefined`, and is then an empty object. */
function parseBody(rawBody: Buffer, contentType = ''): unknown {
	const type = contentType.split(';')[0]?.trim();
	const text = rawBody.toString();
	if (text === '') return {};
	if (type === 'application/json') return JSON.parse(text);
	if (type === 'application/x-www-form-urlencoded')
		return Object.fromEntries(new URLSearchParams(text));
	return type === 'text/plain' ? text : {};
}

function asReply(response: ServerResponse): WebhookReply {
	const reply: WebhookReply = Object.assign(response, {
		status(code: number) {
			response.statusCode = code;
			return reply;
		},
		json(body: unknown) {
			response.setHeader('content-type', 'application/json; charset=utf-8');
			response.end(JSON.stringify(body));
			return reply;
		},
		send(body: string | Buffer) {
			response.end(body);
			return reply;
		},
	});
	return reply;
}

function urlOf(server: Server, query: Record<string, string> = {}): string {
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('The server has no port');
	return `http://127.0.0.1:${address.port}/webhook?${new URLSearchParams(query)}`;
}

function requestOf({ method = 'POST', body, headers }: HttpCall): RequestInit {
	if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) {
		return { method, headers, body };
	}
	return {
		method,
		headers: { 'content-type': 'application/json', ...headers },
		body: JSON.stringify(body),
	};
}

async function readAnswer(response: Response): Promise<HttpAnswer> {
	const text = await response.text();
	const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
	return {
		status: response.status,
		headers: Object.fromEntries(response.headers),
		body: isJson ? JSON.parse(text) : text,
	};
}
