import getPort, { portNumbers } from 'get-port';

const HOST = '127.0.0.1';
/** Below those that systems give to connections: a program binds its port only when it is up. */
const LOWEST = 20_000;
const RANGES = 100;
const RANGE = 100;

/** A free port of loopback that nobody else in this process gets, and hardly anybody in another. */
export async function freePort(): Promise<number> {
	const first = LOWEST + (process.pid % RANGES) * RANGE;
	const port = portNumbers(first, first + RANGE - 1);
	return await getPort({ host: HOST, port, reserve: true });
}
