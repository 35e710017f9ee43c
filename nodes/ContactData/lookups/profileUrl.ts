/** LinkedIn and XING have a subdomain for each country. */
const COUNTRY = /^[a-z]{2}\.(?=(linkedin|xing)\.com$)/;
/**
 * A profile there that is named by its path. In an old address, and in the directory, the query has
 * the name; and behind a part of another address, whatever is there.
 */
const NAMED =
	/^([^/]*\.)?(linkedin|xing)\.com\/((comm|mwlite|sales|talent)\/)?(in|pub|profile|lead|people)\/(?![^/]*[.:]|(.*\/)?(view|dir)$)./i;
/** A tab, a window or a language of a profile. What else follows a name may belong to it. */
const TAB =
	/^([^/]+\/(in|profile)\/(?!(in|pub|profile|lead|people)\/)[^/]+)\/((#|overlay|details?|recent-activity)(\/.*)?|[a-z]{2}(-[a-z]{2})?)$/i;
/** Parameters that say where a link was clicked, and not whose profile it is. A fragment may say that. */
const TRACKING = /^((utm_\w+|fbclid|gclid|msclkid|mc_cid|mc_eid|igshid|trk|ref|src)(=[^#]*)?)?$/i;

/**
 * The form in which two addresses are the same profile: without scheme, `www.`, fragment, trailing
 * slash and tracking, the host in small letters, characters as they are read. A query elsewhere may name the person, and is kept.
 */
export function comparableProfileUrl(address: string): string {
	// In some applications the fragment names the page.
	const [beforeFragment = ''] = address.split(/#(?![!/])/);
	const [location = '', ...queries] = beforeFragment.split('?');
	const [hostAndPort = '', ...path] = location.replace(/^(\s*https?:\/\/)+/i, '').split('/');
	const site = toHost(hostAndPort).replace(COUNTRY, '');
	const page = `${site}/${path.flatMap((part) => part.trim() || []).join('/')}`;
	if (NAMED.test(page)) return decoded(page.replace(TAB, '$1'));
	const query = withoutTracking(queries.join('?'));
	return decoded(`${page}${query && `?${query}`}`);
}

/** Browsers copy `josé` as `jos%C3%A9`. What an escape keeps apart, such as `%2F`, stays one. */
function decoded(address: string): string {
	return address
		.replace(/%[0-9a-f]{2}/gi, (escape) => escape.toUpperCase())
		.replace(/(%[89A-F][0-9A-F])+|%(2[DE]|3\d|[46][1-9A-F]|[57][0-9A]|5F|7E)/g, (escapes) => {
			try {
				return decodeURIComponent(escapes);
			} catch {
				return escapes;
			}
		})
		.normalize('NFC');
}

function toHost(hostAndPort: string): string {
	let host = hostAndPort;
	for (let before = ''; before !== host;) {
		before = host;
		host = withoutPorts(host.trim().toLowerCase(), /^(80|443)$/)
			.replace(/(?<!\.)\.+$/, '')
			.replace(/^((www|m)\.)+(?=.*\.)/, '');
	}
	return host;
}

/** A host without what stands at its end as a port, and is one of these. */
export function withoutPorts(hostAndPorts: string, ports: RegExp): string {
	const parts = hostAndPorts.split(':');
	while (parts.length > 1 && ports.test(parts.at(-1) ?? '')) parts.pop();
	return parts.join(':');
}

function withoutTracking(query: string): string {
	return query
		.split('&')
		.map((parameter) => parameter.trim())
		.filter((parameter) => !TRACKING.test(parameter))
		.join('&');
}
