import { moreThanOne, noProfilePage } from '../../../support/texts.mts';
import {
	as,
	broken,
	EXPRESSION,
	inLists,
	inListsOfTwo,
	no,
	NUMBER,
	sameText,
	TABLE,
	TOO_LONG,
	UNRESOLVED,
	type Row,
} from './rows.mts';

// Pages of persons.

const badPage = no(noProfilePage);
const twoPages = no(new RegExp(`${noProfilePage}.*: ${moreThanOne} address$`));
const handle = (name: string) =>
	no(noProfilePage, new RegExp(`write https://www\\.linkedin\\.com/in/${name}\\.`));
const TRACKING = `trk=${'x'.repeat(600)}`;
const BEA = 'https://www.linkedin.com/in/bea-low';
/** Pages of persons by an id that LinkedIn alone knows. */
export const BY_ID = [
	'https://www.linkedin.com/in/ACoAABxYzQ4BabcDEFghi_jk-123',
	'https://www.linkedin.com/pub/bea-low/1/2/3',
	'https://www.linkedin.com/profile/view?id=7',
	'https://www.linkedin.com/comm/profile/view?id=7',
	'https://www.linkedin.com/talent/profile/AEMAA1',
	'https://www.linkedin.com/sales/lead/A,NAME_SEARCH,x1?_ntb=1',
];
export const PROFILES: Row[] = [
	NUMBER,
	TOO_LONG,
	['linkedin.com/in/bea-low', as('https://linkedin.com/in/bea-low')],
	['www.linkedin.com/in/bea-low/', as(BEA)],
	['//www.linkedin.com/in/bea-low', as(BEA)],
	['social.example/bea', as('https://social.example/bea')],
	...sameText(BEA, 'HTTP://uk.linkedin.com/in/Bea-Low', 'https://social.example/profile/Bea_Low'),
	// What is behind the name is of the same person, and is not sent.
	...['/en', '/details/experience/', '/overlay/contact-info/', '?trk=x', '/#about', ')', '.'].map(
		(behind): Row => [`${BEA}${behind}`, as(BEA)],
	),
	...['comm/in', 'mwlite/in', 'm/in', 'in/in'].map((path): Row => [
		BEA.replace('in/', `${path}/`),
		as(BEA),
	]),
	// Links, labels and notes.
	...[
		`<${BEA}|Bea>`,
		`[Bea Low](${BEA})`,
		`[${BEA}](${BEA})`,
		`<a href="${BEA}">Bea</a>`,
		`"${BEA}"`,
	].map((text): Row => [text, as(BEA)]),
	...[`=HYPERLINK("${BEA}","Bea")`, `LinkedIn: ${BEA}`, `${BEA} (Bea)`, `• ${BEA}`].map(
		(text): Row => [text, as(BEA)],
	),
	['Page: https://social.example/bea', as('https://social.example/bea')],
	['<https://social.example/bea|Bea>', as('https://social.example/bea')],
	['https://social.example/bea (home)', as('https://social.example/bea')],
	...inLists(BEA),
	[[{ url: BEA }], as(BEA)],
	...inListsOfTwo(BEA, 'https://www.linkedin.com/in/ada-hart', 'urls'),
	// By an id that LinkedIn alone knows.
	...sameText(...BY_ID),
	...sameText('https://social.example/company/bea', 'https://www.linkedin.com/in/meg'),
	[`${BEA}/…`, as(BEA)],
	...sameText('https://www.linkedin.com/in/Null', 'https://www.linkedin.com/in/undefined-bea'),
	['https://social.example/bea?a=1&amp;b=2', as('https://social.example/bea?a=1&b=2')],
	// Pages of companies, of searches, and of nobody.
	...[
		'https://www.linkedin.com/company/acme',
		'https://www.linkedin.com/posts/bea-low_x-activity-1',
		'https://www.linkedin.com/feed/update/urn:li:activity:1',
		'https://www.linkedin.com/search/results/people/?keywords=bea',
		`https://www.linkedin.com/authwall?sessionRedirect=${encodeURIComponent(BEA)}`,
		'https://www.linkedin.com/pub/dir/Bea/Low',
		'https://www.linkedin.com/pub/',
		'https://www.linkedin.com/sales/company/1',
		'https://www.linkedin.com/in/company/acme',
		'https://www.linkedin.com/in/profile/view?id=7',
		'https://www.linkedin.com/in/www.linkedin.com/in/bea-low',
		`https://www.linkedin.com/in/${BEA}`,
		`${BEA}${BEA}`,
		'HTTPS://DE.LINKEDIN.COM//Company/acme',
		'https://www.google.com/search?q=bea+low+linkedin',
		`https://www.google.com/url?q=${BEA}&sa=D`,
		'https://www.linkedin.com/in/ACoAABxYz>x',
		"https://www.linkedin.com/in/bea'",
		'"https://www.linkedin.com/in/bea',
		'https://www.linkedin.com/in/bea low',
		'https://www.linkedin.com/in/bea%20low',
		'https://www.linkedin.com/in/%5Bobject%20Object%5D',
		'https://www.linkedin.com/in/-',
		'https://www.linkedin.com/in/',
		'https://www.linkedin.com',
		// Cut off or hidden, one's own page, and nobody's.
		'https://www.linkedin.com/in/ada-h…',
		'https://www.linkedin.com/in/ada-%E2%80%A6',
		'https://www.linkedin.com/in/ada•••',
		'https://social.example/ada•••',
		'https://www.xing.com/profile/Ada_H***',
		'https://www.linkedin.com/in/me',
		'https://www.linkedin.com/comm/in/me?trk=x',
		'https://www.linkedin.com/in/unavailable',
		'https://www.linkedin.com/in/UNKNOWN',
	].map((text): Row => [text, badPage]),
	['https://www.linkedin.com/in/undefined', no(noProfilePage, EXPRESSION)],
	['https://www.linkedin.com/in/undefined?trk=x', no(noProfilePage, EXPRESSION)],
	['https://www.linkedin.com/in/undefined/details/', no(noProfilePage, EXPRESSION)],
	['https://www.linkedin.com/in/bea-{{$json.last}}', no(noProfilePage, UNRESOLVED)],
	['https://www.linkedin.com/in/[object Object]', no(noProfilePage, EXPRESSION)],
	['https://www.linkedin.com/in/{{$json.handle}}', no(noProfilePage, UNRESOLVED)],
	['https://www.linkedin.com/in/#N/A', no(noProfilePage, TABLE)],
	['https://www.linkedin.com/in/N/A', no(noProfilePage, TABLE)],
	// Two addresses in one cell.
	[`${BEA}, https://www.linkedin.com/in/ada-hart`, twoPages],
	[`${BEA};https://www.linkedin.com/in/ada-hart`, twoPages],
	[`${BEA}\nlinkedin.com/in/ada-hart`, badPage],
	['linkedin.com/in/bea-low|linkedin.com/in/ada-hart', badPage],
	[`${BEA}${BEA.replace('bea-low', 'ada-hart')}`, badPage],
	[`${BEA}, https://github.com/bea`, twoPages],
	['https://social.example/bea https://social.example/ada', twoPages],
	// What LinkedIn calls a person, alone.
	['bea-low', handle('bea-low')],
	['/in/bea-low/', handle('bea-low')],
	['@bea-low', handle('bea-low')],
	['undefined', no(noProfilePage, EXPRESSION)],
	['Bea Low', badPage],
	['bea@acme.com', badPage],
	['N/A', no(noProfilePage, TABLE)],
	[`${BEA}\ufffd`, broken],
	// Where a link was clicked may be long.
	[`${BEA}?${TRACKING}`, as(BEA)],
	[`linkedin.com/in/bea-low/?${TRACKING}#top`, as('https://linkedin.com/in/bea-low')],
	[`https://www.linkedin.com/profile/view?id=1&${TRACKING}`, no(/at most 500 characters/)],
	[`https://social.example/bea?${TRACKING}`, no(/at most 500 characters/)],
	[`https://www.linkedin.com/in/${'x'.repeat(600)}`, no(/at most 500 characters/)],
];
