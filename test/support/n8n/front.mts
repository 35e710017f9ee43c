import { createServer, request } from 'node:http';

import { ownPort } from '../ports.mts';

/** A proxy in front of n8n's processes, as operators have one. */
export interface Front {
	/** Its base URL, with the prefix and a trailing slash: n8n's `WEBHOOK_URL`. */
	readonly url: string;
	/** The paths that were asked for, with the prefix and the query. */
	readonly paths: string[];
	close(): void;
}

/**
 * Starts a proxy that takes a prefix away from the path, and gives all requests of a path to the same
 * process.
 *
 * @param prefix such as `/automation`
 * @param targets the base URLs of the processes, asked for at each request
 */
export async function startFront(prefix: string, targets: () => readonly string[]): Promise<Front> {
	const port = await ownPort();
	const paths: string[] = [];
	const server = createServer((incoming, answer) => {
		const { method, headers, url = '' } = incoming;
		paths.push(url);
		const path = url.slice(prefix.length);
		const target = targetOf(path, targets());
		if (!url.startsWith(`${prefix}/`) || target === undefined) {
			answer.writeHead(404).end();
			return;
		}
		const passed = request(new URL(path, target), { method, headers }, (response) => {
			answer.writeHead(response.statusCode ?? 502, response.headers);
			response.pipe(answer);
		});
		passed.once('error', () => answer.writeHead(502).end());
		incoming.pipe(passed);
	});
	await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
	return {
		url: `http://127.0.0.1:${port}${prefix}/`,
		paths,
		close: () => void server.close(),
	};
}

/** What nginx does with `hash $uri`. */
function targetOf(path: string, targets: readonly string[]): string | undefined {
	const [withoutQuery = ''] = path.split('?');
	const sum = [...withoutQuery].reduce((total, sign) => total + (sign.codePointAt(0) ?? 0), 0);
	return targets[sum % targets.length];
}
