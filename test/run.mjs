// `npm test` from a fresh clone: installs what is missing and runs the suites of every day, or those
// named; `all` names what CI runs, and `night` what takes long.
// The last line is always `N passed, N failed, N skipped`.
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
	endWithParent,
	ensureDependencies,
	exitOnSignals,
	requireNode,
	ROOT,
	runCommand,
} from './support/cli/bootstrap.mjs';
import { countTests, describeFailures, noTests, readReport } from './support/cli/counts.mjs';
import { createProgress } from './support/cli/progress.mjs';

const npm = (script) => ({ command: ['npm', 'run', '--silent', script], counts: 'asOne' });
const vitest = (...args) => ({
	command: [process.execPath, join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', ...args],
	counts: 'itsTests',
});
const tsx = (...args) => [process.execPath, '--import', 'tsx', ...args];
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');
const onNode = (major, { command: [, ...args], counts }) => ({
	command: tsx('test/slow/versions/onNode.mts', `${major}`, ...args),
	counts,
});

const NODE_MAJORS = [20, 22, 24];
const OWN_MAJOR = Number.parseInt(process.versions.node, 10);
/** The exit code of a suite that this machine cannot run; it has said why. */
const CANNOT_RUN = 75;

/** The fast tests on the other versions of Node: this one runs them anyway. */
const onOtherNodes = NODE_MAJORS.filter((major) => major !== OWN_MAJOR).map((major) => [
	`node${major}`,
	onNode(major, vitest('--project', 'unit', '--project', 'contract')),
]);

const E2E = 'test/e2e/vitest.config.mts';

const SUITES = {
	lint: npm('lint'),
	// Of the tests, and so of what they import; `build` checks those of the product.
	types: { command: [process.execPath, TSC, '--project', 'test'], counts: 'asOne' },
	unit: vitest('--project', 'unit'),
	contract: vitest('--project', 'contract'),
	apart: vitest('--project', 'apart'),
	build: npm('build'),
	package: vitest('--project', 'package'),
	...Object.fromEntries(onOtherNodes),
	n8nVersions: vitest('--config', 'test/slow/versions/vitest.config.mts'),
	e2e: vitest('--config', E2E, '--tagsFilter=!long'),
	// The main job: that the package loads, finds and verifies, pairs items, and pays once.
	e2eShort: vitest('--config', E2E, 'package.e2e', 'goOn.e2e'),
	e2eLong: vitest('--config', E2E, '--tagsFilter=long'),
	simulation: vitest('--config', 'test/simulation/vitest.config.mts'),
	reliability: vitest('--config', 'test/slow/reliability/vitest.config.mts'),
	hosts: { command: tsx('test/slow/hosts/main.mts'), counts: 'itsTests' },
};
/** With this Node, and one n8n: four minutes on two cores. */
const EVERY_DAY = ['lint', 'types', 'build', 'unit', 'contract', 'package', 'e2eShort'];
/** What waits for minutes, or draws thousands. */
const NIGHT = ['e2eLong', 'simulation', 'reliability'];
const NOT_OF_ALL = ['e2eShort', 'hosts', ...NIGHT];
const GROUPS = {
	all: Object.keys(SUITES).filter((name) => !NOT_OF_ALL.includes(name)),
	night: NIGHT,
};

/** Runs a suite that is one check, such as the types, and shows what it printed when it has ended. */
async function runCheck(name) {
	const started = Date.now();
	let output = '';
	const code = await runCommand(SUITES[name].command, (text) => (output += text));
	console.log(`\n── ${name} ──\n${output}`);
	return sumUp(name, started, toCounts(code, 'asOne'), []);
}

/** Runs a suite of tests, which shows them as they end. */
async function runTests(name, folder) {
	const started = Date.now();
	console.log(`\n── ${name} ──`);
	const file = join(folder, `${name}.json`);
	const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
	const code = await runCommand([...SUITES[name].command, ...reporters]);
	const report = await readReport(file);
	const failures = report === undefined ? [] : describeFailures(report);
	return sumUp(name, started, toCounts(code, 'itsTests', report), failures);
}

/** Gives the counts of a suite, and lines that sum it up: its failures by name. */
function sumUp(name, started, result, failures) {
	const seconds = ((Date.now() - started) / 1000).toFixed(1);
	const line = `${name}: ${describe(result)} (${seconds} s)`;
	console.log(line);
	return { result, lines: [line, ...failures.map((failure) => `  ✗ ${failure}`)] };
}

function toCounts(code, counts, report) {
	if (code === CANNOT_RUN) return { ...noTests(), skipped: 1 };
	const result = report === undefined ? noTests() : countTests(report);
	if (counts === 'asOne' && code === 0) result.passed = 1;
	const died = counts === 'itsTests' && report === undefined;
	if ((code !== 0 || died) && result.failed === 0) result.failed = 1;
	return result;
}

function describe({ passed, failed, skipped }) {
	return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

requireNode();
endWithParent();
exitOnSignals();
const asked = process.argv.slice(2);
const wanted = asked.length > 0 ? asked : EVERY_DAY;
const names = [...new Set(wanted.flatMap((name) => GROUPS[name] ?? [name]))];
const unknown = names.filter((name) => !Object.hasOwn(SUITES, name));
if (unknown.length > 0) {
	console.error(
		`No such suite: ${unknown.join(', ')}. There are: ${Object.keys(SUITES).join(', ')}, and ${Object.keys(GROUPS).join(' and ')}.`,
	);
	process.exit(1);
}

const progress = createProgress();
await ensureDependencies(progress.report);
progress.clear();
const folder = await mkdtemp(join(tmpdir(), 'contact-data-test-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

const total = noTests();
const summary = [];
const add = ({ result, lines }) => {
	for (const key of Object.keys(total)) total[key] += result[key];
	summary.push(...lines);
};
const isCheck = (name) => SUITES[name].counts === 'asOne';
// Each uses one core. What is built is packed by others; nobody waits for lint.
const lint = names.filter((name) => name === 'lint').map(runCheck);
const checks = names.filter((name) => isCheck(name) && name !== 'lint').map(runCheck);
(await Promise.all(checks)).forEach(add);
for (const name of names.filter((name) => !isCheck(name))) add(await runTests(name, folder));
(await Promise.all(lint)).forEach(add);
console.log(`\n${summary.join('\n')}`);
if (names.includes('e2e'))
	console.log('\nSkipped by e2e: the tests with the tag long (npm test -- night)');
if (asked.length === 0) {
	const left = GROUPS.all.filter((name) => !names.includes(name));
	console.log(
		`Not run: ${left.join(', ')} (npm test -- all), ${NIGHT.join(', ')} (npm test -- night)`,
	);
}
console.log(`\n${describe(total)}`);
process.exit(total.failed === 0 ? 0 : 1);
