import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, type Given, useBench } from '../../support/n8nCore/contactData.mts';
import type { ScenarioName } from '../../support/sandbox/scenarios/index.mts';

// A retry with a workflow that was changed: of the batch of the first try, not all is asked for.

const bench = useBench();
useFastClock();

const CALL = { socialProfileUrl: '=https://linkedin.com/in/{{ $json.who }}' };
const PEOPLE = ['mustfind-a', 'notfound-b', 'mustfind-c', 'notfound-d'];

async function retryWith(people: string[], scenarios: readonly ScenarioName[] = []) {
	bench().sandbox.configure({ bulk: 5_000, scenarios });
	const given = (who: string[], timeout: number): Given => ({
		parameters: CALL,
		items: who.map((one) => ({ who: one })),
		options: { timeout },
	});
	const operation = 'submitBulkAndWait';
	const { contextData, error } = await bench().run('phoneFinder', operation, given(PEOPLE, 1));
	expect(error).toBeDefined();
	const again = { ...given(people, 60), contextData };
	const run = await bench().run('phoneFinder', operation, again);
	return jsonOf(run).map(({ found, error: said }) => found ?? said);
}

describe('who was not found is told so', () => {
	it.for([
		[
			['mustfind-a', 'notfound-b'],
			[true, false],
		],
		[['notfound-b'], [false]],
		[
			['notfound-d', 'mustfind-c', 'notfound-b'],
			[false, true, false],
		],
		[
			['notfound-b', 'mustfind-e'],
			[false, true],
		],
	] as const)('where %j are left', async ([people, found]) => {
		expect(await retryWith([...people])).toEqual(found);
		expect(bench().sandbox.ledger.chargedTwice()).toEqual([]);
	});

	it.for([true, false])('in whatever order the results are: reversed %s', async (isReversed) => {
		const listed = ['indexFrom1', 'phoneNotFoundListed'] as const;
		const scenarios = [...listed, ...(isReversed ? (['resultsReversed'] as const) : [])];
		expect(await retryWith(['notfound-d', 'mustfind-a'], scenarios)).toEqual([false, true]);
	});
});
