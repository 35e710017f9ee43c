import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, shownError, useBench } from '../../support/n8nCore/contactData.mts';
import type { Kind } from '../../support/sandbox/types.mts';
import { OPERATIONS, parametersOf, toLookupName } from '../../support/searches.mts';
import { couldNotProcess } from '../../support/texts.mts';
import { hintsOf, resultsOf, Suspended } from '../pausing/suspended.mts';
import { idsCharged, statusesOf } from '../spending/money.mts';
import { eventOf, notify, started, submit } from '../trigger/trigger.mts';
import type { Fact } from './facts.mts';
import * as facts from './facts.mts';
import { isBulk, kindsOf, lineOf, PEOPLE, resultFor, text, webhookAt } from './facts.mts';

// Each fact that is publicly shown of the service, as the user of each operation meets it.

const HOOK = 'https://hooks.example/mine';
const REGISTERED = 'https://hooks.example/registered';

const bench = useBench({
	account: { webhooks: [REGISTERED] },
	deliver: async () => await Promise.resolve({ status: 200, text: '' }),
});
useFastClock();

const RUNNING = ['Continue', 'Stop'] as const;
const MODES = [...RUNNING, 'Pause'] as const;
type Mode = (typeof MODES)[number];
const FINDING = MODES.map((mode) => ['find', mode] as const);
const STARTING = RUNNING.map((mode) => ['start', mode] as const);

const of = (kind: Kind) => {
	const { size, lookup } = eventOf(kind);
	return { resource: toLookupName(lookup.name), ...OPERATIONS[size] };
};

interface Ran {
	items: IDataObject[];
	/** Of what ends it: its message and description. */
	error?: string;
	line?: string;
}

const asked = (
	kind: Kind,
	{ people = PEOPLE, parameters, options, takesMs }: Partial<Fact> = {},
) => ({
	items: people as readonly IDataObject[],
	parameters: { ...parametersOf(of(kind).resource), ...parameters },
	options: options?.(kind) ?? {},
	takesMs,
});

/** To its end; a pause is ended by the service's notification. */
async function run(
	kind: Kind,
	[what, mode]: readonly ['find' | 'start' | 'read', Mode],
	{ takesMs, items = [], ...more }: Partial<ReturnType<typeof asked>>,
): Promise<Ran> {
	const { resource, find, [what]: operation } = of(kind);
	const onError = mode === 'Stop' ? 'stopWorkflow' : 'continueRegularOutput';
	const given = { ...more, items: [...items], settings: { onError } as const };
	if (mode !== 'Pause') {
		const ran = await bench().run(resource, operation, given);
		const line = ran.hints[0]?.message;
		if (ran.error === undefined) return { items: jsonOf(ran), line };
		const { message, description } = shownError(ran, bench().sandbox.apiKey);
		return { items: [], error: `${message}. ${description}`, line };
	}
	const execution = new Suspended(bench(), resource, find, given);
	const paused = await execution.run();
	const { parked } = paused;
	if (parked === undefined) return { items: resultsOf(paused), line: hintsOf(paused)[0] };
	if (takesMs === 3_000) expect((await execution.call(parked)).resumed).toBeUndefined();
	const [call] = (await notifications(takesMs)).reverse();
	return { items: resultsOf(await execution.resume(parked, call)) };
}

/** What the service tells of all that was started. */
async function notifications(takesMs = 0) {
	const { deliveries, waitFor } = bench().sandbox;
	await waitFor(() => deliveries.length >= ids().length, takesMs + 60_000);
	return deliveries.map(({ body, contentType, url }) => {
		return { body, url, headers: { 'content-type': contentType } };
	});
}

const ids = () => idsCharged(bench());
const account = () => bench().sandbox.service.account();

function prepare({ plays: scenarios, prices, takesMs, isOf }: Partial<Fact>): void {
	const { configure, waitFor } = bench().sandbox;
	configure({ scenarios, ...(takesMs !== undefined && { single: takesMs, bulk: takesMs }) });
	Object.assign(account().prices, prices);
	if (isOf !== 'tooFast') return;
	account().requestsPerSecond = 0;
	void waitFor(() => statusesOf(bench().sandbox).includes(429)).then(() => {
		account().requestsPerSecond = 10_000;
	});
}

