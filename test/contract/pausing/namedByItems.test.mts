import { expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, textIn, useBench } from '../../support/n8nCore/contactData.mts';
import { people } from '../../support/people.mts';
import { keptRunning } from '../../support/texts.mts';
import { expectChargedOnce, FIND } from '../spending/money.mts';
import { hintsOf, pairsOf, resultsOf, Suspended } from './suspended.mts';

const JOB_MS = 600_000;

const bench = useBench({ single: JOB_MS, bulk: JOB_MS });
useFastClock();

const CASES = [
	['submitAndWait', 'submit', 'id'],
	['submitBulkAndWait', 'submitBulk', 'batch_id'],
] as const;

// Nobody calls back for a search of another execution, and a restart forgets that it was to be looked at.
it.for(CASES)(
	'%s: an earlier search that still runs is waited for running, as its callback is not of this execution',
	async ([operation, start, idName]) => {
		const [first = { fullname: '' }, ...others] = people(2);
		const parameters = { ...FIND, companyDomain: 'acme.example' };
		const receipt = await bench().run('emailFinder', start, { parameters, items: [first] });
		const earlier = textIn(jsonOf(receipt)[0], idName);
		const execution = new Suspended(bench(), 'emailFinder', operation, {
			items: [{ ...first, earlier }, ...others],
			options: { earlierId: "={{ $json.earlier ?? '' }}" },
		});
		const run = await execution.run();
		expect(run.status).toBe('success');
		expect(hintsOf(run)).toContainEqual(expect.stringContaining(keptRunning));
		expect(resultsOf(run)).toMatchObject([{ found: true, [idName]: earlier }, { found: true }]);
		expect(pairsOf(run)).toEqual([0, 1]);
		expectChargedOnce(bench(), 2);
	},
);
