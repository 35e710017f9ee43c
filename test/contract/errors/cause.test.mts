import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
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

const verify = async (operation: string, given: Given = {}) =>
	await bench().run('emailVerifier', operation, {
		parameters: MAIL,
		items: addresses(5),
		credentials: inOrder(),
		...given,
	});

const shown = (run: Awaited<ReturnType<typeof verify>>) => shownError(run, bench().sandbox.apiKey);

describe('the error of a run is the one that ended it', () => {
	it.for(['submit', 'submitAndWait'])('%s: a refusal by the service', async (operation) => {
		bench().sandbox.faults.add(LATER);
		bench().sandbox.faults.add(REFUSED);
		expect(shown(await verify(operation))).toMatchObject({
			message: 'The address is too odd',
			itemIndex: 2,
			httpCode: '400',
		});
	});

	it.for(['submitBulk', 'submitBulkAndWait'])('%s: of a batch', async (operation) => {
		bench().sandbox.faults.add(LATER);
		bench().sandbox.faults.add(REFUSED);
		const options = { custom: '={{ ({ row: $itemIndex }) }}' };
		const run = await verify(operation, { options });
		expect(shown(run)).toMatchObject({ message: 'The address is too odd', itemIndex: 2 });
	});

	it('of a list', async () => {
		bench().sandbox.faults.add(LATER);
		bench().sandbox.faults.add(REFUSED);
		const items: IDataObject[] = ['a', 'b', 'c'].map((name) => ({ list: [`${name}@acme.com`] }));
		const run = await verify('submitBulkAndWait', {
			parameters: { inputMode: 'array', verifications: '={{ $json.list }}' },
			items,
		});
		expect(shown(run)).toMatchObject({ message: 'The address is too odd', itemIndex: 2 });
	});

	it('a fate that nobody knows', async () => {
		bench().sandbox.faults.add(LATER);
		bench().sandbox.faults.add({ kind: 'reset', when: 'after', on: 'POST *', skip: 1 });
		const error = shown(await verify('submit'));
		expect(error.message).toMatch(mayHaveBeenCharged);
		expect(error.itemIndex).toBe(2);
	});

	it('and names the ids that are paid for all the same', async () => {
		bench().sandbox.faults.add(LATER);
		bench().sandbox.faults.add({ ...REFUSED, skip: 2 });
		const { message, description } = shown(await verify('submit'));
		expect(message).toBe('The address is too odd');
		const ids = bench().sandbox.ledger.entries.map(({ id }) => id);
		expect(ids).toHaveLength(2);
		for (const id of ids) expect(description).toContain(id);
	});
});
