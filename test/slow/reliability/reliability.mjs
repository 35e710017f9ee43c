// `npm run test:reliability`: its flags become variables, for the tests run in other processes.
import { parseArgs } from 'node:util';

const HELP = `Tries to break the package on a real n8n, and prints what came of it.

  --full              faults of a minute, and a soak of fifteen in each mode
  --soak-minutes <n>  how long the soak goes on in each mode; default 1, with --full 15
  --help`;

const { values } = parseArgs({
	options: {
		full: { type: 'boolean', default: false },
		'soak-minutes': { type: 'string' },
		help: { type: 'boolean', default: false },
	},
});
if (values.help) console.log(HELP);
else {
	if (values.full) process.env.CONTACT_DATA_RELIABILITY = 'full';
	const minutes = values['soak-minutes'];
	if (minutes !== undefined) process.env.CONTACT_DATA_SOAK_MINUTES = minutes;
	process.argv.splice(2, process.argv.length, 'reliability');
	await import('../../run.mjs');
}
