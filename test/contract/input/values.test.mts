import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { isRecord } from '../../../nodes/ContactData/common/values.ts';
import { jsonOf, useBench } from '../../support/n8nCore/contactData.mts';
import {
	companyMissing,
	couldNotBeUsed,
	moreThanOne,
	mustBeText,
	nameMissing,
	noCompany,
	noDomain,
	noDomainOfCompany,
	noName,
	noProfilePage,
	notReadable,
} from '../../support/texts.mts';

// What the cells of real lists hold, and what becomes of it: it is sent, or refused before it is paid for.

const bench = useBench();

/** What a value comes to: the text that is sent, or why it is refused, and what else the user reads. */
type Fate = { sent: string } | { refused: string | RegExp; advice?: RegExp };
type Row = [value: unknown, fate: Fate];

const as = (sent: string): Fate => ({ sent });
const no = (refused: string | RegExp, advice?: RegExp): Fate => ({ refused, advice });

// Where it comes from.
const EXPRESSION = /^An expression writes "[^"]+" for a column that is not there/;
const TABLE = /^"[^"]+" is what a spreadsheet or a database writes instead of a value/;
const HIDDEN = /^LinkedIn shows it instead of a name that it hides/;
const OTHER_COLUMN = /^Check which column/;
const UNRESOLVED = /^It is an expression that n8n takes for text/;
const UTF8 = /save the file as UTF-8/;

const badExpression = no(noName, EXPRESSION);
const HEADING = /^It is the heading of a column/;
const NOT_THERE = /^It stands where a name is missing/;
const CODE = /^A formula, JSON or HTML begins with "[={<[]"/;
const RECORD = /^It is the ID of a record in another table/;
const badCell = no(noName, TABLE);
const notThere = no(noName, NOT_THERE);
const code = no(noName, CODE);
const twoPeople = no(moreThanOne, /^Give one person/);
const hiddenName = no(noName, HIDDEN);
const webAddress = no(/a web address$/, OTHER_COLUMN);
const emailAddress = no(/an email address$/, OTHER_COLUMN);
const withoutLetter = no(/without a letter$/);
const broken = no(notReadable, UTF8);
const ofWebPage = no(notReadable, /how the source of a web page writes a letter/);
const sameText = (...texts: string[]): Row[] => texts.map((text) => [text, as(text)]);

/** Of any field: what is no text, and what is nothing. */
const OF_ALL: Row[] = [
	[true, no(mustBeText)],
	[{ first: 'Ada' }, no(mustBeText)],
	[[{ first: 'Ada' }], no(mustBeText)],
	[[['Ada']], no(mustBeText)],
	...[null, '', '   ', undefined, [], [null, '']].map((nothing): Row => [nothing, no(/empty$/)]),
];
/** A list of one value, as Airtable and CRMs give it: as data, or as its text. */
const inLists = (value: string): Row[] => {
	const lists = [[value], [value, null, ' '], [value, value.toUpperCase()], [{ id: 7, value }]];
	const given = [...lists, ...lists.map((list) => JSON.stringify(list)), { value }];
	return given.map((list) => [list, as(value)]);
};
const LIST_OF_TWO = / must be one value, but is a list of 2$/;
/** The advice shows how to take the first. */
const inListsOfTwo = (one: string, other: string, column: string): Row[] => [
	[[one, other], no(LIST_OF_TWO, new RegExp(`{{ \\$json\\.${column}\\[0\\] }}`))],
	[[{ value: one }, { value: other }], no(LIST_OF_TWO, /\[0\]\.value }}/)],
	[JSON.stringify([one, other]), no(LIST_OF_TWO, /{{ JSON\.parse\(\$json\.\w+\)\[0\] }}/)],
];
const NUMBER: Row = [7, no(mustBeText)];
const TOO_LONG: Row = ['x'.repeat(10_240), no(/at most 500 characters long, but has 10240$/)];

