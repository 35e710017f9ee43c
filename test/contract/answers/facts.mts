import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { expect } from 'vitest';
import { OLDER_PRICES, type AccountOptions } from '../../support/sandbox/accounts.mts';
import type { ScenarioName } from '../../support/sandbox/scenarios/index.mts';
import type { Kind } from '../../support/sandbox/types.mts';
import { bodyOf, resultOf, searchOf } from '../../support/searches.mts';
import { nothingCharged } from '../../support/texts.mts';
import { eventOf, KINDS } from '../trigger/trigger.mts';

// What is publicly shown of the service, row by row, as the sandbox plays it.

export const PEOPLE = ['mustfind1', 'notfound', 'mustfind2'].map((who) => ({
	who,
	isFound: who !== 'notfound',
}));
export type Person = (typeof PEOPLE)[number];

export interface Fact {
	/** By the words of the page. */
	row: string;
	/** A part of the names of the kinds that it concerns. */
	of: string;
	plays: ScenarioName[];
	prices?: AccountOptions['prices'];
	credits?: number;
	people?: readonly Person[];
	/** How long the service takes; left out for hardly any time. */
	takesMs?: number;
	parameters?: INodeParameters;
	options?: (kind: Kind) => INodeParameters;
	/** What the first POST has. */
	sent?: (kind: Kind) => object;
	/** What is said of who was found, beside the usual. */
	columns?: (kind: Kind, who: string) => IDataObject;
	isOf?: 'tooFast' | 'registeredUrl' | 'start';
	fault?: { status: number; body: { message: string } };
	/** What is said where it comes to nothing, and how to go on. */
	says?: readonly [words: string, advice: string];
}

const fact = (row: string, of = '', plays: ScenarioName[] = [], more: Partial<Fact> = {}): Fact => {
	return { row, of, plays, ...more };
};

export const kindsOf = ({ of }: Fact) => KINDS.filter((kind) => kind.includes(of));
export const isBulk = (kind: Kind) => kind.endsWith('Bulk');

const words = PEOPLE.map(({ who }) => who);
const bothNames = (kind: Kind) => bodyOf(eventOf(kind), words);
export const webhookAt = (value: string) => ({ webhook: { __rl: true, mode: 'url', value } });
export const text = (part: string) => expect.stringContaining(part) as string;
const inText = (kind: Kind) => kind === 'phoneFinderSingle';
const MINE = { row: 'mine' };

const LONG = { takesMs: 3_000 };
const BY_COMPANY: Partial<Fact> = {
	parameters: { companyDomain: '', companyName: 'Acme' },
	options: () => ({ countryCode: 'DE' }),
	sent: () => ({ settings: { country_code: 'DE' } }),
	columns: (_, who) => ({ company_domain: 'acme.com', email: `${who}.doe@acme.com` }),
};
const CUSTOM: Partial<Fact> = {
	options: (kind) => ({
		custom: inText(kind) ? 'mine' : MINE,
		...(isBulk(kind) && { itemCustom: 'mine' }),
	}),
	sent: (kind) => ({ custom: inText(kind) ? 'mine' : MINE }),
	columns: (kind) =>
		kind === 'emailVerifierBulk' ? {} : { custom: inText(kind) || isBulk(kind) ? 'mine' : MINE },
};
const COMPANY = { columns: () => ({ company_name: 'Acme' }) };

/** The service takes it: what it finds comes out, and is paid once. */
export const TAKEN = [
	// Who sends one name alone finds nobody in a batch, without a word, and is refused a single search.
	fact('Requests: the profile is linkedin_url', 'phone', [], { sent: bothNames }),
	fact('Requests: the profile is socialprofile_url', 'phone', ['phoneBySocialprofileUrl']),
	fact('Requests: custom', '', [], CUSTOM),
	fact('Requests: settings.webhook before the registered URL. POST: accepted'),
	fact('Requests: the registered URL', '', [], { isOf: 'registeredUrl' }),
	fact('Requests: settings.country_code', 'emailFinder', [], BY_COMPANY),
	fact('POST: batch_id in the place of id', 'Bulk', ['receiptBatchId']),
	fact('POST: price in legacy plans', 'phone', [], { prices: OLDER_PRICES }),
	fact('POST: not found does not cost credits', 'Finder', [], { people: PEOPLE.slice(1, 2) }),
	fact('POST: too fast', '', [], { isOf: 'tooFast' }),
	fact('POST: too fast, older', '', ['error429'], { isOf: 'tooFast' }),
	fact('GET: single, running', 'Single', [], LONG),
	fact('GET: single, running, the word alone', 'Single', ['ongoingAlone'], LONG),
	fact('GET: single, running, older', 'Single', ['ongoingSingleIsEmpty'], LONG),
	fact('GET: batch, running', 'Bulk', [], LONG),
	fact('GET: batch, running, older', 'Bulk', ['ongoingBatchIs202'], LONG),
	fact('GET: batch, failed', 'Bulk', ['batchFailed']),
	fact('GET: single email, info.company_name', 'emailFinderSingle', ['singleCompanyName'], COMPANY),
	fact('GET: finder batch, companyInfo without any switch', 'emailFinderBulk', [], COMPANY),
	fact('GET: phone, params.linkedin_url', 'phone'),
	fact('GET: phone batch, older stats.valid', 'phoneFinderBulk', ['phoneStatsValid']),
	fact('GET: phone batch, no credits_to_refund', 'phoneFinderBulk', ['phoneStatsWithoutRefund']),
	fact('GET: verifier batch, index is a UUID', 'emailVerifierBulk'),
	fact('GET: times, single', 'Single', [], { takesMs: 120_000 }),
	fact('GET: times, batches', 'Bulk', [], { takesMs: 600_000 }),
	fact('Notifications: the id and the credits only', '', ['notifiedIdAndCredits']),
	fact('Notifications: the result flat at the top', 'Single', ['notifiedIdAndResult']),
];

