import { quote } from '../common/values';
import { findNoValue } from './names';
import { decodeEscapes, peel, tidy } from './text';
import type { Checked } from './types';

/** The address of a page at a host, as people copy it. */
const PAGE =
	/^(https?:\/\/|\/\/)?(?:[\p{L}\p{M}\p{N}·・_-]+\.)+[\p{L}\p{M}\p{N}-]{2,}\.?(?::\d+)?\/\S+$/iu;
/** Another one behind it. */
const SECOND_PAGE = /[\s,;|](?:https?:\/\/|www\.)/i;
/** What Google shows of other people's pages. */
const GOOGLE =
	/^https?:\/\/(?:[\w-]+\.)*google(?:\.[a-z]{2,3}){1,2}\/+(?:maps|search|url)(?:[/?#]|$)/i;
const LINKEDIN =
	/^(https?:\/\/|\/\/)?((?:[\w-]+\.)*linkedin\.com)\.?(?::\d*)?(?:(\/.*)|[?#].*)?$/is;
/** A person by name, also of the pages for phones and for clicks in mails. Behind the name is the same person. */
const BY_NAME = /^\/+(?:(?:comm|mwlite|m|in)\/+)*in\/+([^/?#]+)/i;
/** A person by an id that LinkedIn alone knows, instead of a name and in its place. */
const BY_ID =
	/^\/+(?:comm\/+|m\/+)?(?:(?:pub\/+(?!dir\/)|(?:talent|recruiter)\/+profile\/+|sales\/+(?:lead|people|profile)\/+)[^/?#]|profile\/+view\?)/i;
const ID_AS_NAME = /\/in\/AC[ow]AA/;
/** Parts of addresses where a name should be, one's own page, and people whom LinkedIn hides. */
const PART_OF_PATH =
	/^(?:comm|company|in|jobs|m|me|mwlite|people|posts|profile|pub|sales|school|talent|unavailable|unknown)$/i;
const NOT_IN_NAME = /[\s/?#<>()[\]{}"'“”„«»|,;:&!*\\\x60.@=%]/u;
/** Where letters are hidden or cut off. */
const MASK = /\*{2}|[•●█■…]/u;
/** What an expression writes in a path for a value that it does not have. */
const NO_VALUE_PART = /\/(?:undefined|null|NaN|N\/A|n\/a|%5Bobject(?:%20| )Object%5D)(?:[/?#]|$)/;
/** What LinkedIn calls a person in an address: a part of it, which lists often have alone. */
const HANDLE = /^\/?(?:in\/)?@?([\p{L}\p{N}][\p{L}\p{N}_-]{2,99})\/?$/u;

/** The address of a person's page in a network, as it is sent. */
export function checkProfile(given: string): Checked {
	const text = peel(given);
	const problem = `must be the address of a profile page, but is ${quote(text)}`;
	if (SECOND_PAGE.test(text)) return { problem: `${problem}: that is more than one address` };
	if (NO_VALUE_PART.test(text) || findNoValue(text)?.spoilsAll === true) return { problem };
	const [, handle] = HANDLE.exec(text) ?? [];
	if (handle !== undefined) {
		const advice = `If that is what LinkedIn calls the person, write https://www.linkedin.com/in/${handle}.`;
		return { problem, advice };
	}
	const person = findPerson(text);
	if (person !== undefined) return { text: person.address };
	const page = toPage(text);
	const isNobodys = GOOGLE.test(page) || (LINKEDIN.test(page) && !isById(page));
	return PAGE.test(page) && !isNobodys && !MASK.test(page) ? { text: page } : { problem };
}

/** Whether LinkedIn alone knows whose page it is. */
export function hasInternalId(page: string): boolean {
	return isById(page) || (LINKEDIN.test(page) && ID_AS_NAME.test(page));
}

function isById(page: string): boolean {
	const [, , , path = ''] = LINKEDIN.exec(page) ?? [];
	return BY_ID.test(path);
}

/** The form in which two addresses are of the same person. */
export function comparableProfile(given: string): string {
	const text = peel(given);
	return findPerson(text)?.key ?? tidy('url', toPage(text));
}

/** Whom an address at LinkedIn names: the address without what stands behind the name, and a key of the person. */
function findPerson(text: string): { address: string; key: string } | undefined {
	const [, scheme, host = '', path = ''] = LINKEDIN.exec(text) ?? [];
	const [, name = ''] = BY_NAME.exec(path) ?? [];
	const readable = decodeEscapes(name).toLowerCase().normalize('NFC');
	const isName = /[\p{L}\p{N}]/u.test(readable) && !NOT_IN_NAME.test(readable);
	if (!isName || MASK.test(readable) || PART_OF_PATH.test(readable)) return undefined;
	const address = `${scheme?.replace(/^\/\//, 'https://') ?? 'https://'}${host}/in/${name}`;
	return { address, key: `linkedin.com/in/${readable}` };
}

/** With its scheme. */
function toPage(text: string): string {
	return PAGE.test(text) ? text.replace(/^(?!https?:\/\/)(\/\/)?/i, 'https://') : text;
}