/** Of all names of persons. */
const NAMES: Row[] = [
	// What an expression writes for a column that is not there.
	['undefined', badExpression],
	['null', badExpression],
	['Ada undefined', badExpression],
	['undefined Hart', badExpression],
	['Ada null', badExpression],
	['undefined, Ada', badExpression],
	['Ada [object Object]', badExpression],
	['[object Object]', badExpression],
	['{{ $json.name }}', no(noName, UNRESOLVED)],
	['Ada {{$json.last}}', no(noName, UNRESOLVED)],
	// Errors of spreadsheets, also in other languages, and what other programs export.
	['#N/A', badCell],
	['#DIV/0!', badCell],
	['#ERROR!', badCell],
	['#NV', badCell],
	['#BEZUG!', badCell],
	['#¿NOMBRE?', badCell],
	['N/A', badCell],
	['n/a', badCell],
	['Ada #N/A', badCell],
	['N/A Hart', badCell],
	['NaN', badCell],
	['Ada NaN', badCell],
	['NULL', badCell],
	// Headings of the table.
	...['Full Name', 'full_name', 'FIRST NAME', 'Lastname'].map((heading): Row => [
		heading,
		no(noName, HEADING),
	]),
	// What other programs and models write for a name that they do not have, or not yet.
	...[
		'Loading...',
		'Loading…',
		'Ada Ha…',
		'(blank)',
		'(not set)',
		'[hidden]',
		'Unknown',
		'not found',
	].map((text): Row => [text, notThere]),
	...['=Ada Hart', '=A2&" "&B2', '{"first":"Ada"}', '{Ada', '<b>Ada</b>', '["Ada'].map(
		(text): Row => [text, code],
	),
	['recAbCdEf12345678', no(noName, RECORD)],
	['7d9f3c1e-0a2b-4c5d-8e9f-0123456789ab', no(noName, RECORD)],
	...['info', 'Admin', 'no-reply'].map((mailbox): Row => [mailbox, no(/a mailbox$/, OTHER_COLUMN)]),
	...sameText(
		'Info Mustafa',
		'Loading',
		'Sales',
		'No Min-jun',
		'reconciliationist',
		'Ada (Dr.) Hart',
	),
	// Two people.
	...[
		'Ada Hart, Bob Low',
		'ada hart, bob low',
		'ADA HART, BOB LOW',
		'Ada B. Hart, Bob Low',
		'Ada Hart,Bob Low, Cy Moe',
	].map((text): Row => [text, twoPeople]),
	...[
		'Ada Hart; Bob Low',
		'Ada Hart & Bob Low',
		'Ada & Bob Hart',
		'Ada Hart and Bob Low',
		'Ada Hart / Bob Low',
		'Ada Hart | Bob Low',
		'Ada Hart\nBob Low',
		'Hart, Ada; Low, Bob',
	].map((text): Row => [text, twoPeople]),
	...sameText(
		'Hart, Ada',
		'Hart, Ada Marie',
		'Smith, Jr.',
		'Ada Hart, PhD',
		'Ada Hart, MD, MBA',
		'Ada Hart, Ph. D.',
	),
	...sameText(
		'van der Berg, Anna Maria',
		'Ramón y Cajal',
		'Ada Hart, Head of Sales',
		'Rosa María de la Cruz López',
	),
	// Surnames and first names that look like one.
	...sameText('Ada Null', 'Ada None', 'Null', 'None', 'ADA NULL', 'Nan Li', 'nan', 'Na Li'),
	...sameText('Nullmeier', 'Undefinedson', 'Ann/Ada', 'Dr. N. Ada'),
	['LinkedIn Member', hiddenName],
	['LinkedIn', hiddenName],
	['LinkedIn-Mitglied', hiddenName],
	// Other columns.
	['https://www.linkedin.com/in/ada-hart', webAddress],
	['www.acme.com', webAddress],
	['acme.com', webAddress],
	['ada@acme.com', emailAddress],
	['Ada Hart <ada@acme.com>', emailAddress],
	...sameText('J.Hart', 'St.John', 'Will.i.am', 'Ada @ Acme'),
	['12345', withoutLetter],
	['+49 30 1234', withoutLetter],
	['🦊', withoutLetter],
	...sameText('李', 'محمد', 'Ada 2nd', 'Zoë 🦊'),
	// Broken letters, and the source of web pages.
	['M\ufffdller', broken],
	['Zo&#65533;', broken],
	['Jos&eacute;', ofWebPage],
	['Ada &foo; Hart', ofWebPage],
	['Zo&#235; O&#39;Neill', as("Zoë O'Neill")],
	['O&#x27;Neill', as("O'Neill")],
	['O&apos;Neill', as("O'Neill")],
	['O&amp;#39;Neill', as("O'Neill")],
	['&quot;Ada&quot; Hart', as('"Ada" Hart')],
	['Ada&nbsp;Hart', as('Ada Hart')],
	['Ada&#8203;&#160;Hart', as('Ada Hart')],
	// Whatever people are called.
	...sameText('Zoë 🦊 Müller', 'محمد بن موسى الخوارزمي', 'עדה לאבלייס', "Jean-Luc O'Neill, Jr."),
	...sameText('"quoted" \\ name', '7 * 7 Ada'),
	['  Ada \t\n Lovelace ', as('Ada Lovelace')],
	NUMBER,
	TOO_LONG,
	...sameText('Ada &#0; Hart', 'Ada &#55296; Hart', 'Ada &#9999999; Hart', 'A&B'),
];

