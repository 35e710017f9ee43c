import { describe, expect, it } from 'vitest';
import { toAccount } from '../../../nodes/ContactData/service/account.ts';

const KEY = 'k3y/with+"all\\of&it==';

describe('redact takes the key out of a text', () => {
	const account = toAccount(KEY, 'https://api.example.com', 10);

	it.for<[string, string]>([
		['as it is', KEY],
		['as JSON writes it', JSON.stringify(KEY).slice(1, -1)],
		['as a URL writes it', encodeURIComponent(KEY)],
	])('%s, wherever it stands', ([, form]) => {
		expect(account.redact(`a ${form}${form} b ${form}`)).toBe('a [API key][API key] b [API key]');
	});

	it('and leaves all else', () => {
		expect(account.redact('k3y/with no [API')).toBe('k3y/with no [API');
	});
});
