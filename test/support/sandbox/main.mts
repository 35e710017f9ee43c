import { parseArgs } from 'node:util';

import { isScenarioName, namesOf, SCENARIOS } from './scenarios/index.mts';
import { startSandbox } from './server.mts';

const HELP = `Runs the contact data service locally until Ctrl-C.

  --port <n>         default 4010; 0 for any free one
  --key <text>       API key; default: a random one
  --credits <n>      of the account; default 100000
  --scenario <name>  answers otherwise than by default; may be given several times
  --help`;

const string = { type: 'string' } as const;
const { port, key, credits, scenario, help } = parseArgs({
	options: {
		port: { ...string, default: '4010' },
		key: string,
		credits: string,
		scenario: { ...string, multiple: true, default: [] },
		help: { type: 'boolean' },
	},
}).values;
const unknown = scenario.find((name) => !isScenarioName(name));
if (unknown !== undefined) {
	console.error(`There is no scenario "${unknown}". There are: ${namesOf(SCENARIOS).join(', ')}`);
	process.exitCode = 1;
} else if (help === true) {
	console.log(HELP);
} else {
	const { baseUrl, apiKey, close } = await startSandbox({
		port: Number(port),
		scenarios: scenario.filter(isScenarioName),
		account: { key, credits: credits === undefined ? undefined : Number(credits) },
	});
	const { origin } = new URL(baseUrl);
	console.log(`Contact data sandbox

  Base URL  ${baseUrl}
  API key   ${apiKey}
  Charges   ${origin}/_sandbox/ledger
  Requests  ${origin}/_sandbox/requests

Ctrl-C ends it.`);
	process.once('SIGINT', () => void close());
	process.once('SIGTERM', () => void close());
}
