import type { IExecuteFunctions, IHttpRequestOptions, INode } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import { Faults } from '../support/sandbox/faults.mts';
import { LOOKUPS } from '../support/sandbox/lookups/index.mts';
import { isObject } from '../support/sandbox/payload.mts';
import type { SandboxService } from '../support/sandbox/service.mts';
import { type WireAnswer, underFault } from '../support/sandbox/wire.mts';
import { Draw } from './draw.mts';
import { searchesOf } from './people.mts';
import type { Schedule } from './schedule.mts';

/** What the node can know of a submission's fate: whether it may be sent again. */
export type Fate = 'refused' | 'accepted' | 'unknown';

/** One POST that the node sent. */
export interface Sent {
	readonly at: number;
	/** In which try. */
	readonly try: number;
	readonly searches: readonly string[];
	/** As JSON. */
	readonly body: string;
	fate: Fate;
	/** Why there was no whole answer. */
	broken?: string;
	/** When its answer was there, or it was given up; `Infinity` while it is under way. */
	endedAt: number;
}

/** What n8n's request function takes from the context that it is called with. */
export type Caller = Pick<
	IExecuteFunctions,
	'getCredentials' | 'getExecutionCancelSignal' | 'getNode'
>;

type Response = { statusCode: number; headers: Readonly<Record<string, string>>; body: string };

/** The network between the node and the sandbox, in this process, with faults and faked time. */
export class SimulatedWire {
	readonly posts: Sent[] = [];
	/** Ids in answers to submissions that reached the node, whole or in pieces. */
	readonly ids = new Set<string>();
	/** How many tries there were, with the one that sends now. */
	tries = 0;
	readonly #faults: Faults;
	readonly #draw: Draw;
	readonly #startedAt = Date.now();

	constructor(
		private readonly service: SandboxService,
		private readonly schedule: Schedule,
	) {
		this.#faults = new Faults(schedule.seed);
		this.#draw = new Draw(schedule.seed + 2e6);
		for (const rule of schedule.faults) this.#faults.add(rule);
	}

	/** Stands for n8n's `httpRequestWithAuthentication`. */
	async request(context: Caller, options: IHttpRequestOptions): Promise<Response> {
		const { method = 'GET', timeout = 0 } = options;
		const path = new URL(options.url).pathname;
		const post = method === 'POST' ? this.#log(path, options.body) : undefined;
		const { apiKey } = await context.getCredentials<{ apiKey: string }>('contactDataApi');
		const asked = {
			method,
			path,
			query: { id: typeof options.qs?.id === 'string' ? options.qs.id : undefined },
			headers: { 'x-api-key': apiKey },
			body: post === undefined ? undefined : structuredClone(options.body),
		};
		const signal = context.getExecutionCancelSignal();
		try {
			const answer = await withinLimits(signal, timeout, async (ended) => {
				await wait(this.#latency());
				if (this.#isOut()) throw new NetworkError('ECONNREFUSED', 'connect');
				// A request that is given up may still arrive.
				if (ended() && this.#draw.chance(0.5)) return undefined;
				const fault = this.#faults.next(method, path);
				const wire = underFault(fault, () => this.service.handle(asked));
				if (wire.ending === 'hang') return await new Promise<never>(() => {});
				if (wire.ending === 'reset') throw new NetworkError('ECONNRESET', 'read');
				await wait(this.#latency() + (wire.delayMs ?? 0));
				if (wire.ending === 'truncated') throw new NetworkError('ECONNRESET');
				return wire;
			});
			if (post !== undefined) {
				post.endedAt = Date.now();
				this.#arrived(post, answer);
			}
			return { statusCode: answer.status, headers: answer.headers, body: answer.body };
		} catch (error) {
			if (!(error instanceof NetworkError)) throw error;
			if (post !== undefined) {
				post.endedAt = Date.now();
				post.broken = error.code;
				post.fate = error.code === 'ECONNREFUSED' ? 'refused' : 'unknown';
			}
			throw asN8nThrowsIt(context.getNode(), error);
		}
	}

	#log(path: string, body: unknown): Sent {
		const definition = LOOKUPS.get(path);
		if (definition === undefined) throw new Error(`The node posted to ${path}`);
		let searches: readonly string[] = [];
		try {
			searches = searchesOf(definition, body).map(({ canonical }) => canonical);
		} catch {
			// The sandbox will answer 400.
		}
		const post: Sent = {
			at: Date.now(),
			try: this.tries,
			searches,
			body: JSON.stringify(body),
			fate: 'unknown',
			endedAt: Infinity,
		};
		this.posts.push(post);
		return post;
	}

	#arrived(post: Sent, { status, body }: WireAnswer): void {
		if (status < 300) {
			const [, inText] = /"(?:batch_)?id":"([^"]+)"/.exec(body) ?? [];
			if (inText !== undefined) this.ids.add(inText);
			post.fate = idOf(body) === undefined ? 'unknown' : 'accepted';
		} else {
			post.fate = status >= 500 || MAY_HAVE_TAKEN.has(status) ? 'unknown' : 'refused';
		}
	}

	#latency(): number {
		const [least, most] = this.schedule.latencyMs;
		return this.#draw.int(least / 2, most / 2);
	}

	#isOut(): boolean {
		const [from, to] = this.schedule.outage ?? [0, 0];
		const now = Date.now() - this.#startedAt;
		return now >= from && now < to;
	}
}

const MAY_HAVE_TAKEN = new Set([302, 408]);

function idOf(body: string): unknown {
	try {
		const answer: unknown = JSON.parse(body);
		return isObject(answer) ? (answer.id ?? answer.batch_id) : undefined;
	} catch {
		return undefined;
	}
}

class NetworkError extends Error {
	constructor(
		readonly code: string,
		readonly syscall?: string,
	) {
		super(`${syscall ?? 'request'} ${code}`);
	}
}

/** `NodeApiError` around axios's error around the network's: what `contract` tests see of n8n. */
function asN8nThrowsIt(node: INode, cause: NetworkError): NodeApiError {
	const axiosError = Object.assign(new Error(cause.message, { cause }), { code: cause.code });
	const error = new NodeApiError(node, { message: cause.message }, { httpCode: cause.code });
	return Object.assign(error, { cause: axiosError });
}

async function wait(ms: number): Promise<void> {
	if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
}

/** Rejects as axios does when the execution is cancelled or the answer takes too long. */
async function withinLimits(
	signal: AbortSignal | undefined,
	timeoutMs: number,
	work: (ended: () => boolean) => Promise<WireAnswer | undefined>,
): Promise<WireAnswer> {
	return await new Promise((resolve, reject) => {
		let hasEnded = false;
		const end = (settle: () => void) => {
			hasEnded = true;
			clearTimeout(timer);
			signal?.removeEventListener('abort', cancel);
			settle();
		};
		const cancel = () => end(() => reject(new NetworkError('ERR_CANCELED')));
		const timer = setTimeout(
			() => end(() => reject(new NetworkError('ECONNABORTED'))),
			timeoutMs || 2 ** 31 - 1,
		);
		signal?.addEventListener('abort', cancel);
		if (signal?.aborted) return cancel();
		work(() => hasEnded).then(
			(answer) => answer && end(() => resolve(answer)),
			(error: unknown) =>
				end(() => reject(error instanceof Error ? error : new Error(String(error)))),
		);
	});
}
