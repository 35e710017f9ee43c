import { canonical } from './same';
import type { FieldKind } from './types';

/** Nothing that is asked for is longer; to compare takes many times the memory of what is told. */
const MAX_TOLD_LENGTH = 2_000;

/**
 * Whether a value that the service tells is clearly another one than what was asked. What it may have
 * tidied is not: in doubt a result that is paid for is given.
 */
export function contradicts(kind: FieldKind, asked: string, told: string): boolean {
	if (told.length > MAX_TOLD_LENGTH) return false;
	switch (kind) {
		case 'name':
			return isAnotherName(asked, told);
		case 'email':
			return isAnotherAddress(canonical('email', asked), canonical('email', told));
		case 'domain':
			return isAnotherSite(canonical('domain', asked), canonical('domain', told));
		case 'url':
			return isAnotherPage(canonical('url', asked), canonical('url', told));
		case 'company':
			// A company has too many names.
			return false;
	}
}

/** Names of which no word begins like one of the other, in letters that can be compared. */
function isAnotherName(asked: string, told: string): boolean {
	const [words, others] = [wordsOf(asked), wordsOf(told)];
	const isAlike = (word: string) => others.some((other) => beginAlike(word, other));
	return words.length > 0 && others.length > 0 && !words.some(isAlike);
}

/** Empty where other letters than the plain ones are in it. */
function wordsOf(name: string): string[] {
	const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
	return /[^a-z\P{L}]/u.test(plain) ? [] : (plain.match(/[a-z0-9]+/g) ?? []);
}

/** By two letters, or by an initial. */
function beginAlike(word: string, other: string): boolean {
	const length = Math.min(2, word.length, other.length);
	return word.slice(0, length) === other.slice(0, length);
}

function isAnotherAddress(asked: string, told: string): boolean {
	const [[name, host], [otherName, otherHost]] = [partsOf(asked), partsOf(told)];
	if (host === '' || otherHost === '') return false;
	return mailbox(name) !== mailbox(otherName) || isAnotherSite(host, otherHost);
}

function partsOf(address: string): [name: string, host: string] {
	const at = address.lastIndexOf('@');
	return at < 1 ? ['', ''] : [address.slice(0, at), address.slice(at + 1)];
}

/** Without what a provider may ignore. */
function mailbox(name: string): string {
	const [person = ''] = name.split('+');
	return person.replaceAll('.', '');
}

/** Domains of which neither is, nor is below, the other. */
function isAnotherSite(asked: string, told: string): boolean {
	if (!asked.includes('.') || !told.includes('.')) return false;
	return !`.${asked}`.endsWith(`.${told}`) && !`.${told}`.endsWith(`.${asked}`);
}

/** Pages of which neither is, nor is below, the other; or the same one, asked for other things. */
function isAnotherPage(asked: string, told: string): boolean {
	const [[page, query], [otherPage, otherQuery]] = [pageOf(asked), pageOf(told)];
	return isApart(page, otherPage) || isApart(query, otherQuery);
}

function isApart(one: string, other: string): boolean {
	return !one.startsWith(other) && !other.startsWith(one);
}

/** Empty where it is the address of no page. A fragment that names a page is below what is before it. */
function pageOf(address: string): [page: string, query: string] {
	const [page = '', query = ''] = decodedAddress(address)
		.toLowerCase()
		.replace(/^https?:\/\/((www|[a-z]{2})\.)?/, '')
		.replace('#', '/#')
		.split('?');
	return /[^/]\/[^/]/.test(page) ? [`${page}/`, query && `${query}/`] : ['', ''];
}

function decodedAddress(address: string): string {
	try {
		return decodeURIComponent(address).normalize('NFC');
	} catch {
		return address;
	}
}
