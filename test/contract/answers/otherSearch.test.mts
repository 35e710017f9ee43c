import type { IDataObject } from 'n8n-workflow';
import { expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, shownError, useBench } from '../../support/n8nCore/contactData.mts';
import { ofAnotherSearch } from '../../support/texts.mts';

// A verification that tells of another address is somebody else's.

const bench = useBench();
useFastClock();

const VERIFICATION = { parameters: { email: 'ada.mustfind@acme.example' } };
/** Of another address; what else may be another search's is in `test/unit/results`. */
const OTHER = { email: 'grace.hopper@acme.example' };

const tell = (values: IDataObject) =>
	bench().sandbox.faults.add({
		on: 'GET /email/verify/single',
		kind: 'changed',
		change: (body) => ({ ...body, ...values }),
		times: Infinity,
	});

it('a run that stops on errors ends, and says how to look at it', async () => {
	tell(OTHER);
	const run = await bench().run('emailVerifier', 'submitAndWait', VERIFICATION);
	const lookupId = bench().sandbox.ledger.entries[0]?.id ?? '';
	const shown = shownError(run, bench().sandbox.apiKey);
	expect(shown.message).toContain(`${lookupId} ${ofAnotherSearch}`);
	expect(shown.description).toContain(`'Search ID' ${lookupId}`);
	// There the paid result is given, as nothing was asked that it could contradict.
	const read = await bench().run('emailVerifier', 'getResult', { parameters: { lookupId } });
	expect(jsonOf(read)).toMatchObject([{ ...OTHER, found: true }]);
});

it.for([
	['a link', true, 'mailto:ada.mustfind@acme.example'],
	['another address', false, OTHER.email],
] as const)('a verification that tells of %s is given: %s', async ([, isGiven, email]) => {
	tell({ email });
	const settings = { onError: 'continueRegularOutput' } as const;
	const run = await bench().run('emailVerifier', 'submitAndWait', { ...VERIFICATION, settings });
	const { id } = bench().sandbox.ledger.entries[0] ?? {};
	const error: unknown = expect.stringContaining(ofAnotherSearch);
	expect(jsonOf(run)).toMatchObject([
		isGiven
			? { search_id: id, found: true, status: 'completed' }
			: { search_id: id, found: null, status: 'failed', error },
	]);
});
