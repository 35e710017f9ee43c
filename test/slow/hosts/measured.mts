import type { Report } from '../../support/cli/counts.mjs';
import { aboutOf, HOSTS_HEAD } from '../../support/results/hosts.mts';
import type { Measured } from '../../support/results/result.mts';

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
