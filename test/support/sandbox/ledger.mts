import type { Account } from './accounts.mts';

/** One submission that was charged. `at` as of `Date.now()`. */
export interface LedgerEntry {
	readonly at: number;
	/** The account's name. */
	readonly account: string;
	/** E.g. `POST /email/find/bulk`. */
	readonly endpoint: string;
	readonly id: string;
	/** What was looked up, one canonical string per search: equal searches, equal strings. */
	readonly searches: readonly string[];
	readonly credits: number;
	/** Credited back when the job was over; 0 before. */
	refunded: number;
}

/** Credits that fall due at a time. */
export interface Refund {
	readonly at: number;
	readonly credits: number;
}

interface Due {
	readonly refund: Refund;
	readonly account: Account;
	readonly entry: LedgerEntry;
}

/** What was charged for what: the truth that tests compare with what was intended. */
export class Ledger {
	readonly #entries: LedgerEntry[] = [];
	#due: Due[] = [];
	#nextDueAt = Infinity;

	/** All charges so far, with the refunds that have fallen due. */
	get entries(): readonly LedgerEntry[] {
		this.settle();
		return this.#entries;
	}

	/** Takes the credits from the account, and gives the refund back when it falls due. */
	charge(
		account: Account,
		charge: Omit<LedgerEntry, 'account' | 'refunded'>,
		refund: Refund,
	): void {
		const entry: LedgerEntry = { ...charge, account: account.name, refunded: 0 };
		account.credits -= charge.credits;
		this.#entries.push(entry);
		if (refund.credits === 0) return;
		this.#due.push({ refund, account, entry });
		this.#nextDueAt = Math.min(this.#nextDueAt, refund.at);
	}

	/** Credits the refunds that have fallen due. */
	settle(): void {
		const now = Date.now();
		if (now < this.#nextDueAt) return;
		const waiting: Due[] = [];
		for (const due of this.#due) {
			if (due.refund.at > now) {
				waiting.push(due);
				continue;
			}
			due.account.credits += due.refund.credits;
			due.entry.refunded = due.refund.credits;
		}
		this.#due = waiting;
		this.lookAgain();
	}

	/** To be called when refunds fall due at another time than they were to. */
	lookAgain(): void {
		this.#nextDueAt = Math.min(...this.#due.map(({ refund }) => refund.at));
	}

	/** Searches that one account was charged for more than once, in canonical form. */
	chargedTwice(): string[] {
		const seen = new Set<string>();
		const twice = new Set<string>();
		for (const { account, searches } of this.#entries) {
			for (const search of searches) {
				const charge = `${account} ${search}`;
				if (seen.has(charge)) twice.add(search);
				seen.add(charge);
			}
		}
		return [...twice];
	}

	/** Credits over all accounts: `net` is `charged` minus `refunded`. */
	totals(): { searches: number; charged: number; refunded: number; net: number } {
		const totals = { searches: 0, charged: 0, refunded: 0, net: 0 };
		for (const { searches, credits, refunded } of this.entries) {
			totals.searches += searches.length;
			totals.charged += credits;
			totals.refunded += refunded;
			totals.net += credits - refunded;
		}
		return totals;
	}

	clear(): void {
		this.#entries.length = 0;
		this.#due = [];
		this.#nextDueAt = Infinity;
	}
}
