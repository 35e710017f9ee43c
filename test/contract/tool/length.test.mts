import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { skipTime, useFastClock } from '../../support/clock.mts';
import { jsonOf, textIn, useBench } from '../../support/n8nCore/contactData.mts';
import type { FaultRule } from '../../support/sandbox/faults.mts';
import { nothingStarted } from '../../support/texts.mts';

// A model reads all of an answer, and reads it again with each of its next steps.

const bench = useBench();
useFastClock();

const MAX_LENGTH = 20_000;
const COUNT = 500;
const name = (n: number) => `${n % 5 === 0 ? 'notfound' : 'mustfind'} Nr${n}`;

const LISTS: Record<string, INodeParameters> = {
	emailFinder: {
		searches: range((n) => ({ fullname: name(n), company_domain: `company${n}.example` })),
	},
	emailVerifier: { verifications: range((n) => `${name(n).replace(' ', '.')}@acme.example`) },
	phoneFinder: {
		searches: range((n) => ({
			socialprofile_url: `https://linkedin.com/in/${name(n).replace(' ', '-')}`,
		})),
	},
};

function range<T>(make: (n: number) => T): T[] {
	return Array.from({ length: COUNT }, (_, n) => make(n));
}

let tools = 0;

async function findMany(
	resource: string,
	more: INodeParameters = {},
	count = COUNT,
	options: INodeParameters = {},
) {
	const [[parameter, list] = ['', []]] = Object.entries(LISTS[resource] ?? {});
	const parameters = {
		inputMode: 'array',
		[parameter]: Array.isArray(list) ? list.slice(0, count) : list,
		...more,
	};
	// What had no room in the answer of a tool is not searched for again.
	const tool = `Tool ${++tools}`;
	const run = await bench().run(resource, 'submitBulkAndWait', {
		parameters,
		options,
		name: tool,
		tool: 'requested',
	});
	return jsonOf(run);
}

const lengthOf = (answer: IDataObject[]) => JSON.stringify(answer).length;

describe.for(Object.keys(LISTS))('%s of 500', (resource) => {
	it.for([true, false])('is shortened, and says so (Split Results: %s)', async (splitResults) => {
		const answer = await findMany(resource, { splitResults });
		expect(lengthOf(answer)).toBeLessThanOrEqual(MAX_LENGTH);
		const [sum = {}, ...shown] = answer;
		expect(sum).toMatchObject({
			results: expect.any(Number) as number,
			found: COUNT * 0.8,
			shown: shown.length,
			credits_spent: bench().sandbox.ledger.totals().charged,
			note: 'Too many to show: those found come first, each shortened. None is lost: a workflow reads all of them with Get Bulk Results and this ID, which costs no credits. Do not search for them again.',
		});
		expect(sum).not.toHaveProperty('batch_ids');
		expect(sum).not.toHaveProperty('ids_not_shown');
		expect(bench().sandbox.ledger.entries[0]?.id).toBe(textIn(sum, 'batch_id'));
		expect(shown.length).toBeGreaterThan(100);
		for (const result of shown) expect(result).toMatchObject({ found: true });
		expect(JSON.stringify(shown[0])).toMatch(/mustfind/i);
	});

	it('reads a batch of before likewise', async () => {
		await findMany(resource);
		const batchId = String(bench().sandbox.ledger.entries[0]?.id);
		const run = await bench().run(resource, 'getBulkResult', {
			parameters: { batchId },
			tool: 'requested',
		});
		expect(lengthOf(jsonOf(run))).toBeLessThanOrEqual(MAX_LENGTH);
		expect(jsonOf(run)[0]).toMatchObject({ batch_id: batchId, found: COUNT * 0.8 });
	});
});

it('a short answer is given as it is', async () => {
	const answer = await findMany('emailFinder', {}, 10);
	expect(answer).toHaveLength(10);
	expect(answer[0]).toMatchObject({ status: 'completed', found: false, raw_params: {} });
});

it('a batch that still runs is one item, however many are in it', async () => {
	bench().sandbox.configure({ bulk: 3_600_000 });
	const answer = await findMany('emailVerifier');
	expect(answer).toHaveLength(1);
	expect(lengthOf(answer)).toBeLessThan(500);
});

