import { describe, expect, it } from 'vitest';
import { toAccount } from '../../../nodes/ContactData/service/account.ts';

const KEY = 'k3y/with+"all\\of&it==';

describe('redact takes the key out of a text', () => {
	const account = toAccount(KEY, 'https://api.example.com', 10);

	const hexOf = (letter: string) => letter.charCodeAt(0).toString(16);
	const inJson = JSON.stringify(KEY).slice(1, -1);
	const eachAs = (spell: (letter: string) => string) => Array.from(KEY, spell).join('');

	it.for<[string, string]>([
		['as it is', KEY],
		['as JSON writes it', inJson],
		['as PHP writes JSON', inJson.replaceAll('/', '\\/')],
		['as .NET and Go write JSON', inJson.replaceAll('+', '\\u002B').replaceAll('&', '\\u0026')],
		['as JSON may write every letter', eachAs((letter) => `\\u00${hexOf(letter)}`)],
		['as a URL writes it', encodeURIComponent(KEY)],
		['as a URL may write every letter', eachAs((letter) => `%${hexOf(letter)}`)],
	])('%s, wherever it stands', ([, form]) => {
		expect(account.redact(`a ${form}${form} b ${form}`)).toBe('a [API key][API key] b [API key]');
	});

	it('and leaves all else', () => {
		const text = `k3y/with no [API ${KEY.toUpperCase()} ${KEY.slice(0, -1)}`;
		expect(account.redact(text)).toBe(text);
	});
});
