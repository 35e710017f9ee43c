import { describe, expect, it, vi } from 'vitest';
import { setClock, useFastClock } from '../../support/clock.mts';
import { expectNoKey, useBench } from '../../support/n8nCore/contactData.mts';
import { watchLog } from '../../support/n8nCore/log.mts';
import { NOBODY } from '../../support/ports.mts';
import {
	noSuchSearch,
	notAsked,
	notFinishedYet,
	otherEvent,
	seenBefore,
} from '../../support/texts.mts';
import { expectAnswer, KINDS, notify, ROUNDS, started, submit } from './trigger.mts';

const NOTHING_LEFT = 'There is no result to start with';

const bench = useBench({ single: 0, bulk: 0 });
const reads = () => bench().looks.length;
useFastClock();
const marked = (event: string) => ({ query: { event } });

describe('answers', () => {
	it.for(
		[{}, [], 'text', 7, null, '', [[[]]], { custom: { id: 'x' } }, { valid: 3 }, { id: '' }].map(
			(body) => ({ body }),
		),
	)('400 without an id: $body', async ({ body }) => {
		const { response, workflowData } = await notify(bench(), body);
		expect({ status: response?.status, workflowData }).toEqual({ status: 400 });
		expect(reads()).toBe(0);
	});

	it('404 for an id that the service does not know', async () => {
		const mark = marked('phoneFinderBulk');
		expectAnswer(await notify(bench(), { id: 'unknown' }, mark), 404, noSuchSearch);
		expectAnswer(await notify(bench(), { id: 'unknown' }), 404, noSuchSearch);
	});

	it('404 for the id of another account', async () => {
		const key = bench().sandbox.service.addAccount('other');
		const id = await submit(bench().sandbox, 'emailFinderBulk', {}, key);
		expectAnswer(await notify(bench(), { id }), 404, noSuchSearch);
	});

	it('404 for an id under the mark of another kind', async () => {
		const id = await submit(bench().sandbox, 'emailFinderBulk');
		expectAnswer(await notify(bench(), { id }, marked('emailFinderSingle')), 404, noSuchSearch);
		expect(started(await notify(bench(), { id }, marked('nonsense')))).toHaveLength(2);
	});

	it.for(KINDS)('503 while it is not finished, and 200 later: %s', async (kind) => {
		bench().sandbox.configure({ single: 60_000, bulk: 60_000 });
		const id = await submit(bench().sandbox, kind);
		const early = await notify(bench(), { id });
		expectAnswer(early, 503, notFinishedYet);
		expectAnswer(await notify(bench(), { id }, marked(kind)), 503, notFinishedYet);

		setClock(60_000);
		const { staticData } = early;
		expect(started(await notify(bench(), { id }, { staticData }))).not.toEqual([]);
	});

	it.for([
		{ kind: 'status', status: 500 },
		{ kind: 'status', status: 429 },
		{ kind: 'reset', when: 'before' },
		{ kind: 'html' },
		{ kind: 'cutJson' },
		{ kind: 'redirect', to: NOBODY },
	] as const)('503 when the service answers badly (%o), and 200 later', async (fault) => {
		const id = await submit(bench().sandbox, 'emailFinderBulk');
		bench().sandbox.faults.add({ ...fault, on: '*', times: 100 });
		const bad = await notify(bench(), { id });
		expectAnswer(bad, 503, notAsked);
		expect(reads()).toBeLessThanOrEqual(ROUNDS * KINDS.length);
		expectAnswer(await notify(bench(), { id }, marked('emailFinderBulk')), 503, notAsked);

		bench().sandbox.faults.clear();
		const good = await notify(bench(), { id }, { staticData: bad.staticData });
		expect(started(good)).toHaveLength(2);
	});

	it.for<[what: string, wrong: { apiKey?: string; baseUrl?: string }, why: string]>([
		['there is no service', { baseUrl: NOBODY }, 'could not be reached'],
		['the key is refused', { apiKey: 'wrong-key' }, 'This apikey is not valid'],
		['the credential cannot be used', { baseUrl: 'ftp://service.example' }, 'Base URL'],
	])('503 when %s, and why is in the log of n8n', async ([, wrong, why]) => {
		const id = await submit(bench().sandbox, 'phoneFinderBulk');
		const { credentials } = bench();
		Object.assign(credentials.contactDataApi, wrong);
		const log = watchLog();
		expectAnswer(await notify({ credentials }, { id }), 503, notAsked);
		const message = expect.stringContaining(why) as string;
		expect(log).toMatchObject([{ level: 'warn', message }]);
		expectNoKey(log, credentials.contactDataApi.apiKey);
	});

	it('404, not 503, where an account has no phone feature, and found as what else it is', async () => {
		bench().sandbox.service.account().phone = false;
		expectAnswer(await notify(bench(), { id: 'x', phone: '' }), 404, noSuchSearch);
		const id = await submit(bench().sandbox, 'emailVerifierSingle');
		expect(started(await notify(bench(), { id, phone: '' }))).toHaveLength(1);
	});
});

