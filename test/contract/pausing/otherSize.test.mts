import { expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { keptRunning } from '../../support/texts.mts';
import { useBench } from '../../support/n8nCore/contactData.mts';
import { start } from '../../support/n8nCore/testNodes.mts';
import { runWorkflow } from '../../support/n8nCore/workflow.mts';
import { hintsOf } from './suspended.mts';
import { people } from '../../support/people.mts';
import { FIND } from '../spending/money.mts';

// A search of which the service notifies nobody is waited for running: after a restart nothing would end a pause.

const HOUR_MS = 3_600_000;

const bench = useBench({ single: HOUR_MS, bulk: HOUR_MS });
useFastClock();

it.for([
	['submitAndWait', 'submitAndWait'],
	['submitBulkAndWait', 'submitAndWait'],
	['submitAndWait', 'submitBulkAndWait'],
] as const)(
	'%s runs into its Timeout, and a %s that may pause waits for the same search: it keeps running',
	async ([first, then]) => {
		const one = {
			...bench().node('emailFinder', first, {
				parameters: FIND,
				options: { timeout: 1, onTimeout: 'output' },
			}),
			name: 'First',
		};
		const fullname = "={{ $('Start').item.json.fullname }}";
		const two = bench().node('emailFinder', then, {
			parameters: { ...FIND, fullname, waitMode: 'suspend' },
			options: { timeout: 86_400 },
		});
		const { credentials } = bench();
		const run = await runWorkflow({
			...{ nodes: [start(people(1)), one, two], credentials, mode: 'trigger' },
			executionId: `waits by ${then} for ${first}`,
		});
		expect(run.status).toBe('success');
		expect(run.items('Contact Data')).toMatchObject([{ json: { found: true } }]);
		expect(hintsOf(run)).toContainEqual(expect.stringContaining(keptRunning));
		expect(bench().sandbox.ledger.totals().searches).toBe(1);
	},
);
