import { expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { shownError, useBench, withBench } from '../../support/n8nCore/contactData.mts';

// Whole messages, once: other tests look for their meaning (`support/texts.mts`).

const bench = useBench();
useFastClock();

const EMAIL = { email: 'ada@acme.com' };

it('a search whose fate is unknown', async () => {
	bench().sandbox.faults.add({ kind: 'empty', on: 'POST *' });
	const run = await bench().run('emailVerifier', 'submitAndWait', { parameters: EMAIL });
	expect(shownError(run, bench().sandbox.apiKey)).toMatchObject({
		message:
			'This email verification may have been charged: the answer of the service had no ID in it',
		description:
			"To avoid paying twice it was not sent again. Check the usage of your account to see whether it was charged. To go on without this item, set 'On Error' in the settings of the node to Continue, and choose 'Retry with currently saved workflow' in Executions: nothing is paid twice.",
	});
});

it('a search that is not finished in time', async () => {
	await withBench({ single: 60_000 }, async (at) => {
		const given = { parameters: EMAIL, options: { timeout: 1 } };
		const run = await at.run('emailVerifier', 'submitAndWait', given);
		const id = at.sandbox.ledger.entries[0]?.id;
		expect(shownError(run, at.sandbox.apiKey)).toMatchObject({
			message: `The email verification ${id} was not finished within its timeout of 1 s: it was still running`,
			description: `Read the result free of charge with 'Get Result' ('Search ID' ${id}, 'Wait for Result' on), or choose 'Retry with currently saved workflow' in Executions: nothing is paid twice. To go on without this item, set 'On Error' in the settings of the node to Continue, and then retry. To wait longer for later searches, raise 'Timeout' in Options. Already started and paid for: ${id}.`,
		});
	});
});

it('searches that Max Credits leaves out', async () => {
	const run = await bench().run('emailVerifier', 'submit', {
		parameters: { email: '={{ $json.email }}' },
		items: [{ email: 'ada@acme.com' }, { email: 'bob@acme.com' }],
		options: { maxCredits: 0.4 },
	});
	expect(shownError(run, bench().sandbox.apiKey)).toMatchObject({
		message:
			"'Max Credits' of 0.4 does not cover 2 email verifications at 0.25 credits each (0.5 credits)",
		description:
			"Not started, and nothing charged for it. Raise 'Max Credits' in Options, or send fewer items.",
	});
});