const FULL_NAMES: Row[] = [
	...NAMES,
	...inLists('Ada Hart'),
	...inListsOfTwo('Ada Hart', 'Bob Low', 'names'),
	['-', no(nameMissing)],
	['???', no(nameMissing)],
	['&nbsp;', no(nameMissing)],
];

const COMPANY_EXPRESSION = no(noCompany, EXPRESSION);
const COMPANY_CELL = no(noCompany, TABLE);
const COMPANY_COLUMN = /'Company Domain'/;
const COMPANIES: Row[] = [
	['undefined', COMPANY_EXPRESSION],
	['null', COMPANY_EXPRESSION],
	['[object Object]', COMPANY_EXPRESSION],
	['{{ $json.company }} GmbH', no(noCompany, UNRESOLVED)],
	['#N/A', COMPANY_CELL],
	['N/A', COMPANY_CELL],
	['NaN', COMPANY_CELL],
	['NULL', COMPANY_CELL],
	['https://www.acme.com/about', no(/a web address$/, COMPANY_COLUMN)],
	['www.acme.com', no(/a web address$/, COMPANY_COLUMN)],
	['info@acme.com', no(/an email address$/, COMPANY_COLUMN)],
	['M\ufffdller AG', broken],
	['-', no(companyMissing)],
	[1912, as('1912')],
	...sameText('1912', 'Booking.com', 'LinkedIn', 'Null & Void', 'undefined studio', '#paid'),
	...sameText('Null', 'None Ltd', 'Yahoo!', '#1 Plumbing', 'N/A Records', 'C&A', '3M'),
	TOO_LONG,
	['M&amp;M', as('M&M')],
	['M&amp;amp;M', as('M&M')],
	['M&uuml;ller &amp; S&ouml;hne', ofWebPage],
	['M&#252;ller &amp; S&#246;hne', as('Müller & Söhne')],
	...inLists('Acme'),
	[[{ id: 'x', name: 'Acme' }], as('Acme')],
	...inListsOfTwo('Acme', 'Bolt', 'companies'),
	['Company Name', no(noCompany, HEADING)],
	...['Loading...', '(blank)', 'Unknown'].map((text): Row => [text, no(noCompany, NOT_THERE)]),
	['=A2', no(noCompany, CODE)],
	[['recAbCdEf12345678'], no(noCompany, RECORD)],
	...sameText('[24]7.ai', 'Smith, Jones & Co', 'Info', 'Recruitmentagency', 'Unknown Worlds'),
	['AT&T', as('AT&T')],
];

const pageAt = (host: string) =>
	no(new RegExp(`^'Company Domain' ${noDomainOfCompany}.* is a page at ${host}$`));
