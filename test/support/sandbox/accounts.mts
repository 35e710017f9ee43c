import { randomBytes } from 'node:crypto';

import { PRICES } from './lookups/index.mts';
import { Refused } from './payload.mts';
import type { Kind } from './types.mts';

export interface AccountOptions {
	/** Default: `sandbox-` and random characters. */
	readonly key?: string;
	/** Default 100,000. */
	readonly credits?: number;
	/** Registered webhook URLs; account info leaves them out when this is not given. */
	readonly webhooks?: readonly string[];
	/** Whether the account has the phone feature; default true. */
	readonly phone?: boolean;
	/** For each POST endpoint; default 10. */
	readonly requestsPerSecond?: number;
	/** Credits for one search; see the lookups' `price`. */
	readonly prices?: Partial<Record<Kind, number>>;
}

/** An account. Tests may change its fields at any time. */
export interface Account {
	readonly name: string;
	readonly key: string;
	credits: number;
	webhooks: readonly string[] | undefined;
	phone: boolean;
	requestsPerSecond: number;
	/** By kind. */
	prices: Record<string, number>;
}

/** The older plan, with the price of a phone that the document has. */
export const OLDER_PRICES: NonNullable<AccountOptions['prices']> = {
	phoneFinderSingle: 50,
	phoneFinderBulk: 50,
};

/** The accounts of the service, and what section 5 says of their keys. */
export class Accounts {
	readonly #byKey = new Map<string, Account>();

	/** Adds an account, or replaces the one of this name. */
	add(name: string, options: AccountOptions = {}): Account {
		const account: Account = {
			name,
			key: options.key ?? `sandbox-${randomBytes(16).toString('hex')}`,
			credits: options.credits ?? 100_000,
			webhooks: options.webhooks,
			phone: options.phone ?? true,
			requestsPerSecond: options.requestsPerSecond ?? 10,
			prices: { ...PRICES, ...options.prices },
		};
		for (const [key, other] of this.#byKey) {
			if (other.name === name) this.#byKey.delete(key);
		}
		this.#byKey.set(account.key, account);
		return account;
	}

	/** Throws when there is no account of this name. */
	named(name: string): Account {
		for (const account of this.#byKey.values()) {
			if (account.name === name) return account;
		}
		throw new Error(`The sandbox has no account "${name}"`);
	}

	/** The account of a key, if any: for logs. */
	find(key: string | undefined): Account | undefined {
		return key === undefined ? undefined : this.#byKey.get(key);
	}

	/** The account that a request acts for. Throws `Refused` (401). */
	authenticate(key: string | undefined, path: string): Account {
		if (!key) throw new Refused(401, 'No apikey found in the x-api-key headers');
		const account = this.#byKey.get(key);
		if (!account) throw new Refused(401, 'This apikey is not valid');
		if (path.startsWith('/phone/') && !account.phone) {
			throw new Refused(401, 'This account is not allowed to use the phone search feature');
		}
		return account;
	}

	clear(): void {
		this.#byKey.clear();
	}
}

const WINDOW_MS = 1_000;

/** Section 8: a strict window of a second for each POST endpoint and key. */
export class RateLimiter {
	readonly #admitted = new Map<string, number[]>();

	/**
	 * Throws `Refused` (429); a refused request does not count.
	 * @param isFixed whether the seconds are those of the service's clock
	 */
	admit(account: Pick<Account, 'key' | 'requestsPerSecond'>, path: string, isFixed: boolean): void {
		const now = Date.now();
		const bucket = `${account.key} ${path}`;
		const since = isFixed ? now - (now % WINDOW_MS) - 1 : now - WINDOW_MS;
		const recent = (this.#admitted.get(bucket) ?? []).filter((at) => at > since);
		this.#admitted.set(bucket, recent);
		const [oldest = now] = recent.slice(-account.requestsPerSecond);
		if (recent.length >= account.requestsPerSecond) {
			const waitMs = (isFixed ? since + 1 : oldest) + WINDOW_MS - now;
			const limit = account.requestsPerSecond;
			throw new Refused(429, 'Too Many Requests', { waitMs, limit });
		}
		recent.push(now);
	}

	clear(): void {
		this.#admitted.clear();
	}
}
