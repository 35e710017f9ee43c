import { refuse } from '../common/errors';
import { describeType, quote } from '../common/values';
import { checkCountry } from './countries';
import { checkDomain } from './domains';
import { checkEmail, EMPTY, TOO_LONG } from './emails';
import {
	checkCompanyName,
	checkPersonName,
	findHeading,
	findNoValue,
	type ItemFields,
} from './names';
import { checkProfile } from './profiles';
import { toOneValue } from './same';
import { findBrokenLetter, MAX_CELL_LENGTH, MAX_VALUE_LENGTH, tidy } from './text';
import type { Checked, ValueKind } from './types';

/** What lists have where a name must be filled in and nobody knows it. */
const PLACEHOLDER = /^[\s\p{Cf}\p{Pd}.?/_*]+$/u;

/**
 * Checks a value that the user gave and cleans it as far as the service surely does too. Absent, empty
 * and blank values come back as `undefined`; an empty cell of a verification with that as its flaw.
 * @param item that the value comes from, as a row of headings holds the names of its columns
 */
export function checkField(kind: ValueKind, value: unknown, item?: ItemFields): Checked {
	if (value === undefined) return { text: undefined };
	const single = toOneValue(kind, value);
	if ('problem' in single) return single;
	// A company may be called 1912; nobody's name, address or profile is a number.
	const isNumber = typeof single.value === 'number' && kind === 'company';
	const given = isNumber ? String(single.value) : single.value;
	if (given === null) return nothing(kind);
	if (typeof given !== 'string') return { problem: `must be text, but is ${describeType(given)}` };
	if (given.length > MAX_CELL_LENGTH) {
		return kind === 'email' ? { text: given, flaw: TOO_LONG } : tooLong(given);
	}
	const text = tidy(kind, given);
	const isName = kind === 'name' || kind === 'company' || kind === 'country';
	if (text === '' || (isName && PLACEHOLDER.test(text))) return nothing(kind);
	const letter = findBrokenLetter(text);
	if (letter !== undefined) {
		return {
			problem: `must be readable, but ${quote(text)} has a broken letter (${letter})`,
			advice: letter.startsWith('&')
				? 'It is how the source of a web page writes a letter: put the letter itself there.'
				: 'The file was read in another encoding than it has: save the file as UTF-8.',
		};
	}
	const checked = checkText(kind, text, given, item);
	if ('problem' in checked || kind === 'email') return checked;
	const sent = checked.text ?? '';
	return sent.length > MAX_VALUE_LENGTH ? tooLong(sent) : checked;
}

function checkText(kind: ValueKind, text: string, given: string, item?: ItemFields): Checked {
	switch (kind) {
		case 'name':
			return checkPersonName(text, given, item) ?? { text };
		case 'company':
			return checkCompanyName(text, item) ?? { text };
		case 'domain':
			return withAdvice(checkDomain(text), text, item);
		case 'url':
			return withAdvice(checkProfile(text), text, item);
		case 'country':
			return withAdvice(checkCountry(text), text, item);
		case 'email':
			return checkEmail(text, given);
	}
}

/** With what to do where the text is no value at all, or its column's heading. */
function withAdvice(checked: Checked, text: string, item?: ItemFields): Checked {
	if (!('problem' in checked)) return checked;
	const advice = findNoValue(text)?.advice ?? findHeading(text, item) ?? checked.advice;
	return { ...checked, advice };
}

function nothing(kind: ValueKind): Checked {
	return kind === 'email' ? { text: undefined, flaw: EMPTY } : { text: undefined };
}

function tooLong({ length }: string): Checked {
	return { problem: `must be at most ${MAX_VALUE_LENGTH} characters long, but has ${length}` };
}

/** A switch of the editor. Its expression may give what a table holds: the text `true`, or 1. */
export function readSwitch(label: string, given: unknown): boolean {
	const value = typeof given === 'string' ? given.trim().toLowerCase() : given;
	if (value === true || value === 'true' || value === 1 || value === '1') return true;
	if (value === undefined || value === null || value === '') return false;
	if (value === false || value === 'false' || value === 0 || value === '0') return false;
	return refuse({
		message: `'${label}' must be true or false, but is ${typeof given === 'string' ? quote(given) : describeType(given)}`,
		description: `Correct the expression of '${label}'.`,
	});
}
