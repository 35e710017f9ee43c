import { companyMissing, noCompany } from '../../../support/texts.mts';
import {
	as,
	broken,
	CODE,
	EXPRESSION,
	HEADING,
	inLists,
	inListsOfTwo,
	no,
	NOT_THERE,
	ofWebPage,
	sameText,
	TABLE,
	TITLE,
	TOO_LONG,
	UNRESOLVED,
	type Row,
} from './rows.mts';

// Companies by their names.

const COMPANY_EXPRESSION = no(noCompany, EXPRESSION);
const COMPANY_CELL = no(noCompany, TABLE);
const COMPANY_COLUMN = /'Company Domain'/;
export const COMPANIES: Row[] = [
	['undefined', COMPANY_EXPRESSION],
	['null', COMPANY_EXPRESSION],
	['[object Object]', COMPANY_EXPRESSION],
	['{{ $json.company }} GmbH', no(noCompany, UNRESOLVED)],
	['#N/A', COMPANY_CELL],
	['N/A', COMPANY_CELL],
	['NaN', COMPANY_CELL],
	['NULL', COMPANY_CELL],
	['https://www.acme.com/about', no(/a web address$/, COMPANY_COLUMN)],
	['www.acme.com', no(/a web address$/, COMPANY_COLUMN)],
	['info@acme.com', no(/an email address$/, COMPANY_COLUMN)],
	['M\ufffdller AG', broken],
	['-', no(companyMissing)],
	[1912, as('1912')],
	...sameText('1912', 'Booking.com', 'LinkedIn', 'Null & Void', 'undefined studio', '#paid'),
	...sameText('Null', 'None Ltd', 'Yahoo!', '#1 Plumbing', 'N/A Records', 'C&A', '3M'),
	TOO_LONG,
	['M&amp;M', as('M&M')],
	['M&amp;amp;M', as('M&M')],
	['M&uuml;ller &amp; S&ouml;hne', ofWebPage],
	['M&#252;ller &amp; S&#246;hne', as('Müller & Söhne')],
	...inLists('Acme'),
	[[{ id: 'x', name: 'Acme' }], as('Acme')],
	...inListsOfTwo('Acme', 'Bolt', 'companies'),
	['Company Name', no(noCompany, HEADING)],
	...['Loading...', '(blank)', 'Unknown', 'Ac***', 'A••• Ltd', 'Acme [hidden]'].map((text): Row => [
		text,
		no(noCompany, NOT_THERE),
	]),
	['Acme | LinkedIn', no(noCompany, TITLE)],
	...sameText('E*TRADE', 'Toys * Us', 'Acme [UK]', 'Hilton - Paris - Opera'),
	['=A2', no(noCompany, CODE)],
	...sameText('[24]7.ai', 'Smith, Jones & Co', 'Info', 'Recruitmentagency', 'Unknown Worlds'),
	['AT&T', as('AT&T')],
];
