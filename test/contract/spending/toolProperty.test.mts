import fc from 'fast-check';
import { expect, it } from 'vitest';
import { lookups } from '../../../nodes/ContactData/lookups/index.ts';
import { LOOKUP_NAMES, lookupOf, parametersOf } from '../../support/searches.mts';
import { useFastClock } from '../../support/clock.mts';
import { runAgent } from '../../support/n8nCore/agent.mts';
import { useBench } from '../../support/n8nCore/contactData.mts';
import { isMissing } from '../../support/n8nCore/missing.mts';
import { OLDER_PRICES } from '../../support/sandbox/accounts.mts';

// Whatever an agent asks for, however often, and whatever fails: nothing is paid twice, the cap holds,
// and the answers and the execution say what was spent.

const bench = useBench();
useFastClock();

const draws = fc.record({
	resource: fc.constantFrom(...LOOKUP_NAMES),
	operation: fc.constantFrom('submitAndWait', 'submit', 'submitBulkAndWait', 'submitBulk'),
	calls: fc.array(fc.constantFrom('mustfinda', 'mustfindb', 'notfoundc', 'd', 'e', 'f'), {
		minLength: 1,
		maxLength: 12,
	}),
	atOnce: fc.boolean(),
	retryOnFail: fc.boolean(),
	lookupMs: fc.constantFrom(20, 900, 1_500),
	/** So many searches; 0 for no limit. */
	cap: fc.constantFrom(0, 1, 3, 100),
	unknown: fc.constantFrom(0, 0, 0.3),
	refused: fc.constantFrom(0, 0, 0.3),
	unreadable: fc.constantFrom(0, 0, 0.4),
});
type Draw = typeof draws extends fc.Arbitrary<infer Drawn> ? Drawn : never;

function spentSaid(answer: string | undefined): number[] {
	if (answer?.startsWith('[') !== true) return [];
	const items = JSON.parse(answer) as Array<{ credits_spent?: unknown }>;
	return items.map(({ credits_spent: spent }) => Number(spent));
}

async function tryOut({ resource, operation, calls, atOnce, cap, ...draw }: Draw): Promise<void> {
	const { sandbox } = bench();
	sandbox.reset();
	const parameters = parametersOf(resource, "$fromAI('who')");
	const price = lookupOf(resource).price.credits;
	// Keys of their own: no price is known from another try.
	const apiKey = sandbox.service.addAccount('owner', {
		requestsPerSecond: 10_000,
		// Those that the package counts with before it knows better.
		prices: OLDER_PRICES,
	});
	const { contactDataApi } = bench().credentials;
	sandbox.configure({ single: draw.lookupMs, bulk: draw.lookupMs });
	const { faults } = sandbox;
	const always = { on: 'POST *', times: Infinity } as const;
	if (draw.unknown > 0) {
		faults.add({ kind: 'reset', when: 'after', chance: draw.unknown, ...always });
	}
	if (draw.refused > 0) {
		faults.add({ kind: 'status', status: 418, chance: draw.refused, ...always });
	}
	for (const { path } of Object.values(lookups)) {
		const body = { message: 'Could not retrieve single search results' };
		const rule = { on: `GET ${path}/*` as const, chance: draw.unreadable, times: Infinity };
		if (draw.unreadable > 0) faults.add({ kind: 'status', status: 500, body, ...rule });
	}
	const tool = bench().node(resource, operation, {
		parameters,
		options: {
			...(operation.endsWith('AndWait') && { timeout: 1 }),
			...(cap > 0 && { maxCredits: cap * price }),
		},
		settings: draw.retryOnFail ? { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 } : {},
	});
	const { answers, run } = await runAgent(
		tool,
		calls.map((who) => ({ who })),
		{ credentials: { contactDataApi: { ...contactDataApi, apiKey } }, atOnce },
	);

	expect(sandbox.ledger.chargedTwice()).toEqual([]);
	const { charged } = sandbox.ledger.totals();
	if (cap > 0) expect(charged).toBeLessThanOrEqual(cap * price);
	if (isMissing('custom data in nodes')) return;
	const noted = Number(run.data.resultData.metadata?.contact_data_credits_spent ?? 0);
	if (draw.unknown === 0) expect(noted).toBe(charged);
	else expect(noted).toBeLessThanOrEqual(charged);
	const said = answers.flatMap(({ answer }) => spentSaid(answer));
	for (const spent of said) expect(spent).toBeLessThanOrEqual(noted);
	if (said.length === calls.length && !atOnce) expect(said.at(-1)).toBe(noted);
}

it('the calls of a tool', async () => {
	await fc.assert(fc.asyncProperty(draws, tryOut), { numRuns: 40 });
});
