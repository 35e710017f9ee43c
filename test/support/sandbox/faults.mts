import { seededRandom } from './random.mts';
import type { JsonObject } from './types.mts';

/**
 * Something that goes wrong on the way. "Accepted" means that the service did its work, and
 * charged for it, before the bad answer; otherwise it never saw the request.
 */
export type Fault =
	| {
			readonly kind: 'status';
			readonly status: number;
			/** Sent as JSON; a string with a `contentType` of its own is sent as it is. */
			readonly body?: unknown;
			readonly contentType?: string;
			readonly headers?: Readonly<Record<string, string>>;
			readonly accepted?: boolean;
			readonly delayMs?: number;
	  }
	/** The connection breaks, before or after acceptance. */
	| { readonly kind: 'reset'; readonly when: 'before' | 'after' }
	/** Accepted at once, answered late. */
	| { readonly kind: 'delay'; readonly ms: number }
	/** Accepted; the body comes slowly. */
	| { readonly kind: 'trickle'; readonly bytesPerSecond: number }
	/** Accepted; the connection breaks in the middle of the body. */
	| { readonly kind: 'truncated' }
	/** Accepted; complete as HTTP, but the JSON ends in the middle. */
	| { readonly kind: 'cutJson' }
	/** A proxy's page, by default 502 and not accepted. */
	| { readonly kind: 'html'; readonly status?: number; readonly accepted?: boolean }
	/** Accepted; 200 without a body. */
	| { readonly kind: 'empty' }
	/** Accepted; an answer without `id`. */
	| { readonly kind: 'noId' }
	/** Accepted; the service's answer, changed on the way. */
	| {
			readonly kind: 'changed';
			readonly change: (body: JsonObject) => unknown;
			/** Of what was accepted; default: the service's own. */
			readonly status?: number;
	  }
	/** Not accepted; by default 307. */
	| { readonly kind: 'redirect'; readonly to: string; readonly status?: number }
	/** Never answered. */
	| { readonly kind: 'hang'; readonly accepted?: boolean };

/** `POST /email/find/single`, `GET /email/*`, `POST *`, or `*` for all. */
export type RequestPattern = '*' | `${'GET' | 'POST'} ${string}`;

/** When a fault strikes: on requests that match `on`. */
export type FaultRule = Fault & {
	readonly on: RequestPattern;
	/** How often; default once. */
	readonly times?: number;
	/** How many matching requests are spared first. */
	readonly skip?: number;
	/** The probability for each request after those, from a seeded generator; default 1. */
	readonly chance?: number;
};

export interface FaultHandle {
	remove(): void;
}

/** Faults on demand; independent of HTTP. The first rule that applies to a request strikes. */
export class Faults {
	readonly #rules = new Set<ActiveRule>();
	readonly #seed: number;
	#random: () => number;

	constructor(seed = 1) {
		this.#seed = seed;
		this.#random = seededRandom(seed);
	}

	add(rule: FaultRule): FaultHandle {
		const active = new ActiveRule(rule);
		this.#rules.add(active);
		return {
			remove: () => void this.#rules.delete(active),
		};
	}

	/** The fault that strikes this request, if any; asking counts as the request. */
	next(method: string, path: string): Fault | undefined {
		for (const rule of this.#rules) {
			if (rule.strikes(method, path, this.#random)) return rule.fault;
		}
		return undefined;
	}

	/** Removes all faults and starts the generator anew. */
	clear(): void {
		this.#rules.clear();
		this.#random = seededRandom(this.#seed);
	}
}

class ActiveRule {
	readonly fault: FaultRule;
	hits = 0;
	#seen = 0;

	constructor(rule: FaultRule) {
		this.fault = rule;
	}

	strikes(method: string, path: string, random: () => number): boolean {
		const { on, times = 1, skip = 0, chance = 1 } = this.fault;
		if (this.hits >= times || !matches(on, method, path)) return false;
		this.#seen += 1;
		if (this.#seen <= skip || (chance < 1 && random() >= chance)) return false;
		this.hits += 1;
		return true;
	}
}

function matches(pattern: RequestPattern, method: string, path: string): boolean {
	if (pattern === '*') return true;
	const request = `${method} ${path}`;
	return pattern.endsWith('*') ? request.startsWith(pattern.slice(0, -1)) : request === pattern;
}
