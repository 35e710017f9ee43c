import { quote } from '../common/values';
import { peel } from './text';
import type { Checked } from './types';

/** Underscores are in subdomains only; Catalan and Japanese have dots between letters. No host ends in a number. */
export const DOMAIN =
	/^(?![-\p{M}])([\p{L}\p{M}\p{N}·・_-]+\.)*[\p{L}\p{M}\p{N}·・-]+\.(?=.*\p{L})[\p{L}\p{M}\p{N}-]{2,}$/u;

/** Hosts that give pages to others, by kind. */
const HOSTS_OF_OTHERS = [
	// Networks, and where people publish
	'facebook.com fb.com fb.me instagram.com linkedin.com medium.com substack.com t.me threads.com',
	'threads.net tiktok.com twitter.com wa.me wikipedia.org x.com xing.com youtu.be youtube.com',
	// Directories of companies and of their products
	'angel.co apps.apple.com capterra.com clutch.co crunchbase.com g2.com github.com kununu.com',
	'play.google.com producthunt.com wellfound.com zoominfo.com',
	// Hosts of shops and web sites
	'blogspot.com business.site carrd.co etsy.com github.io myshopify.com notion.site notion.so',
	'sites.google.com webflow.io wixsite.com wordpress.com',
	// Shorteners, and pages of links
	'bit.ly goo.gl linktr.ee lnkd.in pin.it t.co tinyurl.com',
].flatMap((hosts) => hosts.split(' '));
/** The same under each country's ending; of Google only what shows other people's pages. */
const OF_EACH_COUNTRY =
	/^(?:[^/]+\.)?((?:glassdoor|indeed|pinterest|tripadvisor|trustpilot|yelp)(?:\.[a-z]{2,3}){1,2}|google(?:\.[a-z]{2,3}){1,2}(?=\/+(?:maps|search|url)(?:[/?#]|$)))(?=\/|$)/;
/** Subdomains that the host has for itself: `www`, `m`, a country or a language. */
const OWN_SUBDOMAIN = /^(?:(?:www|m|mobile|[a-z]{2}(?:-[a-z]{2})?)\.)*$/;

/** Words with a capital letter, and no address. */
const NAME_OF_COMPANY = /^(?=.*\p{Lu})[\p{L}\p{N}&'’ -]+\.?$/u;

/** The domain of a company, of whatever page of its website. */
export function checkDomain(given: string): Checked {
	const text = peel(given);
	const domain = toDomain(text);
	const host = hostOfOthers(domain, pathOf(text));
	if (host !== undefined) {
		return {
			problem: `must be the company's own domain or website, but ${quote(text)} is a page at ${host}`,
			advice: "Put the company's own domain there, or clear it and fill in 'Company Name'.",
		};
	}
	const isDomain = DOMAIN.test(domain) && !/\.(undefined|null)$/.test(domain);
	// Behind a space there may be another one.
	if (isDomain && !text.includes(' ')) return { text: domain };
	return {
		problem: `must be a domain or website such as example.com, but is ${quote(text)}`,
		advice: NAME_OF_COMPANY.test(text)
			? "Correct 'Company Domain', or put a company's name into 'Company Name'."
			: undefined,
	};
}

/** `https://www.Example.com:8080/about` and `example.com` are the same company. */
export function toDomain(text: string): string {
	let domain = text;
	for (let before = ''; before !== domain;) {
		before = domain;
		domain = domain
			.trim()
			.toLowerCase()
			.normalize('NFC')
			.replace(/^[a-z][a-z0-9+.-]*:\/\//, '')
			.replace(/[/?#].*/, '')
			.replace(/^.*@/, '')
			.replace(/:\d*$/, '')
			.replace(/(?<!\.)\.+$/, '')
			.replace(/^(www\.)+(?=.*\.)/, '');
	}
	return domain;
}

/** An international domain in the form that the wire knows. */
export function toAscii(domain: string): string {
	if (!/[^ -~]/.test(domain)) return domain;
	// After some thousand calls `URL.canParse` says no to an umlaut, in Node 20 and 22.
	try {
		return new URL(`http://${domain}`).hostname;
	} catch {
		return domain;
	}
}

function pathOf(text: string): string {
	const address = text.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '');
	const [, path = ''] = /^[^/?#]*(\/+[^/?#].*)/.exec(address) ?? [];
	return path;
}

/** The host that gives others a page with this path or subdomain; such a host alone is a company's own. */
function hostOfOthers(domain: string, path: string): string | undefined {
	const [, ofCountry] = OF_EACH_COUNTRY.exec(domain + path.toLowerCase()) ?? [];
	const host =
		ofCountry ?? HOSTS_OF_OTHERS.find((name) => domain === name || domain.endsWith(`.${name}`));
	if (host === undefined) return undefined;
	const isOfHost = OWN_SUBDOMAIN.test(domain.slice(0, -host.length));
	return path === '' && isOfHost ? undefined : host;
}
