import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import type { Fault } from '../../support/sandbox/faults.mts';
import { shownError, useBench, type Given } from '../../support/n8nCore/contactData.mts';
import { isMissing } from '../../support/n8nCore/missing.mts';
import { loopOverItems, start } from '../../support/n8nCore/testNodes.mts';
import {
	runWorkflow,
	type WorkflowOptions,
	type WorkflowRun,
} from '../../support/n8nCore/workflow.mts';
import {
	goOnWithout,
	mayHaveBeenCharged,
	nothingCharged,
	nothingChargedForThis,
	retryIt,
	retryPaysAgain,
} from '../../support/texts.mts';
import { addresses, expectChargedOnce, idsCharged, MAIL, pressRetry } from '../spending/money.mts';

// What an error advises never pays twice: not in a loop, behind a second node or in a sub-workflow.

const bench = useBench();
useFastClock();

const NODE = 'Contact Data';
const REFUSED = { kind: 'status', status: 418, body: { message: 'Not now' } } as const;
const LOST = { kind: 'reset', when: 'after' } as const;
const USED_UP = {
	kind: 'status',
	status: 402,
	body: { reason: 'Insufficient credits', success: false },
} as const;
const fail = (rule: Fault & { skip?: number; times?: number }) =>
	bench().sandbox.faults.add({ ...rule, on: 'POST *' });

function verifier(given: Given = {}, name = NODE) {
	return {
		...bench().node('emailVerifier', 'submitAndWait', { parameters: MAIL, ...given }),
		name,
	};
}

/** One item at each turn. */
const inLoop = (): WorkflowOptions => ({
	nodes: [start(addresses(4)), loopOverItems('Loop'), verifier()],
	edges: [
		{ from: 'Start', to: 'Loop' },
		{ from: 'Loop', output: 1, to: NODE },
		{ from: NODE, to: 'Loop' },
	],
	credentials: bench().credentials,
});

/** A second node searches for others than the first. */
const behindAnother = (settings: object = {}): WorkflowOptions => {
	const parameters = { email: '=other.{{ $json.email ?? $json.search.email }}' };
	return {
		nodes: [start(addresses(2)), verifier({ settings }), verifier({ parameters }, 'Second')],
		credentials: bench().credentials,
	};
};

const descriptionOf = ({ error }: WorkflowRun) => String(error?.description);

describe('where the execution has paid before, in another node or turn', () => {
	it.for([
		['a loop', inLoop, 4],
		['a second node', behindAnother, 4],
	] as const)('%s: added credits and a retry pay nothing twice', async ([, workflow, searches]) => {
		fail({ ...USED_UP, skip: 2, times: Infinity });
		const options = workflow();
		const run = await runWorkflow(options);
		expect(idsCharged(bench())).toHaveLength(2);
		expect(descriptionOf(run)).toContain(retryIt);
		expect(descriptionOf(run)).not.toContain(nothingCharged);
		bench().sandbox.faults.clear();
		expect((await pressRetry(options, run)).status).toBe('success');
		expectChargedOnce(bench(), searches);
	});

	it('a refusal before anything is paid says that nothing was charged', async () => {
		fail({ ...USED_UP, times: Infinity });
		const description = descriptionOf(await runWorkflow(inLoop()));
		expect(description).toContain(nothingCharged);
		expect(description).not.toContain(retryIt);
	});

	it.for([
		['was refused was not paid', { ...REFUSED, times: 2 }, 0, nothingCharged],
		['has lost may be paid', LOST, 1, retryIt],
	] as const)('what another node %s', async ([, fault, skip, told]) => {
		fail({ ...fault });
		fail({ ...USED_UP, skip, times: Infinity });
		const run = await runWorkflow(behindAnother({ onError: 'continueRegularOutput' }));
		expect(descriptionOf(run)).toContain(told);
	});
});

describe('in a sub-workflow, whose caller would pay again', () => {
	const call = async (given: Given) => {
		const run = await bench().run('emailVerifier', 'submitAndWait', {
			parameters: MAIL,
			items: addresses(4),
			mode: 'integrated',
			...given,
		});
		return shownError(run, bench().sandbox.apiKey).description;
	};

	it.for<[string, () => void, Given]>([
		['credits that are used up', () => fail({ ...USED_UP, skip: 2, times: Infinity }), {}],
		['a lost answer', () => fail({ ...LOST, skip: 2 }), {}],
		['a timeout', () => bench().sandbox.configure({ single: 60_000 }), { options: { timeout: 1 } }],
	])('%s: the ids are named, and no retry', async ([, prepare, given]) => {
		prepare();
		const description = await call(given);
		expect(idsCharged(bench()).length).toBeGreaterThan(1);
		for (const id of idsCharged(bench()).slice(0, 2)) expect(description).toContain(id);
		expect(description).toContain("free of charge with 'Get Result'");
		expect(description).toContain(retryPaysAgain);
		expect(description).not.toContain(retryIt);
	});

	it('a retry would pay again for a turn before, too', async () => {
		fail({ ...USED_UP, skip: 2, times: Infinity });
		const run = await runWorkflow({ ...inLoop(), mode: 'integrated' });
		expect(descriptionOf(run)).toContain(retryPaysAgain);
	});

	it('nothing is said of what the caller has paid', async () => {
		fail({ ...USED_UP, times: Infinity });
		expect(await call({})).toContain(nothingChargedForThis);
	});
});

