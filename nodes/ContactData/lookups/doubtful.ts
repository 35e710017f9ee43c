import { hasInternalId } from '../values/profiles';
import type { Lookup, Search } from './types';

/** Where people have a mailbox of their own, at whatever company they work. */
const MAILBOX_HOST =
	/^(?:(?:aol|gmail|gmx|googlemail|hotmail|icloud|live|msn|outlook|protonmail|yahoo|yandex|ymail)(?:\.[a-z]{2,3}){1,2}|(?:163|fastmail|mac|mail|me|qq)\.com|laposte\.net|libero\.it|mail\.ru|(?:orange|wanadoo)\.fr|proton\.me|(?:t-online|web)\.de)$/;
const LEGAL_FORM =
	/(?:^|[\s,])(?:AG|B\.?V|GmbH|Inc|Incorporated|KG|LLC|LLP|Limited|Ltd|N\.?V|PLC|Pty|S\.?A\.?R\.?L|SAS|S\.?r\.?l|S\.?p\.?A|UG)\.?$/;
const DEPARTMENT = /(?:^|\s)(?:abteilung|department|dept|office|services?|support|team)\.?$/i;
/** A switch, a date or a spreadsheet's number of one, an abbreviation of "not available", a record's ID of Salesforce. */
const NO_COMPANY =
	/^(?:true|false|\d{1,2}[-. ](?:jan|feb|m[aä]r|apr|ma[iy]|ju[nl]|aug|sep|o[ck]t|nov|de[cz])[a-z]*|4\d{4}|n\.? ?a\.?|k\. ?a\.?|00\w{13}(?:\w{3})?)$/i;
/** What people have in their profile in place of an employer. */
const NO_EMPLOYER =
	/^(?:#?open ?to ?work|(?:actively )?(?:looking|seeking) (?:for .*|(?:new )?(?:employment|jobs?|opportunit(?:y|ies)|work))|auto-?entrepreneur|between jobs|career break|confidential|freelancer?(?: \w+)?|freiberufl(?:er|erin|ich)|independent(?: consultant| contractor)?|ind[eé]pendante?|aut[oó]nom[ao]|myself|rentner(?:in)?|retired|retraitée?|sabbatical|self[- ]?employed|selbst(?:st)?ändig(?:er?)?|sole (?:proprietor|trader)|stealth(?:(?: \w+){0,2} (?:company|start-?up)| mode)?(?: \(.*\))?|student(?:in)?|unemployed|zelfstandige?)$/i;
/** In other letters a whole name may be one word. */
const LATIN_WORD = /^[\p{Script=Latin}\p{M}.'’-]+$/u;

/** People searches that hide surnames give these. */
const INITIAL = /(?:^|\s)\p{Script=Latin}\.?$/u;

const NOTES: ReadonlyArray<{
	fields: readonly string[];
	says: Pick<RegExp, 'test'>;
	note: string;
}> = [
	{ fields: ['fullname'], says: LATIN_WORD, note: 'is one word' },
	{ fields: ['fullname', 'lastname'], says: INITIAL, note: 'ends in an initial' },
	{ fields: ['fullname'], says: / [-–—|·] /, note: 'may be the title of a page' },
	{ fields: ['fullname', 'lastname'], says: LEGAL_FORM, note: 'looks like a company' },
	{ fields: ['fullname', 'lastname'], says: DEPARTMENT, note: 'looks like a department' },
	{ fields: ['company_name'], says: NO_COMPANY, note: 'does not look like a company' },
	{ fields: ['company_name'], says: NO_EMPLOYER, note: 'names no employer' },
	{
		fields: ['company_domain'],
		says: MAILBOX_HOST,
		note: 'is where people have private mailboxes',
	},
	{
		fields: ['socialprofile_url'],
		says: { test: hasInternalId },
		note: 'has an internal ID of LinkedIn in it',
	},
];

/** Why a search will probably find nobody; `undefined` where nothing says so. The user decides whether to pay for it. */
export function doubtAbout(lookup: Lookup, search: Search): string | undefined {
	const notes = lookup.fields.flatMap(({ name, label }) =>
		NOTES.filter(({ fields, says }) => fields.includes(name) && says.test(search[name] ?? '')).map(
			({ note }) => `'${label}' ${note}`,
		),
	);
	return notes.length === 0 ? undefined : notes.join('; ');
}
