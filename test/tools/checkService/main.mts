// `npm run check:service`: the first contact with the real service, or one after it has changed.
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { normalizeApiKey, normalizeBaseUrl } from '../../../credentials/credentialChecks.ts';
import { printFigures } from '../../support/figures.mts';
import { reportOn } from './report.mts';
import { talk } from './talk.mts';
import { tellCosts, UsageError, wishesFor, type Whom } from './wishes.mts';

const FILE = 'service-check.md';
const HELP = `Asks the service what its documentation leaves open, and whether the package copes.

  CONTACT_DATA_BASE_URL, CONTACT_DATA_API_KEY   the service, from the environment

  --person <name>     somebody who works there, e.g. "Ada Lovelace"
  --domain <domain>   of the company, e.g. example.com
  --email <address>   one to verify
  --profile <url>     of a person, for --phones
  --phones            phones too, which cost most
  --yes               does not ask before credits are spent
  --help

Nothing is sent before the costs are told and agreed to. Each POST is sent once. What is written to
${FILE} for an issue, and printed at the end, holds of the service's texts only the words of its
documentation, and of all others the length: no key, name, address, number or id.`;

function readFlags() {
	const string = { type: 'string' } as const;
	const boolean = { type: 'boolean', default: false } as const;
	const { values } = parseArgs({
		options: {
			person: string,
			domain: string,
			email: string,
			profile: string,
			phones: boolean,
			yes: boolean,
			help: boolean,
		},
	});
	return values;
}

type Flags = ReturnType<typeof readFlags>;

function whomOf({ person, domain, email, profile, phones }: Flags): Whom {
	if (!person || !domain || !email) {
		throw new UsageError('--person, --domain and --email are needed; see --help');
	}
	if (phones && !profile) throw new UsageError('--phones needs --profile');
	return { person, domain, email, profile: phones ? profile : undefined };
}

async function agrees(): Promise<boolean> {
	const terminal = createInterface({ input: process.stdin, output: process.stdout });
	terminal.on('SIGINT', () => process.exit(130));
	const answer = await terminal.question('Go on? (y/N) ');
	terminal.close();
	return /^y(es)?$/i.test(answer.trim());
}

async function main(): Promise<void> {
	const flags = readFlags();
	if (flags.help) {
		console.log(HELP);
		return;
	}
	const { CONTACT_DATA_BASE_URL, CONTACT_DATA_API_KEY } = process.env;
	if (!CONTACT_DATA_BASE_URL || !CONTACT_DATA_API_KEY) {
		throw new UsageError('CONTACT_DATA_BASE_URL and CONTACT_DATA_API_KEY are needed');
	}
	const baseUrl = normalizeBaseUrl(CONTACT_DATA_BASE_URL);
	const apiKey = normalizeApiKey(CONTACT_DATA_API_KEY);
	const whom = whomOf(flags);
	const wishes = wishesFor(whom, baseUrl);

	console.log(`This is sent to ${baseUrl}:\n\n  ${tellCosts(wishes).join('\n  ')}\n`);
	if (!flags.yes && !(await agrees())) {
		console.log('Nothing was sent.');
		return;
	}
	const pause = async (ms: number) => {
		console.log(`Waiting for ${ms / 1000} s`);
		await sleep(ms);
	};
	const said = await talk({ baseUrl, apiKey, wishes, pause });
	const { table, verdict, markdown, copes } = reportOn(said, whom);
	const file = resolve(FILE);
	await writeFile(file, markdown);
	printFigures(table);
	console.log(`\n${verdict}\nFor an issue: ${file}`);
	if (!copes) process.exitCode = 1;
}

try {
	await main();
} catch (error) {
	const isOurs = error instanceof UsageError || (error instanceof Error && 'code' in error);
	const isOfCredential = error instanceof Error && 'httpCode' in error;
	if (!isOurs && !isOfCredential) throw error;
	console.error(error.message);
	process.exitCode = 2;
}
