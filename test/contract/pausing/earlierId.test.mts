import { describe, expect, it } from 'vitest';
import { skipTime, useFastClock } from '../../support/clock.mts';
import { jsonOf, textIn, useBench } from '../../support/n8nCore/contactData.mts';
import { people } from '../../support/people.mts';
import { keptRunning } from '../../support/texts.mts';
import { expectChargedOnce } from '../spending/money.mts';
import { hintsOf, pairsOf, receiptsOf, resultsOf, Suspended } from './suspended.mts';

// What another execution has started is read where it has ended; what of it still runs cannot be paused for, as
// its callback is the other's, and a restart forgets that it was to be looked at.

const JOB_MS = 600_000;

const bench = useBench({ single: JOB_MS, bulk: JOB_MS });
useFastClock();

const OPERATIONS = [
	['submitAndWait', 'search_id'],
	['submitBulkAndWait', 'batch_id'],
] as const;
/** How an item comes to a search of another execution. */
const WAYS = ['by its id', 'as it is equal'] as const;

describe.for(OPERATIONS.flatMap((one) => WAYS.map((way) => [...one, way] as const)))(
	'%s, %s of another execution, %s',
	([operation, idName, way]) => {
		/** Another execution starts the first of two; gives its id, and an execution of both. */
		async function startFirst(count = 2) {
			const [first = { fullname: '' }, ...others] = people(count);
			const receipt = await bench().run('emailFinder', operation, {
				parameters: { fullname: '={{ $json.fullname }}', companyDomain: 'acme.example' },
				items: [first],
				options: { timeout: 1, onTimeout: 'output' },
			});
			const id = textIn(jsonOf(receipt)[0], idName);
			const earlier = way === 'by its id' ? id : undefined;
			const items = [{ ...first, earlier }, ...others];
			const options = way === 'by its id' ? { earlierId: "={{ $json.earlier ?? '' }}" } : {};
			return {
				id,
				execution: new Suspended(bench(), 'emailFinder', operation, { items, options }),
			};
		}

		it('that is finished is read, and nothing is parked', async () => {
			const { id, execution } = await startFirst(1);
			skipTime(JOB_MS);
			const run = await execution.run();
			expect(run).toMatchObject({ status: 'success', parked: undefined });
			expect(resultsOf(run)).toMatchObject([{ found: true, [idName]: id }]);
			expectChargedOnce(bench(), 1);
		});

		it('that is finished is read, and what is new is paused for', async () => {
			const { id, execution } = await startFirst();
			skipTime(JOB_MS);
			const parked = await execution.park();
			const statuses = receiptsOf(parked).map(({ status }) => status);
			expect(statuses).toEqual(['completed', 'ongoing']);
			skipTime(JOB_MS);
			const run = await execution.resume(parked);
			expect(resultsOf(run)).toMatchObject([{ found: true, [idName]: id }, { found: true }]);
			expect(pairsOf(run)).toEqual([0, 1]);
			expectChargedOnce(bench(), 2);
		});

		it('that still runs is waited for running', async () => {
			const { id, execution } = await startFirst();
			const run = await execution.run();
			expect(run.status).toBe('success');
			expect(hintsOf(run)).toContainEqual(expect.stringContaining(keptRunning));
			expect(resultsOf(run)).toMatchObject([{ found: true, [idName]: id }, { found: true }]);
			expectChargedOnce(bench(), 2);
		});
	},
);

it.for(OPERATIONS)(
	'%s: an id that comes to nothing ends the run before it is paused, and n8n tries again on its own input',
	async ([operation]) => {
		const before = await bench().run('emailVerifier', operation, {
			parameters: { email: 'mustfind.ada@other.example' },
			options: { timeout: 1, onTimeout: 'output' },
		});
		skipTime(JOB_MS);
		const [{ search_id: id, batch_id: batchId } = {}] = jsonOf(before);
		const execution = new Suspended(bench(), 'emailVerifier', operation, {
			items: [
				{ email: 'zoe@acme.example', earlier: batchId ?? id },
				{ email: 'mustfind.dan@acme.example' },
			],
			options: { earlierId: "={{ $json.earlier ?? '' }}" },
			settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
		});
		const run = await execution.run();
		expect(run).toMatchObject({ status: 'error', parked: undefined });
		expect(run.error?.message).toContain(batchId ?? id);
		// One of them by the run before.
		expectChargedOnce(bench(), 2);
	},
);