const badDomain = no(noDomain);
const twoDomains = no(new RegExp(`${noDomain}.*: ${moreThanOne}$`));
const ACME = as('acme.com');
const DOMAINS: Row[] = [
	['www.acme.com', ACME],
	['https://www.Acme.com:8080/about?x=1#top', ACME],
	['http://user@acme.com/', ACME],
	['acme.com.', ACME],
	['https://fb.com/acme', pageAt('fb.com')],
	['https://linktr.ee/acme', pageAt('linktr.ee')],
	['https://www.crunchbase.com/organization/acme', pageAt('crunchbase.com')],
	['https://sites.google.com/view/acme', pageAt('sites.google.com')],
	['https://www.google.com/maps/place/Acme', pageAt('google.com')],
	['https://www.google.de/search?q=acme', pageAt('google.de')],
	['maps.google.co.uk/maps?cid=1', pageAt('google.co.uk')],
	['https://wa.me/4930123', pageAt('wa.me')],
	['https://www.pinterest.co.uk/acme', pageAt('pinterest.co.uk')],
	['github.com/acme', pageAt('github.com')],
	['https://bit.ly/3xyz', pageAt('bit.ly')],
	['https://www.linkedin.com/company/acme', pageAt('linkedin.com')],
	// These are companies, too, and so are their neighbours.
	['https://github.com', as('github.com')],
	['bit.ly', as('bit.ly')],
	['https://www.google.com/intl/en/about', as('google.com')],
	['https://www.pinterest.de', as('pinterest.de')],
	['https://not-t.me/acme', as('not-t.me')],
	// Directories, shops, hosts of web sites, app stores, shorteners; in each country.
	['https://wellfound.com/company/acme', pageAt('wellfound.com')],
	['zoominfo.com/c/acme/123', pageAt('zoominfo.com')],
	['https://apps.apple.com/us/app/acme/id1', pageAt('apps.apple.com')],
	['https://www.glassdoor.com/Overview/Acme.htm', pageAt('glassdoor.com')],
	['https://www.glassdoor.co.uk/Overview/Acme.htm', pageAt('glassdoor.co.uk')],
	['de.indeed.com/cmp/Acme', pageAt('indeed.com')],
	['https://www.yelp.com/biz/acme', pageAt('yelp.com')],
	['acme.notion.site', pageAt('notion.site')],
	['acme.myshopify.com', pageAt('myshopify.com')],
	['https://acme.github.io/about', pageAt('github.io')],
	['acme.linkedin.com', pageAt('linkedin.com')],
	...['wellfound.com', 'apps.apple.com', 'm.yelp.com', 'fr.linkedin.com', 'www.notion.site'].map(
		(host): Row => [host, as(host.replace('www.', ''))],
	),
	['https://mygoogle.com/maps', as('mygoogle.com')],
	// What stands around one.
	...[
		'<https://acme.com|acme.com>',
		'[Acme](https://acme.com/x)',
		'<a href="https://acme.com">Acme</a>',
	].map((text): Row => [text, ACME]),
	...[
		'Website: acme.com',
		'acme.com (main)',
		'"acme.com"',
		"['acme.com']",
		'- acme.com',
		'acme.com,',
	].map((text): Row => [text, ACME]),
	['ａｃｍｅ．ｃｏｍ', ACME],
	...inLists('acme.com'),
	[['acme.com', 'https://www.acme.com/'], ACME],
	...inListsOfTwo('acme.com', 'bolt.com', 'domains'),
	// Two of them.
	['a.example / b.example', twoDomains],
	['https://a.example/x https://b.example/y', twoDomains],
	['a.example\nb.example', twoDomains],
	['a.example, b.example', twoDomains],
	['https://acme.com/about us', ACME],
	['acme.com /', ACME],
	// None.
	['undefined', no(noDomain, EXPRESSION)],
	['www.undefined', no(noDomain, EXPRESSION)],
	['#N/A', no(noDomain, TABLE)],
	['N/A', no(noDomain, TABLE)],
	['-', badDomain],
	['none', badDomain],
	['Acme Ltd', badDomain],
	['{{ $json.domain }}', no(noDomain, UNRESOLVED)],
	['m\ufffdller.de', broken],
	['m&uuml;ller.de', ofWebPage],
	['m&#252;ller.de', as('müller.de')],
	['https://acme.com/?a=1&amp;b=2', ACME],
	NUMBER,
	TOO_LONG,
];

const badPage = no(noProfilePage);
const noPersonAt = (path: string) =>
	no(new RegExp(`${noProfilePage}.*: a page of /${path}/ is no person's$`));
