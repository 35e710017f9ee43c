import { parseArgs } from 'node:util';

import { isScenarioName, namesOf, SCENARIOS } from './scenarios/index.mts';
import { startSandbox, type Sandbox } from './server.mts';

const HELP = `Runs the contact data service locally until Ctrl-C.

  --port <n>                 default 4010; 0 for any free one
  --host <address>           default 127.0.0.1
  --key <text>               API key; default: a random one
  --credits <n>              of the account; default 100000
  --single-seconds <n>       how long a single lookup takes; default 0.3
  --bulk-seconds <n>         how long a batch takes; default 1.5
  --requests-per-second <n>  for each POST endpoint; default 10
  --webhook <url>            a registered webhook URL; may be given several times
  --scenario <name>          answers otherwise than by default; may be given several times
  --help`;

/** The mistakes that end in one line instead of a stack trace. */
class UsageError extends Error {}

/** A number of at least 0, or undefined when the flag was not given. */
function numberOf(flag: string, value: string | undefined): number | undefined {
	if (value === undefined) return undefined;
	const number = Number(value);
	if (value.trim() === '' || !Number.isFinite(number) || number < 0) {
		throw new UsageError(`--${flag} must be a number of at least 0, not "${value}"`);
	}
	return number;
}

function readFlags() {
	const string = { type: 'string' } as const;
	try {
		return parseArgs({
			options: {
				port: { ...string, default: '4010' },
				host: { ...string, default: '127.0.0.1' },
				key: string,
				credits: string,
				'single-seconds': string,
				'bulk-seconds': string,
				'requests-per-second': string,
				webhook: { ...string, multiple: true },
				scenario: { ...string, multiple: true },
				help: { type: 'boolean' },
			},
		}).values;
	} catch (error) {
		throw new UsageError(error instanceof Error ? error.message : String(error));
	}
}

async function start(flags: ReturnType<typeof readFlags>): Promise<Sandbox> {
	const port = numberOf('port', flags.port) ?? 0;
	if (!Number.isInteger(port) || port > 65_535) {
		throw new UsageError(`--port must be a whole number of at most 65535, not "${flags.port}"`);
	}
	const singleSeconds = numberOf('single-seconds', flags['single-seconds']) ?? 0.3;
	const bulkSeconds = numberOf('bulk-seconds', flags['bulk-seconds']) ?? 1.5;
	const { scenario: scenarios = [] } = flags;
	const unknown = scenarios.find((name) => !isScenarioName(name));
	if (unknown !== undefined) {
		throw new UsageError(
			`There is no scenario "${unknown}". There are: ${namesOf(SCENARIOS).join(', ')}`,
		);
	}
	try {
		return await startSandbox({
			scenarios: scenarios.filter(isScenarioName),
			port,
			host: flags.host,
			single: singleSeconds * 1_000,
			bulk: bulkSeconds * 1_000,
			account: {
				key: flags.key,
				credits: numberOf('credits', flags.credits),
				requestsPerSecond: numberOf('requests-per-second', flags['requests-per-second']),
				webhooks: flags.webhook,
			},
		});
	} catch (error) {
		const code = error instanceof Error && 'code' in error ? error.code : undefined;
		if (code === 'EADDRINUSE') {
			throw new UsageError(`Port ${port} is in use; choose another with --port`);
		}
		if (code === 'EACCES' || code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
			throw new UsageError(`Cannot listen on ${flags.host}, port ${port} (${code})`);
		}
		throw error;
	}
}

async function main(): Promise<void> {
	const flags = readFlags();
	if (flags.help) {
		console.log(HELP);
		return;
	}
	const { baseUrl, apiKey, close } = await start(flags);
	const origin = new URL(baseUrl).origin;
	console.log(`Contact data sandbox

  Base URL  ${baseUrl}
  API key   ${apiKey}
  Charges   ${origin}/_sandbox/ledger
  Requests  ${origin}/_sandbox/requests

Try it:
  curl -H 'x-api-key: ${apiKey}' -H 'content-type: application/json' \\
    -d '{"fullname":"Ada Lovelace","company_domain":"acme.com"}' ${baseUrl}/email/find/single

Ctrl-C ends it.`);
	const end = () => void close();
	process.once('SIGINT', end);
	process.once('SIGTERM', end);
}

try {
	await main();
} catch (error) {
	if (!(error instanceof UsageError)) throw error;
	console.error(error.message);
	process.exitCode = 1;
}
