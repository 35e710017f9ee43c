import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { skipTime, useFastClock } from '../../support/clock.mts';
import { useBench } from '../../support/n8nCore/contactData.mts';
import { waitingUrl } from '../../support/n8nCore/environment.mts';
import { isMissing } from '../../support/n8nCore/missing.mts';
import { alternate, loopOverItems, passThrough, start } from '../../support/n8nCore/testNodes.mts';
import { resumeWorkflow, runWorkflow } from '../../support/n8nCore/workflow.mts';
import { couldNotProcess, keptRunning, neverResumed } from '../../support/texts.mts';
import {
	hintsOf,
	pairsOf,
	receiptsOf,
	resultsOf,
	Suspended,
	suspendedLists,
} from './suspended.mts';
import { items, LOOKUP_NAMES, lookupOf, parametersOf } from '../../support/searches.mts';

const JOB_MS = 600_000;

const bench = useBench({ single: JOB_MS, bulk: JOB_MS });
useFastClock();

const PEOPLE = ['mustfind one', 'notfound two', 'mustfind three'].map((fullname) => ({ fullname }));
const WORDS = items('mustfind1', 'notfound2', 'mustfind3');
const CASES = LOOKUP_NAMES.flatMap((resource) =>
	(['submitAndWait', 'submitBulkAndWait'] as const).map((operation) => ({
		resource,
		operation,
		idField: operation === 'submitAndWait' ? 'search_id' : 'batch_id',
	})),
);

function find(items: Array<Record<string, unknown>> = PEOPLE, options = {}): Suspended {
	return new Suspended(bench(), 'emailFinder', 'submitAndWait', { items, options });
}

const idsCharged = () => bench().sandbox.ledger.entries.map(({ id }) => id);
const CALLBACK_URL = isMissing('signed resume URLs')
	? /"webhook":"([^"?]*)"/
	: /"webhook":"([^"?]*)\?signature=/;
const callbackUrls = () =>
	bench().sandbox.requests.flatMap(({ method, body }) =>
		method === 'POST' ? [CALLBACK_URL.exec(JSON.stringify(body))?.[1]] : [],
	);

describe.for(CASES)('$resource $operation', ({ resource, operation, idField }) => {
	const timeoutSeconds = operation === 'submitAndWait' ? 300 : 7_200;
	const suspended = (options?: INodeParameters) =>
		new Suspended(bench(), resource, operation, {
			parameters: parametersOf(resource),
			items: WORDS,
			options,
		});

	it('is parked as soon as all is submitted, with a receipt for each item', async () => {
		const began = Date.now();
		const { parked, waitTill } = await suspended({ timeout: timeoutSeconds }).run();
		if (parked === undefined || waitTill === undefined) throw new Error('Not parked');
		expect(bench().looks).toEqual([]);
		// Two minutes longer than the Timeout: what is finished in time comes out well before n8n ends it.
		const pausedMs = 1_000 * timeoutSeconds + 120_000;
		expect(Math.abs(waitTill.getTime() - began - pausedMs)).toBeLessThan(10_000);

		const receipts = receiptsOf(parked);
		expect(receipts.map(({ status }) => status)).toEqual(['ongoing', 'ongoing', 'ongoing']);
		expect(new Set(receipts.map((receipt) => receipt[idField]))).toEqual(new Set(idsCharged()));
		expect(new Set(callbackUrls())).toEqual(new Set([`${waitingUrl()}/7/contact-data`]));
	});

	it('is resumed with its results, in order and paired', async () => {
		const run = await suspended().runThrough(JOB_MS);
		expect(run.status).toBe('success');
		expect(resultsOf(run).map(({ found }) => found)).toEqual([true, false, true]);
		expect(pairsOf(run)).toEqual([0, 1, 2]);
		expect(new Set(resultsOf(run).map((result) => result[idField]))).toEqual(new Set(idsCharged()));
	});

	it('gives the receipts at the deadline, which Get Result takes as they are', async () => {
		const execution = suspended();
		const run = await execution.reachDeadline(await execution.park());
		expect(run.status).toBe('success');
		expect(pairsOf(run)).toEqual([0, 1, 2]);
		const late = resultsOf(run);
		expect(late.map(({ status }) => status)).toEqual(['ongoing', 'ongoing', 'ongoing']);

		skipTime(JOB_MS);
		const isSingle = operation === 'submitAndWait';
		const again = await bench().run(resource, isSingle ? 'getResult' : 'getBulkResult', {
			items: late,
			parameters: { [isSingle ? 'lookupId' : 'batchId']: `={{ $json.${idField} }}` },
			options: { waitForResult: true },
		});
		// A phone batch lists only what it has found.
		const listsAll = isSingle || lookupOf(resource).unlistedResult === undefined;
		expect(again.items.map(({ json }) => json.found)).toEqual(
			listsAll ? [true, false, true] : [true, true],
		);
		expect(bench().posts).toHaveLength(isSingle ? 3 : 1);
	});
});