const twoPages = no(new RegExp(`${noProfilePage}.*: ${moreThanOne} address$`));
const handle = (name: string) =>
	no(noProfilePage, new RegExp(`write https://www\\.linkedin\\.com/in/${name}\\.`));
const TRACKING = `trk=${'x'.repeat(600)}`;
const BEA = 'https://www.linkedin.com/in/bea-low';
const PROFILES: Row[] = [
	NUMBER,
	TOO_LONG,
	['linkedin.com/in/bea-low', as('https://linkedin.com/in/bea-low')],
	['www.linkedin.com/in/bea-low/', as('https://www.linkedin.com/in/bea-low/')],
	['//www.linkedin.com/in/bea-low', as(BEA)],
	['xing.com/profile/Bea_Low', as('https://xing.com/profile/Bea_Low')],
	['social.example/bea', as('https://social.example/bea')],
	...sameText(BEA, 'HTTP://uk.linkedin.com/in/Bea-Low', 'https://www.xing.com/profile/Bea_Low'),
	// What is behind the name is of the same person, and is not sent.
	...[
		'/en',
		'/details/experience/',
		'/overlay/contact-info/',
		'?trk=x',
		'/#about',
		')',
		'.',
		'%20',
	].map((behind): Row => [`${BEA}${behind}`, as(BEA)]),
	...['comm/in', 'mwlite/in', 'm/in', 'in/in'].map((path): Row => [
		BEA.replace('in/', `${path}/`),
		as(BEA),
	]),
	['https://www.xing.com/profile/Bea_Low/cv', as('https://www.xing.com/profile/Bea_Low')],
	// Links, labels and notes.
	...[
		`<${BEA}|Bea>`,
		`[Bea Low](${BEA})`,
		`[${BEA}](${BEA})`,
		`<a href="${BEA}">Bea</a>`,
		`"${BEA}"`,
	].map((text): Row => [text, as(BEA)]),
	...[
		`=HYPERLINK("${BEA}","Bea")`,
		`LinkedIn: ${BEA}`,
		`${BEA} (Bea)`,
		`• ${BEA}`,
		`${BEA} ${BEA}/`,
	].map((text): Row => [text, as(BEA)]),
	['Page: https://social.example/bea', as('https://social.example/bea')],
	['<https://social.example/bea|Bea>', as('https://social.example/bea')],
	['https://social.example/bea (home)', as('https://social.example/bea')],
	// Links that lead to a profile.
	[`https://www.google.com/url?q=${BEA}&sa=D`, as(BEA)],
	[`https://x.safelinks.protection.outlook.com/?url=${encodeURIComponent(BEA)}&data=y`, as(BEA)],
	[`https://www.linkedin.com/authwall?sessionRedirect=${encodeURIComponent(BEA)}`, as(BEA)],
	[`https://www.linkedin.com/in/${BEA}`, as(BEA)],
	[`${BEA}${BEA}`, as(BEA)],
	...inLists(BEA),
	[[{ url: BEA }], as(BEA)],
	...inListsOfTwo(BEA, 'https://www.linkedin.com/in/ada-hart', 'urls'),
	...sameText('https://www.linkedin.com/pub/bea-low/1/2/3', 'https://www.linkedin.com/in/company'),
	...sameText('https://www.linkedin.com/sales/lead/A,NAME_SEARCH,x1?_ntb=1'),
	...sameText('https://social.example/company/bea'),
	...sameText('https://www.linkedin.com/in/Null', 'https://www.linkedin.com/in/undefined-bea'),
	['https://social.example/bea?a=1&amp;b=2', as('https://social.example/bea?a=1&b=2')],
	// Pages of companies, of searches, and of nobody.
	['https://www.linkedin.com/company/acme', noPersonAt('company')],
	['https://www.linkedin.com/posts/bea-low_x-activity-1', noPersonAt('posts')],
	['https://www.linkedin.com/feed/update/urn:li:activity:1', noPersonAt('feed')],
	['https://www.linkedin.com/search/results/people/?keywords=bea', noPersonAt('search')],
	['https://www.linkedin.com/authwall?sessionRedirect=x', noPersonAt('authwall')],
	['https://www.linkedin.com/pub/dir/Bea/Low', noPersonAt('pub/dir')],
	['https://www.linkedin.com/sales/company/1', noPersonAt('company')],
	['https://www.linkedin.com/in/company/acme', noPersonAt('company')],
	['HTTPS://DE.LINKEDIN.COM//Company/acme', noPersonAt('Company')],
	['https://www.xing.com/pages/acme', noPersonAt('pages')],
	['https://www.google.com/search?q=bea+low+linkedin', noPersonAt('search')],
	['https://www.linkedin.com/in/undefined', no(noProfilePage, EXPRESSION)],
	['https://www.linkedin.com/in/undefined?trk=x', no(noProfilePage, EXPRESSION)],
	['https://www.xing.com/profile/undefined', no(noProfilePage, EXPRESSION)],
	['https://www.linkedin.com/in/undefined/details/', no(noProfilePage, EXPRESSION)],
	['https://www.linkedin.com/in/bea-{{$json.last}}', no(noProfilePage, UNRESOLVED)],
	['https://www.linkedin.com/in/bea low', no(/a space is not allowed$/)],
	['https://www.linkedin.com/in/bea%20low', no(/a space is not allowed$/)],
	['https://www.linkedin.com/in/[object Object]', no(noProfilePage, EXPRESSION)],
	['https://www.linkedin.com/in/%5Bobject%20Object%5D', badPage],
	['https://www.linkedin.com/in/{{$json.handle}}', no(noProfilePage, UNRESOLVED)],
	['https://www.linkedin.com/in/#N/A', no(noProfilePage, TABLE)],
	['https://www.linkedin.com/in/N/A', no(noProfilePage, TABLE)],
	['https://www.linkedin.com/in/-', badPage],
	['https://www.linkedin.com/in/', badPage],
	['https://www.linkedin.com', badPage],
	// Two addresses in one cell.
	[`${BEA}, https://www.linkedin.com/in/ada-hart`, twoPages],
	[`${BEA};https://www.linkedin.com/in/ada-hart`, twoPages],
	[`${BEA}\nlinkedin.com/in/ada-hart`, twoPages],
	['linkedin.com/in/bea-low|xing.com/profile/Bea_Low', twoPages],
	[`${BEA}${BEA.replace('bea-low', 'ada-hart')}`, twoPages],
	[`${BEA}, https://github.com/bea`, twoPages],
	['https://social.example/bea https://social.example/ada', twoPages],
	// What LinkedIn calls a person, alone.
	['bea-low', handle('bea-low')],
	['/in/bea-low/', handle('bea-low')],
	['@bea-low', handle('bea-low')],
	['undefined', no(noProfilePage, EXPRESSION)],
	['Bea Low', badPage],
	['bea@acme.com', badPage],
	['N/A', no(noProfilePage, TABLE)],
	[`${BEA}\ufffd`, broken],
	// Where a link was clicked may be long.
	[`${BEA}?${TRACKING}`, as(BEA)],
	[`linkedin.com/in/bea-low/?${TRACKING}#top`, as('https://linkedin.com/in/bea-low')],
	[`https://www.xing.com/profile/Bea_Low?${TRACKING}`, as('https://www.xing.com/profile/Bea_Low')],
	[`https://www.linkedin.com/profile/view?id=1&${TRACKING}`, no(/at most 500 characters/)],
	[`https://social.example/bea?${TRACKING}`, no(/at most 500 characters/)],
	[`https://www.linkedin.com/in/${'x'.repeat(600)}`, no(/at most 500 characters/)],
];

