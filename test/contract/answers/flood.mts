import { once } from 'node:events';
import { createServer } from 'node:http';
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
	/** Sent again and again, until the reader hangs up or 64 MB are sent. */
	chunk?: Buffer;
}

const END = 64 * MB;
const ENDLESS: Answer = {
	status: 200,
	start: '{"message":"Started","credits_used":1,"id":"the-id","text":"',
	chunk: Buffer.alloc(MB / 4, 'x'),
};

/** A service whose answers have no end, and the verifier in front of it. */
export class Flood {
	answer = ENDLESS;
	/** What was taken of each answer, in bytes: by the reader, or into the buffers on the way. */
	sent: number[] = [];
	private baseUrl = '';
	private readonly server = createServer((request, response) => {
		request.resume();
		if (request.url?.endsWith('/account/info') === true) {
			response.end('{"credits":1000}');
			return;
		}
		const { status, headers } = this.answer;
		response.writeHead(status, { 'content-type': 'application/json', ...headers });
		pipeline(Readable.from(this.pieces(this.answer)), response, () => {});
	});

	private *pieces({ start, chunk }: Answer): Generator<Buffer> {
		const index = this.sent.push(start.length) - 1;
		yield Buffer.from(start);
		for (let bytes = 0; chunk !== undefined && bytes < END; bytes += chunk.length) {
			this.sent[index] = bytes;
			yield chunk;
		}
	}

	async open(): Promise<void> {
		this.server.listen(0, '127.0.0.1');
		await once(this.server, 'listening');
		const bound = this.server.address();
		if (bound === null || typeof bound === 'string') throw new Error('No port');
		this.baseUrl = `http://127.0.0.1:${bound.port}`;
	}

	close(): void {
		this.server.closeAllConnections();
		this.server.close();
	}

	/** Answers so from now on. */
	giving(answer: Partial<Answer>): void {
		this.answer = { ...ENDLESS, ...answer };
		this.sent = [];
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
