import { parseUrl } from './payload.mts';
import type { Notification } from './scenarios/types.mts';
import type { Kind, Job } from './types.mts';

/** How notifications are sent; what is in them is a matter of scenarios. */
export interface WebhookSettings {
	send: 'all' | 'none';
	/** How many of each are sent at the same moment. */
	copies: number;
	/** Whether one that is sent to this URL is lost on its way, and never sent again. */
	loses: (url: string) => boolean;
	/** Between the job's end and the notification. */
	delayMs: number;
	/** How often one that was not answered with 2xx is sent again. */
	retries: number;
	/** Before the next one, or what it is after so many attempts. */
	retryDelayMs: number | ((attempts: number) => number);
	/**
	 * An answer that begins with this counts as none, as behind a load balancer that lets no call
	 * through until the receiver is ready.
	 */
	notReady: string | undefined;
}

export const DEFAULT_WEBHOOK_SETTINGS: Readonly<WebhookSettings> = {
	send: 'all',
	copies: 1,
	loses: () => false,
	delayMs: 0,
	retries: 0,
	retryDelayMs: 500,
	notReady: undefined,
};

/** One attempt to notify, recorded when it is over. */
export interface Delivery extends Notification {
	readonly at: number;
	readonly id: string;
	readonly kind: Kind;
	readonly url: string;
	/** 1 for the first attempt. */
	readonly attempt: number;
	/** The receiver's HTTP status, or why there is none. */
	readonly outcome: number | { readonly error: string };
	/** The text of the receiver's answer; empty where there is none. */
	readonly answer: string;
}

/** POSTs a notification and gives the receiver's answer. */
export type Deliver = (
	url: string,
	body: string,
	contentType: string,
	signal: AbortSignal,
) => Promise<{ status: number; text: string }>;

const post: Deliver = async (url, body, contentType, ended) => {
	const headers = new Headers(contentType === '' ? {} : { 'content-type': contentType });
	// `fetch` leaves its listener on the signal for a while, and Node warns of many.
	const signal = AbortSignal.any([ended]);
	// Of a text, `fetch` adds the type by itself.
	const bytes = Buffer.from(body);
	const response = await fetch(url, {
		method: 'POST',
		headers,
		body: bytes,
		signal,
		redirect: 'manual',
	});
	return { status: response.status, text: await response.text() };
};

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Receivers must be HTTPS; tests listen on their own machine. */
function isCalled(address: string): boolean {
	const url = parseUrl(address);
	return url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.test(url.hostname));
}

/** Tells webhook URLs about finished jobs (section 6). */
export class Notifier {
	readonly deliveries: Delivery[] = [];
	readonly #deliver: Deliver;
	readonly #changed: () => void;
	/** With what sets each again. */
	readonly #timers = new Map<NodeJS.Timeout, () => void>();
	#ended = new AbortController();

	constructor(changed: () => void, deliver: Deliver = post) {
		this.#changed = changed;
		this.#deliver = deliver;
	}

	/** Notifies each URL when the job is over; `compose` is asked for the body then. */
	schedule(
		job: Job,
		urls: readonly string[],
		settings: Readonly<WebhookSettings>,
		compose: () => Notification,
	): void {
		if (urls.length === 0 || settings.send === 'none') return;
		const time = () => job.completesAt + settings.delayMs;
		this.#at(time, () => {
			const message = compose();
			for (const url of urls.filter((one) => isCalled(one) && !settings.loses(one))) {
				for (let copy = 0; copy < settings.copies; copy++) {
					void this.#notify(job, url, message, settings, 1);
				}
			}
		});
	}

	async #notify(
		job: Job,
		url: string,
		message: Notification,
		settings: Readonly<WebhookSettings>,
		attempt: number,
	): Promise<void> {
		const { signal } = this.#ended;
		const { outcome, answer } = await this.#deliver(
			url,
			message.body,
			message.contentType,
			signal,
		).then(
			({ status, text }) => ({ outcome: status, answer: text }),
			(error: unknown) => ({ outcome: { error: String(error) }, answer: '' }),
		);
		if (signal.aborted) return;
		const { id, kind } = job;
		this.deliveries.push({ at: Date.now(), id, kind, url, attempt, outcome, answer, ...message });
		this.#changed();
		const { notReady } = settings;
		const isReady = notReady === undefined || !answer.startsWith(notReady);
		const taken = typeof outcome === 'number' && outcome >= 200 && outcome < 300 && isReady;
		if (taken || attempt > settings.retries) return;
		const { retryDelayMs } = settings;
		const pause = typeof retryDelayMs === 'number' ? retryDelayMs : retryDelayMs(attempt);
		const again = Date.now() + pause;
		this.#at(
			() => again,
			() => {
				void this.#notify(job, url, message, settings, attempt + 1);
			},
		);
	}

	/** To be called when jobs are over at another time than they were to be. */
	lookAgain(): void {
		for (const [timer, set] of [...this.#timers]) {
			clearTimeout(timer);
			this.#timers.delete(timer);
			set();
		}
	}

	#at(time: () => number, run: () => void): void {
		const set = () => {
			const timer = setTimeout(
				() => {
					this.#timers.delete(timer);
					// Node's timers may fire a millisecond before the clock shows their time.
					if (Date.now() < time()) set();
					else run();
				},
				Math.max(0, time() - Date.now()),
			);
			timer.unref();
			this.#timers.set(timer, set);
		};
		set();
	}

	/** Forgets what is scheduled, under way and recorded. */
	clear(): void {
		for (const timer of this.#timers.keys()) clearTimeout(timer);
		this.#timers.clear();
		this.#ended.abort();
		this.#ended = new AbortController();
		this.deliveries.length = 0;
	}
}
