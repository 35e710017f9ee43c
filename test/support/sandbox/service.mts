import { createHash, randomUUID } from 'node:crypto';

import { Accounts, RateLimiter, type Account, type AccountOptions } from './accounts.mts';
import { Ledger } from './ledger.mts';
import { LOOKUPS } from './lookups/index.mts';
import { Notifier, type Deliver, type Delivery } from './notifier.mts';
import { Refused, text } from './payload.mts';
import { changed, DEFAULT_SETTINGS, type Settings, type SettingsChange } from './settings.mts';
import type {
	JsonObject,
	Lookup,
	LookupDefinition,
	ServiceRequest,
	ServiceResponse,
} from './types.mts';
import { creditsBreakdown, estimatedMinutes, general, type Variants } from './variants.mts';
import { notification, type Notification } from './webhookShapes.mts';

const ACCOUNT_INFO = '/account/info';
/** The account that is always there. */
export const DEMO_ACCOUNT = 'demo';
/** How many lookups the notification `arrayOfSeveral` tells of besides its own. */
const MAX_EARLIER = 2;

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
 * The contact data service as a state machine, without HTTP. Time is `Date.now()`: lookups are
 * over when it says so. Only notifications need a timer, so faked time drives all of it.
 */
export class SandboxService {
	readonly ledger = new Ledger();
	readonly #accounts = new Accounts();
	readonly #limiter = new RateLimiter();
	readonly #notifier: Notifier;
	readonly #lookups = new Map<string, Lookup>();
	readonly #initial: { readonly settings: Settings; readonly demo: AccountOptions };
	readonly #idSeed: string;
	readonly #changed: () => void;
	#settings: Settings;
	#lastNumber = 0;
	/** The lookups that were notified last, oldest first. */
	#notified: readonly string[] = [];

	constructor({ account, idSeed, deliver, onChange, ...settings }: ServiceOptions = {}) {
		this.#settings = changed(DEFAULT_SETTINGS, settings);
		const { key } = this.#accounts.add(DEMO_ACCOUNT, account);
		this.#initial = { settings: this.#settings, demo: { ...account, key } };
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
	}

	/** As at the start, with the same key: no lookups, charges, notifications, other accounts. */
	reset(): void {
		this.stop();
		this.#limiter.clear();
		this.#accounts.clear();
		this.#accounts.add(DEMO_ACCOUNT, this.#initial.demo);
		this.ledger.clear();
		this.#lookups.clear();
		this.#notified = [];
		this.#settings = this.#initial.settings;
	}

	/** Ends the lookups that still run: now, or each after as many ms as `afterMs` says. */
	finish(afterMs: (lookup: Lookup) => number = () => 0): void {
		const now = Date.now();
		for (const lookup of this.#lookups.values()) {
			if (lookup.completesAt > now) lookup.completesAt = now + afterMs(lookup);
		}
		this.#notifier.lookAgain();
		this.ledger.lookAgain();
	}

	/** Forgets all notifications, sent or not. */
	stop(): void {
		this.#notifier.clear();
	}

	/** Answers a request as `service-api.md` says; the order of its checks is ours: key, pace, payload, credits. */
	handle(request: ServiceRequest): ServiceResponse {
		this.ledger.settle();
		try {
			const { method, path } = request;
			const definition = LOOKUPS.get(path);
			if (method === 'GET' && path === ACCOUNT_INFO) return this.#info(request);
			if (method === 'GET' && definition) return this.#read(definition, request);
			if (method === 'POST' && definition) return this.#start(definition, request);
			return { status: 404, body: { message: 'Not Found' } };
		} catch (error) {
			if (error instanceof Refused) return error.response;
			throw error;
		}
	}

