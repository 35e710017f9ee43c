import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, textIn, type Given, useBench } from '../../support/n8nCore/contactData.mts';
import { figuresOf, hintOf } from './dryRun.mts';

// What a dry run says is what the real run then does.

const bench = useBench();
useFastClock();

interface Lead {
	readonly who: string;
	readonly domain: string;
}

const LOOKUPS = {
	emailFinder: {
		parameters: { fullname: '={{ $json.who }}', companyDomain: '={{ $json.domain }}' },
		list: 'searches',
		entryOf: ({ who, domain }: Lead): unknown => ({ fullname: who, company_domain: domain }),
	},
	emailVerifier: {
		parameters: { email: '={{ $json.who + "@" + $json.domain }}' },
		list: 'verifications',
		entryOf: ({ who, domain }: Lead): unknown => `${who}@${domain}`,
	},
	phoneFinder: {
		parameters: {
			identifyBy: 'nameAndCompany',
			firstname: '={{ $json.who }}',
			lastname: 'Lovelace',
			companyDomain: '={{ $json.domain }}',
		},
		list: 'searches',
		entryOf: ({ who, domain }: Lead): unknown => ({
			firstname: who,
			lastname: 'Lovelace',
			company_domain: domain,
		}),
	},
};

const OPERATIONS = ['submitAndWait', 'submit', 'submitBulkAndWait', 'submitBulk'] as const;

/** The last one is no domain. */
const DOMAINS = ['acme.example', 'ACME.example', 'beta.example', 'ceta.example', 'no domain'];

const lead = fc.record({
	who: fc.constantFrom('Ada', 'Bea', 'Cleo', 'Dora', 'Eve'),
	domain: fc.constantFrom(...DOMAINS),
	group: fc.constantFrom('one', 'two'),
	country: fc.constantFrom('US', 'FR', 'x'),
	wasSearched: fc.boolean(),
});

const draws = fc.record({
	resource: fc.constantFrom('emailFinder', 'emailVerifier', 'phoneFinder'),
	operation: fc.constantFrom(...OPERATIONS),
	isList: fc.boolean(),
	leads: fc.array(lead, { minLength: 1, maxLength: 14 }),
	listLength: fc.integer({ min: 1, max: 5 }),
	grouped: fc.boolean(),
	continues: fc.boolean(),
	knowsPrice: fc.boolean(),
	credits: fc.constantFrom(2, 1_000_000),
	maxCredits: fc.constantFrom(0, 0, 1, 1_000_000),
});

type Draw = typeof draws extends fc.Arbitrary<infer Drawn> ? Drawn : never;

/** In how many items an error stands, by their input; a failed batch of a list has one. */
const failures = (items: IDataObject[]) => items.filter(({ error }) => error !== undefined).length;

/** What is to come of leads. */
function expectedOf<One extends Lead & { earlier: string | undefined }>(
	leads: One[],
	isValid: (one: One) => boolean,
	countryOf: (one: One) => string,
) {
	const good = leads.filter(isValid);
	const fresh = good.filter(({ earlier }) => earlier === undefined);
	const nameOf = (one: One) => `${one.who}@${one.domain.toLowerCase()} ${countryOf(one)}`;
	const searches = new Set(fresh.map(nameOf)).size;
	return {
		searches,
		same: fresh.length - searches,
		read: good.length - fresh.length,
		invalid: leads.length - good.length,
	};
}

