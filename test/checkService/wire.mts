import { Readable } from 'node:stream';
import { parseJson } from '../../nodes/ContactData/common/values.ts';
import { toAccount } from '../../nodes/ContactData/service/request.ts';
import type { Connection } from '../../nodes/ContactData/service/request.ts';

/** An answer as it came. */
export interface Heard {
	/** E.g. `GET /email/find/single`. */
	readonly endpoint: string;
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly text: string;
	readonly body: unknown;
}

/** A way to the service for the package's own code, which keeps what was answered. */
export interface Wire {
	readonly connection: Connection;
	readonly heard: readonly Heard[];
}

/** Lets each POST through once, whatever comes of it. */
export function openWire(baseUrl: string, apiKey: string): Wire {
	const heard: Heard[] = [];
	const posted = new Set<string>();
	const send: Connection['send'] = async ({ method = 'GET', url, qs, body }, signal) => {
		const address = new URL(url);
		for (const [name, value] of Object.entries(qs ?? {})) {
			if (typeof value === 'string') address.searchParams.set(name, value);
		}
		const isPost = method === 'POST';
		if (isPost && posted.has(url)) throw new Error('This POST was sent already');
		if (isPost) posted.add(url);
		const response = await fetch(address, {
			method,
			headers: {
				accept: 'application/json',
				'x-api-key': apiKey,
				...(isPost && { 'content-type': 'application/json' }),
			},
			body: isPost ? JSON.stringify(body) : undefined,
			signal,
			redirect: 'manual',
		});
		const bytes = Buffer.from(await response.arrayBuffer());
		const headers = Object.fromEntries(response.headers);
		const text = bytes.toString();
		heard.push({
			endpoint: `${method} ${url.slice(baseUrl.length)}`,
			status: response.status,
			headers,
			text,
			body: parseJson(text),
		});
		return { statusCode: response.status, headers, body: Readable.from([bytes]) };
	};
	return { connection: { account: toAccount(apiKey, baseUrl, 10), send }, heard };
}