	#info({ headers, path }: ServiceRequest): ServiceResponse {
		const { credits, webhooks } = this.#accounts.authenticate(headers['x-api-key'], path);
		return { status: 200, body: { credits, webhooks } };
	}

	#start(definition: LookupDefinition, request: ServiceRequest): ServiceResponse {
		const { variants, webhooks } = this.#settings;
		const account = this.#accounts.authenticate(request.headers['x-api-key'], request.path);
		this.#limiter.admit(account, request.path, variants);
		const submission = definition.read(request);
		const price = account.prices[definition.kind];
		const credits = price * submission.searches.length;
		if (credits > account.credits) throw insufficientCredits(definition);

		const duration = this.#settings[definition.size];
		const durationMs = typeof duration === 'number' ? duration : duration(submission);
		const startedAt = Date.now();
		const lookup: Lookup = {
			...submission,
			id: this.#nextId(),
			account: account.name,
			startedAt,
			completesAt: startedAt + durationMs,
			price,
			outcome: definition.size === 'bulk' ? variants.batchOutcome : 'completed',
		};
		this.#lookups.set(lookup.id, lookup);
		this.ledger.charge(
			account,
			{
				at: startedAt,
				endpoint: `POST ${definition.path}`,
				id: lookup.id,
				searches: lookup.searches.map(({ canonical }) => canonical),
				credits,
			},
			{
				get at() {
					return lookup.completesAt;
				},
				credits: this.#refund(definition, lookup),
			},
		);
		const urls = [text(lookup.settings.webhook), ...(account.webhooks ?? [])].filter(Boolean);
		this.#notifier.schedule(lookup, urls, webhooks, () => this.#compose(definition, lookup));
		this.#changed();

		return receipt(definition, lookup, credits, variants);
	}

	#refund(definition: LookupDefinition, lookup: Lookup): number {
		const refunds =
			definition.size === 'single' ? this.#settings.refundSingles : definition.refundsMisses;
		if (!refunds || lookup.outcome === 'failed') return 0;
		return lookup.searches.filter((search) => !definition.succeeds(search)).length * lookup.price;
	}

	#read(definition: LookupDefinition, request: ServiceRequest): ServiceResponse {
		const { variants } = this.#settings;
		const { failures } = definition;
		const account = this.#accounts.authenticate(request.headers['x-api-key'], request.path);
		const { id } = request.query;
		if (!id) throw new Refused(...failures.missingId);
		const lookup = this.#lookups.get(id);
		if (lookup?.kind !== definition.kind || lookup.account !== account.name) {
			throw new Refused(...failures.unknownId);
		}
		if (variants.retrieval === 'fails') throw new Refused(...failures.unreadable);
		if (Date.now() < lookup.completesAt) {
			return definition.ongoing(lookup, finishedSearches(lookup), variants);
		}
		return { status: 200, body: this.#result(definition, lookup) };
	}

	#result(definition: LookupDefinition, lookup: Lookup): JsonObject {
		const { variants } = this.#settings;
		if (lookup.outcome === 'completed') return definition.completed(lookup, variants);
		return {
			general: general(lookup, variants),
			stats: { finished: 0, requested: lookup.searches.length },
		};
	}

	#compose(definition: LookupDefinition, lookup: Lookup): Notification {
		const earlier = this.#notified;
		this.#notified = [...earlier, lookup.id].slice(-MAX_EARLIER);
		const shape = this.#settings.variants.webhookShape;
		return notification(shape, lookup, this.#result(definition, lookup), earlier);
	}

	#nextId(): string {
		this.#lastNumber += 1;
		const seeded = `${this.#idSeed} ${this.#lastNumber}`;
		return createHash('sha256').update(seeded).digest('hex').slice(0, 24);
	}
}

/** The creation response. */
function receipt(
	{ size, created }: LookupDefinition,
	lookup: Lookup,
	credits: number,
	variants: Variants,
): ServiceResponse {
	const minutes = estimatedMinutes(lookup.completesAt - lookup.startedAt, variants);
	return {
		status: created.status,
		body: {
			message: created.message,
			id: lookup.id,
			credits_used: credits,
			estimated_duration: size === 'bulk' ? minutes : undefined,
			credits:
				created.credits === 'given' ? creditsBreakdown(lookup, credits, variants) : undefined,
		},
	};
}

/** While a batch runs, its searches finish one after another at an even pace. */
function finishedSearches({ searches, startedAt, completesAt }: Lookup): number {
	return Math.floor((searches.length * (Date.now() - startedAt)) / (completesAt - startedAt));
}

function insufficientCredits({ size }: LookupDefinition): Refused {
	const reason = 'Insufficient credits';
	return size === 'bulk'
		? new Refused(402, reason)
		: new Refused(402, reason, { body: { reason, success: false } });
}
