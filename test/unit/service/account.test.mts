import { describe, expect, it } from 'vitest';
import { toAccount } from '../../../nodes/ContactData/service/request.ts';

const KEY = 'k3y/with+"all\\of&it==';

describe('redact takes the key out of a text', () => {
	const account = toAccount(KEY, 'https://api.example.com', 10);

	const inJson = JSON.stringify(KEY).slice(1, -1);

	it.for<[string, string]>([
		['as it is', KEY],
		['as JSON writes it', inJson],
		['as PHP writes JSON', inJson.replaceAll('/', '\\/')],
		['as .NET and Go write JSON', inJson.replaceAll('+', '\\u002B').replaceAll('&', '\\u0026')],
		['as a URL writes it', encodeURIComponent(KEY)],
	])('%s, wherever it stands', ([, form]) => {
		expect(account.redact(`a ${form}${form} b ${form}`)).toBe('a [API key][API key] b [API key]');
	});

	it('and leaves all else', () => {
		const text = `k3y/with no [API ${KEY.slice(0, -1)}`;
		expect(account.redact(text)).toBe(text);
	});
});
