import type { INodeParameters } from 'n8n-workflow';
import { expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, useBench } from '../../support/n8nCore/contactData.mts';
import { people } from '../../support/people.mts';
import { Suspended } from '../pausing/suspended.mts';
import { expectChargedOnce, FIND } from '../spending/money.mts';

// Timeout may be any number of seconds from 1 up, whole or not, also more than a timer of Node can hold.

const bench = useBench();
useFastClock();

const find = async (executionId: string, options: INodeParameters) =>
	await bench().run('emailFinder', 'submitAndWait', {
		parameters: FIND,
		items: people(1),
		executionId,
		options,
	});

it.for([16.1, 2.0005, 9_999_999])('a search with a Timeout of %d s', async (seconds) => {
	expect(jsonOf(await find('1', { timeout: seconds }))).toMatchObject([{ found: true }]);
	expectChargedOnce(bench(), 1);
});

it.for([128.2, 9_999_999])('a pause with a Timeout of %d s', async (seconds) => {
	bench().sandbox.configure({ single: 600_000 });
	const options = { timeout: seconds };
	const given = { items: people(1), options };
	const run = await new Suspended(bench(), 'emailFinder', 'submitAndWait', given).run();
	expect(run.error?.message).toBeUndefined();
	expect(run.status).toBe('waiting');
	expectChargedOnce(bench(), 1);
});

it('a Timeout of 35 days, while another execution starts the same search', async () => {
	bench().sandbox.faults.add({ kind: 'delay', ms: 20_000, on: 'POST *' });
	const first = find('1', {});
	await bench().sandbox.waitFor(() => bench().posts.length > 0);
	const second = await find('2', { timeout: 3_000_000 });
	expect(jsonOf(await first)).toMatchObject([{ found: true }]);
	expect(jsonOf(second)).toMatchObject([{ found: true }]);
	expectChargedOnce(bench(), 1);
});
