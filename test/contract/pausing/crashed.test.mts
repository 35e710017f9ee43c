import { describe, expect, it, vi } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, useBench } from '../../support/n8nCore/contactData.mts';
import { createWorkflow } from '../../support/n8nCore/environment.mts';
import {
	resumeWorkflow,
	type ParkedExecution,
	type WorkflowRun,
} from '../../support/n8nCore/workflow.mts';
import { people } from '../../support/people.mts';
import { expectChargedOnce } from '../spending/money.mts';
import { hintsOf, pairsOf, resultsOf, Suspended, type SuspendGiven } from './suspended.mts';

// n8n's Retry of an execution that was killed after its resume runs the node on what the callback has put
// in the place of its input: on its own results.

/** Longer than anything is polled before it is parked. */
const JOB_MS = 20_000;

const bench = useBench({ single: JOB_MS, bulk: JOB_MS });
useFastClock();
// Sockets keep their own time, and another's load.
vi.setConfig({ testTimeout: 60_000 });

const OPERATIONS = ['submitAndWait', 'submitBulkAndWait'] as const;

/** Runs it until a callback resumes it; what n8n saves then. */
async function finishAndResume(execution: Suspended): Promise<ParkedExecution> {
	const parked = await execution.park();
	bench().sandbox.service.finish();
	return await execution.bring(parked);
}

/** n8n's Retry with the workflow as it is saved now, on what n8n has put in the place of the node's input. */
async function retry({ workflow, node }: Suspended, saved: ParkedExecution): Promise<WorkflowRun> {
	const { data } = structuredClone(saved);
	// Of a pause that n8n itself has ended; a callback has done this already.
	data.waitTill = undefined;
	data.resultData.runData['Contact Data']?.pop();
	const now = createWorkflow([node], {}, workflow).getNode('Contact Data');
	for (const entry of data.executionData?.nodeExecutionStack ?? []) {
		if (now === null) throw new Error('No node');
		entry.node = now;
	}
	return await resumeWorkflow(workflow, { id: '8', mode: 'retry', data });
}

