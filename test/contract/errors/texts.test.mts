import { expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, shownError, type Given, useBench } from '../../support/n8nCore/contactData.mts';

// Whole messages, once: other tests look for their meaning (`support/texts.mts`).

const bench = useBench();
useFastClock();

const verify = async (operation: string, given: Given = {}) =>
	await bench().run('emailVerifier', operation, {
		parameters: { email: 'ada@acme.com' },
		...given,
	});
const shown = (run: Awaited<ReturnType<typeof verify>>) => shownError(run, bench().sandbox.apiKey);

it('a search whose fate is unknown', async () => {
	bench().sandbox.faults.add({ kind: 'empty', on: 'POST *' });
	expect(shown(await verify('submitAndWait'))).toMatchObject({
		message:
			'This email verification may have been charged: the answer of the service had no ID in it',
		description:
			"It was not sent again: check the usage of your account. To go on without this item, set 'On Error' in the settings of the node to Continue. Then choose 'Retry with currently saved workflow' in Executions: nothing is paid twice.",
	});
});

it('a search that is not finished in time, where the run ends and in its item', async () => {
	bench().sandbox.configure({ single: 60_000 });
	const options = { timeout: 1 };
	const { message, description } = shown(await verify('submitAndWait', { options }));
	const id = bench().sandbox.ledger.entries[0]?.id;
	const told = `The email verification ${id} was not finished within its timeout of 1 s: it was still running`;
	const raise = "To wait longer for later searches, raise 'Timeout' in Options.";
	const read = `Read the result free of charge with 'Get Result' ('Search ID' ${id}, 'Wait for Result' on)`;
	expect({ message, description }).toEqual({
		message: told,
		description: `${raise} To go on without this item, set 'On Error' in the settings of the node to Continue. ${read}. Or choose 'Retry with currently saved workflow' in Executions: nothing is paid twice. Already started and paid for: ${id}.`,
	});
	const settings = { onError: 'continueRegularOutput' } as const;
	const [item] = jsonOf(await verify('submitAndWait', { options, settings }));
	expect(item?.error).toBe(`${told}. ${raise} ${read}. Already started and paid for: ${id}.`);
});

it('searches that Max Credits leaves out', async () => {
	const run = await verify('submit', {
		parameters: { email: '={{ $json.email }}' },
		items: [{ email: 'ada@acme.com' }, { email: 'bob@acme.com' }],
		options: { maxCredits: 0.4 },
	});
	expect(shown(run)).toMatchObject({
		message:
			"'Max Credits' of 0.4 does not cover 2 email verifications at 0.25 credits each (0.5 credits)",
		description:
			"Nothing was charged for those. Raise 'Max Credits' in Options to 0.5, or send fewer items.",
	});
});
