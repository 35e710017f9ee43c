import type { ServerOptions as TlsOptions } from 'node:https';

import { Faults } from './faults.mts';
import { createApp, toServiceRequest, type ServiceRoute } from './http.mts';
import type { Ledger } from './ledger.mts';
import type { Delivery } from './notifier.mts';
import { send } from './send.mts';
import { SandboxService, type ServiceOptions } from './service.mts';
import type { SettingsChange } from './settings.mts';
import type { ServiceRequest } from './types.mts';
import { Watch } from './watch.mts';
import { underFault } from './wire.mts';

export interface SandboxOptions extends Omit<ServiceOptions, 'onChange'> {
	/** Default 127.0.0.1. */
	readonly host?: string;
	/** Default: any free one. */
	readonly port?: number;
	/** Key and certificate, for https. */
	readonly tls?: Pick<TlsOptions, 'key' | 'cert'>;
	/** How many requests the log keeps, the latest; default 10,000, 0 for none. */
	readonly keepRequests?: number;
}

/** A request in the log. Keys are not in it: `keyName` is the name of the key's account. */
export interface LoggedRequest {
	readonly at: number;
	readonly method: string;
	/** Relative to the base URL. */
	readonly path: string;
	/** Method and path, e.g. `POST /email/find/single`. */
	readonly endpoint: string;
	readonly query: ServiceRequest['query'];
	readonly headers: ServiceRequest['headers'];
	readonly keyName: string | undefined;
	readonly body: unknown;
	/** The HTTP status of the answer; undefined when there was none. */
	readonly status: number | undefined;
}

export interface Sandbox {
	readonly baseUrl: string;
	/** The key of the account `demo`, which is another after each reset. */
	readonly apiKey: string;
	readonly service: SandboxService;
	readonly ledger: Ledger;
	readonly requests: readonly LoggedRequest[];
	readonly deliveries: readonly Delivery[];
	readonly faults: Faults;
	/** Changes settings. Durations, notifications and how jobs end hold for jobs from then on. */
	readonly configure: (change: SettingsChange) => void;
	/**
	 * Gives what `look` gives as soon as that is truthy. Looks again at each request, charge and
	 * notification. Rejects after `timeoutMs` (default 60,000).
	 */
	readonly waitFor: <T>(look: () => T, timeoutMs?: number) => Promise<NonNullable<T>>;
	/** As at the start, with the same URL and another key. */
	readonly reset: () => void;
	/** Ends all connections at once. */
	readonly close: () => Promise<void>;
}

/** Starts the sandbox: `service-api.md` over HTTP. Rejects when the port is in use (EADDRINUSE). */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { host = '127.0.0.1', port = 0, tls, keepRequests = 10_000, ...serviceOptions } = options;
	const watch = new Watch();
	const service = new SandboxService({ ...serviceOptions, onChange: watch.notify });
	const faults = new Faults();
	const requests: LoggedRequest[] = [];
	const log = (request: LoggedRequest) => {
		if (keepRequests === 0) return;
		requests.push(request);
		if (requests.length > keepRequests) requests.shift();
	};

	const app = createApp(tls);
	app.all<ServiceRoute>('/*', async (request, reply) => {
		const asked = toServiceRequest(request);
		const { method, path, query, body } = asked;
		const fault = faults.next(method, path);
		const wire = underFault(fault, () => service.handle(asked));
		const { 'x-api-key': key, ...headers } = asked.headers;
		log({
			at: Date.now(),
			method,
			path,
			endpoint: `${method} ${path}`,
			query,
			headers,
			keyName: service.nameOf(key),
			body,
			status: 'status' in wire ? wire.status : undefined,
		});
		watch.notify();
		await send(wire, reply);
		return reply;
	});
	app.get('/_sandbox/ledger', () => ({
		totals: service.ledger.totals(),
		entries: service.ledger.entries,
	}));
	app.get('/_sandbox/requests', () => requests);
	const baseUrl = await app.listen({ host, port });

	return {
		baseUrl,
		get apiKey() {
			return service.account().key;
		},
		service,
		ledger: service.ledger,
		requests,
		deliveries: service.deliveries,
		faults,
		configure: (change) => service.configure(change),
		waitFor: async (look, timeoutMs = 60_000) => await watch.until(look, timeoutMs),
		reset: () => {
			service.reset();
			faults.clear();
			requests.length = 0;
		},
		close: async () => {
			service.stop();
			await app.close();
		},
	};
}
