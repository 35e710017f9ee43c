import { quote } from '../common/values';
import { PAGE, toPage } from './same';
import type { Checked } from './types';

/** Pages that are no person's, by what their paths begin with. */
const NO_PERSONS: ReadonlyArray<{ host: RegExp; path: RegExp }> = [
	{
		host: /(^|\.)linkedin\.com$/,
		path: /^(?:(?:comm|mwlite|m|sales|talent)\/)?(authwall|checkpoint|company(?:-beta)?|events|feed|groups|jobs|learning|login|newsletters|posts|products|pub\/dir|pulse|school|search|services|showcase|signup)(?:\/|$)/i,
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
const NO_VALUE = /(?:^|\/)(?:undefined|null|NaN|N\/A|n\/a|%5Bobject%20Object%5D|[^/{]*\{\{[^/]*)$/;
/** What LinkedIn calls a person in an address: a part of it, which lists often have alone. */
const HANDLE = /^\/?(?:in\/)?@?([\p{L}\p{N}][\p{L}\p{N}_-]{2,99})\/?$/u;

/** The address of a person's page in a network, as it is sent. */
export function checkProfile(text: string): Checked {
	const problem = `must be the address of a profile page, but is ${quote(text)}`;
	if (isSeveral(text)) return { problem: `${problem}: that is more than one address` };
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

/** Whether it holds two addresses, side by side or one behind the other. */
function isSeveral(text: string): boolean {
	const pages = text.split(/[\s,;|]+/).filter((part) => PAGE.test(part));
	return pages.length > 1 || /^[^?#]*:\/\/[^?#]*https?:\/\//i.test(toPage(text));
}
