import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Socket } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Given } from '../../support/n8nCore/contactData.mts';
import { contactData } from '../../support/n8nCore/contactData.mts';
import { runNode } from '../../support/n8nCore/execute.mts';

export const MB = 1024 ** 2;
export const KEY = 'a-key-of-its-own';

/** How a service answers whatever is asked, but for the account. */
export interface Answer {
	status: number;
	headers?: Record<string, string>;
	start: string | Buffer;
	/** Sent again and again, until the reader hangs up or 160 MB are sent. */
	chunk?: Buffer;
}

const END = 160 * MB;
/** Node's channel of the sockets that clients open. */
const SOCKETS = 'net.client.socket';
const ENDLESS: Answer = {
	status: 200,
	start: '{"message":"Started","credits_used":1,"id":"the-id","text":"',
	chunk: Buffer.alloc(MB, 'x'),
};

function* pieces({ start, chunk }: Answer): Generator<Buffer> {
	yield Buffer.from(start);
	for (let bytes = 0; chunk !== undefined && bytes < END; bytes += chunk.length) yield chunk;
}

const hasSocket = (message: unknown): message is { socket: Socket } =>
	typeof message === 'object' &&
	message !== null &&
	'socket' in message &&
	message.socket instanceof Socket;

/** A service whose answers have no end, and the verifier in front of it. */
export class Flood {
	answer = ENDLESS;
	/** How many times it answered. */
	answers = 0;
	/** The reader's ends: what the sender has written says nothing, as the system may buffer 32 MB. */
	private readers: Socket[] = [];
	private baseUrl = '';
	private readonly watch = (message: unknown): void => {
		if (hasSocket(message)) this.readers.push(message.socket);
	};
	private readonly server = createServer((request, response) => {
		request.resume();
		if (request.url?.endsWith('/account/info') === true) {
			// A connection that is used again would not be among the new ones.
			response.setHeader('connection', 'close').end('{"credits":1000}');
			return;
		}
		const { status, headers } = this.answer;
		response.writeHead(status, { 'content-type': 'application/json', ...headers });
		this.answers += 1;
		pipeline(Readable.from(pieces(this.answer)), response, () => {});
	});

	/** The most bytes that were read over one connection. */
	get taken(): number {
		if (this.readers.length === 0) throw new Error('No connection was seen');
		return Math.max(...this.readers.map(({ bytesRead }) => bytesRead));
	}

	async open(): Promise<void> {
		subscribe(SOCKETS, this.watch);
		this.server.listen(0, '127.0.0.1');
		await once(this.server, 'listening');
		const bound = this.server.address();
		if (bound === null || typeof bound === 'string') throw new Error('No port');
		this.baseUrl = `http://127.0.0.1:${bound.port}`;
	}

	close(): void {
		unsubscribe(SOCKETS, this.watch);
		this.server.closeAllConnections();
		this.server.close();
	}

	/** Answers so from now on. */
	giving(answer: Partial<Answer>): void {
		this.answer = { ...ENDLESS, ...answer };
		this.answers = 0;
		this.readers = [];
	}

	async run(operation: string, options: Given['options'] = {}) {
		return await runNode({
			node: contactData,
			parameters: {
				resource: 'emailVerifier',
				operation,
				email: 'ada@acme.example',
				lookupId: 'the-id',
				batchId: 'the-id',
				options,
			},
			credentials: {
				contactDataApi: { apiKey: KEY, baseUrl: this.baseUrl, requestsPerSecond: 10 },
			},
		});
	}
}

/** One for a test file; as at its start before each test. */
export function useFlood(): Flood {
	const flood = new Flood();
	beforeAll(async () => await flood.open());
	beforeEach(() => flood.giving({}));
	afterAll(() => flood.close());
	return flood;
}
