import getPort from 'get-port';

/**
 * Where nobody listens: a connection is refused. A port that was closed a moment ago may be another's
 * by now; this one belongs to no service, only root may open it, and no system gives it to those who
 * ask for any free port. (`fetch` refuses most low ports by itself, but not this one.)
 */
export const NOBODY = 'http://127.0.0.1:4';

// Below what systems give to those who ask for any free port: from 32768 on Linux, 49152 elsewhere.
const FIRST = 20_000;
const COUNT = 10_000;
/**
 * Processes start to look in different places, so that two do not find the same one. Those that begin
 * together have ids that are near each other: with this factor, ids of less than fifty apart are over a
 * hundred ports apart, and a process takes a few.
 */
const START = (3_819 * process.pid) % COUNT;

/**
 * A port of loopback for somebody who opens it later, or closes it and opens it again: nobody else
 * gets it meanwhile by chance.
 */
export async function ownPort(): Promise<number> {
	const port = Array.from({ length: COUNT }, (_, n) => FIRST + ((START + n) % COUNT));
	return await getPort({ host: '127.0.0.1', port, reserve: true });
}
