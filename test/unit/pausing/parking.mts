import { EventEmitter } from 'node:events';
import { sleep, type IHttpRequestOptions, type IWebhookFunctions } from 'n8n-workflow';
import { findLookup } from '../../../nodes/ContactData/lookups/index.ts';
import type { Lookup, Size } from '../../../nodes/ContactData/lookups/types.ts';
import { Lookout } from '../../../nodes/ContactData/pausing/lookout.ts';
import type { LookSource } from '../../../nodes/ContactData/waiting/look.ts';
import { passTime } from '../../support/clock.mts';
import { ServiceInProcess } from '../../support/n8nCore/inProcess.mts';
import type { ServiceOptions } from '../../support/sandbox/service.mts';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

/** With it, anybody could resume the execution. */
export const SIGNATURE = 'f00dfeed';

/**
 * What n8n answers to a call of the resume URL; a text is a failure of the network. After so long it
 * resumes the execution, where the caller has waited.
 */
type N8nAnswer = number | { statusCode: number; body: unknown } | { afterMs: number } | string;

/** An execution to park. */
interface Parked {
	forMs?: number;
	size?: Size;
	/** In memory for as long as its connection. */
	keeps?: unknown;
	/** Another one may hold the same key. */
	credentialId?: string;
	executionId?: string;
	/** What the service has told of its length. */
	estimateMs?: number;
}

/** A process with its lookout, the service, and an n8n that takes calls of resume URLs. */
export class Parking {
	readonly service: ServiceInProcess;
	readonly calls: Array<{ executionId: string; at: number; headers: unknown }> = [];
	readonly warnings: string[] = [];
	/** What n8n answers to the next calls; then it resumes the execution in this process. */
	answers: N8nAnswer[] = [];
	/** Whether another process takes the calls, as in queue mode. */
	isResumedElsewhere = false;
	readonly deletedCredentials = new Set<string>();
	private count = 0;
	readonly lookout = new Lookout();

	constructor(options: ServiceOptions = {}) {
		this.service = new ServiceInProcess({ webhooks: { send: 'none' }, ...options });
	}

	/** Submits lookups and parks an execution that waits for them, as the node does. */
	park({
		searches = 1,
		forMs = 2 * HOUR,
		size = 'single',
		...given
	}: Parked & { searches?: number } = {}): string {
		const submitted = size === 'single' ? searches : 1;
		return this.add(
			Array.from({ length: submitted }, (_, n) => this.submit(size, n, searches)),
			{ forMs, size, ...given },
		);
	}

	/** Parks an execution that waits for these. */
	add(
		ids: string[],
		{
			forMs = 2 * HOUR,
			size = 'single',
			keeps,
			credentialId,
			executionId = `execution ${++this.count}`,
			estimateMs,
		}: Parked = {},
	): string {
		const address = `https://n8n.example/webhook-waiting/${executionId}/contact-data`;
		const resumeUrl = `${address}?signature=${SIGNATURE}`;
		const { lookup } = this;
		this.lookout.add(
			{ executionId, ids, lookup, size, resumeUrl, leftMs: forMs, estimateMs },
			this.connect(keeps, credentialId),
		);
		return executionId;
	}

	get lookup(): Lookup {
		const lookup = findLookup('emailVerifier');
		if (lookup === undefined) throw new Error('No such lookup');
		return lookup;
	}

	/** A callback brings the results, and n8n resumes the execution, or answers with another status. */
	bring(executionId: string, status = 200): void {
		const wait = this.lookout.find(executionId);
		if (wait === undefined) throw new Error(`Not paused: ${executionId}`);
		const response = Object.assign(new EventEmitter(), { statusCode: status });
		const context: unknown = { getResponseObject: () => response };
		this.lookout.noteBrought(context as IWebhookFunctions, wait);
		response.emit('prefinish');
	}

	/** A trigger sees that the lookup has ended. */
	seeEnd(id: string, source: Partial<LookSource> = {}): void {
		const { lookup } = this;
		const { connection } = this.service;
		const fate = { kind: 'completed', body: { qualification: 'valid' } } as const;
		this.lookout.noteEnded({ connection, lookup, size: 'single', ...source }, id, fate);
	}

	/** Of all lookups that were submitted. */
	get ids(): string[] {
		return this.service.service.ledger.entries.map(({ id }) => id);
	}

	get looks(): number {
		return this.service.looks.length;
	}

	/** Lets time go by. */
	async pass(ms: number): Promise<void> {
		await passTime(new Promise((resolve) => setTimeout(resolve, ms)), ms + MINUTE);
	}

	submit(size: Size, execution: number, searches: number): string {
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

	private connect(keeps?: unknown, credentialId = 'kept') {
		const silent = () => {};
		return {
			keeps,
			account: this.service.connection.account,
			credentialId,
			send: async (options: IHttpRequestOptions, signal: AbortSignal) => {
				if (this.deletedCredentials.has(credentialId)) throw new Error('It does not exist');
				return await this.service.connection.send(options, signal);
			},
			sendUnsigned: async ({ url, headers, timeout = 0 }: IHttpRequestOptions) => {
				const executionId = url.split('?')[0]?.split('/').at(-2) ?? '';
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
				if (!this.isResumedElsewhere) this.bring(executionId);
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
