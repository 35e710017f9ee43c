import type { IHttpRequestOptions, INodeType } from 'n8n-workflow';
import type { Connection } from '../../../nodes/ContactData/service/request.ts';
import { toAccount } from '../../../nodes/ContactData/service/request.ts';
import { Faults } from '../sandbox/faults.mts';
import { answerOfN8n, asksForN8n } from './playedN8n.mts';
import { SandboxService, type ServiceOptions } from '../sandbox/service.mts';
import { type WireAnswer, underFault } from '../sandbox/wire.mts';

/** One request that left the node. */
export interface Asked {
	readonly method: string;
	readonly path: string;
	readonly id: string | undefined;
	readonly at: number;
	/** The HTTP status that the service gave, once it did. */
	status?: number;
}

/** Where a request is: on its way, or answered by the service and on its way back. */
export type Leg = 'leaving' | 'answered';

const BASE_URL = 'https://service.example';
let services = 0;

/**
 * The sandbox's service in this process, without sockets: so that time may jump (`clock.mts`), and
 * tests may stop at any moment of a request.
 */
export class ServiceInProcess {
	readonly service: SandboxService;
	readonly faults = new Faults();
	readonly requests: Asked[] = [];
	/** There and back. */
	latencyMs = 20;
	/** How many requests are without an answer, and the most that were at once. */
	underWay = 0;
	mostUnderWay = 0;
	/** What a test does with each request; what it returns is waited for. */
	onRequest: (asked: Asked, leg: Leg) => Promise<void> | void = () => {};
	readonly #key = `key-in-process-${++services}`;
	readonly #requestsPerSecond: number;

	constructor({ account, ...options }: ServiceOptions = {}) {
		const requestsPerSecond = account?.requestsPerSecond ?? 10_000;
		this.#requestsPerSecond = requestsPerSecond;
		this.service = new SandboxService({
			...options,
			account: { ...account, requestsPerSecond, key: this.#key },
		});
	}

	get credentials() {
		const requestsPerSecond = this.#requestsPerSecond;
		return { contactDataApi: { apiKey: this.#key, baseUrl: BASE_URL, requestsPerSecond } };
	}

	/** The way to the service for what is below n8n's contexts. */
	get connection(): Connection {
		return {
			account: toAccount(this.#key, BASE_URL, this.#requestsPerSecond),
			send: async (options) => await this.#request(options),
		};
	}

	/**
	 * The node, asking this service; with another key than the service's, where one is given.
	 * @param isAlive whether its process still runs: else nothing leaves it, and nothing reaches it
	 */
	wire(node: INodeType, key = this.#key, isAlive = () => true): INodeType {
		const unlessDead = async () => (isAlive() ? undefined : await new Promise<never>(() => {}));
		const request = async (_type: string, options: IHttpRequestOptions): Promise<unknown> => {
			await unlessDead();
			const answer = await this.#request(options, key);
			await unlessDead();
			return answer;
		};
		return {
			description: node.description,
			async execute() {
				this.helpers.httpRequestWithAuthentication = request;
				const httpRequest = this.helpers.httpRequest.bind(this.helpers);
				this.helpers.httpRequest = async (options: IHttpRequestOptions): Promise<unknown> =>
					asksForN8n(options.url) ? answerOfN8n(options.url) : await httpRequest(options);
				return (await node.execute?.call(this)) ?? [];
			},
			async webhook() {
				this.helpers.httpRequestWithAuthentication = request;
				return (await node.webhook?.call(this)) ?? {};
			},
		};
	}

	get posts(): Asked[] {
		return this.requests.filter(({ method }) => method === 'POST');
	}

	get looks(): Asked[] {
		return this.requests.filter(({ id }) => id !== undefined);
	}

	async #request(options: IHttpRequestOptions, key = this.#key) {
		const { method = 'GET', url, qs, body, timeout = 0 } = options;
		const { pathname: path } = new URL(url);
		const id = typeof qs?.id === 'string' ? qs.id : undefined;
		const asked: Asked = { method, path, id, at: Date.now() };
		this.requests.push(asked);
		this.mostUnderWay = Math.max(this.mostUnderWay, ++this.underWay);
		try {
			const answer = this.#answer(asked, key, structuredClone(body));
			return await (timeout > 0 ? Promise.race([answer, silence(timeout)]) : answer);
		} finally {
			this.underWay--;
		}
	}

	async #answer(asked: Asked, key: string, body: unknown) {
		const { method, path, id } = asked;
		const fault = this.faults.next(method, path);
		await this.onRequest(asked, 'leaving');
		await wait(this.latencyMs / 2);
		const headers = { 'x-api-key': key };
		const wire = underFault(fault, () =>
			this.service.handle({ method, path, query: { id }, headers, body }),
		);
		if (wire.ending === 'hang') return await new Promise<never>(() => {});
		if (wire.ending === 'reset') throw broken('ECONNRESET');
		asked.status = wire.status;
		await this.onRequest(asked, 'answered');
		await wait(this.latencyMs / 2 + (wire.delayMs ?? 0));
		if (wire.ending === 'truncated') throw broken('ECONNRESET');
		return toResponse(wire);
	}
}

function toResponse({ status, headers, body }: WireAnswer) {
	return { statusCode: status, headers, body };
}

async function wait(ms: number): Promise<void> {
	if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
}

async function silence(ms: number): Promise<never> {
	await wait(ms);
	throw broken('ECONNABORTED');
}

function broken(code: string): Error {
	return Object.assign(new Error(code), { code });
}
