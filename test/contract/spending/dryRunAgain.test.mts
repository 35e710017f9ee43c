import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';
import { expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { type Given, useBench } from '../../support/n8nCore/contactData.mts';
import { figuresOf, hintOf } from './dryRun.mts';
import { SEARCH_BY_NAME } from './money.mts';

// What a dry run says after a try that failed is what the next try then does.

const bench = useBench();
useFastClock();

const draws = fc.record({
	resource: fc.constantFrom(
		'emailFinder' as const,
		'emailVerifier' as const,
		'phoneFinder' as const,
	),
	operation: fc.constantFrom('submitAndWait', 'submit', 'submitBulkAndWait', 'submitBulk'),
	leads: fc.array(
		fc.record({
			who: fc.constantFrom('mustfinda', 'mustfindb', 'notfoundc', 'd', 'e', 'f'),
			group: fc.constantFrom('a', 'b', 'c'),
		}),
		{ minLength: 1, maxLength: 10 },
	),
	/** Answers that never come, refusals, or results that are not there in time. */
	fails: fc.constantFrom('unknown', 'refused', 'both', 'ongoing'),
	chance: fc.constantFrom(0.2, 0.5, 0.9),
	continues: fc.boolean(),
	grouped: fc.boolean(),
	maxCredits: fc.constantFrom(0, 1_000_000),
	executionId: fc.constantFrom('1', '2'),
});
type Draw = typeof draws extends fc.Arbitrary<infer Drawn> ? Drawn : never;

async function tryOut({ resource, operation, leads, ...draw }: Draw): Promise<void> {
	const { sandbox } = bench();
	sandbox.reset();
	// Keys of their own: no price is known from another try.
	const apiKey = sandbox.service.addAccount('owner', { requestsPerSecond: 10_000 });
	const { contactDataApi } = bench().credentials;
	const options: INodeParameters = {
		...(draw.grouped && operation.startsWith('submitBulk')
			? { custom: '={{ { group: $json.group } }}' }
			: {}),
		...(draw.maxCredits > 0 && { maxCredits: draw.maxCredits }),
	};
	const given: Given = {
		credentials: { contactDataApi: { ...contactDataApi, apiKey } },
		items: leads,
		parameters: SEARCH_BY_NAME[resource],
		settings: draw.continues ? { onError: 'continueRegularOutput' } : {},
	};
	const always = { on: 'POST *', chance: draw.chance, times: Infinity } as const;
	if (['unknown', 'both'].includes(draw.fails)) {
		sandbox.faults.add({ kind: 'reset', when: 'after', ...always });
	}
	if (['refused', 'both'].includes(draw.fails)) {
		sandbox.faults.add({ kind: 'status', status: 418, ...always });
	}
	if (draw.fails === 'ongoing') sandbox.configure({ single: 1_000_000, bulk: 1_000_000 });
	const waits = operation.endsWith('AndWait') ? { timeout: 1 } : {};
	const first = await bench().run(resource, operation, {
		...given,
		options: { ...options, ...waits },
	});
	sandbox.faults.clear();
	sandbox.service.finish();

	const { executionId } = draw;
	const again = async (more: INodeParameters) =>
		await bench().run(resource, operation, {
			...given,
			executionId,
			contextData: structuredClone(first.contextData),
			options: { ...options, ...more },
		});
	const before = { sent: bench().posts.length, charged: sandbox.ledger.totals().searches };
	const told = figuresOf(hintOf(await again({ dryRun: true })));
	await again({});
	expect({
		sent: bench().posts.length - before.sent,
		charged: sandbox.ledger.totals().searches - before.charged,
	}).toEqual({
		sent: told.isRefused ? 0 : told.requests,
		charged: told.isRefused ? 0 : told.searches,
	});
}

it('requests and paid searches', async () => {
	await fc.assert(fc.asyncProperty(draws, tryOut), { numRuns: 100 });
});