describe('many that still run', () => {
	const emails = range((n) => `${name(n).replace(' ', '.')}@${'long'.repeat(12)}.example`);
	const run = async (operation: string) => {
		bench().sandbox.configure({ single: 3_600_000, bulk: 3_600_000 });
		const given = { parameters: { email: '={{ $json.email }}' }, options: { timeout: 1 } };
		const items = emails.map((email) => ({ email }));
		return jsonOf(
			await bench().run('emailVerifier', operation, { ...given, items, tool: 'requested' }),
		);
	};

	it('come with what to do next', async () => {
		const [sum = {}, ...shown] = await run('submitAndWait');
		expect(shown.length).toBeGreaterThan(0);
		expect(sum).toMatchObject({
			ongoing: COUNT,
			next_step: expect.stringContaining('with Search ID each of their IDs') as string,
			note: expect.stringContaining('with Get Result and each ID') as string,
		});
		expect(sum).not.toHaveProperty('batch_id');
		const { ids_not_shown: hidden } = sum;
		expect(Array.isArray(hidden) && hidden.length + shown.length).toBe(COUNT);
	});

	it('come with what to do next in a batch, too', async () => {
		const [sum = {}, ...shown] = await run('submitBulkAndWait');
		expect(shown.length).toBeGreaterThan(0);
		const id = bench().sandbox.ledger.entries[0]?.id;
		expect(sum).toMatchObject({
			ongoing: COUNT,
			batch_id: id,
			next_step: expect.stringContaining(`with Batch ID ${id}`) as string,
		});
	});
});

describe('the note of a shortened answer', () => {
	/** The list is read again of what was found before, as it had no room; and somebody is new in it. */
	async function findWithOneMore(fault?: FaultRule) {
		const given = { name: `Tool ${++tools}`, tool: 'requested' } as const;
		const verifications = [LISTS.emailVerifier?.verifications].flat();
		const find = async (list: unknown[]) =>
			jsonOf(
				await bench().run('emailVerifier', 'submitBulkAndWait', {
					...given,
					parameters: { inputMode: 'array', verifications: JSON.stringify(list) },
				}),
			)[0] ?? {};
		await find(verifications);
		if (fault !== undefined) bench().sandbox.faults.add(fault);
		return await find([...verifications, 'mustfind.more@acme.example']);
	}

	it('names each of several batches', async () => {
		const sum = await findWithOneMore();
		const { batch_ids: ids, note } = sum;
		expect(ids).toHaveLength(2);
		expect(sum).not.toHaveProperty('batch_id');
		expect(note).toContain('None is lost');
		expect(note).toContain('with Get Bulk Results and each ID');
	});

	it('names a batch that lists nothing, too', async () => {
		const searches = range((n) => ({
			socialprofile_url: `https://linkedin.com/in/${n === 0 ? 'notfound' : 'mustfind'}-listed-${n}`,
		}));
		const more = { searches, splitResults: false };
		// The price is not known any more, so the first search is a batch of its own.
		skipTime(3_600_000);
		const [sum] = await findMany('phoneFinder', more, COUNT, { maxCredits: 100_000 });
		const ids = new Set(bench().sandbox.ledger.entries.map(({ id }) => id));
		expect(ids.size).toBe(2);
		expect(sum).toMatchObject({ found: COUNT - 1, batch_ids: [...ids] });
	});

	it('does not say of what was never started that it can be read', async () => {
		const body = { message: 'Insufficient credits' };
		const sum = await findWithOneMore({ kind: 'status', status: 402, body, on: 'POST *' });
		expect(sum).toMatchObject({ results: COUNT + 1, failed: 1, first_error: body.message });
		expect(sum.note).toBe(
			'Too many to show: those found come first, each shortened. What has an ID is not lost: a workflow reads it with Get Bulk Results and this ID, which costs no credits. Do not search for it again.',
		);
	});

	it('says nothing of reading where nothing was started', async () => {
		const run = await bench().run('emailVerifier', 'submitBulkAndWait', {
			items: range((n) => ({ email: `no address ${n}` })),
			parameters: { email: '={{ $json.email }}' },
			tool: 'requested',
		});
		expect(jsonOf(run)[0]).toMatchObject({
			failed: COUNT,
			note: 'Too many to show: those found come first, each shortened.',
		});
	});

	it('counts nothing of a list that is no result', async () => {
		const change = ({ results, ...body }: { results?: unknown }) => ({
			...body,
			results: [null, 'none', ...(Array.isArray(results) ? (results as unknown[]) : [])],
		});
		bench().sandbox.faults.add({ kind: 'changed', change, on: 'GET /email/*', times: Infinity });
		const [sum] = await findMany('emailVerifier', { splitResults: false });
		expect(sum).toMatchObject({ results: COUNT, found: COUNT * 0.8 });
	});

	it('comes with how many searches may have been charged', async () => {
		const sum = await findWithOneMore({ kind: 'reset', when: 'after', on: 'POST *' });
		expect(sum).toMatchObject({ shown: expect.any(Number) as number, searches_maybe_charged: 1 });
	});

	it('says of a dry run that nothing was started', async () => {
		const sum = (await findMany('emailVerifier', {}, COUNT, { dryRun: true }))[0] ?? {};
		expect(sum).toMatchObject({ results: COUNT, dry_run: true });
		expect(sum).not.toHaveProperty('found');
		expect(sum.note).toBe(`Too many to show, each shortened. ${nothingStarted}.`);
		bench().expectNothingSubmitted();
	});
});

