import { basename } from 'node:path';

import type { Report } from '../../support/cli/counts.mjs';
import { HOSTS_HEAD } from '../../support/results/hosts.mts';
import type { Measured } from '../../support/results/result.mts';

/** What the files of the end-to-end tests are about. */
const ABOUT: Readonly<Record<string, string>> = {
	ai: 'AI Agent and MCP',
	answers: 'answers that contradict themselves',
	credits: 'paid once, and as far as you allow',
	demo: 'the demo',
	editor: 'the editor in a browser',
	engine: "n8n's new engine",
	examples: 'the example workflows',
	flood: 'floods of notifications',
	key: 'where the API key goes',
	n8n3: 'the settings of n8n 3',
	package: 'loading, credential test, pairing',
	queue: 'queue mode: waiting, a killed worker',
	'queue.setup': 'queue mode: the steps of its page',
	'queue.trigger': 'queue mode: the trigger',
	results: 'results that are not in order',
	spending: 'a run that breaks half way',
	suspend: 'pausing, over restarts',
	'suspend.places': 'pausing, wherever the node stands',
	'suspend.prefix': 'pausing, behind a path prefix',
	'suspend.scale': 'pausing, in numbers',
	timing: 'timing',
	trigger: 'the trigger',
};

/**
 * What passed on an n8n, by what the tests are about.
 *
 * @param n8n its version and that of its Node
 * @param lacked what it has not got, so that tests are skipped
 */
export function toMeasured(
	{ testResults }: Report,
	n8n: string,
	lacked: readonly string[],
): Measured {
	const rows = testResults.map(({ name, status, assertionResults }): [string, ...number[]] => {
		const count = (wanted: string) =>
			assertionResults.filter((test) => test.status === wanted).length;
		const passed = count('passed');
		const failed = count('failed') + (status === 'failed' && count('failed') === 0 ? 1 : 0);
		return [aboutOf(name), passed, failed, assertionResults.length - passed - count('failed')];
	});
	const sorted = rows.sort(([a], [b]) => a.localeCompare(b, 'en'));
	return {
		command: 'npm test -- hosts',
		runs: 1,
		n8n,
		tables: [{ head: HOSTS_HEAD, rows: sorted }],
		notes: [...lacked],
	};
}

/** @throws for a file that has no words here */
function aboutOf(path: string): string {
	const about = ABOUT[basename(path, '.e2e.mts')];
	if (about === undefined) throw new Error(`What is ${path} about? ${import.meta.url} must say it`);
	return about;
}