describe.for(facts.TAKEN)('$row', (fact) => {
	describe.for(kindsOf(fact))('%s', (kind) => {
		const { people = PEOPLE, takesMs = 0, plays, isOf, sent, columns } = fact;
		const { idName } = of(kind);
		const fails = plays.includes('batchFailed');
		const failed = () => text(`${couldNotProcess}batch ${ids()[0]}`);
		const results = () =>
			people.map((one, n) => ({
				...(fails ? { error: failed(), found: null } : resultFor(kind, one, columns)),
				[idName]: ids()[isBulk(kind) ? 0 : n],
			}));
		/** A failed batch is one item where it is read, and one of phones lists those it has found. */
		const listed = () => {
			const all = results();
			const found = all.filter((one) => kind !== 'phoneFinderBulk' || one.found === true);
			return fails || found.length === 0 ? all.slice(0, 1) : found;
		};

		function expectGiven({ items, error }: Ran, expected: IDataObject[], mode: Mode): void {
			const isThrown = fails && mode === 'Stop';
			expect(error).toEqual(isThrown ? failed() : undefined);
			expect(items).toMatchObject(isThrown ? [] : expected);
		}

		function expectPaidOnce(): void {
			const { ledger } = bench().sandbox;
			const price = account().prices[kind];
			const misses = people.filter(({ isFound }) => !isFound).length;
			const refunded = fails || kind.startsWith('emailVerifier') ? 0 : misses * price;
			const charged = people.length * price;
			const totals = { searches: people.length, charged, refunded, net: charged - refunded };
			expect(ledger.totals()).toEqual(totals);
			expect(ledger.chargedTwice()).toEqual([]);
			expect(bench().posts[0]?.body).toMatchObject(sent?.(kind) ?? {});
			expect(statusesOf(bench().sandbox).includes(429)).toBe(isOf === 'tooFast');
		}

		it.for(FINDING)('%s, %s', async (way) => {
			prepare(fact);
			const begin = Date.now();
			const ran = await run(kind, way, asked(kind, fact));
			expect(Date.now() - begin).toBeLessThanOrEqual(1.2 * takesMs + 10_000);
			expectGiven(ran, results(), way[1]);
			const line = lineOf(kind, people, account().prices[kind]);
			if (!fails && way[1] !== 'Pause') expect(ran.line).toBe(line);
			expectPaidOnce();
		});

		it.for(RUNNING)('start, then read, %s', async (mode) => {
			prepare(fact);
			const { items } = await run(kind, ['start', mode], asked(kind, fact));
			const credits = account().prices[kind] * (isBulk(kind) ? people.length : 1);
			expect(items).toMatchObject(ids().map((id) => ({ [idName]: id, credits })));
			const early = takesMs > 0 ? (await run(kind, ['read', mode], { items })).items : [];
			for (const one of early) expect(one).toMatchObject({ status: 'ongoing', error: null });
			const options = { waitForResult: true };
			expectGiven(await run(kind, ['read', mode], { items, options }), listed(), mode);
			expectPaidOnce();
		});

		it('start, then the trigger', async () => {
			prepare(fact);
			const isOwn = isOf !== 'registeredUrl';
			const { options, ...search } = asked(kind, fact);
			const hook = isOwn ? webhookAt(HOOK) : {};
			const given = { ...search, options: { ...options, ...hook } };
			expect((await run(kind, ['start', 'Stop'], given)).error).toBeUndefined();
			const items: IDataObject[] = [];
			for (const { body, headers, url } of await notifications(takesMs)) {
				expect(url).toBe(isOwn ? HOOK : REGISTERED);
				const call = await notify(bench(), body, { headers });
				expect(call.response?.status).toBe(200);
				items.push(...started(call));
			}
			expect(items).toMatchObject(listed().map((one) => ({ ...one, event: kind })));
			expectPaidOnce();
		});
	});
});

describe.for(facts.REFUSED)('$row', (fact) => {
	const { credits, fault, isOf, says: [words, advice] = [] } = fact;
	describe.for(kindsOf(fact))('%s', (kind) => {
		it.for([...(isOf === 'start' ? [] : FINDING), ...STARTING])('%s, %s', async (way) => {
			prepare(fact);
			if (credits !== undefined) account().credits = credits;
			const rule = { kind: 'status', on: 'POST *', times: Infinity } as const;
			if (fault !== undefined) bench().sandbox.faults.add({ ...rule, ...fault });
			const {
				items,
				error = items[0]?.error,
				line = words,
			} = await run(kind, way, asked(kind, fact));
			expect(error).toMatch(new RegExp(`^${words}.*${advice}`));
			const isThrown = way[1] === 'Stop';
			expect(items).toMatchObject(
				PEOPLE.flatMap(() => (isThrown ? [] : { error: text(`${words}`) })),
			);
			expect(line).toContain(words);
			expect(bench().sandbox.ledger.entries).toEqual([]);
		});
	});
});

describe.for(facts.UNKNOWN)('$row', (fact) => {
	describe.for(kindsOf(fact))('%s', (kind) => {
		const { idName } = of(kind);
		const search = asked(kind, { people: PEOPLE.slice(0, 1) });

		async function expired(): Promise<string> {
			prepare({ ...fact, takesMs: 0 });
			const id = await submit(bench().sandbox, kind);
			bench().sandbox.service.expire();
			return id;
		}

		async function expectTold(way: Parameters<typeof run>[1], given: typeof search): Promise<void> {
			const { items, error = items[0]?.error } = await run(kind, way, given);
			const [id, ...others] = ids();
			const kept = `Check that the ID ${id} `;
			expect(error).toMatch(new RegExp(`${fact.says?.[0]}.*${kept}`));
			expect(items).toMatchObject(way[1] === 'Stop' ? [] : [{ found: null, [idName]: id }]);
			expect(others).toEqual([]);
		}

		it.for(RUNNING.flatMap((mode) => [['read', mode] as const, ['find', mode] as const]))(
			'of an earlier search: %s, %s',
			async (way) => {
				const earlierId = await expired();
				const items = [{ ...search.items[0], [idName]: earlierId }];
				const options = way[0] === 'find' ? { earlierId } : {};
				await expectTold(way, { ...search, items, options });
			},
		);

		it.for(FINDING)('of its own search: %s, %s', async (way) => {
			prepare({ ...fact, takesMs: 0 });
			const { service, waitFor } = bench().sandbox;
			void waitFor(() => ids().length > 0).then(() => service.expire());
			await expectTold(way, search);
		});

		it('the trigger', async () => {
			const { lookup, size } = eventOf(kind);
			const call = await notify(bench(), { id: await expired(), event: lookup.notifiedAs[size] });
			expect(call.response?.status).toBe(404);
		});
	});
});