it('says what was started and spent, until when it waits, and what is left', async () => {
	const run = await find().run();
	expect(run.status).toBe('waiting');
	expect(hintsOf(run)).toEqual([
		expect.stringMatching(
			/^Started 3 email searches\. 3 credits spent\..* 99,997 credits left\. The results come by themselves: the node waits for them until \d+ \w+ \d{4}, \d\d:\d\d [^.]+\.$/,
		),
	]);
});

describe('an execution is not parked', () => {
	it.for([
		['poll', { single: 4_000 }, [true, false, true]],
		['are out of time', { single: JOB_MS }, [null, null, null]],
	] as const)(
		'with a timeout that n8n could be late for: its lookups %s',
		async ([, durations, found]) => {
			bench().sandbox.configure(durations);
			const run = await find(PEOPLE, { timeout: 64 }).run();
			expect(run.status).toBe('success');
			expect(resultsOf(run).map((result) => result.found)).toEqual(found);
			expect(hintsOf(run)).toContainEqual(expect.stringContaining(keptRunning));
			expect(pairsOf(run)).toEqual([0, 1, 2]);
		},
	);
});

describe('a parked execution', () => {
	it('gives each item its own custom data, and one submission for equal searches', async () => {
		const items = ['a', 'b'].map((row) => ({ fullname: 'mustfind one', row }));
		const execution = new Suspended(bench(), 'emailFinder', 'submitBulkAndWait', {
			items,
			options: { itemCustom: '={{ $json.row }}' },
		});
		const results = resultsOf(await execution.runThrough(JOB_MS));
		expect(bench().posts[0]?.body).toMatchObject({ searches: [{ fullname: 'mustfind one' }] });
		expect(results).toMatchObject([
			{ custom: 'a', found: true },
			{ custom: 'b', found: true },
		]);
	});

	// n8n pairs by position: an empty list and an entry that cannot be searched count, too.
	it('gives one item for each list, in order, also under Max Credits', async () => {
		const lists = [['mustfind a', '', 'notfound b'], [], ['mustfind a', 'mustfind c']];
		const execution = suspendedLists(bench(), lists, {
			options: { maxCredits: 100 },
			settings: { onError: 'continueRegularOutput' },
		});
		const parked = await execution.park();
		expect(receiptsOf(parked).map(({ status }) => status)).toEqual([
			'ongoing',
			'completed',
			'ongoing',
		]);
		skipTime(JOB_MS);
		const run = await execution.resume(parked);
		const found = (fullname: string) => ({ fullname, found: true, error: null });
		const bad = { found: null, error: expect.stringContaining("'Searches'") as string };
		expect(resultsOf(run)).toMatchObject([
			{ results: [found('Mustfind A'), bad, { found: false, error: null }] },
			{ batch_id: null, status: 'completed', error: null, results: [] },
			{ results: [found('Mustfind A'), found('Mustfind C')] },
		]);
		const results = resultsOf(run).flatMap((list) => list.results as IDataObject[]);
		const ids = results.flatMap(({ batch_id: id }) => id ?? []);
		expect(new Set(ids)).toEqual(new Set(idsCharged()));
		expect(pairsOf(run)).toEqual([0, 1, 2]);
	});

	it('is parked anew at each turn of a loop', async () => {
		const execution = find();
		const loop = loopOverItems('Loop');
		const workflow = {
			...execution.workflow,
			nodes: [start(PEOPLE.slice(0, 2)), loop, execution.node, passThrough('Back')],
			edges: [
				{ from: 'Start', to: 'Loop' },
				{ from: 'Loop', output: 1, to: 'Contact Data' },
				{ from: 'Contact Data', to: 'Back' },
				{ from: 'Back', to: 'Loop' },
			],
		};
		let run = await runWorkflow(workflow);
		for (let turn = 0; turn < 2; turn++) {
			if (run.parked === undefined) throw new Error(`Not parked at turn ${turn}`);
			skipTime(JOB_MS);
			const { resumed } = await execution.call(run.parked);
			if (resumed === undefined) throw new Error(`Not resumed at turn ${turn}`);
			run = await resumeWorkflow(workflow, resumed);
		}
		expect(run.status).toBe('success');
		expect(run.tasks('Contact Data')).toHaveLength(2);
		expect(run.items('Back', { run: 0 }).map(({ json }) => json.found)).toEqual([true]);
		expect(run.items('Back', { run: 1 }).map(({ json }) => json.found)).toEqual([false]);
		expect(idsCharged()).toHaveLength(2);
	});

	it('gives what a node before it has not waited for: a part of a batch that repeats no search', async () => {
		const leads = ['one', 'two', 'three'].map((who, n) => {
			const url = `https://network.example/in/mustfind-${who}`;
			return { url, again: n === 0 ? '' : url };
		});
		const first = new Suspended(bench(), 'phoneFinder', 'submitBulkAndWait', {
			items: leads,
			options: { timeout: 65 },
		});
		const execution = new Suspended(bench(), 'phoneFinder', 'submitBulkAndWait', {
			items: [],
			parameters: { socialProfileUrl: "={{ $('Start').item.json.again }}" },
			settings: { onError: 'continueRegularOutput' },
		});
		const nodes = [start(leads), { ...first.node, name: 'First' }, execution.node];
		const workflow = { ...execution.workflow, nodes };
		const { parked } = await runWorkflow(workflow);
		if (parked === undefined) throw new Error('Not parked at the first node');
		const again = await resumeWorkflow(workflow, parked);
		if (again.parked === undefined) throw new Error('Not parked at the second node');
		skipTime(JOB_MS);
		bench().sandbox.faults.add({
			on: 'GET /phone/bulk',
			kind: 'changed',
			change: ({ results, ...body }) => ({
				...body,
				results: Array.isArray(results) && results.map((one: object) => ({ ...one, params: {} })),
			}),
			times: Infinity,
		});
		const run = await resumeWorkflow(workflow, await execution.bring(again.parked));
		expect(resultsOf(run)).toMatchObject([
			{ error: expect.stringContaining("'Profile URL' is empty") as string },
			{ found: true, socialprofile_url: leads[1]?.url },
			{ found: true, socialprofile_url: leads[2]?.url },
		]);
		expect(idsCharged()).toHaveLength(1);
	});

	it('gives a result with a field `error` of the service as a result, also where there is an error output', async () => {
		const given = {
			items: PEOPLE,
			parameters: { simplify: false },
			settings: { onError: 'continueErrorOutput' as const },
		};
		const execution = new Suspended(bench(), 'emailFinder', 'submitAndWait', given);
		const parked = await execution.park();
		skipTime(JOB_MS);
		bench().sandbox.faults.add({
			on: 'GET *',
			kind: 'changed',
			change: (body) => ({ ...body, error: 'no phone' }),
			times: Infinity,
		});
		const run = await execution.resume(parked);
		expect(resultsOf(run).map(({ error, found }) => [error, found])).toEqual([
			['no phone', true],
			['no phone', false],
			['no phone', true],
		]);
		expect(resultsOf(run, 1)).toEqual([]);
	});

	it('leaves alone the run of the same node that is still to come', async () => {
		const execution = find();
		const workflow = {
			...execution.workflow,
			nodes: [start(PEOPLE), alternate('Switch'), execution.node, passThrough('After')],
			edges: [
				{ from: 'Start', to: 'Switch' },
				{ from: 'Switch', output: 0, to: 'Contact Data' },
				{ from: 'Switch', output: 1, to: 'Contact Data' },
				{ from: 'Contact Data', to: 'After' },
			],
		};
		let run = await runWorkflow(workflow);
		for (const branch of [1, 2]) {
			if (run.parked === undefined) throw new Error(`Not parked for branch ${branch}`);
			skipTime(JOB_MS);
			const { resumed } = await execution.call(run.parked);
			if (resumed === undefined) throw new Error(`Not resumed for branch ${branch}`);
			run = await resumeWorkflow(workflow, resumed);
		}
		const results = [0, 1].map((branch) => run.items('After', { run: branch }));
		const found = results.map((items) => items.map(({ json }) => json.found));
		expect(found).toEqual([[false], [true, true]]);
		expect(idsCharged()).toHaveLength(3);
	});
});

