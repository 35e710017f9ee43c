import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, nodeFor, shownError } from '../../support/n8nCore/contactData.mts';
import { watchLog } from '../../support/n8nCore/log.mts';
import { OPERATIONS } from '../../support/searches.mts';
import { ID } from '../../support/standIn.mts';
import {
	noResultForItem,
	noSuchSearch,
	notFinishedInTime,
	notUnderstood,
	retryIt,
} from '../../support/texts.mts';
import { resultsOf, Suspended } from '../pausing/suspended.mts';
import { eventOf, notify, started } from '../trigger/trigger.mts';
import type { Doubt } from './doubts.mts';
import { DOUBTS, PARAMETERS, PEOPLE } from './doubts.mts';
import { runBefore, useStandIn } from './standIn.mts';

// Answers of which it is in doubt whether they end a lookup, and whose they are: the same comes out of a run
// that waits, of a pause, of Get Result, and of the trigger. What is not given is an error with the id.

useFastClock();
const standIn = useStandIn();

const CONTINUE = { onError: 'continueRegularOutput' } as const;

function driven({ of, body }: Doubt) {
	const { size, lookup } = eventOf(of);
	standIn.say({ get: { body } });
	const items = size === 'single' ? PEOPLE.slice(0, 1) : PEOPLE;
	const { name: resource } = lookup;
	return { resource, event: of, items, parameters: PARAMETERS[resource], ...OPERATIONS[size] };
}

describe.for(Object.keys(DOUBTS) as Array<keyof typeof DOUBTS>)('%s', (what) => {
	describe.for(DOUBTS[what])('$of: $form', (doubt) => {
		const { items: expected, isRefused, lastAnswer, read, hint, starts = 0, reason = '' } = doubt;

		it('a run that waits', async () => {
			const { resource, find, items, parameters, idName } = driven(doubt);
			const options = { timeout: 900 };
			const run = await runBefore(standIn, resource, find, { items, parameters, options });
			const json = jsonOf(run);
			const text =
				lastAnswer === undefined
					? /still running\./
					: new RegExp(`last answer was: .*${lastAnswer}`);
			expect(json).toMatchObject(
				expected ?? items.map(() => ({ error: expect.stringMatching(text) as string })),
			);
			if (expected === undefined) expect(json[0]?.error).toContain(notFinishedInTime);
			for (const one of json) expect(one[idName]).toBe(ID);
		});

		it('a pause', async () => {
			const { resource, find, items, parameters, idName } = driven(doubt);
			const credentials = { contactDataApi: standIn.credential };
			const bench = { node: nodeFor, credentials };
			const given = { items, parameters, settings: CONTINUE };
			const execution = new Suspended(bench, resource, find, given);
			const parked = await execution.park();
			if (expected !== undefined && isRefused !== true) {
				const results = resultsOf(await execution.resume(parked));
				expect(results).toMatchObject(expected);
				for (const one of results) expect(one[idName]).toBe(ID);
			} else {
				const { resumed, error } = await execution.call(parked);
				expect({ resumed, error }).toEqual({ resumed: undefined, error: undefined });
			}
		});

		it('Get Result', async () => {
			const { resource, read: operation, parameter, idName } = driven(doubt);
			const log = watchLog();
			const given = { items: [{}], parameters: { [parameter]: ID } };
			const run = await runBefore(standIn, resource, operation, given);
			expect(jsonOf(run)).toMatchObject(read ?? [{ status: 'ongoing' }]);
			for (const one of jsonOf(run)) expect(one[idName]).toBe(ID);
			// Before a doubt the hints count what was read.
			const hints = run.hints.map(({ message }) => message).slice(1);
			expect(hints).toEqual(hint === undefined ? [] : [expect.stringContaining(hint)]);
			expect(log.map(({ message }) => message)).toEqual(hints);
			if (hint !== undefined) expect(hints[0]).toContain(ID);
		});

		it('Get Result that stops at errors names the id, and advises no retry of what was not paid', async () => {
			const { resource, read: operation, parameter } = driven(doubt);
			const settings = { onError: 'stopWorkflow' } as const;
			const given = { items: [{}], parameters: { [parameter]: ID }, settings };
			const run = await runBefore(standIn, resource, operation, given);
			const isError = read?.some(
				(one) => typeof one === 'object' && one !== null && 'error' in one,
			);
			expect(run.error !== undefined).toBe(isError ?? false);
			if (run.error === undefined) return;
			const { message, description } = shownError(run, 'key-');
			expect(`${message} ${description}`).toContain(ID);
			expect(description).not.toContain(retryIt);
			if (!message.includes(notUnderstood)) expect(description).not.toContain('Base URL');
		});

		it('the trigger', async () => {
			const { event } = driven(doubt);
			const log = watchLog();
			const credentials = { contactDataApi: standIn.credential };
			const call = await notify({ credentials }, { id: ID }, { query: { event }, mode: 'manual' });
			expect(started(call)).toHaveLength(starts);
			if (starts === 0) expect(call.response?.status).toBeGreaterThanOrEqual(400);
			const why = starts === 0 ? `of ${ID} has started nothing: ` : hint;
			const told = why === undefined ? [] : [expect.stringContaining(why)];
			expect(log.map(({ message }) => message)).toEqual(told);
			// An answer of another lookup is as good as none.
			const isUnknown = call.response?.status === 404;
			if (starts === 0) expect(log[0]?.message).toContain(isUnknown ? noSuchSearch : reason);
		});
	});
});

