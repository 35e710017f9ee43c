import { isObject } from '../payload.mts';
import { SandboxService, type ServiceOptions } from '../service.mts';
import type { JsonObject } from '../types.mts';

export const KEY = 'sandbox-key';

/** A service in this process, with calls that are short to write. Bodies are as on the wire. */
export function startService(options: ServiceOptions = {}) {
	const service = new SandboxService({ idSeed: 'test', ...options });
	const demoKey = service.account().key;

	function call(method: string, path: string, body?: unknown, key: string | null = demoKey) {
		const [pathname = '', search] = path.split('?');
		const {
			status,
			headers,
			body: answer,
		} = service.handle({
			method,
			path: pathname,
			query: Object.fromEntries(new URLSearchParams(search)),
			headers: key === null ? {} : { 'x-api-key': key },
			body,
		});
		const wire: unknown = JSON.parse(JSON.stringify(answer));
		return { status, headers, body: wire };
	}
	const post = (path: string, body?: unknown, key?: string | null) => call('POST', path, body, key);
	const get = (path: string, key?: string | null) => call('GET', path, undefined, key);

	/** Starts a job and gives its id. */
	function start(path: string, body: unknown): string {
		const { status, body: receipt } = post(path, body);
		if (!isObject(receipt) || typeof receipt.id !== 'string') {
			throw new Error(`POST ${path} gave ${status} ${JSON.stringify(receipt)}`);
		}
		return receipt.id;
	}

	/** The result of a job that takes no time. */
	function result(path: string, body: unknown): JsonObject {
		const answer = get(`${path}?id=${start(path, body)}`);
		if (!isObject(answer.body)) throw new Error(`GET ${path} gave ${JSON.stringify(answer)}`);
		return answer.body;
	}

	return { service, post, get, start, result };
}

/** The entries of a batch's result. */
export function resultsOf({ results }: JsonObject): JsonObject[] {
	if (!Array.isArray(results)) throw new Error('No results');
	return results.filter(isObject);
}

/** A good payload for each lookup. */
export const PAYLOADS = {
	'/email/find/single': { fullname: 'Ada Mustfind', company_domain: 'acme.com' },
	'/email/find/bulk': { searches: [{ fullname: 'Ada Mustfind', company_domain: 'acme.com' }] },
	'/email/verify/single': { email: 'ada.mustfind@acme.com' },
	'/email/verify/bulk': { verifications: ['ada.mustfind@acme.com'] },
	'/phone/single': { socialprofile_url: 'https://linkedin.com/in/ada-mustfind' },
	'/phone/bulk': { searches: [{ socialprofile_url: 'https://linkedin.com/in/ada-mustfind' }] },
} as const;

export type LookupPath = keyof typeof PAYLOADS;

export const PATHS: readonly LookupPath[] = [
	'/email/find/single',
	'/email/find/bulk',
	'/email/verify/single',
	'/email/verify/bulk',
	'/phone/single',
	'/phone/bulk',
];
