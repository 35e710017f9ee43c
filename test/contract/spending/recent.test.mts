import { randomUUID } from 'node:crypto';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { skipTime, useFastClock } from '../../support/clock.mts';
import { jsonOf, textIn, type Given, useBench } from '../../support/n8nCore/contactData.mts';
import { start } from '../../support/n8nCore/testNodes.mts';
import { runWorkflow } from '../../support/n8nCore/workflow.mts';
import { people } from '../../support/people.mts';
import { keptRunning, mayHaveBeenCharged } from '../../support/texts.mts';
import { resultsOf, Suspended } from '../pausing/suspended.mts';
import { expectChargedOnce, FIND, FINDING_AT, newAccount, pressRetry } from './money.mts';

// The same search is paid once a day, whoever asks: n8n runs each of these as an execution of its own.

const bench = useBench();
useFastClock();

const HOUR = 3_600_000;
const CONTINUE = { onError: 'continueRegularOutput' } as const;
const OPERATIONS = ['submitAndWait', 'submitBulkAndWait'] as const;

let executions = 0;

async function find(operation: string, items: IDataObject[], given: Given = {}) {
	return await bench().run('emailFinder', operation, {
		parameters: FIND,
		items,
		executionId: `recent ${++executions}`,
		...given,
	});
}

const posts = () => bench().posts.length;
const named = (...names: string[]) =>
	names.map((fullname) => ({ fullname: `${fullname} mustfind` }));
const idOf = ({ search_id: id, batch_id: batch }: IDataObject) => id ?? batch;

describe.for(OPERATIONS)('%s', (operation) => {
	it('of a webhook that fires three times within milliseconds is sent once', async () => {
		bench().sandbox.faults.add({ kind: 'delay', ms: 2_000, on: 'POST *' });
		const runs = await Promise.all([1, 2, 3].map(async () => await find(operation, people(5))));
		expectChargedOnce(bench(), 5);
		const ids = runs.map((run) => jsonOf(run).map(idOf));
		expect(ids[1]).toEqual(ids[0]);
		expect(ids[2]).toEqual(ids[0]);
	});

	it('that failed for want of credits pays each search once, however often Retry is pressed', async () => {
		const { credentials, held } = newAccount(bench(), FINDING_AT(2), 6);
		const node = bench().node('emailFinder', operation, { parameters: FIND });
		const workflow = { nodes: [start(people(5)), node], credentials };
		const failed = await runWorkflow(workflow);
		expect(failed.error?.message).toMatch(/Insufficient credits|balance of 0 credits/);
		held.credits = 100;
		for (let press = 0; press < 3; press++) {
			const retried = await pressRetry(workflow, failed, `retry ${press}`);
			expect(retried.items('Contact Data').map(({ json }) => json.found)).toEqual(
				Array(5).fill(true),
			);
			expectChargedOnce(bench(), 5);
		}
	});

	it('says how many were read, and Search Again pays again', async () => {
		await find(operation, people(2));
		const [hint] = (await find(operation, people(3))).hints;
		expect(hint?.message).toContain("2 read from searches of the last 24 hours ('Search Again'");
		expect(hint?.message).toContain('. 1 credit spent');
		await find(operation, people(3), { options: { searchAgain: true } });
		expect(bench().sandbox.ledger.totals().searches).toBe(6);
	});

	it('is known for 24 hours', async () => {
		await find(operation, people(1));
		skipTime(24 * HOUR - 60_000);
		await find(operation, people(1));
		expect(posts()).toBe(1);
		skipTime(60_000);
		await find(operation, people(1));
		expect(posts()).toBe(2);
	});

	it('counts nothing for Max Credits, and a dry run reads it', async () => {
		await find(operation, people(2));
		const given = { options: { maxCredits: 1 } };
		jsonOf(await find(operation, people(3), given));
		expectChargedOnce(bench(), 3);
		const dry = jsonOf(await find(operation, people(4), { options: { dryRun: true } }));
		expect(dry.map(({ action }) => action)).toEqual(['read', 'read', 'read', 'submit']);
	});

	it('whose fate nobody knows is sent by none of two at once, nor by the next, but by Search Again', async () => {
		bench().sandbox.faults.add({ kind: 'reset', when: 'after', on: 'POST *' });
		const given = { settings: CONTINUE };
		const atOnce = [1, 2].map(async () => await find(operation, people(1), given));
		const runs = [...(await Promise.all(atOnce)), await find(operation, people(1), given)];
		for (const run of runs) {
			expect(jsonOf(run)).toMatchObject([
				{ error: expect.stringMatching(mayHaveBeenCharged) as string },
			]);
		}
		expect(jsonOf(runs[2] ?? runs[0])[0]?.error).toContain("'Search Again'");
		expect(posts()).toBe(1);
		await find(operation, people(1), { ...given, options: { searchAgain: true } });
		expect(posts()).toBe(2);
	});

	it('that was refused is sent by the next, also by one that has waited for it', async () => {
		bench().sandbox.faults.add({ kind: 'status', status: 418, on: 'POST *' });
		const runs = [1, 2].map(async () => await find(operation, people(1), { settings: CONTINUE }));
		const [refused, other] = (await Promise.all(runs)).map((run) => jsonOf(run)[0] ?? {});
		expect(refused?.error).toBeDefined();
		expect(other).toMatchObject({ found: true });
		expectChargedOnce(bench(), 1);
	});

	it('that another one is starting is left alone by whoever is stopped, or has no more time', async () => {
		bench().sandbox.faults.add({ kind: 'delay', ms: 20_000, on: 'POST *' });
		const first = find(operation, people(1));
		await bench().sandbox.waitFor(() => posts() > 0);
		const stop = new AbortController();
		const stopped = find(operation, people(1), { signal: stop.signal, settings: CONTINUE });
		stop.abort();
		const late = await find(operation, people(1), { options: { timeout: 5 }, settings: CONTINUE });
		expect(jsonOf(late)[0]?.error).toContain('another execution is starting the same search');
		jsonOf(await stopped);
		expect(jsonOf(await first)).toMatchObject([{ found: true }]);
		expectChargedOnce(bench(), 1);
	});

	it('gives each its own custom data, and nothing of the other one', async () => {
		const secret = { options: { custom: '{ "of": "secret" }', itemCustom: 'secret' } };
		await find(operation, people(1), secret);
		const none = jsonOf(await find(operation, people(1)));
		const own = jsonOf(
			await find(operation, people(1), {
				options: { custom: '{ "of": "own" }', itemCustom: 'own' },
			}),
		);
		expectChargedOnce(bench(), 1);
		expect(JSON.stringify([none, own])).not.toContain('secret');
		expect(JSON.stringify(own)).toContain('own');
	});

	it('that the service could not finish is not paid again, but by Search Again', async () => {
		bench().sandbox.configure({ scenarios: ['batchFailed'] });
		const given = { settings: CONTINUE };
		for (const turn of [1, 2]) {
			const [json] = jsonOf(await find('submitBulkAndWait', people(1), given));
			expect(json?.status).toBe('failed');
			if (turn === 2) expect(json?.error).toContain("'Search Again'");
		}
		expect(posts()).toBe(1);
		bench().sandbox.configure({ scenarios: [] });
		const again = { options: { searchAgain: true } };
		expect(jsonOf(await find(operation, people(1), again))).toMatchObject([{ found: true }]);
		expect(posts()).toBe(2);
	});

	it('that has ended is given at once where it would pause, and one that runs is waited for', async () => {
		const parameters = { ...FIND, companyDomain: 'acme.example' };
		await find(operation, people(1), { parameters });
		const pause = (n: number) =>
			new Suspended(
				bench(),
				'emailFinder',
				operation,
				{ items: people(n) },
				`paused ${++executions}`,
			);
		const ended = await pause(1).run();
		expect(ended.parked).toBeUndefined();
		expect(resultsOf(ended)).toMatchObject([{ found: true }]);

		bench().sandbox.configure({ single: HOUR, bulk: HOUR });
		await find(operation, people(2), { parameters, options: { timeout: 1, onTimeout: 'output' } });
		const looks = bench().looks.length;
		const running = pause(2).run();
		await bench().sandbox.waitFor(() => bench().looks.length >= looks + 3);
		bench().sandbox.service.finish();
		const ran = await running;
		expect(ran.parked).toBeUndefined();
		expect(JSON.stringify(ran.data.resultData.runData)).toContain(keptRunning);
		expect(resultsOf(ran)).toMatchObject([{ found: true }, { found: true }]);
		expectChargedOnce(bench(), 2);
	});
});

