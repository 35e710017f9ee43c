import { readdirSync } from 'node:fs';

// Which test files are run against mutants, and how: parts of their paths below `test`.

/** From quick to slow: what one test finds need not be found by a slower one. */
export const ORDER = [
	'unit/lookups/lookups',
	'unit/common',
	'unit/input',
	'unit/service',
	'unit/lookups/editor',
	'unit/lookups/fieldChecks',
	'unit/',
	'contract/spending/crash',
	'contract/suspension/calledAgain',
	'contract/trigger/patience',
	'unit/service/pace',
	'contract/input',
	'contract/operations',
	'contract/',
	'unit/results/match',
	'unit/spending/plan',
	'unit/trigger/seen',
	'contract/errors/answers',
	'contract/errors/table',
	'contract/trigger',
	'contract/operations/read',
	'contract/suspension',
	'contract/suspension/callbacks',
	'contract/suspension/missedCallback',
	'unit/pausing/lookout',
];

/** The variable with the folders that are mutated: their own tests find most, so they are run first. */
export const MUTATED = 'CONTACT_DATA_MUTATED';

/** Large, random, or of other things than code in `nodes`; `input/sizes` needs the usual stack. */
export const LEFT_OUT = [
	'contract/answers/fuzz',
	'contract/answers/packed',
	'contract/answers/sizes',
	'contract/docs/',
	'contract/input/sizes',
	'contract/scale/',
	'contract/trigger/fuzz',
	'unit/common/moduleState',
	'unit/common/names',
	'unit/credentials/',
	'unit/docs/citations',
	'unit/docs/editorWords',
	'unit/docs/examples',
	'unit/docs/links',
	'unit/docs/messages',
	'unit/docs/readme',
	'unit/docs/releasing',
	'unit/docs/results',
	'unit/docs/troubleshooting',
	'unit/pausing/lookoutMemory',
];

/** The node has seconds there, and they no clock of their own: sockets must keep up. */
export const SOCKETS_KEEP_UP = ['contract/trigger/'];

/** @throws where a name fits no test file: it would leave out, or put in order, nothing */
export function checkNames(): void {
	const files = readdirSync(new URL('../../', import.meta.url), {
		recursive: true,
		encoding: 'utf8',
	}).filter((file) => file.endsWith('.test.mts'));
	const names = [...ORDER, ...LEFT_OUT, ...SOCKETS_KEEP_UP];
	const stale = names.filter((name) => !files.some((file) => file.startsWith(name)));
	if (stale.length > 0) {
		throw new Error(
			`No test file of this name (test/slow/mutation/files.mts): ${stale.join(', ')}`,
		);
	}
}
