import { expect, it } from 'vitest';
import { lookups } from '../../../nodes/ContactData/lookups/index.ts';
import { doubtAbout } from '../../../nodes/ContactData/lookups/doubtful.ts';
import type { Search } from '../../../nodes/ContactData/lookups/types.ts';

// What will probably be paid for nothing.

const { emailFinder, phoneFinder } = lookups;
const noteOf = (search: Search) =>
	doubtAbout('fullname' in search ? emailFinder : phoneFinder, search) ?? '';
const COMPANY = { company_domain: 'acme.com' };

const named = (note: string, ...names: string[]) =>
	names.map((fullname) => [{ fullname, ...COMPANY }, note] as const);
const at = (note: string, ...domains: string[]) =>
	domains.map((company_domain) => [{ fullname: 'Ada Hart', company_domain }, note] as const);
const of = (note: string, ...companies: string[]) =>
	companies.map((company_name) => [{ fullname: 'Ada Hart', company_name }, note] as const);
const paged = (note: string, ...pages: string[]) =>
	pages.map((page) => [{ socialprofile_url: `https://www.linkedin.com${page}` }, note] as const);

it.for<readonly [Search, string]>([
	...named(
		'company',
		'Acme Industries GmbH',
		'Google LLC',
		'Acme, Inc.',
		'Müller AG',
		'Acme S.p.A.',
	),
	...named('department', 'Sales Department', 'customer service', 'HR Team', 'Front Office'),
	...named('is one word', 'Ada', 'Sales', 'Müller-Lüdenscheidt'),
	...named('', 'Ada Hart', 'Maria Sa', 'Ag Nes', 'Ltd Hart', '山田太郎', 'Hart, Ada', 'Ada Inca'),
	[{ firstname: 'Acme', lastname: 'GmbH', ...COMPANY }, "'Last Name' looks like a company"],
	[{ firstname: 'Ada', lastname: 'Hart', ...COMPANY }, ''],
	...at(
		'private mailboxes',
		'gmail.com',
		'gmx.de',
		'yahoo.co.uk',
		'web.de',
		'proton.me',
		'mac.com',
	),
	...at('', 'acme.com', 'web.com', 'orange.com', 'mail.acme.com', 'notgmail.com', 'gmail.acme.com'),
	...of(
		'names no employer',
		'Self-employed',
		'self employed',
		'Selbstständig',
		'Freelance Designer',
	),
	...of('names no employer', 'Stealth', 'Stealth AI Startup', 'Retired', 'Indépendant', 'Student'),
	...of('names no employer', 'Auto-entrepreneur', 'Looking for a job', 'Seeking work'),
	...of('', 'Seeking Alpha', 'Looking Glass', '7-Eleven', '99 Designs'),
	...of('does not look like a company', '12-Dec', '3 May'),
	...named('ends in an initial', 'Ada H', 'Ada H.', 'Jean-Luc P.'),
	...named('', 'Li Po', 'J. R. Tolkien'),
	...of('names no employer', '#OpenToWork', 'Open to work', 'Seeking new opportunities'),
	...of(
		'',
		'Stealth Bikes',
		'Retired Racehorses Ltd',
		'Freelance.com',
		'Student Beans',
		'Consultant',
	),
	...named('the title of a page', 'Ada Hart - Head of Ops - Acme', 'Ada Hart | CEO at Acme'),
	...paged('internal ID', '/in/ACoAABxYzQ4BabcDEFghi_jk-123', '/pub/bea-low/1/2/3'),
	...paged('internal ID', '/profile/view?id=7', '/comm/profile/view?id=7'),
	...paged('internal ID', '/talent/profile/AEMAA1', '/sales/lead/A,NAME_SEARCH,x1?_ntb=1'),
	...paged('', '/in/bea-low', '/in/acoaabea'),
])('%j: %s', ([search, note]) => {
	if (note === '') expect(noteOf(search)).toBe('');
	else expect(noteOf(search)).toContain(note);
});
