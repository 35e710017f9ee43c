import type { IDataObject } from 'n8n-workflow';
import { beforeEach, describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, textIn, useBench } from '../../support/n8nCore/contactData.mts';
import { resultsOf, Suspended } from '../suspension/suspended.mts';

// One id for several submissions, as of a service that knows the answer already: each gets its result.

const bench = useBench();
useFastClock();

const ID = 'one-for-all';
const NAMES = ['Ada Hart', 'Bob Hart', 'Eve Hart'];
const GIVEN = {
	parameters: { fullname: '={{ $json.fullname }}', companyDomain: 'acme.example' },
	items: NAMES.map((fullname) => ({ fullname })),
};

const run = async (operation: string, given = {}) =>
	await bench().run('emailFinder', operation, { ...GIVEN, ...given });

beforeEach(() => {
	const { faults } = bench().sandbox;
	const shareId = (body: object) => ({ ...body, id: ID });
	faults.add({ on: 'POST *', kind: 'changed', change: shareId, times: Infinity });
	const read = { kind: 'status', status: 200, times: Infinity } as const;
	const found = { qualification: 'valid', email: 'hart@acme.example' };
	faults.add({ ...read, on: 'GET /email/find/single', body: found });
	const results: IDataObject[] = NAMES.map((fullname, index) => ({
		index: String(index),
		...found,
		raw_params: { fullname, company_domain: 'acme.example' },
	}));
	const body = { general: { id: ID, status: 'completed' }, stats: {}, results };
	faults.add({ ...read, on: 'GET /email/find/bulk', body });
});

const FOUND = NAMES.map(() => ({ id: ID, found: true, email: 'hart@acme.example' }));

describe('single searches with one id', () => {
	it('each get the result, and it is read once', async () => {
		expect(jsonOf(await run('submitAndWait'))).toMatchObject(FOUND);
		expect(bench().posts).toHaveLength(3);
		expect(bench().looks).toHaveLength(1);
	});

	it('each have a receipt', async () => {
		const receipts = NAMES.map(() => ({ id: ID, status: 'ongoing' }));
		expect(jsonOf(await run('submit'))).toMatchObject(receipts);
	});

	it('each get the result after a pause, too', async () => {
		const execution = new Suspended(bench(), 'emailFinder', 'submitAndWait', GIVEN);
		const parked = await execution.park();
		expect(resultsOf(await execution.resume(parked))).toMatchObject(FOUND);
	});
});

it('batches with one id each find their searches in it', async () => {
	const options = { custom: '={{ ({ of: $json.fullname }) }}' };
	const results = jsonOf(await run('submitBulkAndWait', { options }));
	expect(results).toMatchObject(NAMES.map(() => ({ batch_id: ID, found: true })));
	expect(bench().posts).toHaveLength(3);
});

it('two items that read the same id each get the result', async () => {
	const [receipt] = jsonOf(await run('submit'));
	const given = { parameters: { lookupId: textIn(receipt, 'id') }, items: [{}, {}] };
	expect(jsonOf(await bench().run('emailFinder', 'getResult', given))).toMatchObject(
		FOUND.slice(0, 2),
	);
});
