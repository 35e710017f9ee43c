import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { expect, it } from 'vitest';
import { skipTime, useFastClock } from '../../support/clock.mts';
import { jsonOf, textIn, useBench } from '../../support/n8nCore/contactData.mts';
import { LOOKUP_NAMES, parametersOf } from '../../support/searches.mts';
import { resultsOf, Suspended } from './suspended.mts';

// A finished wait gives the same items in both modes: also with ids of earlier searches, with settings
// that only an item of the input resolves, with items that fail or need no search, and with fields of the
// input that look like those of a result.

const JOB_MS = 600_000;
const RUNS = 25;
const bench = useBench({ single: JOB_MS, bulk: JOB_MS });
useFastClock();

/** The verifier's results of what is no address are free. */
const parametersFor = (resource: string): INodeParameters =>
	resource === 'emailVerifier'
		? { email: '={{ $json.who + (["nonsense", ""].includes($json.who) ? "" : "@acme.example") }}' }
		: parametersOf(resource);
const LOOKALIKE: IDataObject = {
	error: 'own',
	description: 'own',
	item: 'own',
	search: { a: 1 },
	status: 'ongoing',
	input_fields: { status: 'own' },
	index: 3,
	id: 'own',
	batch_id: 'own',
	custom: 'own',
	found: true,
	qualification: 'valid',
	params: { a: 1 },
	raw_params: { fullname: 'own' },
	email: 'own@own.example',
	results: [{ qualification: 'valid' }],
	message: 'own',
	info: 'own',
	stats: { a: 1 },
	input: 'own',
	country: 'own',
	credits_used: 5,
	credits: 5,
	size: 2,
	reason: 'own',
	gender: 'own',
	number: '+1 own',
	fullname: 'own',
	company_domain: 'own.example',
	socialprofile_url: 'https://linkedin.com/in/own',
};
/** n8n's `toBoolean` throws on what is not there. */
const BY_ITEM = ['={{ $json.wants === "yes" }}', '={{ $json.wants.toBoolean() }}'];

const draws = fc.record({
	resource: fc.constantFrom(...LOOKUP_NAMES),
	operation: fc.constantFrom('submitAndWait' as const, 'submitBulkAndWait' as const),
	simplify: fc.boolean(),
	retrieveGender: fc.constantFrom(undefined, true, ...BY_ITEM),
	includeInputFields: fc.constantFrom(true, true, false),
	hasCustom: fc.boolean(),
	batchOutcome: fc.constantFrom('completed' as const, 'failed' as const),
	leads: fc.array(
		fc.record({
			who: fc.constantFrom('mustfinda', 'mustfindb', 'notfoundc', 'notfoundd', 'nonsense', ''),
			wants: fc.constantFrom('yes', 'no'),
			earlier: fc.constantFrom('none', 'none', 'none', 'finished', 'wrong', 'noId'),
			fields: fc.subarray(Object.keys(LOOKALIKE)),
		}),
		{ minLength: 1, maxLength: 6 },
	),
});
type Draw = typeof draws extends fc.Arbitrary<infer Drawn> ? Drawn : never;

/** Starts what the leads of one kind ask for; returns the id of each by the name. */
async function startEarlier({ resource, operation }: Draw, names: string[]) {
	const isSearched = (who: string) =>
		who !== '' && !(resource === 'emailVerifier' && who === 'nonsense');
	const items = [...new Set(names)].filter(isSearched).map((who) => ({ who }));
	if (items.length === 0) return new Map<string, string>();
	const run = await bench().run(resource, operation, {
		parameters: parametersFor(resource),
		items,
		options: { timeout: 1, onTimeout: 'output' },
	});
	const idName = operation === 'submitAndWait' ? 'search_id' : 'batch_id';
	return new Map(jsonOf(run).map((json, n) => [items[n]?.who ?? '', textIn(json, idName)]));
}

/** n8n gives no id twice, while the service here starts anew each time. */
let executions = 0;
let paused = 0;

async function outcomeOf(draw: Draw, waitMode: 'poll' | 'suspend'): Promise<IDataObject[]> {
	const { resource, operation, simplify, leads, includeInputFields, hasCustom, batchOutcome } =
		draw;
	const retrieveGender = resource === 'emailFinder' ? draw.retrieveGender : undefined;
	// A phone search of its own takes text.
	const isText = resource === 'phoneFinder' && operation === 'submitAndWait';
	const custom = isText ? 'of the search' : '{ "of": "the search" }';
	const { sandbox } = bench();
	sandbox.reset();
	sandbox.configure({ scenarios: batchOutcome === 'failed' ? ['batchFailed'] : [] });
	const namesOf = (kind: string) =>
		leads.filter(({ earlier }) => earlier === kind).map(({ who }) => who);
	const finished = await startEarlier(draw, namesOf('finished'));
	const wrong = await startEarlier(draw, namesOf('wrong').length > 0 ? ['carl'] : []);
	skipTime(2 * JOB_MS);
	const idOf = ({ who, earlier }: Draw['leads'][number]) =>
		({
			none: undefined,
			finished: finished.get(who),
			// Who searches for nothing gets the whole batch, which a pause does not split.
			wrong: who === '' ? undefined : wrong.get('carl'),
			noId: '<no id>',
		})[earlier];
	const items = leads.map((lead, n) => ({
		n,
		who: lead.who,
		wants: lead.wants,
		...Object.fromEntries(lead.fields.map((name) => [name, LOOKALIKE[name]])),
		earlier: idOf(lead) ?? '',
	}));
	const paidBefore = sandbox.ledger.totals().searches;
	const given = {
		parameters: { ...parametersFor(resource), simplify },
		items,
		options: {
			earlierId: '={{ $json.earlier }}',
			includeInputFields,
			timeout: 7_000,
			...(hasCustom && { custom }),
			...(retrieveGender !== undefined && { retrieveGender }),
		},
		settings: { onError: 'continueRegularOutput' as const },
	};
	const askedFor = leads
		.filter(({ earlier }) => earlier === 'none')
		.map(({ who, wants }) => (typeof retrieveGender === 'string' ? `${who} ${wants}` : who));
	let results: IDataObject[];
	if (waitMode === 'poll') {
		results = jsonOf(await bench().run(resource, operation, given));
	} else {
		const execution = new Suspended(bench(), resource, operation, given, String(++executions));
		const run = await execution.run();
		if (run.parked !== undefined) paused++;
		skipTime(2 * JOB_MS);
		results = resultsOf(run.parked === undefined ? run : await execution.resume(run.parked));
	}
	expect(sandbox.ledger.totals().searches - paidBefore).toBeLessThanOrEqual(new Set(askedFor).size);
	// Another run has other ids.
	const names = sandbox.ledger.entries.map(({ id }, n) => [id, `id ${n}`] as const);
	const text = names.reduce(
		(left, [id, name]) => left.replaceAll(id, name),
		JSON.stringify(results),
	);
	return JSON.parse(text) as IDataObject[];
}

it('whatever the items are', async () => {
	await fc.assert(
		fc.asyncProperty(draws, async (draw) => {
			expect(await outcomeOf(draw, 'suspend')).toEqual(await outcomeOf(draw, 'poll'));
		}),
		{ numRuns: RUNS },
	);
	expect(paused).toBeGreaterThan(RUNS / 3);
	// Two workflows for each draw, on a machine that may be busy.
}, 240_000);