it('ten rows of which six are in two earlier batches are two reads and a batch of four', async () => {
	const [a, b, c, d, e, f, ...fresh] = named('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j');
	const known = [a, b, c, d, e, f].filter((one) => one !== undefined);
	await find('submitBulkAndWait', [...known.slice(0, 3), ...named('x')]);
	await find('submitBulkAndWait', known.slice(3));
	const mixed = [fresh[0], d, a, fresh[1], e, fresh[2], b, f, fresh[3], c];
	const items = mixed.map((one, n) => ({ ...one, n }));
	const looks = bench().looks.length;
	const options = { itemCustom: '={{ "row " + $json.n }}' };
	const results = jsonOf(await find('submitBulkAndWait', items, { options }));
	expectChargedOnce(bench(), 11);
	expect(bench().posts[2]?.body).toMatchObject({ searches: Array(4).fill({}) });
	expect(results.map((result) => textIn(result, 'fullname').toLowerCase())).toEqual(
		items.map(({ fullname = '' }) => fullname),
	);
	expect(results.map(({ custom }) => custom)).toEqual(items.map(({ n }) => `row ${n}`));
	expect(new Set(results.map(({ batch_id: id }) => id)).size).toBe(3);
	expect(bench().looks.length - looks).toBe(3);
});

it('a phone batch that lists only who was found tells of the others, too', async () => {
	const urls = ['mustfind-a', 'notfound-b', 'mustfind-c'].map((name) => ({
		url: `https://www.linkedin.com/in/${name}`,
	}));
	const call = async (items: IDataObject[]) =>
		jsonOf(
			await bench().run('phoneFinder', 'submitBulkAndWait', {
				parameters: { identifyBy: 'profileUrl', socialProfileUrl: '={{ $json.url }}' },
				items,
			}),
		);
	await call(urls);
	expect((await call([urls[1] ?? {}, urls[2] ?? {}])).map(({ found }) => found)).toEqual([
		false,
		true,
	]);
	expect(posts()).toBe(1);
});