/** Without a known balance the node sends. */
const POOR: ScenarioName = 'infoWithoutCredits';
const noCredits = (words: string): Partial<Fact> => {
	return { credits: 0.1, says: [words, `Add credits to your account. ${nothingCharged}`] };
};
const said = (message: string, advice = ''): Partial<Fact> => {
	return { fault: { status: 400, body: { message } }, says: [message, advice] };
};
const HTTP: Partial<Fact> = {
	isOf: 'start',
	options: () => webhookAt('http://hooks.example/mine'),
	says: ["'Webhook' must be a URL that starts with https://", ''],
};
const AS_SENT = `The address was sent as ${searchOf('phoneFinder', words[0]).socialprofile_url}`;

/** The service refuses the POST, or the node what the service would: nothing is charged. */
export const REFUSED = [
	fact('Requests: the 400', 'phoneFinderSingle', [], said('Invalid linkedin_url format', AS_SENT)),
	fact('Requests: settings.webhook, HTTPS only', '', [], HTTP),
	fact('POST: no credits', '', [POOR], noCredits('Insufficient credits')),
	fact(
		'POST: no credits, 422',
		'',
		[POOR, 'insufficientBalanceIs422'],
		noCredits('Insufficient balance'),
	),
	fact('POST: no credits, older', '', [POOR, 'error402'], noCredits('Insufficient credits')),
	fact('POST: a bad entry', 'Bulk', [], said('Missing mandatory property on search n°2 of 3')),
];

const NOT_KNOWN = { says: ['The service does not know this ID', ''] } as const;
export const UNKNOWN = [
	fact('GET: an id that is unknown', '', [], { says: ['Could not retrieve', ''] }),
	fact('GET: an id that is unknown, older', '', ['unknownIdIs404'], NOT_KNOWN),
	fact('GET: an id that is unknown, 410', '', ['unknownIdIs410'], NOT_KNOWN),
];

/** What comes out for somebody; of who was not found nobody may tell who it was. */
export function resultFor(kind: Kind, { who, isFound }: Person, more?: Fact['columns']) {
	const { lookup, size } = eventOf(kind);
	const { qualification, found, ...told } = resultOf(lookup.name, size, who);
	const columns = isFound
		? { ...told, ...more?.(kind, who) }
		: Object.fromEntries(lookup.columns.found.map((name) => [name, told[name] ?? null]));
	return { qualification, found, ...columns, error: null, status: 'completed' };
}

/** What the line above the output says. */
export function lineOf(
	kind: Kind,
	people: ReadonlyArray<Pick<Person, 'isFound'>>,
	price: number,
): string {
	const { words, batchRefunds } = eventOf(kind).lookup;
	const hits = people.filter(({ isFound }) => isFound).length;
	const [spent, back] = [people.length * price, (people.length - hits) * price];
	const tell = (amount: number) =>
		`${amount.toLocaleString('en')} credit${amount === 1 ? '' : 's'}`;
	const money = !batchRefunds
		? `${tell(spent)} spent. The account has about ${tell(100_000 - spent)} left.`
		: isBulk(kind)
			? `${tell(spent)} spent, ${back} refunded. The account has about ${tell(100_000 - spent + back)} left.`
			: `At most ${tell(spent)} spent. Find Many gives back what is not found. The account has at least ${tell(100_000 - spent)} left.`;
	return `${words.found} ${hits} of ${people.length}, ${people.length - hits} ${words.notFound}. ${money}`;
}
