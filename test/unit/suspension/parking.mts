import { sleep, type IHttpRequestOptions } from 'n8n-workflow';
import { findLookup } from '../../../nodes/ContactData/lookups/index.ts';
import type { Lookup, Size } from '../../../nodes/ContactData/lookups/types.ts';
import { ParkedRegister } from '../../../nodes/ContactData/suspension/register.ts';
import { passTime } from '../../support/clock.mts';
import { ServiceInProcess } from '../../support/n8nCore/inProcess.mts';
import type { ServiceOptions } from '../../support/sandbox/service.mts';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

/**
 * What n8n answers to a call of the resume URL; a text is a failure of the network. After so long it
 * resumes the execution, where the caller has waited.
 */
export type N8nAnswer =
	number | { statusCode: number; body: unknown } | { afterMs: number } | string;

/** A process with its register, the service, and an n8n that takes calls of resume URLs. */
export class Parking {
	readonly register = new ParkedRegister();
	readonly service: ServiceInProcess;
	readonly calls: Array<{ executionId: string; at: number; headers: unknown }> = [];
	readonly warnings: string[] = [];
	/** What n8n answers to the next calls; then it resumes the execution in this process. */
	answers: N8nAnswer[] = [];
	/** Whether another process takes the calls, as in queue mode. */
	isResumedElsewhere = false;
	private count = 0;

	constructor(options: ServiceOptions = {}) {
		this.service = new ServiceInProcess({ webhooks: { send: 'none' }, ...options });
	}

	/** Submits lookups and parks an execution that waits for them, as the node does. */
	park({
		searches = 1,
		forMs = 2 * HOUR,
		size = 'single',
	}: { searches?: number; forMs?: number; size?: Size } = {}): string {
		const submitted = size === 'single' ? searches : 1;
		return this.add(
			Array.from({ length: submitted }, (_, n) => this.submit(size, n, searches)),
			{ forMs, size },
		);
	}

	/**
	 * Parks an execution that waits for these.
	 * @param keeps what is in memory for as long as its connection
	 */
	add(
		ids: string[],
		{
			forMs = 2 * HOUR,
			size = 'single',
			keeps,
		}: { forMs?: number; size?: Size; keeps?: unknown } = {},
	): string {
		const executionId = `execution ${++this.count}`;
		const resumeUrl = `https://n8n.example/webhook-waiting/${executionId}/contact-data`;
		const { lookup } = this;
		this.register.add({ executionId, ids, lookup, size, resumeUrl, forMs }, this.connect(keeps));
		return executionId;
	}

	get lookup(): Lookup {
		const lookup = findLookup('emailVerifier');
		if (lookup === undefined) throw new Error('No such lookup');
		return lookup;
	}

	get account(): string {
		return this.service.connection.account.fingerprint;
	}

	get looks(): number {
		return this.service.looks.length;
	}

	/** Lets time go by. */
	async pass(ms: number): Promise<void> {
		await passTime(new Promise((resolve) => setTimeout(resolve, ms)), ms + MINUTE);
	}

	private submit(size: Size, execution: number, searches: number): string {
		const verifications = Array.from({ length: searches }, (_, n) => `p${n}@acme.example`);
		const { body } = this.service.service.handle({
			method: 'POST',
			path: `/email/verify/${size}`,
			query: {},
			headers: { 'x-api-key': this.service.credentials.contactDataApi.apiKey },
			body: size === 'single' ? { email: `p${execution}@acme.example` } : { verifications },
		});
		const id: unknown = typeof body === 'object' && body !== null && 'id' in body && body.id;
		if (typeof id !== 'string') throw new Error(`Not submitted: ${JSON.stringify(body)}`);
		return id;
	}

	private connect(keeps?: unknown) {
		const silent = () => {};
		return {
			keeps,
			...this.service.connection,
			sendUnsigned: async ({ url, headers, timeout = 0 }: IHttpRequestOptions) => {
				const executionId = url.split('/').at(-2) ?? '';
				this.calls.push({ executionId, at: Date.now(), headers });
				const answer = this.answers.shift();
				if (typeof answer === 'string') throw new Error(answer);
				if (typeof answer === 'object' && 'afterMs' in answer) {
					await sleep(Math.min(timeout, answer.afterMs));
					if (timeout < answer.afterMs) throw new Error('timeout');
				} else if (answer !== undefined) {
					return await Promise.resolve(
						typeof answer === 'number' ? { statusCode: answer, body: {} } : answer,
					);
				}
				if (!this.isResumedElsewhere) this.register.resumed(executionId);
				return { statusCode: 200, body: {} };
			},
			logger: {
				debug: silent,
				info: silent,
				error: silent,
				warn: (message: string) => void this.warnings.push(message),
			},
		};
	}
}
