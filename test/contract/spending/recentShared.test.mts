import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { skipTime, useFastClock } from '../../support/clock.mts';
import { jsonOf, useBench } from '../../support/n8nCore/contactData.mts';
import { people } from '../../support/people.mts';
import { FIND } from './money.mts';

// What executions remember together: where one of them reads, another may pay, forget, or be left in doubt.

const bench = useBench();
useFastClock();

const HOUR_MS = 3_600_000;
let executions = 0;

const find = async (operation: string, items: IDataObject[]) =>
	await bench().run('emailFinder', operation, {
		parameters: FIND,
		items,
		executionId: `shared ${++executions}`,
		settings: { onError: 'continueRegularOutput' },
	});

describe.for(['submitAndWait', 'submitBulkAndWait'])('%s', (operation) => {
	it.for([500, 404, 403, 400])('believes a refusal (%i) at the second look', async (status) => {
		const [one = {}] = people(1);
		await find(operation, [one]);
		skipTime(HOUR_MS);
		const body = { message: 'Could not retrieve single search results' };
		const refuse = (times: number) =>
			bench().sandbox.faults.add({ kind: 'status', status, body, on: 'GET /email/*', times });
		refuse(1);
		expect(jsonOf(await find(operation, [one]))).toMatchObject([{ found: true }]);
		refuse(2);
		const begin = Date.now();
		expect(jsonOf(await find(operation, [one]))).toMatchObject([{ found: null }]);
		expect(Date.now() - begin).toBeLessThan(7_000);
		expect(bench().posts).toHaveLength(1);
	});

	it.for([404, 410])(
		'forgets an id of which it says %i: the next run searches anew',
		async (status) => {
			const [one = {}] = people(1);
			await find(operation, [one]);
			skipTime(HOUR_MS);
			const body = { message: 'Not found' };
			const fault = {
				kind: 'status',
				status,
				body,
				on: 'GET /email/*',
				times: Infinity,
			} as const;
			bench().sandbox.faults.add(fault);
			const [given] = jsonOf(await find(operation, [one]));
			expect(given?.error).toContain('the next run searches, and pays, anew');
			expect(bench().posts).toHaveLength(1);
			bench().sandbox.faults.clear();
			expect(jsonOf(await find(operation, [one]))).toMatchObject([{ found: true }]);
			expect(bench().posts).toHaveLength(2);
		},
	);

	it('does not pay again for a result that was left out, or is of no use', async () => {
		const change = (body: object) => {
			if ('results' in body && Array.isArray(body.results)) {
				return { ...body, results: body.results.slice(1) as unknown[] };
			}
			return 'info' in body ? { ...body, email: null } : body;
		};
		bench().sandbox.faults.add({ kind: 'changed', change, on: 'GET /email/*', times: Infinity });
		const asked = people(operation === 'submitAndWait' ? 1 : 3);
		for (let turn = 0; turn < 3; turn++) {
			const run = await find(operation, asked);
			const [given] = jsonOf(run);
			expect(given?.error).toMatch(turn > 0 ? "'Search Again' in Options" : /./);
			skipTime(HOUR_MS / 4);
		}
		expect(bench().posts).toHaveLength(1);
	});
});

it('a tool does not search for a part of a list that may have been charged', async () => {
	const verify = async (...verifications: string[]) => {
		const run = await bench().run('emailVerifier', 'submitBulkAndWait', {
			tool: 'invoked',
			executionId: `shared ${++executions}`,
			parameters: { inputMode: 'array', verifications },
		});
		return JSON.stringify(jsonOf(run));
	};
	bench().sandbox.faults.add({ kind: 'reset', when: 'after', on: 'POST *' });
	await verify('mustfind.1@acme.com', 'mustfind.2@acme.com');
	const part = await verify('mustfind.1@acme.com');
	expect(part).toMatch(/may have been charged/);
	expect(part).not.toContain('mustfind.2');
	expect(bench().posts).toHaveLength(1);
});
