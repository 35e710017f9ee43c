import { asRecord } from '../common/values';
import { type LookupEvent, lookupEvents } from '../lookups';
import { asId } from './state';

/** One is meant; the other may be its namesake. */
const MAX_NOTIFIED_IDS = 2;
/** Fields that are looked at, whatever the size of the body. */
const MAX_FIELDS = 100;
/** In the order in which they are asked for. */
const ID_NAMES = ['id', 'search_id', 'batch_id'];
/** What the user sent along, what was asked, and what was found may hold ids of their own. */
const FOREIGN_KEY = /^(custom|raw_params|params|result|info|companyInfo)$/;

/** What a notification says, though none of it is believed. */
export interface Notification {
	/** The ids that it may be about: what is named `id` first, and outer ones before inner ones. */
	ids: string[];
	/** What has happened, where it is said in the service's words. */
	event?: LookupEvent;
}

/**
 * Reads a notification, whose shape is not documented (`service-api.md` section 6): the id stands at the
 * top, or one level below. Anybody may send anything: the work is bounded, not by its size.
 * @param bodies where the notification may be; the first one with an id is taken
 */
export function notificationIn(...bodies: unknown[]): Notification {
	for (const body of bodies) {
		const outer = asRecord(body) ?? {};
		const records = [outer];
		for (const key of Object.keys(outer).slice(0, MAX_FIELDS)) {
			const inner = FOREIGN_KEY.test(key) ? undefined : asRecord(outer[key]);
			if (inner !== undefined) records.push(inner);
		}
		const named = ID_NAMES.flatMap((name) => records.flatMap((fields) => asId(fields[name]) ?? []));
		const ids = [...new Set(named)].slice(0, MAX_NOTIFIED_IDS);
		const isEvent = ({ lookup, size }: LookupEvent) => lookup.notifiedAs[size] === outer.event;
		if (ids.length > 0) return { ids, event: lookupEvents.find(isEvent) };
	}
	return { ids: [] };
}
