import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { skipTime, useFastClock } from '../../support/clock.mts';
import { jsonOf, textIn, useBench } from '../../support/n8nCore/contactData.mts';
import { people } from '../../support/people.mts';
import type { ScenarioName } from '../../support/sandbox/scenarios/index.mts';
import { OPERATIONS } from '../../support/searches.mts';
import { FIND } from '../spending/money.mts';

// How long until an id of which the service has nothing is said to be lost: results are kept for a time only.

const bench = useBench();
useFastClock();

const HOUR_MS = 3_600_000;
type Size = keyof typeof OPERATIONS;
const WAYS = ['Wait for Result', 'ID of an Earlier Search', 'a recent search'] as const;
type Way = (typeof WAYS)[number];

let executions = 0;

/** Asks for an id, or for the person that it was bought for, and measures. */
async function ask(way: Way, size: Size, id: string, { timeout, tool }: How = {}) {
	const { find, read, parameter } = OPERATIONS[size];
	const isRead = way === 'Wait for Result';
	const options: INodeParameters = {
		...(timeout !== undefined && { timeout }),
		...(isRead && { waitForResult: true }),
		...(way === 'ID of an Earlier Search' && { earlierId: id }),
	};
	const [begin, before] = [Date.now(), bench().looks.length];
	const run = await bench().run('emailFinder', isRead ? read : find, {
		parameters: isRead ? { [parameter]: id } : FIND,
		items: people(1),
		options,
		tool,
		executionId: `lost ${++executions}`,
		settings: { onError: 'continueRegularOutput' },
	});
	const seconds = Math.round((Date.now() - begin) / 1000);
	return { item: jsonOf(run)[0], seconds, looks: bench().looks.length - before };
}

interface How {
	timeout?: number;
	tool?: 'invoked';
}

/** Pays for a search, of which the service then knows nothing any more. */
async function bought(size: Size, ageMs: number, scenarios: ScenarioName[] = []): Promise<string> {
	const { item } = await ask('a recent search', size, '');
	skipTime(ageMs);
	bench().sandbox.configure({ scenarios });
	bench().sandbox.service.expire();
	return textIn(item, OPERATIONS[size].idName);
}

const NOT_KNOWN = 'The service does not know this ID';
const ANEW = 'the next run searches, and pays, anew';
const FORMS: Array<{ form?: ScenarioName; words: string; next: string }> = [
	{ words: 'Could not retrieve', next: "with 'Search Again' in Options" },
	{ form: 'unknownIdIs404', words: NOT_KNOWN, next: ANEW },
	{ form: 'unknownIdIs410', words: NOT_KNOWN, next: ANEW },
];
const HOW: How[] = [{ timeout: 12 }, { timeout: 30 }, { timeout: 300 }, { tool: 'invoked' }];

describe.for(['single', 'bulk'] as const)(
	'a gateway that answers every look for eight seconds: %s',
	(size) => {
		it.for([
			{ contentType: 'text/plain', body: '404 page not found' },
			{ contentType: 'text/html', body: '<html><h1>404 Not Found</h1></html>' },
			{ body: { message: 'no Route matched with those values' } },
		])('has no search forgotten, and all results come: %j', async (answer) => {
			const run = async () =>
				await bench().run('emailFinder', OPERATIONS[size].find, {
					parameters: FIND,
					items: people(60),
					executionId: `outage ${++executions}`,
				});
			await run();
			skipTime(HOUR_MS);
			const posts = bench().posts.length;
			const fault = { kind: 'status', status: 404, on: 'GET *', times: Infinity } as const;
			const outage = bench().sandbox.faults.add({ ...fault, ...answer });
			setTimeout(() => outage.remove(), 8_000);
			expect(jsonOf(await run()).map(({ found }) => found)).toEqual(Array(60).fill(true));
			await run();
			expect(bench().posts).toHaveLength(posts);
		});
	},
);

describe.for(WAYS)('%s', (way) => {
	describe.for(['single', 'bulk'] as const)('%s', (size) => {
		it.for(FORMS.flatMap((form) => HOW.map((how) => ({ ...form, ...how }))))(
			'at the second look, after 5 s: %j',
			async ({ form, words, next, ...how }) => {
				const id = await bought(size, HOUR_MS, form && [form]);
				const { item, ...measured } = await ask(way, size, id, how);
				expect(measured).toEqual({ seconds: 5, looks: 2 });
				expect(item).toMatchObject({ found: null, [OPERATIONS[size].idName]: id });
				expect(item?.error).toContain(words);
				expect(item?.error).toContain(`Results are kept for a time only. Check that the ID ${id} `);
				if (way === 'a recent search') {
					expect(item?.status).toBe('failed');
					expect(item?.error).toContain(next);
				}
				expect(bench().posts).toHaveLength(1);
			},
		);

		it('at the fifth, after 65 s, where the service has given it less than a minute ago', async () => {
			const id = await bought(size, 0);
			const { item, ...measured } = await ask(way, size, id);
			expect(measured).toEqual({ seconds: 65, looks: 5 });
			expect(item).toMatchObject({ error: expect.stringContaining(id) as string, found: null });
		});

		const ODD = ['17', '0035e00001AbCdE', '0035e00001AbCdEAAQ', 'recA1b2C3d4E5f6G7'];
		it.for(way === 'a recent search' ? [] : ODD)(
			'an id that looks like one of a row or record: %s',
			async (id) => {
				const { item, seconds } = await ask(way, size, id);
				expect(seconds).toBe(5);
				const told = `${id} looks like the number of a row or the ID of a record`;
				expect(item?.error).toContain(told);
				bench().expectNothingSubmitted();
			},
		);
	});
});
