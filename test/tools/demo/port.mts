import getPort from 'get-port';

import { SetupError } from '../../support/n8n/install.mts';

const EDITOR_PORT = 5678;

/**
 * The port for n8n's editor: the usual one, or a free one if that is taken.
 * @throws {SetupError} where the one asked for is none, or is taken
 */
export async function choosePort(wanted?: string): Promise<number> {
	const asked = wanted === undefined ? EDITOR_PORT : Number(wanted);
	if (!Number.isInteger(asked) || asked < 1 || asked > 65_535) {
		throw new SetupError(`--port must be a whole number from 1 to 65535, not "${wanted}"`);
	}
	const port = await getPort({ host: '127.0.0.1', port: asked });
	if (wanted !== undefined && port !== asked) {
		throw new SetupError(`Port ${wanted} is in use; choose another with --port`);
	}
	return port;
}
