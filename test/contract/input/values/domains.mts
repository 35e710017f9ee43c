import { noDomain, noDomainOfCompany } from '../../../support/texts.mts';
import {
	as,
	broken,
	EXPRESSION,
	inLists,
	inListsOfTwo,
	no,
	NUMBER,
	ofWebPage,
	TABLE,
	TOO_LONG,
	UNRESOLVED,
	type Row,
} from './rows.mts';

// Companies by their domains.

const pageAt = (host: string) =>
	no(new RegExp(`^'Company Domain' ${noDomainOfCompany}.* is a page at ${host}$`));
const badDomain = no(noDomain);
const ACME = as('acme.com');
export const DOMAINS: Row[] = [
	['www.acme.com', ACME],
	['https://www.Acme.com:8080/about?x=1#top', ACME],
	['http://user@acme.com/', ACME],
	['acme.com.', ACME],
	['https://fb.com/acme', pageAt('fb.com')],
	['https://linktr.ee/acme', pageAt('linktr.ee')],
	['https://www.crunchbase.com/organization/acme', pageAt('crunchbase.com')],
	['https://sites.google.com/view/acme', pageAt('sites.google.com')],
	['https://www.google.com/maps/place/Acme', pageAt('google.com')],
	['https://www.google.de/search?q=acme', pageAt('google.de')],
	['maps.google.co.uk/maps?cid=1', pageAt('google.co.uk')],
	['https://wa.me/4930123', pageAt('wa.me')],
	['https://www.pinterest.co.uk/acme', pageAt('pinterest.co.uk')],
	['github.com/acme', pageAt('github.com')],
	['https://bit.ly/3xyz', pageAt('bit.ly')],
	['https://www.linkedin.com/company/acme', pageAt('linkedin.com')],
	// These are companies, too, and so are their neighbours.
	['https://github.com', as('github.com')],
	['bit.ly', as('bit.ly')],
	['https://www.google.com/intl/en/about', as('google.com')],
	['https://www.pinterest.de', as('pinterest.de')],
	['https://not-t.me/acme', as('not-t.me')],
	// Directories, shops, hosts of web sites, app stores, shorteners; in each country.
	['https://wellfound.com/company/acme', pageAt('wellfound.com')],
	['zoominfo.com/c/acme/123', pageAt('zoominfo.com')],
	['https://apps.apple.com/us/app/acme/id1', pageAt('apps.apple.com')],
	['https://www.glassdoor.com/Overview/Acme.htm', pageAt('glassdoor.com')],
	['https://www.glassdoor.co.uk/Overview/Acme.htm', pageAt('glassdoor.co.uk')],
	['de.indeed.com/cmp/Acme', pageAt('indeed.com')],
	['https://www.yelp.com/biz/acme', pageAt('yelp.com')],
	['acme.notion.site', pageAt('notion.site')],
	['acme.myshopify.com', pageAt('myshopify.com')],
	['https://acme.github.io/about', pageAt('github.io')],
	['acme.linkedin.com', pageAt('linkedin.com')],
	...['wellfound.com', 'apps.apple.com', 'm.yelp.com', 'fr.linkedin.com', 'www.notion.site'].map(
		(host): Row => [host, as(host.replace('www.', ''))],
	),
	['https://mygoogle.com/maps', as('mygoogle.com')],
	// What stands around one.
	...[
		'<https://acme.com|acme.com>',
		'[Acme](https://acme.com/x)',
		'<a href="https://acme.com">Acme</a>',
	].map((text): Row => [text, ACME]),
	...[
		'Website: acme.com',
		'acme.com (main)',
		'"acme.com"',
		"['acme.com']",
		'- acme.com',
		'acme.com,',
	].map((text): Row => [text, ACME]),
	['ａｃｍｅ．ｃｏｍ', ACME],
	...inLists('acme.com'),
	[['acme.com', 'https://www.acme.com/'], ACME],
	...inListsOfTwo('acme.com', 'bolt.com', 'domains'),
	// Two of them.
	['a.example / b.example', badDomain],
	['https://a.example/x https://b.example/y', badDomain],
	['a.example\nb.example', badDomain],
	['a.example, b.example', badDomain],
	['a.example,b.example', badDomain],
	['https://acme.com/about us', badDomain],
	// None.
	['undefined', no(noDomain, EXPRESSION)],
	['www.undefined', no(noDomain, EXPRESSION)],
	['#N/A', no(noDomain, TABLE)],
	['N/A', no(noDomain, TABLE)],
	['-', badDomain],
	['none', badDomain],
	['Acme Ltd', badDomain],
	['{{ $json.domain }}', no(noDomain, UNRESOLVED)],
	['m\ufffdller.de', broken],
	['m&uuml;ller.de', ofWebPage],
	['m&#252;ller.de', as('müller.de')],
	['https://acme.com/?a=1&amp;b=2', ACME],
	NUMBER,
	TOO_LONG,
];