describe('once', () => {
	it('starts the workflow with an id once', async () => {
		const id = await submit(bench().sandbox, 'emailFinderBulk');
		expect(started(await notify(bench(), { id }))).toHaveLength(2);
		const before = reads();
		expectAnswer(
			await notify(bench(), { data: { id } }, marked('emailFinderBulk')),
			200,
			seenBefore,
		);
		expect(reads()).toBe(before);
		expectAnswer(await notify(bench(), { id }), 200, seenBefore);
	});

	it('starts each of two workflows, also where one is a copy with the same node ids', async () => {
		const id = await submit(bench().sandbox, 'emailFinderSingle');
		for (const workflowId of ['original', 'copy']) {
			expect(started(await notify(bench(), { id }, { workflowId }))).toHaveLength(1);
			expectAnswer(await notify(bench(), { id }, { workflowId }), 200, seenBefore);
		}
	});

	it('also when three come at the same moment, in three shapes', async () => {
		const id = await submit(bench().sandbox, 'phoneFinderBulk');
		const bodies = [{ id }, { delivery_id: '1', batch_id: id }, { delivery_id: '2', data: { id } }];
		const calls = await Promise.all(bodies.map(async (body) => await notify(bench(), body)));
		expect(calls.map(({ response }) => response?.status)).toEqual([200, 200, 200]);
		expect(calls.flatMap(started)).toHaveLength(1);
	});

	// A service may know a lookup by several spellings of its id; it names itself where it does not.
	it('also when its id is spelled otherwise, but not as another that gets its answer', async () => {
		const id = 'aBcDef';
		const general = { id, status: 'completed' };
		const results = [{ index: '0', qualification: 'valid', email: 'ada@acme.example' }];
		const body = { general, stats: { requested: 1, finished: 1 }, results };
		const answer = { kind: 'status', status: 200, times: Infinity } as const;
		bench().sandbox.faults.add({ ...answer, on: 'GET /email/find/bulk', body });
		const mark = marked('emailFinderBulk');
		for (const other of [`000${id}`, `${id}.`])
			expectAnswer(await notify(bench(), { id: other }, mark), 404, noSuchSearch);
		const spellings = [id, id.toUpperCase(), ` ${id.toLowerCase()} `];
		const calls = spellings.map(async (one) => await notify(bench(), { id: one }, mark));
		expect((await Promise.all(calls)).flatMap(started)).toHaveLength(1);
	});

	it('also after a restart of n8n', async () => {
		const id = await submit(bench().sandbox, 'emailFinderSingle');
		const { staticData } = await notify(bench(), { id });
		const restarted = await newProcess();
		expectAnswer(await restarted.notify(bench(), { id }, { staticData }), 200, seenBefore);
		// The process remembers nothing: without the static data it starts again.
		const forgetful = await newProcess();
		expect(started(await forgetful.notify(bench(), { id }))).toHaveLength(1);
	});

	it('has not seen what n8n could not start the workflow with', async () => {
		const id = await submit(bench().sandbox, 'emailFinderSingle');
		const failed = await notify(bench(), { id }, { failsToResume: true });
		expect(failed.response?.status).toBe(500);
		const { staticData } = failed;
		expect(staticData).toEqual({});
		expect(started(await notify(bench(), { id }, { staticData }))).toHaveLength(1);
		expectAnswer(await notify(bench(), { id }), 200, seenBefore);
	});

	it('gets by with static data that are not its own', async () => {
		const { notify: send } = await newProcess();
		const id = await submit(bench().sandbox, 'emailFinderSingle');
		const staticData = { seen: [1, null, {}, 'y'] };
		const call = await send(bench(), { id }, { staticData });
		expect(started(call)).toHaveLength(1);
		expectAnswer(await send(bench(), { id }, { staticData: call.staticData }), 200, seenBefore);
	});

	it('does not remember what it could not hand on', async () => {
		const id = await submit(bench().sandbox, 'emailFinderSingle');
		const parameters = { onlyFound: "={{ $('No Such Node').item.json.onlyFound }}" };
		expectAnswer(await notify(bench(), { id }, { parameters }), 503, notAsked);
		expect(started(await notify(bench(), { id }))).toHaveLength(1);
	});

	it('listening for a test event takes what was seen, and remembers nothing', async () => {
		const id = await submit(bench().sandbox, 'emailFinderSingle');
		const { staticData } = await notify(bench(), { id });
		const test = await notify(bench(), { id }, { mode: 'manual', staticData });
		expect(started(test)).toHaveLength(1);
		const other = await submit(bench().sandbox, 'emailFinderSingle');
		expect(started(await notify(bench(), { id: other }, { mode: 'manual' }))).toHaveLength(1);
		expect(started(await notify(bench(), { id: other }))).toHaveLength(1);
	});
});

