import { sleep, type IHttpRequestOptions } from 'n8n-workflow';
import { afterEach, beforeEach, onTestFinished, vi } from 'vitest';
import { lookups } from '../../../nodes/ContactData/lookups/index.ts';
import type { Size } from '../../../nodes/ContactData/lookups/types.ts';
import {
	endPause,
	lookAfter,
	noteDelivered,
} from '../../../nodes/ContactData/pausing/lookAfter.ts';
import { Watch } from '../../../nodes/ContactData/pausing/watch.ts';
import { passTime, startClock } from '../../support/clock.mts';
import { ServiceInProcess } from '../../support/n8nCore/inProcess.mts';
import { orderOf } from '../../support/rows.mts';
import type { ServiceOptions } from '../../support/sandbox/service.mts';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

/** With it, anybody could resume the execution. */
export const SIGNATURE = 'f00dfeed';

/**
 * What n8n answers to a call of the resume URL, or something in its place, with a body; a text is a failure
 * of the network. After so long it resumes the execution, where the caller has waited.
 */
type N8nAnswer = number | { statusCode: number; body: unknown } | { afterMs: number } | string;

interface Pause {
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

export function useFakedTime(): void {
	beforeEach(() => startClock());
	afterEach(() => void vi.useRealTimers());
}

let executions = 0;
let ends = 0;

/** A process that pauses executions, the service, and an n8n that takes calls of resume URLs. */
export class Parking {
	readonly service: ServiceInProcess;
	readonly calls: Array<{ executionId: string; at: number; headers: unknown }> = [];
	readonly warnings: string[] = [];
	/** What n8n answers to the next calls; then it resumes the execution in this process. */
	answers: N8nAnswer[] = [];
	/** Whether another process takes the calls, as in queue mode. */
	isResumedElsewhere = false;
	readonly deletedCredentials = new Set<string>();
	/** What names the last pause of each execution. */
	private readonly ends = new Map<string, number>();

	constructor(options: ServiceOptions = {}) {
		this.service = new ServiceInProcess({ webhooks: { send: 'none' }, ...options });
		// What the process remembers must not outlive the test.
		onTestFinished(() => this.endAll());
	}

	/** Submits lookups and pauses an execution that waits for them, as the node does. */
	park({ searches = 1, size = 'single', ...given }: Pause & { searches?: number } = {}): string {
		const submitted = size === 'single' ? searches : 1;
		const ids = Array.from({ length: submitted }, (_, n) => this.submit(size, n, searches));
		return this.add(ids, { size, ...given });
	}

	/** Pauses an execution that waits for these. */
	add(
		ids: string[],
		{
			forMs = 2 * HOUR,
			size = 'single',
			keeps,
			credentialId,
			executionId = `execution ${++executions}`,
			estimateMs,
		}: Pause = {},
	): string {
		const address = `https://n8n.example/webhook-waiting/${executionId}/contact-data`;
		const wakesAt = ++ends;
		this.ends.set(executionId, wakesAt);
		const orders = ids.map((id) => orderOf(size, id, []));
		lookAfter(
			{
				executionId,
				wakesAt,
				watch: new Watch(lookups.emailVerifier, orders),
				resumeUrl: `${address}?signature=${SIGNATURE}`,
				estimateMs,
			},
			forMs,
			this.connect(keeps, credentialId),
		);
		return executionId;
	}

	/** A callback brings the results, and n8n resumes the execution, or cannot. */
	bring(executionId: string, isTaken = true): void {
		const wakesAt = this.endOf(executionId);
		noteDelivered(executionId, wakesAt);
		if (isTaken) endPause(executionId, wakesAt);
		else noteDelivered(executionId, wakesAt, false);
	}

	endAll(): void {
		for (const [executionId, wakesAt] of this.ends) endPause(executionId, wakesAt);
	}

	endOf(executionId: string): number {
		return this.ends.get(executionId) ?? NaN;
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
						typeof answer === 'number'
							? { statusCode: answer, body: { message: `The execution "${executionId}" …` } }
							: answer,
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
