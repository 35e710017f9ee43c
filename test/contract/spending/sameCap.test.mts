import { expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, pairedWith, useBench } from '../../support/n8nCore/contactData.mts';
import { people } from '../../support/people.mts';
import { FIND, FINDING_AT, newAccount } from './money.mts';

const bench = useBench();
useFastClock();

/** A hundred rows at a credit each, with a cap of ten, under Continue: what came of them. */
async function findHundred(operation: string, isRemembered: boolean) {
	const { ledger } = bench().sandbox;
	const { credentials } = newAccount(bench(), FINDING_AT(1));
	const run = async (items: ReturnType<typeof people>) => {
		const ran = await bench().run('emailFinder', operation, {
			parameters: FIND,
			items,
			executionId: `${items.length} rows, remembered: ${isRemembered}`,
			options: { maxCredits: 10 },
			settings: { onError: 'continueRegularOutput' },
			credentials,
		});
		jsonOf(ran);
		return ran.items;
	};
	if (isRemembered) await run(people(1, 'before'));
	const before = { posts: bench().posts.length, searches: ledger.totals().searches };
	const items = await run(people(100));
	expect(ledger.chargedTwice()).toEqual([]);
	return {
		started: ledger.totals().searches - before.searches,
		// A receipt of a batch is of all its rows.
		rows: items.flatMap((item) => (typeof item.json.error === 'string' ? [] : pairedWith(item))),
		errors: items.filter(({ json }) => typeof json.error === 'string').length,
		posts: bench().posts.length - before.posts,
	};
}

// What this process remembers of prices, a restart of n8n forgets: the answer is the same. One search goes
// first to tell a price, and then all that fit.
it.for([
	['submit', { remembered: 10, learned: 10 }],
	['submitAndWait', { remembered: 10, learned: 10 }],
	['submitBulk', { remembered: 1, learned: 2 }],
	['submitBulkAndWait', { remembered: 1, learned: 2 }],
] as const)(
	'%s: a cap starts as many as fit, whether the price is remembered or was just learned',
	async ([operation, posts]) => {
		const fitting = { started: 10, rows: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], errors: 90 };
		expect({
			learned: await findHundred(operation, false),
			remembered: await findHundred(operation, true),
		}).toEqual({
			learned: { ...fitting, posts: posts.learned },
			remembered: { ...fitting, posts: posts.remembered },
		});
	},
);
