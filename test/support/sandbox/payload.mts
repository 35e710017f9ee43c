import type { Refusal } from './scenarios/types.mts';
import type { JsonObject, Job, Search, ServiceRequest, ServiceResponse } from './types.mts';

/** The service's "no": thrown anywhere, answered once by `SandboxService.handle`. */
export class Refused extends Error {
	readonly response: ServiceResponse;

	constructor(
		status: number,
		message: string,
		readonly about: Refusal & { readonly body?: JsonObject } = {},
	) {
		super(message);
		this.response = { status, body: about.body ?? { message } };
	}
}

export function isObject(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The text without white space around it; empty for anything that is not text. */
export function text(value: unknown): string {
	return typeof value === 'string' ? value.trim() : '';
}

/** The text in which only single spaces separate words. */
export function collapsed(value: unknown): string {
	return text(value).replace(/\s+/g, ' ');
}

/** `https://www.Acme.com:443/about` → `acme.com` */
export function domainOf(value: unknown): string {
	return text(value)
		.toLowerCase()
		.replace(/^[a-z][a-z0-9+.-]*:\/\//, '')
		.replace(/^[^/@?#]*@/, '')
		.replace(/[/?#:].*$/s, '')
		.replace(/^www\./, '')
		.replace(/\.$/, '');
}

/** The body as an object; otherwise the given refusals. */
export function objectBody(
	request: ServiceRequest,
	refusals: { missing: string; unparsable: string },
): JsonObject {
	if (request.rawBodyInvalid) throw new Refused(400, `${refusals.unparsable}${sentAs(request)}`);
	if (request.body === undefined || request.body === null) {
		throw new Refused(400, refusals.missing);
	}
	if (!isObject(request.body)) throw new Refused(400, refusals.unparsable);
	return request.body;
}

/** Tells a developer what the sandbox was sent in place of JSON; the service says nothing of it. */
function sentAs({ headers }: ServiceRequest): string {
	const type = headers['content-type'];
	return type?.startsWith('application/json') === true
		? ''
		: ` (the sandbox takes application/json, and was sent ${type ?? 'no Content-Type'})`;
}

/** Not by `URL.canParse`, which Node 20 and 22 get wrong once it is compiled. */
export function parseUrl(address: string): URL | undefined {
	try {
		return new URL(address);
	} catch {
		return undefined;
	}
}

/** The object under `key`; an empty one when there is none. */
export function objectAt(body: JsonObject, key: string): JsonObject {
	const value = body[key];
	return isObject(value) ? value : {};
}

/** Reads the entries of a batch. `read` gives nothing for one that makes the service refuse the batch. */
export function readEntries<T>(
	entries: readonly unknown[],
	refusal: string,
	read: (entry: unknown) => T | undefined,
): T[] {
	return entries.map((entry, index) => {
		const badEntry = { number: index + 1, of: entries.length };
		const result = read(entry);
		if (result === undefined) throw new Refused(400, refusal, { badEntry });
		return result;
	});
}

export function without(object: JsonObject, ...keys: string[]): JsonObject {
	return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}

/** What a single job looks up. */
export function onlySearch({ id, searches }: Job): Search {
	const [search] = searches;
	if (!search) throw new Error(`Job ${id} has no search`);
	return search;
}
