import { quote } from '../common/values';
import type { Unfit } from './types';

/** `Null` and `None`, so written, are surnames. */
const OF_EXPRESSION = /(?<![\p{L}\p{N}])(undefined|null|\[object \w+\])(?![\p{L}\p{N}])/u;
/** An expression that was written as text. */
const UNRESOLVED = /\{\{[^{}]*\}\}/;
/** Errors of spreadsheets, in their languages, and what databases and programs export. */
const OF_TABLE =
	/(?<![\p{L}\p{N}])(#?N\/[AD]|n\/a|#NV|#[¡¿]?\p{Lu}[\p{Lu}\d/_]*[!?]|NaN|^NULL$)(?![\p{L}\p{N}])/u;
/** `LinkedIn Member`, also as other languages have it, and its first word alone. */
const HIDDEN = /^linkedin([ -]\p{L}+)?$|^\p{L}+( d[ei])? linkedin$/iu;
const EMAIL = /[^\s@]@[^\s@.]+\.[^\s@]/;
const WEB_ADDRESS = /^(https?:|www\.)|^[^\s/]+\.\p{L}{2,}\/\S*$/iu;
const DOMAIN = /^[\w-]+(\.[\w-]+)*\.(com|net|org)$/i;

const OTHER_COLUMN = 'Check which column you have put there.';

/** What stands for a missing value, and where it comes from. */
interface NoValue {
	word: string;
	/** Whether it is none, whatever stands beside it. */
	spoilsAll: boolean;
	advice: string;
}

/** The first word in a text that stands for a missing value. */
export function findNoValue(text: string): NoValue | undefined {
	const [template] = UNRESOLVED.exec(text) ?? [];
	if (template !== undefined) {
		const advice =
			'It is an expression that n8n takes for text: switch the field from Fixed to Expression.';
		return { word: template, spoilsAll: true, advice };
	}
	const [word] = OF_EXPRESSION.exec(text) ?? [];
	if (word !== undefined) {
		const advice = `An expression writes ${quote(word)} for a column that is not there, is empty, or is no text: check the name of the column.`;
		return { word, spoilsAll: word.startsWith('['), advice };
	}
	const [cell] = OF_TABLE.exec(text) ?? [];
	if (cell === undefined) return undefined;
	const advice = `${quote(cell)} is what a spreadsheet or a database writes instead of a value: mend or empty the cell.`;
	return { word: cell, spoilsAll: false, advice };
}

/** What is wrong with the name of a person, or a part of it. */
export function checkPersonName(text: string): Unfit | undefined {
	const problem = `must be a name, but is ${quote(text)}`;
	const advice = findNoValue(text)?.advice;
	if (advice !== undefined) return { problem, advice };
	if (HIDDEN.test(text)) {
		return { problem, advice: 'LinkedIn shows it instead of a name that it hides from you.' };
	}
	if (EMAIL.test(text)) return { problem: `${problem}, an email address`, advice: OTHER_COLUMN };
	if (WEB_ADDRESS.test(text) || DOMAIN.test(text)) {
		return { problem: `${problem}, a web address`, advice: OTHER_COLUMN };
	}
	return /\p{L}/u.test(text) ? undefined : { problem: `${problem}, without a letter` };
}

/** What is wrong with the name of a company: some are called 1912, Booking.com, or LinkedIn. */
export function checkCompanyName(text: string): Unfit | undefined {
	const problem = `must be a company's name, but is ${quote(text)}`;
	const { word, spoilsAll, advice } = findNoValue(text) ?? {};
	if (word === text || spoilsAll) return { problem, advice };
	if (EMAIL.test(text) || /^(https?:\/\/|www\.)\S+$/i.test(text)) {
		const kind = EMAIL.test(text) ? 'an email address' : 'a web address';
		return { problem: `${problem}, ${kind}`, advice: "A website belongs into 'Company Domain'." };
	}
	return undefined;
}
