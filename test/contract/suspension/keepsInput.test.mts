import { jsonParse, type IDataObject, type INodeParameters } from 'n8n-workflow';
import { describe, expect, it, vi } from 'vitest';
import { skipTime, useFastClock } from '../../support/clock.mts';
import { useBench } from '../../support/n8nCore/contactData.mts';
import { runWorkflow, type WorkflowRun } from '../../support/n8nCore/workflow.mts';
import { WRONG_EMAIL } from '../../support/people.mts';
import { resultsOf, Suspended } from './suspended.mts';

// Fields of the user that are called as those of the node or of the service are. What is drawn is in
// `sameAsPollProperty.test.mts`.

const JOB_MS = 600_000;

const bench = useBench({ single: JOB_MS, bulk: JOB_MS });
useFastClock();
// Sockets keep their own time, and another's load.
vi.setConfig({ testTimeout: 60_000 });

const FIELDS: IDataObject = {
	id: 'id of the user',
	batch_id: 'batch of the user',
	status: 'status of the user',
	index: 'index of the user',
	raw_params: { fullname: 'raw of the user', company_domain: 'user.example' },
	params: { socialprofile_url: 'https://user.example/in/params' },
	custom: 'custom of the user',
	qualification: 'qualification of the user',
	found: 'found of the user',
	info: 'info of the user',
	stats: { user: true },
	results: ['of the user'],
	message: 'message of the user',
	description: 'description of the user',
	json: { user: true },
	pairedItem: 7,
	input_fields: { user: true },
	input: 'input of the user',
	country: 'country of the user',
};
/** They would be mistaken for what the node itself says of a search that is waited for. */
const LOOKALIKES: IDataObject[] = [
	// The first item's is what n8n looks at before it runs a node again.
	{ error: 'an earlier one' },
	{ status: 'ongoing' },
	{ status: 'completed', id: 'x' },
	{ status: 'failed', error: 'an earlier one' },
	{ error: { message: 'an earlier one' } },
	{ index: 0 },
	{ index: 1, raw_params: 'text' },
	{ raw_params: null, params: null, custom: null, id: null, status: null },
	{ custom: { row: 7 } },
];

/** The n-th person to search for; some are the same, and some are not found. */
const FOUND = ['mustfind one', 'notfound two', 'mustfind one', 'mustfind three'];
const nth = (n: number, space: string) => FOUND[n % FOUND.length].replace(' ', space);
const LOOKUPS = [
	{ resource: 'emailFinder', person: (n: number) => ({ fullname: nth(n, ' ') }) },
	{ resource: 'emailVerifier', person: (n: number) => ({ email: `${nth(n, '.')}@a.example` }) },
	{
		resource: 'phoneFinder',
		person: (n: number) => ({ url: `https://network.example/in/${nth(n, '-')}` }),
	},
];
const CASES = LOOKUPS.flatMap((lookup) =>
	(['submitAndWait', 'submitBulkAndWait'] as const).map((operation) => ({ ...lookup, operation })),
);

/** Ids differ from run to run: those that were charged get names by their order. */
function withoutIds(run: WorkflowRun): IDataObject[] {
	let text = JSON.stringify(resultsOf(run));
	for (const [n, { id }] of bench().sandbox.ledger.entries.entries()) {
		text = text.replaceAll(id, `id ${n}`);
	}
	return jsonParse<IDataObject[]>(text);
}

describe.for(CASES)('$resource $operation', ({ resource, operation, person }) => {
	/** One workflow in both wait modes: an item of each of these fields. */
	function inBoth(fields: IDataObject[], options: INodeParameters = {}) {
		const items = fields.map((own, n) => ({ ...own, ...person(n) }));
		const given = { items, options: { includeInputFields: true, ...options } };
		const suspended = new Suspended(bench(), resource, operation, given);
		const poll = async (durationMs: number, more: INodeParameters = {}) => {
			bench().sandbox.reset();
			bench().sandbox.configure({ single: durationMs, bulk: durationMs });
			const { node, workflow } = suspended;
			const parameters: INodeParameters = { ...node.parameters, waitMode: 'poll' };
			parameters.options = { ...given.options, pollInterval: 0.1, ...more };
			const nodes = workflow.nodes.map((one) => (one === node ? { ...node, parameters } : one));
			return withoutIds(await runWorkflow({ ...workflow, nodes }));
		};
		return { suspended, poll };
	}

	async function resume(suspended: Suspended): Promise<IDataObject[]> {
		const parked = await suspended.park();
		skipTime(JOB_MS);
		return withoutIds(await suspended.resume(parked));
	}

	it('is resumed with all of them, as a poll gives them', async () => {
		const { suspended, poll } = inBoth([FIELDS, FIELDS, FIELDS]);
		expect(await resume(suspended)).toEqual(await poll(0));
	});

	it('is resumed with what looks like the node’s own', async () => {
		const { suspended, poll } = inBoth([...LOOKALIKES, {}]);
		expect(await resume(suspended)).toEqual(await poll(0));
	});

	it('tells the custom data of a search from a field of that name', async () => {
		const isPhone = resource === 'phoneFinder' && operation === 'submitAndWait';
		const custom = isPhone ? 'of the search' : '{ "of": "the search" }';
		const { suspended, poll } = inBoth([FIELDS, {}, FIELDS, {}], { custom });
		expect(await resume(suspended)).toEqual(await poll(0));
	});

	it('gives at the deadline what a poll gives that timed out, and what it had put aside', async () => {
		const { suspended, poll } = inBoth([{}, FIELDS, { index: 'of the user' }]);
		const parked = await suspended.park();
		const late = withoutIds(await suspended.reachDeadline(parked));
		const withoutAside = (json: IDataObject) => ({ ...json, input_fields: undefined });
		const polled = await poll(JOB_MS, { timeout: 1, onTimeout: 'output' });
		expect(late.map(withoutAside)).toEqual(polled.map(withoutAside));
	});
});

it.for(['', 'of the user', null])(
	'a failed item keeps a field `status` of the input: %j',
	async (status) => {
		const items = [
			{ email: WRONG_EMAIL, status },
			{ email: 'mustfind@a.example', status },
		];
		const execution = new Suspended(bench(), 'emailVerifier', 'submitAndWait', {
			items,
			options: { includeInputFields: true },
			settings: { onError: 'continueRegularOutput' },
		});
		const parked = await execution.park();
		skipTime(JOB_MS);
		const [failed, found] = resultsOf(await execution.resume(parked));
		expect(failed).toMatchObject({ email: WRONG_EMAIL, status });
		expect(failed).not.toHaveProperty('input_fields');
		expect(found).toMatchObject({ status: 'completed', found: true });
	},
);
