// `node test/slow/repeat.mjs unit contract --times 10 --busy 4` runs suites of vitest.config.mts again
// and again, and says what failed. Every other run has that many busy loops beside it. Exit code 1
// when anything failed. `CONTACT_DATA_SEED=random` in front of it draws other values in each run.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { exitOnSignals, ROOT, runCommand } from '../support/cli/bootstrap.mjs';

const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');
const BUSY_LOOP = 'for (;;);';
const OUTPUT_TAIL = 4_000;

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		times: { type: 'string', default: '10' },
		busy: { type: 'string', default: '0' },
	},
});
const suites = positionals.length > 0 ? positionals : ['unit', 'contract'];
const times = Number(values.times);
const busy = Number(values.busy);

exitOnSignals();
const folder = mkdtempSync(join(tmpdir(), 'contact-data-repeat-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

let failed = 0;
for (let run = 1; run <= times; run++) {
	const isBusy = busy > 0 && run % 2 === 0;
	const stop = isBusy ? startBusyLoops(busy) : () => {};
	for (const suite of suites) {
		const { took, passed, failures, seed } = await runSuite(suite);
		const beside = isBusy ? `, beside ${busy} busy loops` : '';
		const counts = `${passed} passed, ${failures.length} failed`;
		console.log(`${run} of ${times} ${suite}: ${counts} (${took} s${beside}${seed})`);
		for (const failure of failures) console.log(`  ✗ ${failure}`);
		failed += failures.length;
	}
	stop();
}
process.exit(failed === 0 ? 0 : 1);

async function runSuite(suite) {
	const report = join(folder, 'report.json');
	rmSync(report, { force: true });
	const started = Date.now();
	let output = '';
	const code = await runCommand(
		[
			process.execPath,
			...[VITEST, 'run', '--project', suite, '--silent=true'],
			...['--reporter=json', `--outputFile=${report}`],
		],
		(text) => {
			output = (output + text).slice(-OUTPUT_TAIL);
		},
	);
	const took = Math.round((Date.now() - started) / 1000);
	const { passed, failures } = await readReport(report);
	if (code !== 0 && failures.length === 0) failures.push(`It ended with ${code}:\n${output}`);
	const [drawn] = /CONTACT_DATA_SEED=\d+/.exec(output) ?? [];
	return { took, passed, failures, seed: drawn ? `, ${drawn}` : '' };
}

async function readReport(file) {
	try {
		const { numPassedTests, testResults } = JSON.parse(await readFile(file, 'utf8'));
		const failures = testResults.flatMap(({ name, status, message, assertionResults }) => {
			const tests = assertionResults.filter((test) => test.status === 'failed');
			if (status === 'failed' && tests.length === 0) return [`${name}: ${message}`];
			return tests.map(
				({ fullName, failureMessages }) => `${name}: ${fullName}\n${failureMessages.join('\n')}`,
			);
		});
		return { passed: numPassedTests, failures };
	} catch (error) {
		return { passed: 0, failures: [`There is no report: ${error.message}`] };
	}
}

/** They end with this process, however that ends but for kill -9. */
function startBusyLoops(count) {
	const loops = Array.from({ length: count }, () => spawn(process.execPath, ['-e', BUSY_LOOP]));
	const stop = () => loops.forEach((loop) => loop.kill('SIGKILL'));
	process.once('exit', stop);
	return () => {
		process.off('exit', stop);
		stop();
	};
}
