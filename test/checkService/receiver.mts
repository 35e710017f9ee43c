import { createServer, type IncomingMessage } from 'node:http';

/** A notification as it came. */
export interface Received {
	readonly headers: Readonly<Record<string, string | string[] | undefined>>;
	readonly text: string;
}

export interface Receiver {
	readonly received: readonly Received[];
	close(): void;
}

/** More than the results of the few searches that are started. */
const MAX_BYTES = 1_000_000;
const MAX_NOTIFICATIONS = 100;

/**
 * Takes what comes to a port of this machine from this machine: a tunnel brings the service's
 * notifications there, and with them whatever a stranger sends. Rejects when the port is in use.
 */
export async function openReceiver(port: number): Promise<Receiver> {
	const received: Received[] = [];
	const server = createServer((request, response) => {
		const refuse = (status: number) => response.writeHead(status, { connection: 'close' }).end();
		void readText(request).then(
			(text) => {
				if (text === undefined) return refuse(413);
				if (received.length >= MAX_NOTIFICATIONS) return refuse(429);
				received.push({ headers: request.headers, text });
				return response.end('Taken');
			},
			// Whoever sent it has gone.
			() => undefined,
		);
	});
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(port, '127.0.0.1', resolve);
	});
	return {
		received,
		close: () => {
			server.close();
			server.closeAllConnections();
		},
	};
}

/** The body; undefined where it is larger than any notification. */
async function readText(request: IncomingMessage): Promise<string | undefined> {
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of request.iterator({ destroyOnReturn: false })) {
		if (!Buffer.isBuffer(chunk)) continue;
		size += chunk.length;
		if (size > MAX_BYTES) return undefined;
		chunks.push(chunk);
	}
	return Buffer.concat(chunks).toString();
}