async function tryOut({ resource, operation, leads, ...draw }: Draw): Promise<void> {
	bench().sandbox.reset();
	const { sandbox } = bench();
	const isBulk = operation.startsWith('submitBulk');
	const waits = operation.endsWith('AndWait');
	const isList = isBulk && draw.isList;
	const { parameters, list, entryOf } = LOOKUPS[resource];
	// Keys of their own: no price is known from another try.
	const apiKey = sandbox.service.addAccount('owner', { requestsPerSecond: 10_000 });
	const { contactDataApi } = bench().credentials;
	const credentials = { contactDataApi: { ...contactDataApi, apiKey } };

	const isGood = ({ domain }: Lead) => domain !== 'no domain';
	const searchedBefore = leads.filter((one) => waits && !isList && isGood(one) && one.wasSearched);
	const bought = await bench().run(resource, operation, {
		parameters,
		credentials,
		items: searchedBefore.length > 0 ? searchedBefore : [{ who: 'Old', domain: 'old.example' }],
	});
	const ids = jsonOf(bought).map((json) => textIn(json, isBulk ? 'batch_id' : 'id'));
	const items = leads.map((one) => {
		const earlier = ids[searchedBefore.indexOf(one)] as string | undefined;
		return { ...one, earlier };
	});
	const lists = leads.flatMap((_, index) =>
		index % draw.listLength === 0
			? [{ list: leads.slice(index, index + draw.listLength).map((one) => entryOf(one)) }]
			: [],
	);

	const key = draw.knowsPrice
		? apiKey
		: sandbox.service.addAccount('owner', { requestsPerSecond: 10_000 });
	const account = sandbox.service.account('owner');
	account.credits = draw.credits;
	const given: Given = {
		credentials: { contactDataApi: { ...contactDataApi, apiKey: key } },
		items: isList ? lists : items,
		parameters: isList ? { inputMode: 'array', [list]: '={{ $json.list }}' } : parameters,
		settings: draw.continues ? { onError: 'continueRegularOutput' } : {},
	};
	const options: INodeParameters = {
		...(waits && !isList && { earlierId: '={{ $json.earlier }}' }),
		...(draw.grouped && !isList && isBulk && { custom: '={{ { group: $json.group } }}' }),
		...(resource === 'emailFinder' && !isList && { countryCode: '={{ $json.country }}' }),
		...(draw.maxCredits > 0 && { maxCredits: draw.maxCredits }),
	};

	const isValid = (one: (typeof items)[number]) =>
		isGood(one) && (resource !== 'emailFinder' || isList || one.country !== 'x');
	const expected = expectedOf(items, isValid, ({ country }) =>
		resource === 'emailFinder' && !isList ? country : '',
	);

	const before = bench().posts.length;
	const chargedBefore = sandbox.ledger.totals().searches;
	const dry = await bench().run(resource, operation, {
		...given,
		options: { ...options, dryRun: true },
	});
	expect(bench().posts).toHaveLength(before);
	const told = figuresOf(hintOf(dry));
	const said = jsonOf(dry);
	const countOf = (action: string) => said.filter((json) => json.action === action).length;
	expect(told).toMatchObject({
		searches: countOf('submit'),
		same: countOf('same_as'),
		read: countOf('read'),
		invalid: countOf('invalid'),
	});
	expect(told).toMatchObject(expected);
	for (const { same_as: first } of said.filter(({ action }) => action === 'same_as')) {
		expect(said[Number(first)]).toMatchObject({ action: 'submit' });
	}

	const real = await bench().run(resource, operation, { ...given, options });
	const sent = bench().posts.length - before;
	const charged = sandbox.ledger.totals().searches - chargedBefore;
	// That an address is none is the result of its verification.
	const wrong = resource === 'emailVerifier' ? 0 : told.invalid;
	const isStopped = wrong > 0 && !draw.continues;
	const startsNothing = isStopped || told.isRefused;
	// What the service refuses for want of credits, nobody can know before.
	const mayBeRefused = draw.credits === 2 && resource !== 'emailVerifier';
	// With a price that nobody knows the cap may end the run after the first answer.
	const mayBeCapped = draw.maxCredits === 1 && resource !== 'emailVerifier';
	if (mayBeRefused || mayBeCapped) {
		expect(charged).toBeLessThanOrEqual(startsNothing ? 0 : told.searches);
		return;
	}
	expect({ sent, charged }).toEqual({
		sent: startsNothing ? 0 : told.requests,
		charged: startsNothing ? 0 : told.searches,
	});
	if (!draw.continues) {
		expect(real.error !== undefined).toBe(isStopped || told.isRefused);
	} else if (!told.isRefused) {
		const readable = waits && !isList && resource === 'phoneFinder' && isBulk;
		// An earlier batch of phone searches may not tell of all.
		if (!readable) expect(failures(jsonOf(real))).toBe(wrong);
	}
}

it('requests, paid searches and invalid items', async () => {
	await fc.assert(fc.asyncProperty(draws, tryOut), { numRuns: 150 });
});
