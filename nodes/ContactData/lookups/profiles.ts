import { quote } from '../common/values';
import { notAllowed } from './domains';
import { findNoValue } from './names';
import { peel } from './surroundings';
import { decodeEscapes, tidy } from './text';
import type { Checked } from './types';

/** The address of a page at a host, as people copy it. */
const PAGE = /^(https?:\/\/|\/\/)?[^\s/?#@][^\s/?#@.]*\.[^\s/?#@]+\/\S+$/i;
/** In a class: what no name of a person in an address has, as it may stand around one. */
const SIGNS = String.raw`\s/?#<>()[\]{}"'“”„«»‹›‘’|,;&!*\\\x60`;

/**
 * A person at a network whose paths name people. All behind the name is of the same person, and so are
 * the pages for phones and for clicks in mails. A name ends at a sign, or where another address begins.
 */
const PEOPLE = [
	{ network: 'linkedin.com', path: 'in' },
	{ network: 'xing.com', path: 'profile' },
].map(({ network, path }) => ({
	network,
	path,
	address: new RegExp(
		String.raw`(https?:\/\/|(?<![\w.@-]))((?:[\w-]+\.)*${network.replace('.', '\\.')})(?::\d+)?\/+` +
			String.raw`(?:(?:comm|mwlite|m|${path})\/+)*${path}\/+(?!n\/a(?:$|[${SIGNS}]))` +
			String.raw`([^${SIGNS}.:@]+?)(?=$|[${SIGNS}]|[.:]+(?:$|(?!\/)[${SIGNS}])|https?:\/\/)(\/?)`,
		'giu',
	),
}));
/** With a path behind it, it is no name but the beginning of another address. */
const PART_OF_ADDRESS =
	/^(?:comm|company|in|jobs|m|mwlite|people|posts|profile|pub|sales|school|talent)$/i;
/** A word behind a space may belong to the name: `/in/ada hart`. */
const WORD_BEHIND = /^\s+(?!https?:|www\.|[^\s./]+\.[^\s/]+\/)[\p{L}\p{N}]/u;
const SPACE = /%(?:20|09|0a|0d)/gi;

/** Pages that are no person's, by what their paths begin with. */
const NO_PERSONS: ReadonlyArray<{ host: RegExp; path: RegExp }> = [
	{
		host: /(^|\.)linkedin\.com$/,
		path: /^(?:(?:comm|in|mwlite|m|sales|talent)\/)?(authwall|checkpoint|company(?:-beta)?|events|feed|groups|jobs|learning|login|newsletters|posts|products|pub\/dir|pulse|school|search|services|showcase|signup)(?:\/|$)/i,
	},
	{
		host: /(^|\.)xing\.com$/,
		path: /^(communities|companies|company|events|jobs|news|pages|search)(?:\/|$)/i,
	},
	{ host: /(^|\.)google(\.[a-z]{2,3}){1,2}$/, path: /^(maps|search|url)(?:\/|$)/i },
];
/** The networks' own pages, and what an expression leaves where it has no name to put at the end. */
const NO_NAME = {
	host: /(^|\.)(linkedin|xing)\.com$/,
	path: /^(?:(?:in|pub|profile)(?:\/[-_.*]+)?)?$/i,
};
/** What an expression writes there for a value that it does not have. */
const NO_VALUE = /(?:^|\/)(?:undefined|null|NaN|N\/A|n\/a|%5Bobject(?:%20| )Object%5D)(?:\/|$)/;
/** What LinkedIn calls a person in an address: a part of it, which lists often have alone. */
const HANDLE = /^\/?(?:in\/)?@?([\p{L}\p{N}][\p{L}\p{N}_-]{2,99})\/?$/u;

/** Somebody whom an address names. */
interface Person {
	/** Equal for all addresses of the same person. */
	key: string;
	/** As it is sent: as it was written, without what stands before and behind the name. */
	address: string;
	name: string;
	/** Whether nobody knows where the name ends. */
	isOpen: boolean;
}

/** The address of a person's page in a network, as it is sent. */
export function checkProfile(text: string): Checked {
	const problem = `must be the address of a profile page, but is ${quote(text)}`;
	if (findNoValue(text)?.spoilsAll === true) return { problem };
	const people = peopleIn(text);
	const [person] = people;
	if (people.length > 1 || isSeveral(text)) {
		return { problem: `${problem}: that is more than one address` };
	}
	if (person === undefined) return checkPage(peel(text), problem);
	if (person.isOpen) return { problem: `${problem}: ${notAllowed(' ')}` };
	const isNamed = /[\p{L}\p{N}]/u.test(person.name) && !NO_VALUE.test(person.name);
	return isNamed ? { text: person.address } : { problem };
}

/** The form in which two addresses are of the same person. */
export function comparableProfile(text: string): string {
	const [person, ...others] = peopleIn(text);
	const isOne = person !== undefined && !person.isOpen && others.length === 0 && !isSeveral(text);
	return tidy('url', isOne ? person.key : toPage(peel(text)));
}

/** A page of which nobody knows what in its address names the person. */
function checkPage(text: string, problem: string): Checked {
	const [, handle] = HANDLE.exec(text) ?? [];
	if (handle !== undefined) {
		const advice = `If that is what LinkedIn calls the person, write https://www.linkedin.com/in/${handle}.`;
		return { problem, advice };
	}
	const address = toPage(text);
	if (!PAGE.test(address)) return { problem };
	const [, host = '', path = ''] =
		/^\w+:\/\/([^/?#:]+)(?::[^/?#]*)?\/+([^?#]*)/.exec(address) ?? [];
	const site = host.toLowerCase().replace(/\.$/, '');
	const page = path.replace(/\/+/g, '/').replace(/\/$/, '');
	const other = NO_PERSONS.find((one) => one.host.test(site) && one.path.test(page));
	if (other !== undefined) {
		const [, what = ''] = other.path.exec(page) ?? [];
		return { problem: `${problem}: a page of /${what}/ is no person's` };
	}
	const isNameless = NO_NAME.host.test(site) && NO_NAME.path.test(page);
	return isNameless || NO_VALUE.test(page) ? { problem } : { text: address };
}

/** With its scheme. */
function toPage(text: string): string {
	return PAGE.test(text) ? text.replace(/^(?!https?:\/\/)(\/\/)?/i, 'https://') : text;
}

/** Whom a text names, wherever in it, each once: also in a link that leads to a person's page. */
function peopleIn(text: string): Person[] {
	const plain = text.replace(SPACE, ' ');
	const people = findPeople(plain);
	return people.length > 0 ? people : findPeople(decodeEscapes(plain));
}

function findPeople(text: string): Person[] {
	const people = new Map<string, Person>();
	for (const { network, path, address } of PEOPLE) {
		for (const match of text.matchAll(address)) {
			const [whole, scheme = '', host = '', name = '', slash = ''] = match;
			const behind = text.slice(match.index + whole.length);
			if (PART_OF_ADDRESS.test(name) && slash !== '' && /^\/*[^\s/]/.test(behind)) continue;
			const letters = name.replace(/(?:%[89a-f][\da-f])+/gi, decodeEscapes);
			const readable = letters.toLowerCase().normalize('NFC');
			const key = `${network}/${path}/${readable}`;
			const isOpen = slash === '' && WORD_BEHIND.test(behind);
			const sent = `${scheme || 'https://'}${host}/${path}/${name}${behind === '' ? slash : ''}`;
			if (!people.has(key)) people.set(key, { key, address: sent, name, isOpen });
		}
	}
	return [...people.values()];
}

/** Whether it holds two pages of which one names nobody: side by side, or one behind the other. */
function isSeveral(text: string): boolean {
	const pages = text.split(/[\s,;|<>()[\]"“”]+/).filter((part) => PAGE.test(part));
	const isOther = pages.some((page) => peopleIn(page).length === 0);
	const isGlued = pages.some((page) => /^[^?#]*:\/\/[^?#]*https?:\/\//i.test(toPage(page)));
	return isOther && (new Set(pages).size > 1 || isGlued);
}