const EMAILS: Row[] = [
	NUMBER,
	['zo\ufffd@acme.com', broken],
	['o&#39;neill@acme.com', as("o'neill@acme.com")],
	['zo&euml;@acme.com', ofWebPage],
	['zo&#235;@acme.com', as('zoë@acme.com')],
	...inLists('ada@acme.com'),
	[[{ email: 'ada@acme.com', name: 'Ada' }], as('ada@acme.com')],
	[[{ address: 'ada@acme.com', name: 'Ada' }], as('ada@acme.com')],
	...inListsOfTwo('ada@acme.com', 'bea@acme.com', 'emails'),
];

/** All names of persons are cleaned alike: some show it. */
const SOME_NAMES = NAMES.filter((_, n) => n % 4 === 0);

interface Field {
	label: string;
	resource: string;
	/** What the service calls it. */
	name: string;
	parameters: INodeParameters;
	rows: Row[];
}

const VALUE = '={{ $json.value }}';
const BY_NAME = { identifyBy: 'nameAndCompany', companyDomain: 'acme.example' };
const FIELDS: Field[] = [
	{
		label: 'Full Name',
		resource: 'emailFinder',
		name: 'fullname',
		parameters: { fullname: VALUE, companyDomain: 'acme.example' },
		rows: FULL_NAMES,
	},
	{
		label: 'First Name',
		resource: 'phoneFinder',
		name: 'firstname',
		parameters: { ...BY_NAME, firstname: VALUE, lastname: 'Hart' },
		rows: SOME_NAMES,
	},
	{
		label: 'Last Name',
		resource: 'phoneFinder',
		name: 'lastname',
		parameters: { ...BY_NAME, firstname: 'Ada', lastname: VALUE },
		rows: SOME_NAMES,
	},
	{
		label: 'Company Name',
		resource: 'emailFinder',
		name: 'company_name',
		parameters: { fullname: 'Ada Hart', companyName: VALUE },
		rows: COMPANIES,
	},
	{
		label: 'Company Domain',
		resource: 'emailFinder',
		name: 'company_domain',
		parameters: { fullname: 'Ada Hart', companyDomain: VALUE },
		rows: DOMAINS,
	},
	{
		label: 'Profile URL',
		resource: 'phoneFinder',
		name: 'socialprofile_url',
		parameters: { socialProfileUrl: VALUE },
		rows: PROFILES,
	},
	{
		label: 'Email',
		resource: 'emailVerifier',
		name: 'email',
		parameters: { email: VALUE },
		rows: EMAILS,
	},
];

