import { mustBeText, notReadable } from '../../../support/texts.mts';

// What a value comes to: the text that is sent, or why it is refused, and what else the user reads.

export type Fate = { sent: string } | { refused: string | RegExp; advice?: RegExp };
export type Row = [value: unknown, fate: Fate];

export const as = (sent: string): Fate => ({ sent });
export const no = (refused: string | RegExp, advice?: RegExp): Fate => ({ refused, advice });

// Where it comes from.
export const EXPRESSION = /^An expression writes "[^"]+" for a column that is not there/;
export const TABLE =
	/^A spreadsheet or a database writes "[^"]+" where it has no value\. Fill in the (name|value)\./;
export const HIDDEN = /^LinkedIn shows it instead of a name that it hides/;
export const OTHER_COLUMN = /^Check which column/;
export const UNRESOLVED = /^It is an expression that n8n takes for text/;
export const UTF8 = /save the file as UTF-8/;

export const HEADING = /^It is the heading of a column/;
export const NOT_THERE = /^It stands where a name is missing/;
export const TITLE = /^It is the title of a web page/;
export const CODE = /^A formula, JSON or HTML begins with "[={<[]"/;
export const broken = no(notReadable, UTF8);
export const ofWebPage = no(notReadable, /how the source of a web page writes a letter/);
export const sameText = (...texts: string[]): Row[] => texts.map((text) => [text, as(text)]);

/** Of any field: what is no text, and what is nothing. */
export const OF_ALL: Row[] = [
	[true, no(mustBeText)],
	[{ first: 'Ada' }, no(/must be text, but is an object with first$/)],
	['[{"first": {"a": 1}}]', no(/must be text, but is an object with first$/)],
	[[[true]], no(mustBeText)],
];
/** What Airtable has in the cell of a formula that fails, and of an AI field that has nothing (yet). */
export const FAILED_CELLS = [
	{ error: '#ERROR!' },
	{ specialValue: 'NaN' },
	[{ specialValue: 'NaN' }],
	{ state: 'error', errorType: 'emptyDependency', isStale: false, value: null },
	{ state: 'empty', isStale: false, value: null },
	{ state: 'loading', isStale: true },
];
/** Cells of Pipedrive and monday without a value. */
const BLANK_CELLS = [
	[{ label: 'work', value: '', primary: true }],
	'[{"label": "work", "value": ""}]',
	{ id: 'col', text: '', value: null },
	{},
	[{}],
];
/** An empty cell, or none. */
export const NOTHING = [
	...[null, '', '   ', undefined, [], [null, ''], [[]]],
	...[...FAILED_CELLS, ...BLANK_CELLS],
].map((nothing): Row => [nothing, no(/empty$/)]);
/** A list of one value, as Airtable and CRMs give it: as data, or as its text. */
export const inLists = (value: string): Row[] => {
	const lists = [[value], [value, null, ' '], [value, value.toUpperCase()], [{ id: 7, value }]];
	// monday has what is shown beside the value, as JSON in a text.
	const ofMonday = { id: 'col', text: value, value: JSON.stringify({ value, changed_at: 'x' }) };
	const given = [
		...lists,
		...lists.map((list) => JSON.stringify(list)),
		{ value },
		[[value]],
		ofMonday,
	];
	return given.map((list) => [list, as(value)]);
};
export const LIST_OF_TWO = / must be one value, but is a list of 2$/;
/** The advice shows how to take the first. */
export const inListsOfTwo = (one: string, other: string, column: string): Row[] => [
	[[one, other], no(LIST_OF_TWO, new RegExp(`{{ \\$json\\.${column}\\[0\\] }}`))],
	[[{ value: one }, { value: other }], no(LIST_OF_TWO, /\[0\] }}/)],
	[JSON.stringify([one, other]), no(LIST_OF_TWO, /{{ JSON\.parse\(\$json\.\w+\)\[0\] }}/)],
];
export const NUMBER: Row = [7, no(mustBeText)];
export const TOO_LONG: Row = [
	'x'.repeat(10_240),
	no(/at most 500 characters long, but has 10240$/),
];
