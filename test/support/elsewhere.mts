import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Another host, to which redirects point, or a proxy that answers by itself. */
export interface Elsewhere {
	readonly url: string;
	/** The headers of each request that came. */
	readonly visits: readonly IncomingHttpHeaders[];
	/** As if nobody had come yet. */
	forget(): void;
	close(): Promise<void>;
}

/** Answers whatever is asked with something that looks like a result. */
export async function openElsewhere(): Promise<Elsewhere> {
	const visits: IncomingHttpHeaders[] = [];
	const server = createServer(({ headers }, response) => {
		visits.push(headers);
		response.end(JSON.stringify({ id: 'elsewhere', credits: 1, qualification: 'valid' }));
	});
	server.listen(0);
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	return {
		// The service is at 127.0.0.1, so this is another name.
		url: `http://localhost:${port}/`,
		visits,
		forget: () => void visits.splice(0),
		close: async () => {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}
