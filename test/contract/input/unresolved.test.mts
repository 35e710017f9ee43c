import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, useBench } from '../../support/n8nCore/contactData.mts';
import { addresses, MAIL } from '../spending/money.mts';

// An expression that cannot be resolved is the fault of its item alone, is told before anything is
// paid or waited for, and never that of an option that is not read for this item.

const bench = useBench();
useFastClock();

const CONTINUE = { onError: 'continueRegularOutput' } as const;
/** n8n's extensions throw on what is not there. */
const THROWS = '$json.missing.toTitleCase()';

describe('a field to search by', () => {
	const parameters = { email: `={{ $json.mail ?? ${THROWS} }}` };
	const items = [{ mail: 'mustfind1@acme.com' }, {}, { mail: 'mustfind2@acme.com' }];

	it('stops the run before anything is sent, and names the item', async () => {
		const run = await bench().run('emailVerifier', 'submitAndWait', { parameters, items });
		expect(String(run.error)).toContain('item 2');
		bench().expectNothingSubmitted();
	});

	it.for(['submitAndWait', 'submitBulkAndWait'])(
		'is the error of its item alone, under Continue: %s',
		async (operation) => {
			const given = { parameters, items, settings: CONTINUE };
			const run = await bench().run('emailVerifier', operation, given);
			const error: unknown = expect.stringMatching(/^toTitleCase/);
			expect(jsonOf(run)).toMatchObject([{ found: true }, { error }, { found: true }]);
		},
	);
});

describe('Options', () => {
	it.for<[operation: string, option: string]>([
		['submitAndWait', 'custom'],
		['submitBulk', 'custom'],
		['submitBulk', 'itemCustom'],
	])('%s: %s that fails for the first item keeps no other from starting', async (row) => {
		const [operation, option] = row;
		const run = await bench().run('emailFinder', operation, {
			parameters: { fullname: '={{ $json.name }}', companyDomain: 'acme.com' },
			options: { [option]: '={{ ({ of: $json.company.toTitleCase() }) }}' },
			items: [{ name: 'Ada Hart' }, { name: 'Bea Low', company: 'acme' }],
			settings: CONTINUE,
		});
		const results = jsonOf(run);
		const failed = results.filter(({ error }) => typeof error === 'string');
		expect(results).toHaveLength(2);
		expect(failed).toMatchObject([{ error: expect.stringMatching(/^toTitleCase/) as string }]);
		expect(bench().sandbox.ledger.totals().searches).toBe(1);
	});

	it.for(['maxCredits', 'includeInputFields', 'timeout', 'onTimeout'])(
		'%s is read from the first item, and may fail for the others',
		async (name) => {
			const run = await bench().run('emailVerifier', 'submitAndWait', {
				parameters: MAIL,
				options: { [name]: '={{ $json.option.toTitleCase() }}' },
				items: [
					{ ...addresses(1)[0], option: name === 'includeInputFields' ? 'true' : '50' },
					{ mail: 'mustfind@acme.com' },
				],
			});
			expect(jsonOf(run)).toMatchObject([{ found: true }, { found: true }]);
		},
	);

	it('an option of the whole run that fails is told before anything is sent', async () => {
		const run = await bench().run('emailVerifier', 'submit', {
			parameters: MAIL,
			options: { maxCredits: `={{ ${THROWS} }}` },
			items: addresses(2),
		});
		expect(run.error).toMatchObject({ message: expect.stringMatching(/^toTitleCase/) as string });
		bench().expectNothingSubmitted();
	});
});

it('Split Results of a list that is to be sent: nothing is sent', async () => {
	const run = await bench().run('emailVerifier', 'submitBulkAndWait', {
		parameters: {
			inputMode: 'array',
			verifications: '["mustfind@acme.com"]',
			splitResults: `={{ ${THROWS} }}`,
		},
		settings: CONTINUE,
	});
	expect(jsonOf(run)[0]?.error).toMatch(/^toTitleCase/);
	bench().expectNothingSubmitted();
});

describe.for([
	['getResult', 'submit', 'lookupId'],
	['getBulkResult', 'submitBulk', 'batchId'],
] as const)('%s', ([operation, started, name]) => {
	it('reads the others where the id of one item cannot be resolved', async () => {
		const receipt = await bench().run('emailVerifier', started, {
			parameters: MAIL,
			items: addresses(1),
		});
		const [{ search_id, batch_id } = {}] = jsonOf(receipt);
		const id = search_id ?? batch_id;
		const run = await bench().run('emailVerifier', operation, {
			parameters: { [name]: '={{ $json.id.toSentenceCase().toLowerCase() }}' },
			options: { waitForResult: true },
			items: [{}, { id }],
			settings: CONTINUE,
		});
		expect(jsonOf(run)).toMatchObject([
			{ error: expect.stringMatching(/^toSentenceCase/) as string },
			{ found: true },
		]);
	});
});