describe.skipIf(isMissing('settings of the workflow in nodes'))(
	'where n8n does not save an execution that fails',
	() => {
		const NOT_FAILED = { saveDataErrorExecution: 'none' } as const;
		const NOT_BY_HAND = { saveManualExecutions: false };

		it.for([
			['trigger', NOT_FAILED, 'Get Result'],
			['manual', NOT_BY_HAND, 'Get Result'],
			['trigger', NOT_BY_HAND, 'Retry'],
			['manual', NOT_FAILED, 'Retry'],
			// The caller's may be saved.
			['integrated', NOT_FAILED, 'neither'],
		] as const)('%s, %j: %s is advised', async ([mode, workflowSettings, advised]) => {
			fail({ ...USED_UP, skip: 2, times: Infinity });
			const given = { parameters: MAIL, items: addresses(5), mode, workflowSettings };
			const run = await bench().run('emailVerifier', 'submitAndWait', given);
			const { description } = shownError(run, bench().sandbox.apiKey);
			for (const id of idsCharged(bench())) expect(description).toContain(id);
			expect(description.includes(retryIt)).toBe(advised === 'Retry');
			expect(description.includes("free of charge with 'Get Result'")).toBe(advised !== 'Retry');
			expect(description.includes(retryPaysAgain)).toBe(advised === 'neither');
		});
	},
);

describe('one bad item stops a run, and a retry alone meets it again', () => {
	const UNKNOWN = { status: 200, body: { message: 'ok', id: 'lost', credits_used: 0.25 } };

	const UNREAD = { earlierId: '={{ $itemIndex === 1 ? "unknown" : "" }}' };

	it.for<[string, () => void, object?]>([
		['refused', () => fail({ ...REFUSED, skip: 1 })],
		['by an earlier id that nobody knows', () => {}, UNREAD],
		['lost on its way', () => fail({ ...LOST, skip: 1 })],
		['started, and unknown to the service', () => fail({ kind: 'status', skip: 1, ...UNKNOWN })],
		[
			'finished without a word that says how',
			() =>
				bench().sandbox.faults.add({
					kind: 'status',
					on: 'GET /email/verify/*',
					status: 200,
					body: { status: 'failed' },
				}),
		],
	])(
		'%s: with On Error set to Continue, the others come out',
		async ([, prepare, options = {}]) => {
			prepare();
			const workflow = (settings: object): WorkflowOptions => ({
				nodes: [start(addresses(3)), verifier({ settings, options: { ...options } })],
				credentials: bench().credentials,
			});
			const run = await runWorkflow(workflow({}));
			expect(descriptionOf(run)).toContain(goOnWithout);
			expect(descriptionOf(run)).toContain(retryIt);
			const continued = workflow({ onError: 'continueRegularOutput' });
			const retried = await pressRetry(continued, run);
			expect(retried.items(NODE).filter(({ json }) => json.found === true).length).toBeGreaterThan(
				1,
			);
			expect(bench().sandbox.ledger.chargedTwice()).toEqual([]);
		},
	);

	it('what stops all items is to be mended, not to be left out', async () => {
		fail({ ...USED_UP, skip: 2, times: Infinity });
		const given = { parameters: MAIL, items: addresses(3) };
		const run = await bench().run('emailVerifier', 'submitAndWait', given);
		expect(shownError(run, bench().sandbox.apiKey).description).not.toContain(goOnWithout);
	});
});

it.for([
	['a batch', 'submitBulkAndWait', 0, 50],
	['all that were under way', 'submitAndWait', 1, 9],
] as const)('how many searches may have been charged is told: %s', async (given) => {
	const [, operation, skip, count] = given;
	fail({ ...LOST, skip, times: Infinity });
	const run = await bench().run('emailVerifier', operation, {
		parameters: MAIL,
		items: addresses(count),
	});
	const { message, description } = shownError(run, bench().sandbox.apiKey);
	expect(message).toMatch(mayHaveBeenCharged);
	const lost = bench().sandbox.ledger.totals().searches - skip;
	expect(lost).toBeGreaterThan(1);
	expect(description).toContain(`${lost} searches of this run may have been charged`);
});
