import type { LedgerEntry } from '../support/sandbox/ledger.mts';
import type { SandboxService } from '../support/sandbox/service.mts';
import { isObject } from '../support/sandbox/payload.mts';
import { asSent } from '../support/searches.mts';
import { definitionOf, toBulkBody } from './people.mts';
import type { Schedule } from './schedule.mts';

/** In no answer of the service. */
export const UNKNOWN_ID = 'id-of-nothing';

/** What an earlier run, of another day, has started of what the items search for. */
export interface Earlier {
	/** What each item says in its field `earlier`. */
	readonly ids: ReadonlyArray<string | undefined>;
	readonly charges: readonly LedgerEntry[];
}

/** Starts it, whatever it costs: single lookups, or all of one batch. */
export function startEarlier(
	{ earlier, items, resource, size, price }: Schedule,
	service: SandboxService,
	key: string,
): Earlier {
	const definition = definitionOf(resource, size);
	/** What the service refuses was never started. */
	const start = (body: unknown): string | undefined => {
		const request = { method: 'POST', path: definition.path, query: {}, body };
		const { body: answer } = service.handle({ ...request, headers: { 'x-api-key': key } });
		return isObject(answer) && typeof answer.id === 'string' ? answer.id : undefined;
	};
	// A bad item was in no earlier run.
	const fieldsOf = (index: number) => {
		const [wanted] = items[index] ?? [];
		return earlier[index] === 'started' && wanted?.search !== undefined
			? asSent(wanted.fields)
			: undefined;
	};
	const all = items.map((_, index) => fieldsOf(index)).filter((fields) => fields !== undefined);
	const account = service.account();
	const { credits, requestsPerSecond } = account;
	account.credits += price * all.length;
	account.requestsPerSecond = all.length + 1;
	const batchId = size === 'bulk' && all.length > 0 ? start(toBulkBody(resource, all)) : undefined;
	const ids = items.map((_, index) => {
		if (earlier[index] === 'unknown') return UNKNOWN_ID;
		const fields = fieldsOf(index);
		return fields === undefined ? undefined : (batchId ?? start(fields));
	});
	Object.assign(account, { credits, requestsPerSecond });
	return { ids, charges: [...service.ledger.entries] };
}
