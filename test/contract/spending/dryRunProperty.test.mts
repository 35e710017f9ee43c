import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';
import { expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, type Given, useBench } from '../../support/n8nCore/contactData.mts';
import { entryOf, listParameters, LOOKUP_NAMES, parametersOf } from '../../support/searches.mts';
import { figuresOf, hintOf } from './dryRun.mts';

// What a dry run says is what the real run then does, also after a try that failed.

const bench = useBench();
useFastClock();

const draws = fc.record({
	resource: fc.constantFrom(...LOOKUP_NAMES),
	operation: fc.constantFrom('submitAndWait', 'submit', 'submitBulkAndWait', 'submitBulk'),
	leads: fc.array(
		fc.record({
			/** The last one cannot be searched for. */
			who: fc.constantFrom('mustfinda', 'mustfindb', 'notfoundc', 'D', 'd', 'e', 'f', '\ufffd'),
			group: fc.constantFrom('a', 'b', 'c'),
		}),
		{ minLength: 1, maxLength: 12 },
	),
	/** So many leads to a list; 0 for an item each. */
	listLength: fc.constantFrom(0, 0, 1, 3, 5),
	/** Answers that never come, refusals, or results that are not there in time. */
	triedBefore: fc.constantFrom('no', 'no', 'unknown', 'refused', 'both', 'ongoing'),
	chance: fc.constantFrom(0.2, 0.5, 0.9),
	continues: fc.boolean(),
	grouped: fc.boolean(),
	poor: fc.boolean(),
	maxCredits: fc.constantFrom(0, 0, 1, 1_000_000),
	executionId: fc.constantFrom('1', '2'),
});
type Draw = typeof draws extends fc.Arbitrary<infer Drawn> ? Drawn : never;

/** Lets a first try fail. */
function spoil({ triedBefore, chance }: Draw): void {
	const { sandbox } = bench();
	const always = { on: 'POST *', chance, times: Infinity } as const;
	if (['unknown', 'both'].includes(triedBefore)) {
		sandbox.faults.add({ kind: 'reset', when: 'after', ...always });
	}
	if (['refused', 'both'].includes(triedBefore)) {
		sandbox.faults.add({ kind: 'status', status: 418, ...always });
	}
	if (triedBefore === 'ongoing') sandbox.configure({ single: 1_000_000, bulk: 1_000_000 });
}

async function tryOut(draw: Draw): Promise<void> {
	const { resource, operation, leads, listLength } = draw;
	const { sandbox } = bench();
	sandbox.reset();
	const isBulk = operation.startsWith('submitBulk');
	const isList = isBulk && listLength > 0;
	const entries = leads.map(({ who }) => entryOf(resource, who));
	const lists = entries.flatMap((_, index) =>
		isList && index % listLength === 0
			? [{ list: JSON.stringify(entries.slice(index, index + listLength)) }]
			: [],
	);
	// Keys of their own: no price is known from another try.
	const apiKey = sandbox.service.addAccount('owner', { requestsPerSecond: 10_000 });
	const { contactDataApi } = bench().credentials;
	const options: INodeParameters = {
		...(draw.grouped && isBulk && !isList && { custom: '={{ { group: $json.group } }}' }),
		...(draw.maxCredits > 0 && { maxCredits: draw.maxCredits }),
	};
	const given: Given = {
		credentials: { contactDataApi: { ...contactDataApi, apiKey } },
		items: isList ? lists : leads,
		parameters: isList ? listParameters(resource, '={{ $json.list }}') : parametersOf(resource),
		settings: draw.continues ? { onError: 'continueRegularOutput' } : {},
	};
	let contextData = {};
	if (draw.triedBefore !== 'no') {
		spoil(draw);
		const waits = operation.endsWith('AndWait') ? { timeout: 1 } : {};
		({ contextData } = await bench().run(resource, operation, {
			...given,
			options: { ...options, ...waits },
		}));
		sandbox.faults.clear();
		sandbox.service.finish();
	}
	if (draw.poor) sandbox.service.account('owner').credits = 2;

	const run = async (more: INodeParameters) =>
		await bench().run(resource, operation, {
			...given,
			executionId: draw.executionId,
			contextData: structuredClone(contextData),
			options: { ...options, ...more },
		});
	const posts = bench().posts.length;
	const charged = sandbox.ledger.totals().searches;
	const dry = await run({ dryRun: true });
	expect(bench().posts).toHaveLength(posts);
	const told = figuresOf(hintOf(dry));
	const said = jsonOf(dry);
	const countOf = (action: string) => said.filter((json) => json.action === action).length;
	// A run that cannot start says why, and counts only what Continue would start.
	if (!told.isRefused || told.searches > 0) expect(told.searches).toBe(countOf('submit'));
	expect(told.same).toBe(countOf('same_as'));
	for (const { same_as: first } of said.filter(({ action }) => action === 'same_as')) {
		expect(said[Number(first) - 1]).toMatchObject({ action: 'submit' });
	}

	await run({});
	const started = sandbox.ledger.totals().searches - charged;
	const isStopped = told.invalid > 0 && !draw.continues;
	const startsNothing = told.isRefused || isStopped;
	// With a price that is not documented the service or the cap may end the run after the first answer.
	const mayEndEarly = resource !== 'emailVerifier' && (draw.poor || draw.maxCredits === 1);
	if (mayEndEarly && !startsNothing) expect(started).toBeLessThanOrEqual(told.searches);
	else expect(started).toBe(startsNothing ? 0 : (told.first ?? told.searches));
}

it('paid searches', async () => {
	await fc.assert(fc.asyncProperty(draws, tryOut), { numRuns: 200 });
});