describe('filters', () => {
	it.for(KINDS)('only events that are chosen: %s', async (kind) => {
		const others = KINDS.filter((other) => other !== kind);
		const id = await submit(bench().sandbox, kind);
		const parameters = { events: others };
		// Where nothing tells its kind, it is asked for as those that are chosen.
		expectAnswer(await notify(bench(), { id }, { parameters }), 404, noSuchSearch);
		const before = reads();
		const none = { parameters: { events: [] } };
		for (const asked of [{ parameters, ...marked(kind) }, none])
			expectAnswer(await notify(bench(), { id }, asked), 200, otherEvent);
		expect(reads()).toBe(before);
		const chosen = { parameters: { events: [kind] } };
		expect(started(await notify(bench(), { id }, chosen))).not.toEqual([]);
		expect(reads()).toBe(before + 1);
	});

	it('a batch in one item', async () => {
		const id = await submit(bench().sandbox, 'emailFinderBulk');
		const call = await notify(bench(), { id }, { parameters: { splitResults: false } });
		expect(started(call)).toMatchObject([
			{
				batch_id: id,
				status: 'completed',
				event: 'emailFinderBulk',
				stats: { requested: 2, valid: 1 },
				results: [{ qualification: 'valid' }, { qualification: 'invalid' }],
			},
		]);
	});

	it.for(KINDS)('only what was found: %s', async (kind) => {
		const parameters = { onlyFound: true };
		const id = await submit(bench().sandbox, kind);
		const items = started(await notify(bench(), { id }, { parameters }));
		expect(items.map(({ found }) => found)).toEqual([true]);

		const none = await submit(bench().sandbox, kind, { found: 'notFound' });
		expectAnswer(await notify(bench(), { id: none }, { parameters }), 200, NOTHING_LEFT);
	});

	it('only what was found, in one item', async () => {
		const parameters = { onlyFound: true, splitResults: false };
		const id = await submit(bench().sandbox, 'emailVerifierBulk');
		expect(started(await notify(bench(), { id }, { parameters }))).toMatchObject([
			{ batch_id: id, results: [{ qualification: 'valid' }] },
		]);
		const none = await submit(bench().sandbox, 'emailVerifierBulk', { found: 'notFound' });
		expectAnswer(await notify(bench(), { id: none }, { parameters }), 200, NOTHING_LEFT);
	});

	it('only what was found, of a batch that failed', async () => {
		bench().sandbox.configure({ scenarios: ['batchFailed'] });
		const id = await submit(bench().sandbox, 'phoneFinderBulk');
		const parameters = { onlyFound: true };
		expectAnswer(await notify(bench(), { id }, { parameters }), 200, NOTHING_LEFT);
	});

	it('results that are not there yet are no unknown search: the sender may come again', async () => {
		const id = await submit(bench().sandbox, 'emailVerifierBulk');
		const change = (body: object) => ({ ...body, results: [] });
		const times = Infinity;
		bench().sandbox.faults.add({ kind: 'changed', on: 'GET /email/verify/bulk', change, times });
		expectAnswer(await notify(bench(), { id }), 503, notAsked);
	});
});

