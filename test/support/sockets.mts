import { subscribe } from 'node:diagnostics_channel';
import { Socket } from 'node:net';

// All TCP connections of this process, to tell whether anything is on its way in one of them. Works
// where both ends are in this process, as those of a test, the node and the sandbox are.

const clients = new Set<Socket>();
const servers = new Set<Socket>();
watch('net.client.socket', clients);
watch('net.server.socket', servers);

function watch(channel: string, sockets: Set<Socket>): void {
	subscribe(channel, (message) => {
		const { socket } = message as { socket: unknown };
		if (!(socket instanceof Socket)) return;
		sockets.add(socket);
		socket.once('close', () => sockets.delete(socket));
	});
}

/** Whether every byte that was written has been read, and no end is opening or closing. */
export function areSocketsQuiet(): boolean {
	if (clients.size !== servers.size) return false;
	const serversByPorts = new Map([...servers].map((server) => [portsOf(server, 'remote'), server]));
	return [...clients].every((client) => {
		const server = serversByPorts.get(portsOf(client, 'local'));
		return (
			server !== undefined &&
			[client, server].every((end) => !end.connecting && !end.destroyed && !end.writableEnded) &&
			client.bytesWritten === server.bytesRead &&
			server.bytesWritten === client.bytesRead
		);
	});
}

/** The client's port and the server's, as `our` end knows them. */
function portsOf({ localPort, remotePort }: Socket, clientIs: 'local' | 'remote'): string {
	return clientIs === 'local' ? `${localPort} ${remotePort}` : `${remotePort} ${localPort}`;
}
