import { beforeAll, expect, it } from 'vitest';
import { checkField, readSwitch } from '../../../nodes/ContactData/values/checks.ts';
import { lookups } from '../../../nodes/ContactData/lookups/index.ts';
import { searchKey } from '../../../nodes/ContactData/lookups/searches.ts';
import { canonical } from '../../../nodes/ContactData/values/same.ts';
import type { Lookup } from '../../../nodes/ContactData/lookups/types.ts';
import type { FieldKind } from '../../../nodes/ContactData/values/types.ts';

// What strangers write into forms, and what a service may repeat: far too long, and of the worst kind.

const KINDS: FieldKind[] = ['name', 'company', 'domain', 'email', 'url'];
const ALL: Lookup[] = Object.values(lookups);

/** What takes the square of its length somewhere, or once did. */
const WORST = [
	...[
		'\u0301\u0323',
		'a\u0301',
		' ',
		'\n',
		'\u200b',
		'&amp;amp;',
		'amp;',
		'%25',
		'%40',
		'\uff21',
		'\\n',
	],
	...['@', 'a@', '@a?', 'a@b.co ', '.', 'a.', '.:80', 'www.', '/', '//', 'https://', '*', '_', "'"],
	...['linkedin.com/in/', 'in/', 'comm/in/', '<a href=', '[a](', '(', '((a)', '[', '{', '{{', '"'],
	...['[at] ', 'A b, ', ' and ', ' & ', 'Website: ', '#A', '\u2022 ', '=HYPERLINK("', 'rec', '-1'],
];

const FUNCTIONS: Array<[what: string, (text: string) => unknown]> = [
	...KINDS.flatMap((kind): typeof FUNCTIONS => [
		[`checkField of a ${kind}`, (text) => checkField(kind, text)],
		[`checkField of a list of one ${kind}`, (text) => checkField(kind, [{ value: text }])],
		[
			`checkField of a ${kind} in an item`,
			(text) => checkField(kind, 'Ada', { Ada: text, [text]: 1 }),
		],
		[`canonical of a ${kind}`, (text) => canonical(kind, text)],
	]),
	...ALL.map((lookup): (typeof FUNCTIONS)[number] => [
		`searchKey of ${lookup.name}`,
		(text) => searchKey(lookup, Object.fromEntries(lookup.fields.map(({ name }) => [name, text]))),
	]),
	...ALL.flatMap(({ options }) => options).map((option): (typeof FUNCTIONS)[number] => [
		option.property.displayName,
		(text) => thrownBy(() => option.read(() => text, {})),
	]),
	['a switch', (text) => thrownBy(() => readSwitch('Switch', text))],
];

/** Not as the pieces that they were made of, as nothing that comes from outside is. */
const TEXTS = WORST.map((unit) => Buffer.from(unit.repeat(200_000 / unit.length)).toString());

function thrownBy(work: () => unknown): unknown {
	try {
		return work();
	} catch (error) {
		return error;
	}
}

function cpuTime(run: (text: string) => unknown): number {
	const start = process.cpuUsage();
	for (const text of TEXTS) run(text);
	const { user, system } = process.cpuUsage(start);
	return user + system;
}

let toRead = 0;
beforeAll(() => {
	toRead = Math.max(...[1, 2, 3].map(() => cpuTime((text) => text.trim().toLowerCase())));
});

it.for(FUNCTIONS)('200 kB of what is worst take %s little longer than to read them', ([, run]) => {
	expect(cpuTime(run)).toBeLessThan(20 * toRead);
});

it.for(KINDS)('what is said of 200 kB is short: %s', (kind) => {
	const checked = checkField(kind, 'x'.repeat(200_000));
	const said = 'problem' in checked ? checked.problem : checked.flaw?.reason;
	expect(said).toMatch(/500|254/);
	expect(said?.length).toBeLessThan(100);
});
