import type { IDataObject } from 'n8n-workflow';
import { readFields } from '../../../nodes/ContactData/input/fields.ts';
import {
	lookupEvents,
	type LookupEvent,
	type LookupName,
} from '../../../nodes/ContactData/lookups/index.ts';
import type { Lookup, Search } from '../../../nodes/ContactData/lookups/types.ts';
import { toBody, toEntries, toOrders } from '../../../nodes/ContactData/orders/plan.ts';
import { rowsFor, settingsFor } from '../../support/rows.mts';
import { toLookupName } from '../../support/searches.mts';

/** Whom the check looks for. */
export interface Whom {
	readonly person: string;
	readonly domain: string;
	readonly email: string;
	/** Undefined: no phones are searched. */
	readonly profile: string | undefined;
}

/** One thing that the service is asked to do, which is paid for. */
export interface Wish {
	readonly event: LookupEvent;
	readonly searches: readonly Search[];
	/** What the package sends. */
	readonly body: IDataObject;
}

/** A value that is of no use, so that nothing is sent. */
export class UsageError extends Error {}

/** Nobody: what becomes of them is as open as what becomes of those who are found. */
const NOBODIES = ['Nemo Notfound', 'Nobody Notfound'];

/**
 * The fewest things that settle what is open: of each lookup a single one, for somebody who does not
 * exist, and a batch of two, the one who is given and another who does not exist.
 */
export function wishesFor(whom: Whom, baseUrl: string): Wish[] {
	const { person, domain, email, profile } = whom;
	const slugs = NOBODIES.map((name) => name.toLowerCase().replace(' ', '-'));
	const [alone = '', ...inBatch] = NOBODIES;
	const finder = (fullname: string) => ({ fullname, company_domain: domain });
	const address = (slug: string) => ({ email: `${slug}@${domain}` });
	const page = (slug: string) => ({
		socialprofile_url: `https://www.linkedin.com/in/${slug}-5f21c0a7`,
	});
	/** Undefined: not asked for. */
	const wanted: Record<LookupName, [alone: Search, inBatch: Search[]] | undefined> = {
		emailFinder: [finder(alone), [person, ...inBatch].map(finder)],
		emailVerifier: [address(slugs[0]), [{ email }, address(slugs[1])]],
		phoneFinder:
			profile === undefined
				? undefined
				: [page(slugs[0]), [{ socialprofile_url: profile }, page(slugs[1])]],
	};
	return lookupEvents.flatMap((event) => {
		const [one, two] = wanted[toLookupName(event.lookup.name)] ?? [];
		if (one === undefined || two === undefined) return [];
		return toWish(event, event.size === 'single' ? [one] : two, baseUrl);
	});
}

const CUSTOM = 'check of the service';

function toWish(event: LookupEvent, given: readonly Search[], baseUrl: string): Wish {
	const { lookup, size } = event;
	const searches = given.map((search) => checked(lookup, search));
	const isText = size === 'single' && lookup.singleCustom === 'text';
	const envelope = { custom: isText ? CUSTOM : { text: CUSTOM } };
	const custom = (item: number) =>
		size === 'bulk' && lookup.itemCustom ? { custom: `entry ${item}` } : {};
	const rows = rowsFor(lookup, searches, envelope).map((row) => ({ ...row, ...custom(row.item) }));
	const entries = toEntries(lookup, baseUrl, rows);
	const [order] = toOrders(settingsFor(lookup, size), entries, '');
	return { event, searches, body: toBody(lookup, order) };
}

/** The search as the node sends it. @throws {UsageError} for what it would refuse */
function checked(lookup: Lookup, search: Search): Search {
	const valueOf = ({ name }: { name: string }) => search[name];
	const { search: clean, problem, flaw } = readFields(lookup, lookup.fields, valueOf, undefined);
	if (problem !== undefined) throw new UsageError(problem.message);
	if (flaw !== undefined) throw new UsageError(`${lookup.fields[0]?.label}: ${flaw.reason}`);
	return clean;
}

/** What it will cost as far as that is documented, in lines. */
export function tellCosts(wishes: readonly Wish[]): string[] {
	const lines = wishes.map(({ event: { lookup, size }, searches }) => {
		const { credits, isDocumented } = lookup.price;
		const says = `${isDocumented ? 'documented' : 'not documented, usually'}: ${credits} credits each`;
		return `${lookup.title}, ${size}, ${searches.length} searched: ${says}`;
	});
	const most = wishes.reduce(
		(sum, { event: { lookup }, searches }) => sum + searches.length * lookup.price.credits,
		0,
	);
	return [
		...lines,
		`Together probably at most ${most} credits; searches that find nothing may be refunded.`,
	];
}
