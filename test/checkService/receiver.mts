import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

/** A notification as it came. */
export interface Received {
	readonly headers: Readonly<Record<string, string | string[] | undefined>>;
	readonly text: string;
}

export interface Receiver {
	readonly received: readonly Received[];
	close(): void;
}

/** Takes whatever comes to a port of this machine. Rejects when the port is in use. */
export async function openReceiver(port: number): Promise<Receiver> {
	const received: Received[] = [];
	const server = createServer((request, response) => {
		void text(request).then((body) => {
			received.push({ headers: request.headers, text: body });
			response.end('Taken');
		});
	});
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(port, resolve);
	});
	return {
		received,
		close: () => {
			server.close();
			server.closeAllConnections();
		},
	};
}