it.for([true, false])(
	'Find reads what Find Many has paid for, and the other way round; Simplify %j',
	async (simplify) => {
		const given = { parameters: { ...FIND, simplify } };
		await find('submitBulkAndWait', named('a', 'b'));
		const [one] = jsonOf(await find('submitAndWait', named('b'), given));
		expect(one).toMatchObject({ found: true, batch_id: expect.any(String) as string });
		await find('submitAndWait', named('c'));
		const many = jsonOf(await find('submitBulkAndWait', named('a', 'c'), given));
		expect(many.map(({ found }) => found)).toEqual([true, true]);
		expectChargedOnce(bench(), 3);
	},
);

it.for(['submit', 'submitBulk'])(
	'%s is an order: it is always sent, a dry run says so, and Find reads what it has started',
	async (operation) => {
		await find('submitAndWait', people(1));
		await find(operation, people(1));
		const dry = await find(operation, people(2), { options: { dryRun: true } });
		await find(operation, people(2));
		expect(posts()).toBe(operation === 'submit' ? 4 : 3);
		const reader = operation === 'submit' ? 'Find' : 'Find Many';
		const again = `1 email search would be paid for again: '${reader}' reads free of charge what is less`;
		expect(JSON.stringify(dry.hints)).toContain(again);
		await find(operation, named('other'));
		await find('submitAndWait', named('other'));
		expect(posts()).toBe(operation === 'submit' ? 5 : 4);
	},
);

it('that is being sent is waited for, also where a Start of it is refused meanwhile', async () => {
	bench().sandbox.faults.add({ kind: 'delay', ms: 20_000, on: 'POST *' });
	const first = find('submitAndWait', people(1));
	await bench().sandbox.waitFor(() => posts() === 1);
	bench().sandbox.faults.add({ kind: 'status', status: 400, on: 'POST *' });
	await find('submit', people(1), { settings: CONTINUE });
	const [one, other] = await Promise.all([first, find('submitAndWait', people(1))]);
	expect(jsonOf(other).map(idOf)).toEqual(jsonOf(one).map(idOf));
	expectChargedOnce(bench(), 1);
});

it('with another option is paid for again', async () => {
	await find('submitAndWait', people(1));
	await find('submitAndWait', people(2), { options: { retrieveGender: true } });
	expect(posts()).toBe(3);
});

it.for(['submitAndWait', 'submitBulkAndWait'])(
	'that %s sends once more after a 429 is read, where a Start has paid for it meanwhile',
	async (operation) => {
		const headers = { 'retry-after': '120' };
		bench().sandbox.faults.add({ kind: 'status', status: 429, on: 'POST *', headers });
		const waiting = find(operation, people(2));
		await bench().sandbox.waitFor(() => posts() > 0);
		const other = operation === 'submitAndWait' ? 'submitBulk' : 'submit';
		const started = jsonOf(await find(other, people(1)));
		const found = jsonOf(await waiting);
		expect(found.map(idOf)).toContain(idOf(started[0] ?? {}));
		expectChargedOnce(bench(), 2);
	},
);

it('whose turn has not come yet is read, where a Start has paid for it meanwhile', async () => {
	const list = people(100);
	const finding = find('submitAndWait', list);
	await bench().sandbox.waitFor(() => posts() > 0);
	const [started = {}] = jsonOf(await find('submit', list.slice(-1)));
	expect(jsonOf(await finding).map(idOf)).toContain(idOf(started));
	expectChargedOnce(bench(), 100);
});

it('is of one account', async () => {
	await find('submitAndWait', people(1));
	const { credentials } = newAccount(bench(), {}, 100);
	await find('submitAndWait', people(1), { credentials });
	expect(posts()).toBe(2);
});

it('a list gives each entry its result, also where some were read, and no custom data of another', async () => {
	const mark = randomUUID();
	const findList = async (
		names: string[],
		splitResults: boolean,
		options: INodeParameters = {},
	) => {
		const list = named(...names).map((entry) => ({ ...entry, company_domain: 'acme.com' }));
		const parameters = { inputMode: 'array', searches: '={{ $json.list }}', splitResults };
		return jsonOf(await find('submitBulkAndWait', [{ list }], { parameters, options }));
	};
	await findList(['a', 'b'], true, { custom: `{"of":"${mark}"}` });
	const split = await findList(['c', 'b'], true);
	expect(split.map(({ fullname }) => fullname)).toEqual(['C Mustfind', 'B Mustfind']);
	const whole = await findList(['b', 'd'], false);
	expect(whole).toMatchObject([{ batch_id: null, results: [{ found: true }, { found: true }] }]);
	expect(JSON.stringify([split, whole])).not.toContain(mark);
	expectChargedOnce(bench(), 4);
});
