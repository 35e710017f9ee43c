import type { IDataObject } from 'n8n-workflow';
import { expect, it, vi } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { useBench } from '../../support/n8nCore/contactData.mts';
import { WRONG_EMAIL } from '../../support/people.mts';
import { resultsOf, Suspended } from './suspended.mts';

// Fields of the user that are called as those of the node or of the service are. That they come out as
// those of a poll, whatever they are, `sameAsPollProperty.test.mts` says.

const JOB_MS = 600_000;

const bench = useBench({ single: JOB_MS, bulk: JOB_MS });
useFastClock();
// Sockets keep their own time, and another's load.
vi.setConfig({ testTimeout: 60_000 });

const FIELDS: IDataObject = {
	id: 'of the user',
	batch_id: 'of the user',
	status: 'ongoing',
	index: 0,
	raw_params: { fullname: 'of the user' },
	custom: { row: 7 },
	input_fields: { user: true },
	error: 'an earlier one',
	message: 'of the user',
	mine: 'of the user',
};

it.for([
	['submitAndWait', 'id'],
	['submitBulkAndWait', 'batch_id'],
] as const)('%s is resumed with them, under those of its result', async ([operation, idName]) => {
	const execution = new Suspended(bench(), 'emailVerifier', operation, {
		items: ['mustfind@a.example', WRONG_EMAIL].map((email) => ({ ...FIELDS, email })),
		options: { includeInputFields: true },
		settings: { onError: 'continueRegularOutput' },
	});
	const [found, failed] = resultsOf(await execution.runThrough(JOB_MS));
	const [{ id } = { id: '' }] = bench().sandbox.ledger.entries;
	const { raw_params, custom, mine } = FIELDS;
	const hidden = {
		input_id: 'of the user',
		input_batch_id: 'of the user',
		input_status: 'ongoing',
	};
	expect(found).toMatchObject({ raw_params, custom, mine, ...hidden, found: true });
	expect(found).toMatchObject({ id: null, batch_id: null, [idName]: id, status: 'completed' });
	expect(failed).toMatchObject({ custom, mine, ...hidden, input_error: FIELDS.error });
	expect(failed?.error).not.toBe(FIELDS.error);
});

// A receipt of a Start operation has this column.
it.for(
	(['submitAndWait', 'submitBulkAndWait'] as const).flatMap((operation) =>
		[true, false].map((simplify) => ({ operation, simplify })),
	),
)(
	'$operation gives each its own result beside credits_used (Simplify: $simplify)',
	async (given) => {
		const { operation, simplify } = given;
		const names = ['mustfind one', 'notfound two', 'mustfind three'];
		const execution = new Suspended(bench(), 'emailFinder', operation, {
			items: names.map((fullname) => ({ fullname, credits_used: 5, mine: `of ${fullname}` })),
			parameters: { simplify },
			options: { includeInputFields: true },
		});
		const results = resultsOf(await execution.runThrough(JOB_MS));
		expect(results.map(({ email }) => email)).toEqual([
			'mustfind.one@acme.example',
			null,
			'mustfind.three@acme.example',
		]);
		expect(results).toMatchObject(
			names.map((name, n) => ({ mine: `of ${name}`, credits_used: 5, found: n !== 1 })),
		);
	},
);

it('they are there, too, where the Timeout comes first', async () => {
	const execution = new Suspended(bench(), 'emailVerifier', 'submitAndWait', {
		items: [{ email: 'mustfind@a.example', mine: 'of the user' }],
		options: { includeInputFields: true },
	});
	const run = await execution.reachDeadline(await execution.park());
	expect(resultsOf(run)).toMatchObject([{ status: 'ongoing', mine: 'of the user' }]);
});