describe.for(['single', 'bulk'] as const)('Get Result that stops at errors, %s', (size) => {
	const { read: operation, parameter } = OPERATIONS[size];

	it.for<[number, unknown]>([
		[400, { message: 'Could not retrieve bulk search results' }],
		[401, { message: 'This apikey is not valid' }],
		[403, '<html>Forbidden</html>'],
		[404, { message: 'Not Found' }],
		[500, { message: 'Could not retrieve single search results' }],
		[502, '<html>Bad Gateway</html>'],
		[503, {}],
		[200, '<html>Sign in</html>'],
		[200, { status: 'completed' }],
		[200, { status: 'failed' }],
	])('names the id, and advises no retry: %i %j', async ([status, body]) => {
		standIn.say({ get: { status, body } });
		const settings = { onError: 'stopWorkflow' } as const;
		const given = { items: [{}], parameters: { [parameter]: ID }, settings };
		const { message, description } = shownError(
			await runBefore(standIn, 'emailFinder', operation, given),
			'key-',
		);
		expect(`${message} ${description}`).toContain(ID);
		expect(description).not.toContain(retryIt);
	});
});

it('a run that gives out what still runs at its Timeout tells the last words of the service', async () => {
	const body = { general: { status: 'rejected', message: 'No credits left for this batch' } };
	standIn.say({ get: { body } });
	const run = await runBefore(standIn, 'emailFinder', 'submitBulkAndWait', {
		items: PEOPLE,
		parameters: PARAMETERS.emailFinder,
		options: { timeout: 900, onTimeout: 'output' },
	});
	expect(jsonOf(run)).toMatchObject(PEOPLE.map(() => ({ status: 'ongoing', batch_id: ID })));
	const hints = run.hints.map(({ message }) => message);
	expect(hints).toContainEqual(
		expect.stringMatching(new RegExp(`${ID}.*rejected: No credits left for this batch`)),
	);
});

it('a run that stops at who is left out names the item and the batch, and how to look at it', async () => {
	const results = [0, 2].map((n) => ({ email: PEOPLE[n]?.email, qualification: 'valid' }));
	standIn.say({ get: { body: { general: { status: 'completed' }, results } } });
	const settings = { onError: 'stopWorkflow' } as const;
	const given = { items: PEOPLE, parameters: PARAMETERS.emailVerifier, settings };
	const run = await runBefore(standIn, 'emailVerifier', 'submitBulkAndWait', given);
	const { message, description } = shownError(run, 'key-');
	expect(message).toContain(`Batch ${ID} is finished, but ${noResultForItem}`);
	expect(description).toMatch(/^It is item 2\. /);
	expect(description).toContain(`'Get Bulk Results' and 'Batch ID' ${ID}`);
});
