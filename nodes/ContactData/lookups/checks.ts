import { describeType, quote } from '../common/values';
import { checkDomain } from './domains';
import { findFlaw } from './emailFlaws';
import { checkCompanyName, checkPersonName, findNoValue } from './names';
import { checkProfile } from './profiles';
import { MAX_LENGTH, tidy, toPage } from './same';
import type { Checked, FieldKind, Refuse } from './types';

/** What lists have where a name must be filled in and nobody knows it. */
const PLACEHOLDER = /^[\s\p{Cf}\p{Pd}.?/_*]+$/u;
/** What is left of a letter that was read in the wrong encoding. */
const BROKEN_LETTER = '\ufffd';

/**
 * Checks a value that the user gave and cleans it as far as the service surely does too.
 * Absent, empty and blank values come back as `undefined`.
 */
export function checkField(kind: FieldKind, value: unknown): Checked {
	if (value === undefined || value === null) return { text: undefined };
	// A company may be called 1912; nobody's name, address or profile is a number.
	const given = typeof value === 'number' && kind === 'company' ? String(value) : value;
	if (typeof given !== 'string') return { problem: `must be text, but is ${describeType(value)}` };
	const text = tidy(kind, given);
	const isName = kind === 'name' || kind === 'company';
	if (text === '' || (isName && PLACEHOLDER.test(text))) return { text: undefined };
	const { length } = kind === 'url' ? toPage(text) : text;
	if (kind !== 'email' && length > MAX_LENGTH) {
		return { problem: `must be at most ${MAX_LENGTH} characters long, but has ${length}` };
	}
	if (text.includes(BROKEN_LETTER)) {
		return {
			problem: `must be readable, but ${quote(text)} has a broken letter (U+FFFD)`,
			advice: 'The file was read in another encoding than it has: save the file as UTF-8.',
			isOfFile: true,
		};
	}
	const checked = checkText(kind, text);
	if (!('problem' in checked)) return checked;
	return { ...checked, advice: findNoValue(text)?.advice ?? checked.advice };
}

function checkText(kind: FieldKind, text: string): Checked {
	switch (kind) {
		case 'name':
			return checkPersonName(text) ?? { text };
		case 'company':
			return checkCompanyName(text) ?? { text };
		case 'domain':
			return checkDomain(text);
		case 'email':
			return { text, flaw: findFlaw(text) };
		case 'url':
			return checkProfile(text);
	}
}

/** A switch of the editor. Its expression may give what a table holds: the text `true`, or 1. */
export function readSwitch(label: string, given: unknown, refuse: Refuse): boolean {
	const value = typeof given === 'string' ? given.trim().toLowerCase() : given;
	if (value === true || value === 'true' || value === 1 || value === '1') return true;
	if (value === undefined || value === null || value === '') return false;
	if (value === false || value === 'false' || value === 0 || value === '0') return false;
	return refuse({
		message: `'${label}' must be true or false, but is ${typeof given === 'string' ? quote(given) : describeType(given)}`,
		description: `Correct the expression of '${label}'.`,
	});
}
