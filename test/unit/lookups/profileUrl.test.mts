import { describe, expect, it } from 'vitest';

import {
	comparableProfileUrl,
	withoutPorts,
} from '../../../nodes/ContactData/lookups/profileUrl.ts';

describe('the form in which profile addresses are compared', () => {
	it.for([
		['https://https://a.example/x', 'a.example/x'],
		['a.example/https://b.example', 'a.example/https:/b.example'],
		['a.example/ / x /y', 'a.example/x/y'],
		['a.example/x?p=1?q=2', 'a.example/x?p=1?q=2'],
		['a.example/x? p=1 & utm_source=y & q=2', 'a.example/x?p=1&q=2'],
		['a.example/x?trk', 'a.example/x'],
		['a.example/x?p=1&&q=2', 'a.example/x?p=1&q=2'],
		['a.example/jos%c3%a9', 'a.example/josé'],
		['a.example/jos%C3%A9-%41-%7a', 'a.example/josé-A-z'],
		['a.example/%2d%2E%39%4f%5a%5f%7E', 'a.example/-.9OZ_~'],
		['a.example/%2f-%40-%60-%5b', 'a.example/%2F-%40-%60-%5B'],
		['a.example/%ff', 'a.example/%FF'],
		['a.example/100%', 'a.example/100%'],
		[' A.example :443:80/x', 'a.example/x'],
		['a.example:8080/x', 'a.example:8080/x'],
		['a.example:4430/x', 'a.example:4430/x'],
		['a.example:80:8080/x', 'a.example:80:8080/x'],
		['a.example./x', 'a.example/x'],
		['a.example.../x', 'a.example/x'],
		['www.m.www.a.example/x', 'a.example/x'],
		['a.www.example/x', 'a.www.example/x'],
		['www.example/x', 'www.example/x'],
		['a.m.b.example/x', 'a.m.b.example/x'],
		['de.linkedin.com/in/li', 'linkedin.com/in/li'],
		['x.de.linkedin.com/in/li', 'x.de.linkedin.com/in/li'],
		['de.linkedin.com.example/in/li', 'de.linkedin.com.example/in/li'],
		['a.example/linkedin.com/in/li?p=1', 'a.example/linkedin.com/in/li?p=1'],
		['abc.linkedin.com/in/li?p=1', 'abc.linkedin.com/in/li'],
		['linkedin.com/in/viewer?p=1', 'linkedin.com/in/viewer'],
		['linkedin.com/in/view?p=1', 'linkedin.com/in/view?p=1'],
		['linkedin.com/in/li/de/more', 'linkedin.com/in/li/de/more'],
	])('%s', ([address = '', comparable]) => {
		expect(comparableProfileUrl(address)).toBe(comparable);
	});

	it('a host that is a port only stays one', () => {
		expect(withoutPorts('80', /^80$/)).toBe('80');
	});
});
