import { quote } from '../common/values';
import { tidy } from './text';
import type { Unfit } from './types';

/** An expression that was written as text. */
const UNRESOLVED = /\{\{[^{}]*\}\}|\$json\b/;
/** `Null` and `None`, so written, are surnames. */
const OF_EXPRESSION = /(?<![\p{L}\p{N}])(undefined|null|\[object \w+\])(?![\p{L}\p{N}])/u;
/** Errors of spreadsheets, in their languages, and what databases and programs export. */
const OF_TABLE =
	/(?<![\p{L}\p{N}])(#?N\/[AD]|n\/a|#NV|#[¡¿]?\p{Lu}[\p{Lu}\d/_]*[!?]|NaN|^NULL$)(?![\p{L}\p{N}])/u;

/** `LinkedIn Member`, also as other languages have it, and its first word alone. */
const HIDDEN = /^linkedin([ -]\p{L}+)?$|^\p{L}+( d[ei])? linkedin$/iu;
const EMAIL = /[^\s@]@[^\s@.]+\.[^\s@]/;
const WEB_ADDRESS =
	/^(https?:|www\.)|^[^\s/]+\.\p{L}{2,}\/\S*$|^[\w-]+(\.[\w-]+)*\.(com|net|org)$/iu;
/** Whose mailbox is of a role has no name there. */
const MAILBOX = /^(?:info|admin|administrator|contact|office|support|webmaster|no-?reply)$/i;

/** What programs and models write where they have no value, or none yet. */
const NOT_THERE =
	/^(?:\([^()]*\)|\[[^[\]]*\])$|^(?:redacted|unknown|not (?:applicable|available|found|given|known|provided|specified))$/i;
/** What is hidden or cut off: `Po***r`, `Ada [hidden]`, `Ada Ha…`. */
const MASKED =
	/[*＊∗•●█■]{2}|(?:\.{3}|…)(?:\s|$)|[[(<](?:hidden|locked|masked|private|redacted)[\])>]/iu;
/** How a page's title ends: `Ada Hart - Head of Ops - Acme | LinkedIn`. */
const END_OF_TITLE =
	/ [-–—|·] (?:Crunchbase|Facebook|Instagram|LinkedIn|Wikipedia|XING|ZoomInfo)(?: .*)?$/iu;
/** How a formula, JSON, a list or HTML begins. */
const CODE = /^(?:=|\{|<|\[["'])/;
const HEADING = /^(?:full|first|last|company)name$/;

/** A first and a last name, in either order: two words with a capital letter, as `Jr.`, `PhD` and `van Dijk` are not. */
const FULL_NAME =
	/^\p{Lu}[\p{L}\p{M}'’-]*[\p{Ll}\p{M}],? (?:\p{Lu}\. )?\p{Lu}[\p{L}\p{M}'’-]*\p{Ll}\p{M}*$/u;

const OTHER_COLUMN = 'Check which column you have put there.';

/** The fields of the item that a value comes from. */
export type ItemFields = Readonly<Record<string, unknown>>;

/**
 * The first word in a text that stands for a missing value, and whether it spoils whatever stands beside it.
 * @param what is to be filled in
 */
export function findNoValue(
	text: string,
	what = 'value',
): { word: string; advice: string; spoilsAll: boolean } | undefined {
	const [template] = UNRESOLVED.exec(text) ?? [];
	if (template !== undefined) {
		const advice =
			'It is an expression that n8n takes for text: switch the field from Fixed to Expression.';
		return { word: template, advice, spoilsAll: true };
	}
	const [word] = OF_EXPRESSION.exec(text) ?? [];
	if (word !== undefined) {
		const advice = `An expression writes ${quote(word)} for a column that is not there, is empty, or is no text: check the name of the column.`;
		return { word, advice, spoilsAll: word.startsWith('[') };
	}
	const [cell] = OF_TABLE.exec(text) ?? [];
	if (cell === undefined) return undefined;
	const advice = `A spreadsheet or a database writes ${quote(cell)} where it has no value. Fill in the ${what}.`;
	return { word: cell, advice, spoilsAll: false };
}

/**
 * What is wrong with the name of a person, or a part of it.
 * @param given the text with its line breaks
 */
export function checkPersonName(text: string, given: string, item?: ItemFields): Unfit | undefined {
	const problem = `must be a name, but is ${quote(text)}`;
	const advice = findNoValue(text, 'name')?.advice ?? findNoName(text, item);
	if (advice !== undefined) return { problem, advice };
	if (HIDDEN.test(text)) {
		return { problem, advice: 'LinkedIn shows it instead of a name that it hides from you.' };
	}
	if (EMAIL.test(text)) return { problem: `${problem}, an email address`, advice: OTHER_COLUMN };
	if (WEB_ADDRESS.test(text)) return { problem: `${problem}, a web address`, advice: OTHER_COLUMN };
	if (MAILBOX.test(text)) return { problem: `${problem}, a mailbox`, advice: OTHER_COLUMN };
	if (isSeveralPeople(given)) {
		return {
			problem: `${problem}: that is more than one`,
			advice:
				'Give one person, the first name before the last name and no title behind it, and each person an item.',
		};
	}
	return /\p{L}/u.test(text) ? undefined : { problem: `${problem}, without a letter` };
}

/** What is wrong with the name of a company: some are called 1912, Booking.com, or LinkedIn. */
export function checkCompanyName(text: string, item?: ItemFields): Unfit | undefined {
	const problem = `must be a company's name, but is ${quote(text)}`;
	const { word, spoilsAll, advice } = findNoValue(text, 'name') ?? {};
	if (word === text || spoilsAll) return { problem, advice };
	const otherAdvice = findNoName(text, item);
	if (otherAdvice !== undefined) return { problem, advice: otherAdvice };
	if (EMAIL.test(text) || /^(https?:\/\/|www\.)\S+$/i.test(text)) {
		const kind = EMAIL.test(text) ? 'an email address' : 'a web address';
		return { problem: `${problem}, ${kind}`, advice: "A website belongs into 'Company Domain'." };
	}
	return undefined;
}

/** Why a text names nobody, neither a person nor a company. */
function findNoName(text: string, item?: ItemFields): string | undefined {
	const heading = findHeading(text, item);
	if (heading !== undefined) return heading;
	if (CODE.test(text)) {
		return `A formula, JSON or HTML begins with ${quote(text.slice(0, 1))}: give what it shows.`;
	}
	if (END_OF_TITLE.test(text)) return 'It is the title of a web page: give the name alone.';
	return NOT_THERE.test(text) || MASKED.test(text)
		? 'It stands where a name is missing, hidden, cut off or not yet loaded. Fill in the name.'
		: undefined;
}

/** Whether a cell says that it has no value. */
export function saysNothing(text: string): boolean {
	return NOT_THERE.test(text) || text.replace(OF_TABLE, '') === '';
}

/** Advice for a text that is the heading of its own column. The column must hold it: Price is also a last name. */
export function findHeading(text: string, item: ItemFields = {}): string | undefined {
	const heading = comparableHeading(text);
	const isItsColumn = Object.entries(item).some(
		([column, value]) =>
			typeof value === 'string' &&
			value.length <= 2 * text.length &&
			comparableHeading(column) === heading &&
			comparableHeading(value) === heading,
	);
	return isItsColumn || HEADING.test(heading)
		? 'It is the heading of a column: a row of headings was read as data. Remove the row.'
		: undefined;
}

/** Two headings with the same one differ by capital letters, white space or hyphens alone. */
export function comparableHeading(text: string): string {
	return text.toLowerCase().replace(/[\s_-]+/g, '');
}

/** `Ada Hart; Bob Low` is; `Ann/Ada`, `Ada Hart, PhD` and `García López, María José`, one person with two surnames, are not. */
function isSeveralPeople(given: string): boolean {
	const text = tidy('name', given.replace(/[\r\n]/g, ';'));
	const people = (separators: RegExp) =>
		text.split(separators).filter((part) => FULL_NAME.test(part.trim())).length;
	return people(/[;|/]/) > 1 || people(/[,;|/]/) > 2;
}
