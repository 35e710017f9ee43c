import { createHash, randomUUID } from 'node:crypto';

import { Accounts, RateLimiter, type Account, type AccountOptions } from './accounts.mts';
import { Ledger } from './ledger.mts';
import { LOOKUPS } from './lookups/index.mts';
import { Notifier, type Deliver, type Delivery } from './notifier.mts';
import { general } from './lookups/batch.mts';
import { isObject, Refused, text } from './payload.mts';
import { toUuid } from './random.mts';
import { scenariosOf } from './scenarios/index.mts';
import type { Notification, Scenario } from './scenarios/types.mts';
import { changed, DEFAULT_SETTINGS, type Settings, type SettingsChange } from './settings.mts';
import type {
	JsonObject,
	Job,
	LookupDefinition,
	Outcome,
	ProfileField,
	ServiceRequest,
	ServiceResponse,
} from './types.mts';

const ACCOUNT_INFO = '/account/info';
/** The account that is always there. */
export const DEMO_ACCOUNT = 'demo';

export interface ServiceOptions extends SettingsChange {
	/** The account `demo`. */
	readonly account?: AccountOptions;
	/** Ids follow from it; default: random, so that no two services share an id. */
	readonly idSeed?: string;
	/** How notifications are sent; default: `fetch`. */
	readonly deliver?: Deliver;
	/** Called when something was charged or a notification was delivered. */
	readonly onChange?: () => void;
}

/**
 * The contact data service as a state machine, without HTTP. Time is `Date.now()`: jobs are
 * over when it says so. Only notifications need a timer, so faked time drives all of it.
 */
export class SandboxService {
	readonly ledger = new Ledger();
	readonly #accounts = new Accounts();
	readonly #limiter = new RateLimiter();
	readonly #notifier: Notifier;
	readonly #jobs = new Map<string, Job>();
	readonly #initial: { readonly settings: Settings; readonly demo?: AccountOptions };
	readonly #idSeed: string;
	readonly #changed: () => void;
	#settings: Settings;
	/** Those that are in force, in the order of the table. */
	#scenarios: readonly Scenario[] = [];
	#lastNumber = 0;

	constructor({ account, idSeed, deliver, onChange, ...settings }: ServiceOptions = {}) {
		this.#settings = changed(DEFAULT_SETTINGS, settings);
		this.#scenarios = scenariosOf(this.#settings.scenarios);
		this.#accounts.add(DEMO_ACCOUNT, account);
		this.#initial = { settings: this.#settings, demo: account };
		this.#idSeed = idSeed ?? randomUUID();
		this.#changed = onChange ?? (() => {});
		this.#notifier = new Notifier(this.#changed, deliver);
	}

	get settings(): Readonly<Settings> {
		return this.#settings;
	}

	/** Every attempt to notify a webhook URL that is over. */
	get deliveries(): readonly Delivery[] {
		return this.#notifier.deliveries;
	}

	/** Adds an account (or replaces the one of this name) and gives its key. */
	addAccount(name: string, options?: AccountOptions): string {
		return this.#accounts.add(name, options).key;
	}

	/** The account of this name, to look into or to change. Throws when there is none. */
	account(name = DEMO_ACCOUNT): Account {
		this.ledger.settle();
		return this.#accounts.named(name);
	}

	/** The name of the account that a key belongs to, if any. */
	nameOf(key: string | undefined): string | undefined {
		return this.#accounts.find(key)?.name;
	}

	configure(change: SettingsChange): void {
		this.#settings = changed(this.#settings, change);
		this.#scenarios = scenariosOf(this.#settings.scenarios);
	}

