import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline/promises';

import { LOGIN, type Login } from '../support/n8n/api.mts';
import { SetupError } from '../support/n8n/install.mts';
import type { StartOptions } from '../support/n8n/n8n.mts';
import { startSandbox, type Sandbox } from '../support/sandbox/server.mts';
import type { Flags } from './flags.mts';

const BULK_MS = 2_000;

/** Credits that the run cost. A real account shows only its balance: `credits` is after refunds. */
export interface Spent {
	credits: number;
	/** How many of `credits` came back; undefined where they are already taken off. */
	refunded: number | undefined;
}

/** The service that the demo runs against. */
export interface Service {
	baseUrl: string;
	apiKey: string;
	/** Undefined for the real service. */
	sandbox: Sandbox | undefined;
	/** The credits spent since this service was opened. */
	spent(): Promise<Spent>;
}

/**
 * Starts the sandbox, or takes the real service that was asked for, after having said that it
 * costs credits.
 *
 * @throws {SetupError} where the real service does not answer, or the user declines
 */
export async function openService({ real }: Flags): Promise<Service> {
	if (!real) return await openSandbox();
	const { baseUrl, apiKey } = real;
	const before = await readBalance(baseUrl, apiKey);
	console.log(
		`This uses ${baseUrl}, not the sandbox: 10 searches and up to 10 verifications, paid from its ${before} credits.`,
	);
	if (process.stdin.isTTY && !(await agrees())) throw new SetupError('Nothing was sent.');
	return {
		baseUrl,
		apiKey,
		sandbox: undefined,
		spent: async () => ({
			credits: before - (await readBalance(baseUrl, apiKey)),
			refunded: undefined,
		}),
	};
}

/** What opens the n8n that holds the key: what this repository tells opens none that holds a real one. */
export function locksFor({ sandbox }: Pick<Service, 'sandbox'>): {
	login: Login;
	env: StartOptions['env'];
} {
	if (sandbox !== undefined) return { login: LOGIN, env: undefined };
	const random = () => randomBytes(24).toString('base64url');
	// n8n asks for a capital letter and a digit.
	const login = { email: LOGIN.email, password: `A1${random()}` };
	return { login, env: { N8N_ENCRYPTION_KEY: random() } };
}

async function openSandbox(): Promise<Service> {
	const sandbox = await startSandbox({ bulk: BULK_MS });
	return {
		baseUrl: sandbox.baseUrl,
		apiKey: sandbox.apiKey,
		sandbox,
		spent: async () => {
			const { charged, refunded } = sandbox.ledger.totals();
			return { credits: charged, refunded };
		},
	};
}

/** `GET /account/info`, service-api.md section 4.13. */
async function readBalance(baseUrl: string, apiKey: string): Promise<number> {
	const url = `${baseUrl}/account/info`;
	let problem: string;
	try {
		// A redirect would carry the key along, even to another host.
		const answer = await fetch(url, { headers: { 'x-api-key': apiKey }, redirect: 'manual' });
		const text = await answer.text();
		const credits = answer.ok ? creditsIn(JSON.parse(text)) : undefined;
		if (credits !== undefined) return credits;
		problem = `${answer.status} ${text.slice(0, 200)}`;
	} catch (error) {
		const { message, cause } = error instanceof Error ? error : new Error(String(error));
		problem = cause instanceof Error ? cause.message : message;
	}
	throw new SetupError(`The account cannot be read at ${url}: ${problem}`);
}

function creditsIn(body: unknown): number | undefined {
	if (typeof body !== 'object' || body === null || !('credits' in body)) return undefined;
	return typeof body.credits === 'number' ? body.credits : undefined;
}

async function agrees(): Promise<boolean> {
	const terminal = createInterface({ input: process.stdin, output: process.stdout });
	terminal.on('SIGINT', () => process.exit(130));
	const answer = await terminal.question('Go on? (y/N) ');
	terminal.close();
	return /^y(es)?$/i.test(answer.trim());
}
