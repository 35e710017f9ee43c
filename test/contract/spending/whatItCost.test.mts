import { describe, expect, it, vi } from 'vitest';
import { skipTime, useFastClock } from '../../support/clock.mts';
import { type Given, useBench } from '../../support/n8nCore/contactData.mts';
import { isMissing } from '../../support/n8nCore/missing.mts';
import { passThrough, start } from '../../support/n8nCore/testNodes.mts';
import { resumeWorkflow, runWorkflow, type WorkflowRun } from '../../support/n8nCore/workflow.mts';
import { people } from '../../support/people.mts';
import { Suspended } from '../pausing/suspended.mts';
import {
	addresses,
	FIND,
	MAIL,
	idsCharged as chargedIds,
	newAccount,
	pressRetry,
} from './money.mts';

// What an execution says of itself in its custom data: n8n shows it, and filters by it.

const bench = useBench();
useFastClock();
// Sockets keep their own time, and another's load.
vi.setConfig({ testTimeout: 60_000 });

/** Three searches, of which a batch gives one credit back. */
const PEOPLE = [
	{ fullname: 'Ada Mustfind', email: 'mustfind1@acme.com' },
	{ fullname: 'Bob Notfound', email: 'notfound@acme.com' },
	{ fullname: 'Eve Mustfind', email: 'mustfind2@acme.com' },
];
const idsCharged = () => chargedIds(bench());

const spentOf = (metadata: Record<string, string> = {}) => metadata.contact_data_credits_spent;
const idsOf = (metadata: Record<string, string> = {}) =>
	(metadata.contact_data_ids ?? '').split(' ');
const metadataOf = ({ data }: WorkflowRun) => data.resultData.metadata;

describe.skipIf(isMissing('custom data in nodes'))('an execution says what it cost', () => {
	const find = async (operation: string, given: Given = {}) =>
		await bench().run('emailFinder', operation, { parameters: FIND, items: PEOPLE, ...given });

	it.for(['submitAndWait', 'submitBulkAndWait', 'submit', 'submitBulk'])(
		'%s',
		async (operation) => {
			const { customData } = await find(operation);
			expect(spentOf(customData)).toBe('3');
			expect(new Set(idsOf(customData))).toEqual(new Set(idsCharged()));
		},
	);

	it('with as many whole ids as 255 characters hold', async () => {
		const { customData } = await find('submit', { items: people(20) });
		expect(customData.contact_data_ids?.length).toBeLessThanOrEqual(255);
		const ids = idsOf(customData);
		expect(ids).toHaveLength(6);
		for (const id of ids) expect(idsCharged()).toContain(id);
		expect(spentOf(customData)).toBe('20');
	});

	it('with the ids of batches before those of single searches', async () => {
		const single = bench().node('emailFinder', 'submit', { parameters: FIND });
		const batch = bench().node('emailVerifier', 'submitBulk', {
			parameters: { email: '=mustfind{{ $itemIndex }}@acme.com' },
		});
		const nodes = [start(people(20)), single, { ...batch, name: 'Batch' }];
		const run = await runWorkflow({ nodes, credentials: bench().credentials });
		const batchId = bench().sandbox.ledger.entries.find(
			({ endpoint }) => endpoint === 'POST /email/verify/bulk',
		)?.id;
		expect(idsOf(metadataOf(run))[0]).toBe(batchId);
	});

	it('over its nodes, also after a pause', async () => {
		const JOB_MS = 600_000;
		bench().sandbox.configure({ bulk: JOB_MS });
		const given = { items: PEOPLE };
		const execution = new Suspended(bench(), 'emailFinder', 'submitBulkAndWait', given);
		const verifier = bench().node('emailVerifier', 'submitAndWait', {
			parameters: { email: '=mustfind{{ $itemIndex }}@acme.com' },
		});
		const nodes = [start(PEOPLE), execution.node, { ...verifier, name: 'Verifier' }];
		const workflow = { ...execution.workflow, nodes };
		const { parked } = await runWorkflow(workflow);
		if (parked === undefined) throw new Error('Not parked');
		expect(spentOf(parked.data.resultData.metadata)).toBe('3');
		skipTime(JOB_MS);
		const { resumed } = await execution.call(parked);
		if (resumed === undefined) throw new Error('Not resumed');
		const run = await resumeWorkflow(workflow, resumed);
		expect(spentOf(metadataOf(run))).toBe('3.75');
		expect(new Set(idsOf(metadataOf(run)))).toEqual(new Set(idsCharged()));
	});

	it('but not over executions: a retry says what it cost itself', async () => {
		bench().sandbox.configure({ bulk: 600_000 });
		const node = bench().node('emailFinder', 'submitBulkAndWait', {
			parameters: FIND,
			options: { timeout: 1 },
		});
		const workflow = {
			nodes: [start(PEOPLE), node, passThrough('After')],
			credentials: bench().credentials,
		};
		const first = await runWorkflow(workflow);
		expect(first.status).toBe('error');
		expect(spentOf(metadataOf(first))).toBe('3');
		bench().sandbox.service.finish();
		const retry = await pressRetry(workflow, first);
		expect(retry.status).toBe('success');
		// What the first execution has spent comes back in this one.
		expect(spentOf(metadataOf(retry))).toBe('0');
		expect(JSON.stringify(retry.data.resultData.runData)).toContain(
			'0 credits spent, 3 in earlier tries, 1 refunded.',
		);
		expect(idsOf(metadataOf(retry))).toEqual(idsCharged());
	});
});