	/**
	 * As at the start: no jobs, charges, notifications, other accounts. The account has another key, unless
	 * one was given: whoever remembers searches by the key remembers none of it.
	 */
	reset(): void {
		this.stop();
		this.#limiter.clear();
		this.#accounts.clear();
		this.#accounts.add(DEMO_ACCOUNT, this.#initial.demo);
		this.ledger.clear();
		this.#jobs.clear();
		this.configure(this.#initial.settings);
	}

	/** Ends the jobs that still run: now, or each after as many ms as `afterMs` says. */
	finish(afterMs: (job: Job) => number = () => 0): void {
		const now = Date.now();
		for (const job of this.#jobs.values()) {
			if (job.completesAt > now) job.completesAt = now + afterMs(job);
		}
		this.#notifier.lookAgain();
		this.ledger.lookAgain();
	}

	/** Forgets what is over: its id is then as unknown as one that never was. */
	expire(): void {
		const now = Date.now();
		for (const [id, { completesAt }] of this.#jobs) {
			if (completesAt <= now) this.#jobs.delete(id);
		}
	}

	/** Forgets all notifications, sent or not. */
	stop(): void {
		this.#notifier.clear();
	}

	/** Answers a request as `service-api.md` says; the order of its checks is ours: key, pace, payload, credits. */
	handle(request: ServiceRequest): ServiceResponse {
		this.ledger.settle();
		const given = this.#judge(request);
		return this.#scenarios.reduce((answer, scenario) => scenario.answer?.(answer) ?? answer, given);
	}

	#judge(request: ServiceRequest): ServiceResponse {
		try {
			const { method, path } = request;
			const definition = LOOKUPS.get(path);
			if (method === 'GET' && path === ACCOUNT_INFO) return this.#info(request);
			if (method === 'GET' && definition) return this.#read(definition, request);
			if (method === 'POST' && definition) return this.#start(definition, request);
			throw new Refused(404, 'Not Found');
		} catch (error) {
			if (!(error instanceof Refused)) throw error;
			const { response, about } = error;
			return this.#scenarios.reduce(
				(answer, { refusal }) => refusal?.(answer, about) ?? answer,
				response,
			);
		}
	}

	#info({ headers, path }: ServiceRequest): ServiceResponse {
		const { credits, webhooks } = this.#accounts.authenticate(headers['x-api-key'], path);
		return this.#scenarios.reduce<ServiceResponse>(
			(answer, { info }) => (isObject(answer.body) && info?.(answer.body)) || answer,
			{ status: 200, body: { credits, webhooks } },
		);
	}

	#start(definition: LookupDefinition, request: ServiceRequest): ServiceResponse {
		const scenarios = this.#scenarios;
		const account = this.#accounts.authenticate(request.headers['x-api-key'], request.path);
		const isFixed = scenarios.some(({ rateWindow }) => rateWindow === 'fixed');
		this.#limiter.admit(account, request.path, isFixed);
		const submission = definition.read(request, profileFieldOf(scenarios));
		const price = account.prices[definition.kind];
		const credits = price * submission.searches.length;
		if (credits > account.credits) throw insufficientCredits(definition);

		const duration = this.#settings[definition.size];
		const durationMs = typeof duration === 'number' ? duration : duration(submission);
		const startedAt = Date.now();
		const job: Job = {
			...submission,
			id: this.#nextId(),
			account: account.name,
			startedAt,
			completesAt: startedAt + durationMs,
			price,
			outcome: outcomeOf(definition, scenarios),
		};
		this.#jobs.set(job.id, job);
		this.ledger.charge(
			account,
			{
				at: startedAt,
				endpoint: `POST ${definition.path}`,
				id: job.id,
				searches: job.searches.map(({ canonical }) => canonical),
				credits,
			},
			{
				get at() {
					return job.completesAt;
				},
				credits: refundOf(definition, job),
			},
		);
		const own = text(job.settings.webhook);
		const isBoth = own === '' || scenarios.some(({ notifiesBoth }) => notifiesBoth);
		const urls = [own, ...(isBoth ? (account.webhooks ?? []) : [])].filter(Boolean);
		this.#notifier.schedule(job, urls, this.#settings.webhooks, () =>
			this.#compose(definition, job, credits),
		);
		this.#changed();

		const body = scenarios.reduce(
			(answer, { receipt }) => receipt?.(answer, job) ?? answer,
			receiptOf(definition, job, credits),
		);
		return { status: definition.created.status, body };
	}

	#read(definition: LookupDefinition, request: ServiceRequest): ServiceResponse {
		const scenarios = this.#scenarios;
		const { failures } = definition;
		const account = this.#accounts.authenticate(request.headers['x-api-key'], request.path);
		const { id } = request.query;
		if (!id) throw new Refused(...failures.missingId);
		const job = this.#jobs.get(id);
		if (job?.kind !== definition.kind || job.account !== account.name) {
			throw new Refused(...failures.unknownId, { reason: 'unknownId' });
		}
		const overForMs = Date.now() - job.completesAt;
		const lasts = ({ ongoingForMs = 0 }: Scenario) => overForMs < ongoingForMs;
		if (scenarios.some(lasts)) return this.#ongoing(definition, job);
		if (
			scenarios.some(({ unreadableForMs = 0 }) => overForMs >= 0 && overForMs < unreadableForMs)
		) {
			throw new Refused(...failures.unreadable);
		}
		if (overForMs < 0) return this.#ongoing(definition, job);
		return { status: 200, body: this.#result(definition, job) };
	}

	#ongoing(definition: LookupDefinition, job: Job): ServiceResponse {
		const body = definition.ongoing(job, finishedSearches(job));
		return this.#scenarios.reduce<ServiceResponse>(
			(answer, { ongoing }) =>
				ongoing?.(answer, job, () => this.#completed(definition, job)) ?? answer,
			{ status: definition.size === 'single' ? 202 : 200, body },
		);
	}

	#result(definition: LookupDefinition, job: Job): JsonObject {
		const completed = () => this.#completed(definition, job);
		const { outcome, searches } = job;
		const unfinished =
			definition.size === 'single'
				? { status: outcome }
				: { general: general(job), stats: { finished: 0, requested: searches.length } };
		return this.#scenarios.reduce<JsonObject>(
			(body, { result }) => result?.(body, job, completed) ?? body,
			outcome === 'completed' ? completed() : unfinished,
		);
	}

	/** The body of what is completed. */
	#completed(definition: LookupDefinition, job: Job): JsonObject {
		const body = definition.completed(job);
		if (definition.entries === undefined) return body;
		const results = this.#scenarios.reduce(
			(list, { entries }) => entries?.(list, job) ?? list,
			definition.entries(job),
		);
		return { ...body, results };
	}

	/** The notification, whose body is not shown: this one is the likeliest. */
	#compose(definition: LookupDefinition, job: Job, cost: number): Notification {
		const result = this.#result(definition, job);
		const credits = { cost, balance: this.account(job.account).credits };
		const body = {
			event: definition.event,
			id: job.id,
			credits,
			result: definition.size === 'single' ? result : undefined,
			custom: job.custom,
		};
		return this.#scenarios.reduce<Notification>(
			(said, { notification }) => notification?.(said, { job, result, credits }) ?? said,
			{ body: JSON.stringify(body), contentType: 'application/json' },
		);
	}

	#nextId(): string {
		this.#lastNumber += 1;
		const seeded = `${this.#idSeed} ${this.#lastNumber}`;
		return toUuid(createHash('sha256').update(seeded).digest('hex').slice(0, 32));
	}
}