const itemOf = ([value]: Row): IDataObject => ({ value }) as IDataObject;

/** What was sent: of batches their entries. */
function sentSearches(): unknown[] {
	return bench().posts.flatMap(({ body }): unknown[] => {
		const { searches, verifications }: IDataObject = isRecord(body) ? body : {};
		const list: unknown = searches ?? verifications;
		return Array.isArray(list) ? list : [body];
	});
}

describe.for(FIELDS)("'$label'", ({ label, resource, name, parameters, rows: own }) => {
	const rows = [...OF_ALL, ...own];
	it.for(rows)('%j %j', async ([value, fate]) => {
		const run = await bench().run(resource, 'submit', {
			parameters,
			options: { dryRun: true },
			items: [itemOf([value, fate])],
		});
		const [json] = jsonOf(run);
		if ('sent' in fate) {
			expect(json).toMatchObject({ action: 'submit', search: { [name]: fate.sent } });
			return;
		}
		expect(json?.action).toBe('invalid');
		expect(json?.error).toContain(`'${label}'`);
		expect(json?.error).toMatch(fate.refused);
		if (fate.advice !== undefined) expect(json?.description).toMatch(fate.advice);
	});

	it('what is refused is not sent, and what is sent is as told', async () => {
		await bench().run(resource, 'submitBulk', {
			parameters,
			items: rows.map(itemOf),
			settings: { onError: 'continueRegularOutput' },
		});
		const texts = sentSearches().map((entry) =>
			String(isRecord(entry) ? entry[name] : entry).toLowerCase(),
		);
		const expected = rows.flatMap(([, fate]) => ('sent' in fate ? [fate.sent.toLowerCase()] : []));
		expect(texts.length).toBeGreaterThan(0);
		expect(texts.filter((text) => !expected.includes(text))).toEqual([]);
	});
});

