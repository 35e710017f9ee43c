import { moreThanOne, nameMissing, noName } from '../../../support/texts.mts';
import {
	as,
	broken,
	CODE,
	EXPRESSION,
	HEADING,
	HIDDEN,
	inLists,
	inListsOfTwo,
	no,
	NOT_THERE,
	NUMBER,
	ofWebPage,
	OTHER_COLUMN,
	sameText,
	TABLE,
	TITLE,
	TOO_LONG,
	UNRESOLVED,
	type Row,
} from './rows.mts';

// Names of persons.

const badExpression = no(noName, EXPRESSION);
const badCell = no(noName, TABLE);
const notThere = no(noName, NOT_THERE);
const code = no(noName, CODE);
const title = no(noName, TITLE);
const twoPeople = no(moreThanOne, /^Give one person/);
const hiddenName = no(noName, HIDDEN);
const webAddress = no(/a web address$/, OTHER_COLUMN);
const emailAddress = no(/an email address$/, OTHER_COLUMN);
const withoutLetter = no(/without a letter$/);

/** Of all names of persons. */
export const NAMES: Row[] = [
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
		'redacted',
		// What people searches show of a name that they sell.
		'Ada Po***r',
		'A*** H***',
		'Ada ••••',
		'Ada H●●●',
		'Ada ███',
		'A... Hart',
		'Ada [hidden]',
		'[redacted] Hart',
		'Ada (private)',
		'Ada <locked>',
	].map((text): Row => [text, notThere]),
	...['=Ada Hart', '=A2&" "&B2', '{"first":"Ada"}', '{Ada', '<b>Ada</b>', '["Ada'].map(
		(text): Row => [text, code],
	),
	...['info', 'Admin', 'no-reply'].map((mailbox): Row => [mailbox, no(/a mailbox$/, OTHER_COLUMN)]),
	// Titles of pages.
	...[
		'Ada Hart - Head of Ops - Acme | LinkedIn',
		'(3) Ada Hart | LinkedIn',
		'Ada Hart – CEO – Acme | LinkedIn Deutschland',
		'Ada Hart · XING',
		'Ada Hart - Crunchbase Person Profile',
	].map((text): Row => [text, title]),
	...sameText('Ada Hart*', '• Ada Hart', 'Ada [Smith] Hart', 'Ada Hidden', 'Ada Hart - García'),
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
		'Ada Hart,Bob Low, Cy Moe',
		'Ada Hart; Bob Low',
		'Ada Hart / Bob Low',
		'Ada B. Hart | Bob Low',
		'Ada Hart\nBob Low',
		'Ada Hart\r\nBob Low',
		'Hart, Ada; Low, Bob',
		'García López, María José; Vega Ruiz, Lucero Ximena',
	].map((text): Row => [text, twoPeople]),
	...sameText(
		'Hart, Ada',
		'Hart, Ada Marie',
		'Smith, Jr.',
		'García López, María José',
		'Silva Santos, João Pedro',
		'Vega Ruiz, Lucero Ximena',
		'Tom Smith, Maria Garcia',
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
	['Ada Hart\n', as('Ada Hart')],
	NUMBER,
	TOO_LONG,
	...sameText('Ada &#0; Hart', 'Ada &#55296; Hart', 'Ada &#9999999; Hart', 'A&B'),
];

export const FULL_NAMES: Row[] = [
	...NAMES,
	...inLists('Ada Hart'),
	...inListsOfTwo('Ada Hart', 'Bob Low', 'names'),
	['-', no(nameMissing)],
	['???', no(nameMissing)],
	['&nbsp;', no(nameMissing)],
];

/** All names of persons are cleaned alike: some show it. */
export const SOME_NAMES = NAMES.filter((_, n) => n % 4 === 0);