it('Include Input Fields is kept, too, where the Timeout comes first', async () => {
	const items = [{ fullname: 'mustfind one', mine: 'of the user' }];
	const execution = find(items, { includeInputFields: true });
	const run = await execution.reachDeadline(await execution.park());
	expect(resultsOf(run)).toMatchObject([{ status: 'ongoing', mine: 'of the user' }]);
});

describe('what went wrong', () => {
	const BULK = 'submitBulkAndWait';

	it.for(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const)(
		'with a failed batch stands in its items, or comes out of the error output (%s)',
		async (onError) => {
			bench().sandbox.configure({ scenarios: ['batchFailed'] });
			const given = { items: PEOPLE, settings: { onError } };
			const execution = new Suspended(bench(), 'emailFinder', BULK, given);
			const run = await execution.runThrough(JOB_MS);
			expect(run.status).toBe('success');
			const [batch_id = ''] = idsCharged();
			if (onError === 'continueErrorOutput') {
				expect(resultsOf(run)).toEqual([]);
				expect(resultsOf(run, 1)).toMatchObject(
					PEOPLE.map(({ fullname }) => ({ fullname, message: { batch_id, status: 'failed' } })),
				);
			} else {
				const error = expect.stringContaining(`${couldNotProcess}batch ${batch_id}`) as string;
				expect(resultsOf(run)).toMatchObject(
					PEOPLE.map(() => ({ error, batch_id, status: 'failed' })),
				);
				expect(pairsOf(run)).toEqual([0, 1, 2]);
			}
		},
	);

	it.for(['the callback', 'the deadline'])(
		'before parking comes out of the error output at %s',
		async (end) => {
			// The third one is a page that only the service refuses.
			const pages = ['in/mustfind-1', '', 'company/acme', 'in/mustfind-4'];
			const items = pages.map((page) => ({ url: page && `https://social.example/${page}` }));
			const given = { items, settings: { onError: 'continueErrorOutput' as const } };
			const execution = new Suspended(bench(), 'phoneFinder', 'submitAndWait', given);
			const parked = await execution.park();
			skipTime(JOB_MS);
			const run = await (end === 'the callback'
				? execution.resume(parked)
				: execution.reachDeadline(parked));
			expect(resultsOf(run).map(({ search_id: id }) => id)).toEqual(idsCharged());
			expect(pairsOf(run)).toEqual([0, 3]);
			expect(resultsOf(run, 1)).toMatchObject([
				{ error: expect.stringContaining("'Profile URL' is empty") as string, n: 1 },
				{ error: expect.stringContaining('Invalid linkedin_url format') as string, n: 2 },
			]);
		},
	);
});

describe('a callback that cannot come', () => {
	it.for(['http://localhost:5678', 'http://10.1.2.3', 'http://n8n:5678'])(
		'to %s is said before anything is sent',
		async (host) => {
			const { node, workflow } = find();
			const contactDataApi = { apiKey: 'key', baseUrl: 'https://api.example.com' };
			const run = await runWorkflow({
				...workflow,
				nodes: [start(PEOPLE), node],
				credentials: { contactDataApi },
				waitingBaseUrl: `${host}/webhook-waiting`,
			});
			expect(run.status).toBe('error');
			expect(run.error).toMatchObject({
				message: expect.stringContaining(neverResumed) as string,
			});
			expect(run.error?.description).toContain(` ${host}/webhook-waiting/7, cannot be reached`);
			expect(run.error?.description).toContain('WEBHOOK_URL');
			expect(run.error?.description).toContain('Keep Running');
			bench().expectNothingSubmitted();
		},
	);
});
