import { parseArgs } from 'node:util';
import getPort from 'get-port';

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
	const baseUrl = values['base-url'];
	const apiKey = env.CONTACT_DATA_API_KEY;
	if (baseUrl !== undefined && !URL.canParse(baseUrl)) {
		throw new SetupError(
			`--base-url must be a URL, e.g. https://api.example.com, not "${baseUrl}"`,
		);
	}
	if (baseUrl !== undefined && !apiKey) {
		throw new SetupError('--base-url needs the API key in the variable CONTACT_DATA_API_KEY');
	}
	return {
		once: values.once ?? false,
		help: values.help ?? false,
		port: values.port === undefined ? undefined : readPort(values.port),
		real: baseUrl !== undefined && apiKey ? { baseUrl, apiKey } : undefined,
	};
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