/** The body of the creation response. */
function receiptOf({ size, created }: LookupDefinition, job: Job, credits: number): JsonObject {
	const minutes = Math.max(1, Math.ceil((job.completesAt - job.startedAt) / 60_000));
	const split = { fromSub: credits, fromPaygo: 0 };
	return {
		message: created.message,
		id: job.id,
		credits_used: credits,
		estimated_duration: size === 'bulk' ? minutes : undefined,
		credits: created.credits === 'given' ? { amount: credits, source: 'sub', split } : undefined,
	};
}

/** What a job gives back when it is over. */
function refundOf({ refundsMisses, succeeds }: LookupDefinition, job: Job): number {
	if (!refundsMisses || job.outcome !== 'completed') return 0;
	return job.searches.filter((search) => !succeeds(search)).length * job.price;
}

function profileFieldOf(scenarios: readonly Scenario[]): ProfileField | undefined {
	return scenarios.find(({ profileField }) => profileField !== undefined)?.profileField;
}

/** How a job will end. */
function outcomeOf({ size }: LookupDefinition, scenarios: readonly Scenario[]): Outcome {
	return scenarios.reduce<Outcome>(
		(outcome, { batchEnds, singleEnds }) => (size === 'bulk' ? batchEnds : singleEnds) ?? outcome,
		'completed',
	);
}

/** While a batch runs, its searches finish one after another at an even pace. */
function finishedSearches({ searches, startedAt, completesAt }: Job): number {
	return Math.floor((searches.length * (Date.now() - startedAt)) / (completesAt - startedAt));
}

function insufficientCredits({ size }: LookupDefinition): Refused {
	const reason = 'Insufficient credits';
	return size === 'bulk'
		? new Refused(402, reason)
		: new Refused(402, reason, { body: { reason, success: false } });
}
