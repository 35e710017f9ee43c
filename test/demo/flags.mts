import { parseArgs } from 'node:util';
import getPort from 'get-port';

import { normalizeApiKey, normalizeBaseUrl } from '../../credentials/credentialChecks.ts';
import { SetupError } from '../support/n8n/install.mts';

const EDITOR_PORT = 5678;

export interface Flags {
	once: boolean;
	help: boolean;
	/** Of n8n's editor; left out: the usual one, or a free one if that is taken. */
	port: number | undefined;
	/** The service to use instead of the sandbox. */
	real: { baseUrl: string; apiKey: string } | undefined;
}

/** Reads the command line. @throws {SetupError} where it makes no sense */
export function readFlags(args: string[], env: NodeJS.ProcessEnv = process.env): Flags {
	const values = parse(args);
	return {
		once: values.once ?? false,
		help: values.help ?? false,
		port: values.port === undefined ? undefined : readPort(values.port),
		real: readReal(values['base-url'], env.CONTACT_DATA_API_KEY),
	};
}

/** By the credential's own checks: the key is sent before n8n has a credential of it. */
function readReal(baseUrl: string | undefined, apiKey: string | undefined): Flags['real'] {
	if (baseUrl === undefined) return undefined;
	if (!apiKey) {
		throw new SetupError('--base-url needs the API key in the variable CONTACT_DATA_API_KEY');
	}
	try {
		return { baseUrl: normalizeBaseUrl(baseUrl), apiKey: normalizeApiKey(apiKey) };
	} catch (error) {
		throw new SetupError(error instanceof Error ? error.message : String(error));
	}
}

/** The port for the editor. @throws {SetupError} where the one asked for is taken */
export async function choosePort(wanted: number | undefined): Promise<number> {
	const port = await getPort({ host: '127.0.0.1', port: wanted ?? EDITOR_PORT });
	if (wanted !== undefined && port !== wanted) {
		throw new SetupError(`Port ${wanted} is in use; choose another with --port`);
	}
	return port;
}

function parse(args: string[]) {
	try {
		return parseArgs({
			args,
			options: {
				once: { type: 'boolean' },
				port: { type: 'string' },
				'base-url': { type: 'string' },
				help: { type: 'boolean' },
			},
		}).values;
	} catch (error) {
		throw new SetupError(error instanceof Error ? error.message : String(error));
	}
}

function readPort(value: string): number {
	const port = Number(value);
	if (!/^\d+$/.test(value) || port < 1 || port > 65_535) {
		throw new SetupError(`--port must be a whole number from 1 to 65535, not "${value}"`);
	}
	return port;
}