describe('the hint of a run', () => {
	const TWO = PEOPLE.slice(0, 2);
	const hintOf = async (operation: string, given: Given = {}) => {
		const run = await bench().run('emailFinder', operation, {
			parameters: FIND,
			items: TWO,
			...given,
		});
		expect(run.error).toBeUndefined();
		return run.hints[0]?.message ?? '';
	};
	const BALANCE = 'GET /account/info';
	/** Plans may refund single searches, too. */
	const ONE_OF_TWO =
		'Found 1 of 2, 1 not found. At most 2 credits spent. Find Many gives back what is not found.';

	it.for([
		['submitAndWait', `${ONE_OF_TWO} The account has at least 99,998 credits left.`],
		[
			'submitBulkAndWait',
			'Found 1 of 2, 1 not found. 2 credits spent, 1 refunded. The account has about 99,999 credits left.',
		],
		[
			'submit',
			'Started 2 email searches. 2 credits spent. The account has about 99,998 credits left.',
		],
		[
			'submitBulk',
			'Started 2 email searches in 1 batch. 2 credits spent. The account has about 99,998 credits left.',
		],
	] as const)('says what it cost, and what is left: %s', async ([operation, said]) => {
		expect(await hintOf(operation)).toBe(said);
		// What is left is counted, and not asked for again.
		const asked = bench().sandbox.requests.filter(({ endpoint }) => endpoint === BALANCE);
		expect(asked).toHaveLength(1);
	});

	const CONTINUE = { settings: { onError: 'continueRegularOutput' as const } };

	it.for(['submitAndWait', 'submitBulkAndWait'])(
		'counts those that failed, with the first reason: %s',
		async (operation) => {
			// The same reason, with another value.
			const items = [{ fullname: '7' }, ...PEOPLE, { fullname: '8' }, { fullname: '' }];
			expect(await hintOf(operation, { items, ...CONTINUE })).toMatch(
				/^Found 2 of 6, 1 not found, 3 failed: 'Full Name' must be a name, but is "7"[^.]* \(1 for another reason\)\. (At most )?3 credits spent/,
			);
		},
	);

	it.for(['submitAndWait', 'submitBulkAndWait', 'submit', 'submitBulk'])(
		'is no success where nothing was started: %s',
		async (operation) => {
			const run = await bench().run('emailVerifier', operation, {
				parameters: MAIL,
				items: addresses(2),
				options: { maxCredits: 0.1 },
				...CONTINUE,
			});
			expect(run.hints[0]?.message).toMatch(
				/^All 2 email verifications failed: 'Max Credits' of 0\.1 does not cover .*\. 0 credits spent\./,
			);
			const one = { items: [{ fullname: '7' }], ...CONTINUE };
			expect(await hintOf(operation, one)).toMatch(/^The email search failed: 'Full Name' must/);
		},
	);

	it('says how many items repeat another', async () => {
		const hint = await hintOf('submitBulk', { items: [...TWO, ...TWO] });
		expect(hint).toMatch(/^Started 2 .* 2 credits spent, 2 items repeat another\. /);
	});

	it('says that a cap was passed, and why', async () => {
		const at = (price: number) => ({ phoneFinderSingle: price, phoneFinderBulk: price });
		const { credentials, held } = newAccount(bench(), at(50));
		const find = async (names: string[], more: Given = {}) =>
			await bench().run('phoneFinder', 'submitBulkAndWait', {
				parameters: { socialProfileUrl: '=linkedin.com/in/{{ $json.name }}' },
				items: names.map((name) => ({ name: `mustfind-${name}` })),
				credentials,
				...more,
			});
		await find(['ada']);
		Object.assign(held.prices, at(80));
		const run = await find(['bea', 'cleo'], { options: { maxCredits: 100 } });
		expect(run.hints[0]?.message).toContain(
			"160 credits spent, more than 'Max Credits' of 100, as the price is 80 now.",
		);
	});

	it('says that a charge is not known, and no sum of it', async () => {
		bench().sandbox.faults.add({ kind: 'reset', when: 'after', on: 'POST *' });
		const hint = await hintOf('submit', { settings: { onError: 'continueRegularOutput' } });
		expect(hint).toMatch(
			/^Started 1 email search, 1 failed: This email search may .*\. at least 1 credit spent\.$/i,
		);
	});

	it.for([
		{ kind: 'status', status: 500 },
		{ kind: 'status', status: 200, body: { credits: -1e300 } },
	] as const)('says nothing of a balance that is not known: %j', async (fault) => {
		bench().sandbox.faults.add({ ...fault, on: BALANCE, times: Infinity });
		expect(await hintOf('submitAndWait')).toBe(ONE_OF_TWO);
	});
});
