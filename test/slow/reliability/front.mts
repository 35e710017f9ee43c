import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A door before a server, which can be shut: connections are then refused, and open ones break. */
export interface Front {
	/** The server's base URL by way of the door. */
	readonly url: string;
	shut(): Promise<void>;
	open(): Promise<void>;
}

/** @param target URL of a server on this machine */
export async function openFront(target: string): Promise<Front> {
	const { hostname, port } = new URL(target);
	const sockets = new Set<Socket>();
	const keep = (socket: Socket) => {
		sockets.add(socket);
		socket.on('error', () => socket.destroy());
		socket.once('close', () => sockets.delete(socket));
		return socket;
	};
	const server = createServer((inward) => {
		const outward = keep(connect(Number(port), hostname));
		keep(inward).once('close', () => outward.destroy());
		outward.once('close', () => inward.destroy());
		inward.pipe(outward).pipe(inward);
	});
	const listen = async (at: number) => {
		server.listen(at, '127.0.0.1');
		await once(server, 'listening');
	};
	await listen(0);
	const { port: own } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${own}`,
		shut: async () => {
			if (!server.listening) return;
			const closed = once(server, 'close');
			server.close();
			for (const socket of sockets) socket.destroy();
			await closed;
		},
		open: async () => {
			if (!server.listening) await listen(own);
		},
	};
}