describe("n8n's log", () => {
	it('says of which ids a notification has started nothing, and why', async () => {
		const id = await submit(bench().sandbox, 'emailFinderSingle');
		await notify(bench(), { id });
		const others = { ...marked('phoneFinderBulk'), parameters: { events: ['emailFinderBulk'] } };
		const log = watchLog();
		await notify(bench(), { id });
		await notify(bench(), { id: 'unknown', batch_id: 'b' });
		await notify(bench(), { id: 'test', event: 'single_search_finished' });
		await notify(bench(), { valid: 3 });
		await notify(bench(), { id }, others);
		const because = (why: string) => ({ message: expect.stringContaining(why) as string });
		expect(log).toMatchObject([
			{ level: 'info', ...because(`of ${id} has started nothing: ${seenBefore}`) },
			{ level: 'info', ...because(`of unknown, b has started nothing: ${noSuchSearch}`) },
			{ level: 'info', ...because('it looks like a test of this URL by its sender') },
			{ level: 'info', ...because('A notification has started nothing: There is no id') },
			{ level: 'info', ...because(otherEvent) },
		]);
	});

	it('is not filled by what a notification or the service says', async () => {
		const body = { message: 'm'.repeat(10_000) };
		bench().sandbox.faults.add({ on: '*', kind: 'status', status: 503, body, times: Infinity });
		const log = watchLog();
		await notify(bench(), { id: 'a'.repeat(500), search_id: 'b'.repeat(500), more: body });
		expect(log).toHaveLength(1);
		expect(log[0]?.message.length).toBeLessThan(1_000);
	});
});

describe('trust', () => {
	it('gives the workflow what the service says, and nothing of the body', async () => {
		const id = await submit(bench().sandbox, 'emailFinderSingle');
		const body = { id, email: 'evil@attacker.example', qualification: 'valid', injected: true };
		const [item] = started(await notify(bench(), body, { parameters: { simplify: false } }));
		expect(item).toMatchObject({ id, email: 'mustfind.doe@acme.example' });
		expect(item).not.toHaveProperty('injected');
	});

	it("an id in the user's custom data does not win", async () => {
		const decoy = await submit(bench().sandbox, 'emailVerifierBulk');
		const id = await submit(bench().sandbox, 'emailVerifierBulk');
		for (const body of [
			{ custom: { id: decoy }, id },
			{ custom: { search_id: decoy, data: { id: decoy } }, data: { id } },
			{ customer_id: decoy, general: { custom: { batch_id: decoy }, id } },
			{ custom: JSON.stringify({ id: decoy }), results: [{ id: decoy }], search_id: id },
		]) {
			const [item] = started(await notify(bench(), body, { mode: 'manual' }));
			expect(item?.id ?? item?.batch_id, JSON.stringify(body)).toBe(id);
		}
	});
});

/** The trigger as a process has it that has just started: with nothing in its memory. */
async function newProcess(): Promise<{ notify: typeof notify }> {
	vi.resetModules();
	return await import('./trigger.mts');
}
