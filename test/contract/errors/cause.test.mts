import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { shownError, type Given, useBench } from '../../support/n8nCore/contactData.mts';
import { addresses, MAIL } from '../spending/money.mts';
import { mayHaveBeenCharged } from '../../support/texts.mts';

// The second submission is told to come again later; before it does, another one ends the run.

const bench = useBench();
useFastClock();

const LATER = {
	kind: 'status',
	status: 429,
	body: { message: 'Too Many Requests' },
	headers: { 'retry-after': '1' },
	// By then the next one has left: what was refused goes first.
	delayMs: 200,
	on: 'POST *',
	skip: 1,
} as const;
const REFUSED = {
	kind: 'status',
	status: 400,
	body: { message: 'The address is too odd' },
	on: 'POST *',
	skip: 1,
} as const;

/** One request after another, so that the first item is refused first; of a key without a past. */
const inOrder = () => {
	const { baseUrl, service } = bench().sandbox;
	const apiKey = service.addAccount(randomUUID(), { requestsPerSecond: 20 });
	return { contactDataApi: { apiKey, baseUrl, requestsPerSecond: 20 } };
};

const verify = async (operation: string, given: Given = {}) => {
	const asked = { parameters: MAIL, items: addresses(5), credentials: inOrder(), ...given };
	const run = await bench().run('emailVerifier', operation, asked);
	return shownError(run, bench().sandbox.apiKey);
};

describe('the error of a run is the one that ended it', () => {
	it.for<[operation: string, given: Given]>([
		['submitAndWait', {}],
		['submitBulk', { options: { custom: '={{ ({ row: $itemIndex }) }}' } }],
	])('a refusal by the service: %s', async ([operation, given]) => {
		bench().sandbox.faults.add(LATER);
		bench().sandbox.faults.add(REFUSED);
		expect(await verify(operation, given)).toMatchObject({
			message: 'The address is too odd',
			description: expect.stringMatching(/^It is item 3\. /) as string,
			httpCode: '400',
		});
	});

	it('a fate that nobody knows', async () => {
		bench().sandbox.faults.add(LATER);
		bench().sandbox.faults.add({ kind: 'reset', when: 'after', on: 'POST *', skip: 1 });
		const { message, description } = await verify('submit');
		expect(message).toMatch(mayHaveBeenCharged);
		expect(description).toMatch(/^It is item 3\. /);
	});
});
