import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonical } from '../../../nodes/ContactData/values/same.ts';

const profile = (url: string) => canonical('url', url);

describe('one profile is one search, in whatever spelling', () => {
	const ADA = 'https://www.linkedin.com/in/ada-lovelace';

	it.for([
		'http://www.linkedin.com/in/ada-lovelace',
		'linkedin.com/in/ada-lovelace',
		'https://m.linkedin.com/in/ada-lovelace',
		'https://WWW.LinkedIn.com/in/ada-lovelace',
		'https://www.linkedin.com/in/ada-lovelace/',
		'https://www.linkedin.com/in/ada-lovelace/#about',
		'https://www.linkedin.com/in/ada-lovelace?originalSubdomain=uk',
		'https://www.linkedin.com/in/ada-lovelace/?utm_source=share&trk=public_profile',
		'https://uk.linkedin.com/in/ada-lovelace',
		'https://de.linkedin.com/in/ada-lovelace/?trk=x#top',
		'  https://www.linkedin.com/in/ada-lovelace \n',
		'https://www.linkedin.com/in/Ada-Lovelace',
		'https://www.linkedin.com/in/ADA-LOVELACE/?trk=x',
		// What is behind the name, and pages for phones and for clicks in mails.
		'https://www.linkedin.com/in/ada-lovelace/en',
		'https://www.linkedin.com/in/ada-lovelace/de-de/',
		'https://www.linkedin.com/in/ada-lovelace/details/experience/',
		'https://www.linkedin.com/in/ada-lovelace/overlay/contact-info/',
		'https://www.linkedin.com/in/ada-lovelace/recent-activity/all/?trk=x',
		'https://www.linkedin.com/comm/in/ada-lovelace',
		'https://www.linkedin.com/mwlite/in/ada-lovelace/',
		'https://www.linkedin.com/m/in/ada-lovelace',
		'https://www.linkedin.com/in/ada-lovelace)',
		'https://www.linkedin.com/in/in/ada-lovelace',
	])('%s', (url) => {
		expect(profile(url)).toBe(profile(ADA));
	});

	it('with its letters as they are read, or as browsers copy them', () => {
		const JOSE = 'https://linkedin.com/in/jos\u00e9';
		for (const name of ['jos%C3%A9', 'jos%c3%a9/', 'jose\u0301', 'JOSE%CC%81']) {
			expect(profile(`https://linkedin.com/in/${name}`)).toBe(profile(JOSE));
		}
	});
});

describe('two people stay two searches', () => {
	it.for([
		['https://www.linkedin.com/in/ada', 'https://www.linkedin.com/in/eve'],
		['https://www.linkedin.com/in/ada', 'https://www.linkedin.com/pub/ada'],
		// Every other address is taken as it is written.
		['https://www.linkedin.com/pub/ada/1/2', 'https://linkedin.com/pub/ada/1/2'],
		[
			'https://www.linkedin.com/sales/lead/A,x?_ntb=1',
			'https://www.linkedin.com/sales/lead/A,x?_ntb=2',
		],
		['https://social.example/in/Ada', 'https://social.example/in/ada'],
		['https://social.example/ada', 'https://social.example/ada/'],
		['https://www.linkedin.com/pub/ada/1/2', 'https://www.linkedin.com/pub/ada/1/3'],
		['https://www.linkedin.com/in/ada', 'https://www.xing.com/profile/ada'],
		// A whole address, or a part of one, behind the beginning of another; or /pub/ made /in/.
		...[
			'https://www.linkedin.com/in/http://www.linkedin.com/in/NAME',
			'https://www.linkedin.com/in/www.linkedin.com/in/NAME',
			'https://www.linkedin.com/in/in/NAME',
			'https://www.linkedin.com/in/pub/NAME/1/2',
			'https://www.linkedin.com/in/profile/view?id=NAME',
			'https://www.linkedin.com/in/linkedin.com/profile/view?id=NAME',
			'https://www.linkedin.com/in/facebook.com/profile.php?id=NAME',
			'https://www.linkedin.com/comm/profile/view?id=NAME',
			'https://www.linkedin.com/in/sales/lead/NAME,NAME_SEARCH,x1',
			'https://www.linkedin.com/in/comm/in/NAME',
			'https://www.linkedin.com/in/talent/profile/NAME',
			'https://www.linkedin.com/in/people/NAME',
			// The public directory, by first and last name.
			'https://www.linkedin.com/pub/dir/?first=NAME&last=lovelace',
			'https://www.linkedin.com/sales/lead/NAME,NAME_SEARCH,x1?_ntb=1',
		].map((url) => [url.replace('NAME', 'a'), url.replace('NAME', 'b')] as const),
		// A name like a language, behind a part of another address.
		...['in/in', 'in/pub', 'in/profile', 'in/people', 'profile/in'].flatMap((path) => [
			[`https://www.linkedin.com/${path}/li-wu`, `https://www.linkedin.com/${path}/bo-li`] as const,
			[`https://www.linkedin.com/${path}/al`, `https://www.linkedin.com/${path}/bo`] as const,
		]),
		['https://www.linkedin.com/profile/view?id=1', 'https://www.linkedin.com/profile/view?id=2'],
		['https://www.linkedin.com/in/ada', 'https://linkedin.com.example/in/ada'],
		['https://www.linkedin.com/in/ada', 'https://notlinkedin.com/in/ada'],
		['https://facebook.com/profile.php?id=1', 'https://facebook.com/profile.php?id=2'],
		// Behind the fragment's sign is the page of an application.
		['https://app.social.example/#/people/1', 'https://app.social.example/#/people/2'],
		['https://social.example:8443/ada', 'https://social.example/ada'],
	])('%s and %s', ([one, other]) => {
		expect(profile(one)).not.toBe(profile(other));
	});

	it('whatever the path', () => {
		const path = fc.stringMatching(/^[a-z0-9-]{1,12}$/);
		fc.assert(
			fc.property(path, path, (one, other) => {
				const same = profile(`linkedin.com/in/${one}`) === profile(`linkedin.com/in/${other}/`);
				expect(same).toBe(one === other);
			}),
		);
	});
});

it.for([
	'/ ?',
	'/ #x',
	'a.b/#/x #y',
	'a.b/?x#!/y',
	'/. /',
	'www. linkedin.com',
	'a.b:80:443/x',
	'https://https://a.b/c',
	'a.b/c?x= ',
])('the form in which %j is compared is a fixed one', (address) => {
	const once = canonical('url', address);
	expect(canonical('url', once)).toBe(once);
});
