import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';

/** What is answered to one request. */
export interface Reply {
	status?: number;
	headers?: Record<string, string>;
	/** Sent as JSON; a text or bytes as they are. */
	body?: unknown;
}

/** The replies to the requests to a path, one after the other; the last one again and again. */
export type Replies = Reply | Reply[];

/** The answers of the account, to submissions, and to looks. */
export interface Answers {
	account?: Replies;
	post?: Replies;
	get?: Replies;
}

/** An id that the stand-in gives out. */
export const ID = 'abc-1';
const RECEIPT: Reply = { status: 200, body: { message: 'ok', id: ID, credits_used: 1 } };
const BALANCE: Reply = { body: { credits: 100_000 } };

/**
 * A service that answers exactly what a test says. It shares nothing with the sandbox: what both of
 * them and the package took for granted would show in no other test.
 */
export class StandIn {
	private answers: Answers = {};
	/** Method and path of all requests so far. */
	readonly requests: Array<{ method: string; path: string }> = [];
	private readonly counts = new Map<string, number>();
	private baseUrl = '';
	private readonly server = createServer((request, response) => this.reply(request, response));

	async open(): Promise<void> {
		this.server.listen(0, '127.0.0.1');
		await once(this.server, 'listening');
		const bound = this.server.address();
		if (bound === null || typeof bound === 'string') throw new Error('No port');
		this.baseUrl = `http://127.0.0.1:${bound.port}`;
	}

	close(): void {
		this.server.close();
		this.server.closeAllConnections();
	}

	/** Forgets what was asked before. */
	say(answers: Answers): void {
		this.answers = answers;
		this.requests.length = 0;
		this.counts.clear();
	}

	/** Requests with this method, but for those about the account. */
	count(method: string): number {
		return this.requests.filter((one) => one.method === method && one.path !== '/account/info')
			.length;
	}

	/** Another key each time, so that no run remembers the prices of another. */
	get credential() {
		return { apiKey: `key-${Math.random()}`, baseUrl: this.baseUrl, requestsPerSecond: 10_000 };
	}

	private reply(request: IncomingMessage, response: ServerResponse): void {
		const { method = '', url = '' } = request;
		// To a service on this machine the package sends whole URLs, as to a proxy.
		const { pathname: path } = new URL(url, this.baseUrl);
		request.resume();
		this.requests.push({ method, path });
		const { status = 200, headers, body } = this.replyTo(method, path);
		response.writeHead(status, { 'content-type': 'application/json', ...headers });
		response.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));
	}

	private replyTo(method: string, path: string): Reply {
		const { account = BALANCE, post = RECEIPT, get = { status: 500 } } = this.answers;
		const kind = path === '/account/info' ? 'account' : method;
		const replies = { account, POST: post, GET: get }[kind] ?? { status: 405 };
		const count = this.counts.get(kind) ?? 0;
		this.counts.set(kind, count + 1);
		const listed = Array.isArray(replies) ? replies : [replies];
		return listed[Math.min(count, listed.length - 1)] ?? { status: 405 };
	}
}