/** Beside a company by its other name, what cannot be used is left out, and counted. */
describe('a company of which one of two values cannot be used', () => {
	const parameters = {
		fullname: '={{ $json.name }}',
		companyDomain: '={{ $json.domain }}',
		companyName: '={{ $json.company }}',
	};
	const ITEMS = [
		{ name: 'Ada Hart', domain: 'https://fb.com/acme', company: 'Acme' },
		{ name: 'Bea Low', domain: 'n/a', company: 'Bolt' },
		{ name: 'Cleo May', domain: '-', company: 'Cube' },
		{ name: 'Gil Roe', domain: 'm\ufffdller.de', company: 'Müller' },
		{ name: 'Dora Nil', domain: 'dune.example', company: '#N/A' },
		{ name: 'Eve Orr', domain: 'echo.example', company: 'Echo' },
		{ name: 'Fay Poe', company: 'Fox' },
	];
	const SENT = [
		{ fullname: 'Ada Hart', company_name: 'Acme' },
		{ fullname: 'Bea Low', company_name: 'Bolt' },
		{ fullname: 'Cleo May', company_name: 'Cube' },
		{ fullname: 'Gil Roe', company_name: 'Müller' },
		{ fullname: 'Dora Nil', company_domain: 'dune.example' },
		{ fullname: 'Eve Orr', company_domain: 'echo.example', company_name: 'Echo' },
		{ fullname: 'Fay Poe', company_name: 'Fox' },
	];
	const HINT = ` 4 email searches go without 'Company Domain', ${couldNotBeUsed}. 1 email search goes without 'Company Name', ${couldNotBeUsed}.`;
	it.for(['submitAndWait', 'submitBulk'])(
		'%s searches by the other, and says for how many',
		async (operation) => {
			const run = await bench().run('emailFinder', operation, { parameters, items: ITEMS });
			expect(run.error).toBeUndefined();
			const sent = sentSearches();
			expect(sent).toHaveLength(SENT.length);
			expect(sent).toEqual(expect.arrayContaining(SENT));
			expect(run.hints.map(({ message }) => message).join()).toContain(HINT);
		},
	);

	it('a dry run says so, too', async () => {
		const given = { parameters, items: ITEMS, options: { dryRun: true } };
		const run = await bench().run('emailFinder', 'submitBulk', given);
		expect(jsonOf(run).map(({ search }) => search)).toEqual(SENT);
		expect(run.hints.map(({ message }) => message).join()).toContain(HINT);
	});

	it('does not count what is read of an earlier search', async () => {
		const given = { parameters, items: ITEMS.slice(0, 2) };
		const found = await bench().run('emailFinder', 'submitAndWait', given);
		const options = { earlierId: '={{ $json.id }}' };
		const items = given.items.map((item, index) => ({ ...item, id: jsonOf(found)[index]?.id }));
		const again = await bench().run('emailFinder', 'submitAndWait', { parameters, items, options });
		expect(jsonOf(again)).toHaveLength(2);
		expect(again.hints.map(({ message }) => message).join()).not.toContain(couldNotBeUsed);
	});

	it('beside a phone search by name', async () => {
		const run = await bench().run('phoneFinder', 'submit', {
			parameters: {
				identifyBy: 'nameAndCompany',
				firstname: 'Ada',
				lastname: 'Hart',
				companyDomain: 'bit.ly/3xyz',
				companyName: 'Acme',
			},
		});
		expect(bench().posts.map(({ body }) => body)).toEqual([
			{ firstname: 'Ada', lastname: 'Hart', company_name: 'Acme' },
		]);
		expect(run.hints.map(({ message }) => message).join()).toContain(
			`1 phone search goes without 'Company Domain', ${couldNotBeUsed}.`,
		);
	});

	it.for([
		[{ domain: 'n/a', company: '#N/A' }, /^'Company Domain' must be/],
		[{ domain: 'n/a' }, /^'Company Domain' must be/],
		[{ domain: 'm\ufffdller.de' }, new RegExp(`^'Company Domain' ${notReadable}`)],
		[{ domain: 'n/a', company: 'Acme', name: 'N/A' }, new RegExp(`^'Full Name' ${noName}`)],
	] as const)('%j is refused all the same', async ([item, error]) => {
		const run = await bench().run('emailFinder', 'submit', {
			parameters,
			items: [{ name: 'Ada Hart', ...item }],
			settings: { onError: 'continueRegularOutput' },
		});
		expect(jsonOf(run)).toMatchObject([{ error: expect.stringMatching(error) as string }]);
		bench().expectNothingSubmitted();
	});
});