it('a gender is shown, also where its letters are in what was asked for', async () => {
	const searches = range((n) => ({
		fullname: `Malena Mustfind${n}`,
		company_domain: `female${n}.example`,
	}));
	const [, ...shown] = await findMany('emailFinder', { searches }, COUNT, { retrieveGender: true });
	expect(shown.length).toBeGreaterThan(0);
	for (const { info } of shown) {
		expect(info).toEqual({ gender: expect.stringMatching(/^(fe)?male$/) as string });
	}
});

it('leaves out a value that is too large, and nothing else', async () => {
	const change = (body: object) => ({ ...body, more: 'x'.repeat(100_000), results: [{}, {}] });
	bench().sandbox.faults.add({ kind: 'changed', change, on: 'GET /email/*', times: Infinity });
	const run = await bench().run('emailVerifier', 'submitAndWait', {
		parameters: { email: 'mustfind@acme.com' },
		tool: 'requested',
	});
	const [sum = {}, result = {}] = jsonOf(run);
	expect(lengthOf(jsonOf(run))).toBeLessThan(1_000);
	const note = 'Each result is shortened.';
	expect(sum).toMatchObject({ results: 1, shown: 1, credits_spent: 0.25, note });
	expect(result).toMatchObject({ email: 'mustfind@acme.com', found: true });
	expect(result).toHaveProperty('id');
});

it('a node that is no tool gives all', async () => {
	const run = await bench().run('emailVerifier', 'submitBulkAndWait', {
		parameters: { inputMode: 'array', ...LISTS.emailVerifier },
	});
	expect(jsonOf(run)).toHaveLength(COUNT);
});

/** Less than what is not read at all. */
const LEVELS = 9_990;

it.for(['submit', 'submitBulk', 'submitAndWait'])(
	'a value that is nested too deeply for n8n is left out, and the ID is told: %s',
	async (operation) => {
		const deep = '['.repeat(LEVELS) + ']'.repeat(LEVELS);
		bench().sandbox.faults.add({
			kind: 'status',
			status: 200,
			accepted: true,
			on: 'POST *',
			contentType: 'application/json',
			body: `{"message":"ok","id":"paid-for","credits_used":0.25,"credits":${deep}}`,
		});
		const run = await bench().run('emailVerifier', operation, {
			parameters: { email: 'mustfind@deep.example' },
			tool: 'invoked',
			name: `Tool ${++tools}`,
		});
		expect(JSON.stringify(jsonOf(run))).toContain('paid-for');
	},
);

it('a search that the service gives back nested too deeply keeps its ID, and is paid for once', async () => {
	const deep = '['.repeat(LEVELS - 1) + ']'.repeat(LEVELS - 1);
	bench().sandbox.faults.add({
		kind: 'status',
		status: 201,
		accepted: true,
		on: 'POST *',
		contentType: 'application/json',
		body: `{"message":"ok","id":"paid-for","credits_used":50,"params":{"more":${deep}}}`,
	});
	const run = await bench().run('phoneFinder', 'submit', {
		parameters: { identifyBy: 'profileUrl', socialProfileUrl: 'https://linkedin.com/in/deep' },
		tool: 'invoked',
		name: `Tool ${++tools}`,
	});
	expect(JSON.stringify(jsonOf(run))).toContain('paid-for');
});