describe.for(OPERATIONS)('%s: n8n that is killed in the node behind', (operation) => {
	const OF_RESULTS = {
		fullname: '={{ $json.fullname }}',
		companyDomain: '={{ $json.company_domain }}',
		companyName: '={{ $json.company_name }}',
	};
	const OF_A_SHEET = {
		fullname: '={{ $json.Name.toTitleCase() }}',
		companyDomain: '={{ $json.Website }}',
		companyName: '={{ $json.Company }}',
	};
	const PEOPLE = ['mustfind one', 'notfound two', 'mustfind three', 'mustfind one'];
	const SHEETS: Record<string, Pick<SuspendGiven, 'parameters' | 'items'>> = {
		'called as results are': {
			parameters: OF_RESULTS,
			items: PEOPLE.map((fullname) => ({
				fullname,
				// Found by the service, which makes another search of it.
				company_domain: '',
				company_name: 'Acme',
			})),
		},
		'called otherwise': {
			parameters: OF_A_SHEET,
			items: PEOPLE.map((Name) => ({ Name, Website: '', Company: 'Acme' })),
		},
	};
	const cases = [
		{ columns: 'called as results are', includeInputFields: true },
		{ columns: 'called otherwise', includeInputFields: false },
	];
	const find = ({ columns, includeInputFields }: (typeof cases)[number]) => {
		const given = SHEETS[columns] ?? { items: [] };
		const options = { includeInputFields };
		return new Suspended(bench(), 'emailFinder', operation, { ...given, options });
	};

	it.for(cases)('hands its results on at the Retry, free of charge: %j', async (given) => {
		const execution = find(given);
		const resumed = await finishAndResume(execution);
		const killed = await resumeWorkflow(execution.workflow, resumed);
		expect(resultsOf(killed).map(({ found }) => found)).toEqual([true, false, true, true]);

		const again = await retry(execution, resumed);
		expect(again.error?.message).toBeUndefined();
		expectChargedOnce(bench(), 3);
		expect(resultsOf(again)).toEqual(resultsOf(killed));
		expect(pairsOf(again)).toEqual(pairsOf(killed));
	});

	it('hands on also what needed no search, as it is no address', async () => {
		const execution = new Suspended(bench(), 'emailVerifier', operation, {
			items: ['mustfind@a.example', 'nonsense', 'notfound@a.example'].map((Mail) => ({ Mail })),
			parameters: { email: '={{ $json.Mail.trim() }}' },
		});
		const again = await retry(execution, await finishAndResume(execution));
		expect(again.error?.message).toBeUndefined();
		expectChargedOnce(bench(), 2);
		expect(resultsOf(again).map(({ email, found }) => [email, found])).toEqual([
			['mustfind@a.example', true],
			['nonsense', false],
			['notfound@a.example', false],
		]);
	});

	it.for(cases)(
		'reads at the Retry what was still running when its Timeout was over: %j',
		async (given) => {
			const execution = find(given);
			const parked = await execution.park();
			const killed = await execution.reachDeadline(parked);
			expect(resultsOf(killed).map(({ status }) => status)).toEqual(PEOPLE.map(() => 'ongoing'));

			bench().sandbox.service.finish();
			const again = await retry(execution, parked);
			expect(again.error?.message).toBeUndefined();
			expect(resultsOf(again).map(({ found }) => found)).toEqual([true, false, true, true]);
			expect(resultsOf(again).map(({ email }) => email)).toEqual([
				'mustfind.one@acme.com',
				null,
				'mustfind.three@acme.com',
				'mustfind.one@acme.com',
			]);
			const spent = bench().sandbox.ledger.totals().charged;
			expect(hintsOf(again)).toEqual([
				expect.stringMatching(`^Found 3 of 4, 1 not found\\. (At most )?${spent} credits spent`),
			]);
			expectChargedOnce(bench(), 3);
		},
	);

	it('gives nobody what another search has found that an item had named', async () => {
		const before = await bench().run('emailVerifier', operation, {
			parameters: { email: 'mustfind.ada@other.example' },
			options: { timeout: 1, onTimeout: 'output' },
		});
		bench().sandbox.service.finish();
		const [{ search_id: id, batch_id: batchId } = {}] = jsonOf(before);
		const execution = new Suspended(bench(), 'emailVerifier', operation, {
			items: [
				{ email: 'zoe@acme.example', earlier: batchId ?? id },
				{ email: 'mustfind.dan@acme.example', earlier: '' },
			],
			// At the Retry it gives nothing.
			options: { earlierId: '={{ $json.error ? "" : $json.earlier }}', includeInputFields: true },
			settings: { onError: 'continueRegularOutput' },
		});
		const resumed = await finishAndResume(execution);

		const [zoe, dan] = resultsOf(await retry(execution, resumed));
		expect(JSON.stringify(zoe)).not.toMatch(/mustfind/i);
		expect(zoe?.found).not.toBe(true);
		expect(zoe).toMatchObject({ error: expect.any(String) as string });
		expect(dan).toMatchObject({ found: true, email: 'mustfind.dan@acme.example' });
		expectChargedOnce(bench(), 2);
	});

	it('with another Resource reads what was started as what it was', async () => {
		const items = people(2);
		const execution = new Suspended(bench(), 'emailFinder', operation, { items });
		const parked = await execution.park();
		const ids = bench().sandbox.ledger.entries.map(({ id }) => id);
		bench().sandbox.service.finish();

		const call = new Suspended(bench(), 'phoneFinder', operation, {
			items: items.map(({ fullname }, n) => ({ fullname, url: `https://linkedin.com/in/p-${n}` })),
		});
		const run = await retry(call, parked);
		const looks = bench().looks.filter(({ id = '' }) => ids.includes(id));
		expect(looks.filter(({ path }) => !path.startsWith('/email/find/'))).toEqual([]);
		expect(resultsOf(run)).toMatchObject([
			{ found: true, email: 'mustfind.number.0@acme.example' },
			{ found: true, email: 'mustfind.number.1@acme.example' },
		]);
		expectChargedOnce(bench(), 2);
	});

	it('gives what failed to the error output again, once a callback has brought the results', async () => {
		const execution = new Suspended(bench(), 'emailFinder', operation, {
			items: [...people(1), { fullname: '' }],
			settings: { onError: 'continueErrorOutput' },
		});
		const resumed = await finishAndResume(execution);
		const killed = await resumeWorkflow(execution.workflow, resumed);
		expect(resultsOf(killed, 1)).toMatchObject([{ error: expect.any(String) as string }]);

		const run = await retry(execution, resumed);
		expect(resultsOf(run)).toEqual(resultsOf(killed));
		expect(resultsOf(run, 1)).toEqual(resultsOf(killed, 1));
		expectChargedOnce(bench(), 1);
	});
});
