import { describe, expect, test } from 'vitest';
import { normalizeApiKey, normalizeBaseUrl } from '../../../credentials/credentialChecks.ts';
import { keyHasCharacter } from '../../support/texts.mts';

describe('base URL', () => {
	test.for([
		['https://api.example.com', 'https://api.example.com'],
		[' https://api.example.com/v2// ', 'https://api.example.com/v2'],
		['http://localhost:3000/', 'http://localhost:3000'],
		['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
		['http://[::1]:3000', 'http://[::1]:3000'],
		['https://api.example.com/@team', 'https://api.example.com/@team'],
		['HTTPS://API.example.com:443/V2/', 'https://api.example.com/V2'],
		['https://bücher.example', 'https://xn--bcher-kva.example'],
		['https:/api.example.com\\v2', 'https://api.example.com/v2'],
		[`https://api.example.com/v2${'/'.repeat(5_000)}`, 'https://api.example.com/v2'],
	])('"%s" is taken as "%s"', ([given, normalized]) => {
		expect(normalizeBaseUrl(given)).toBe(normalized);
	});

	// What Node has compiled by then must say the same.
	test('with an umlaut is taken, however often', () => {
		const taken = new Set<string>();
		for (let times = 0; times < 50_000; times++) {
			taken.add(normalizeBaseUrl('https://bücher.example'));
		}
		expect([...taken]).toEqual(['https://xn--bcher-kva.example']);
	});

	test.for([
		'http://api.example.com',
		'http://localhost.example.com',
		'http://127.0.0.1.example.com',
	])('"%s" is refused: the key would go unencrypted', (given) => {
		expect(() => normalizeBaseUrl(given)).toThrow(/'Base URL' .* https:\/\/, because http/);
	});

	test.for([
		'http://127.0.0.1@api.example.com',
		'https://ada@api.example.com',
		'https://ada:s3cret@api.example.com',
		'https://:s3cret@api.example.com',
		'https://ada:@api.example.com',
		'https:/\\ada:s3cret@api.example.com',
		'http://ada:s3cret@localhost:3000',
	])('"%s" is refused: it holds a login, which is not repeated', (given) => {
		expect(() => normalizeBaseUrl(given)).toThrow(/must not contain a user name or a password/);
		expect(() => normalizeBaseUrl(given)).not.toThrow(/ada|s3cret/);
	});

	test.for([
		'ftp://ada:s3cret@api.example.com',
		'ada:s3cret@api.example.com',
		'https://ada:s3cret@',
	])('"%s" is refused for something else, and not repeated', (given) => {
		expect(() => normalizeBaseUrl(given)).toThrow("The 'Base URL' of the credential must");
		expect(() => normalizeBaseUrl(given)).not.toThrow(/ada|s3cret/);
	});

	test.for(['', 'api.example.com', 'ftp://api.example.com', 'https://', undefined, 7])(
		'%o is refused: no https URL',
		(given) => {
			expect(() => normalizeBaseUrl(given)).toThrow(/'Base URL' .* must be a URL/);
		},
	);

	test.for([
		['https://api.example.com?', '"?"'],
		['https://api.example.com/v2?tenant=', '"?"'],
		['https://api.example.com/#', '"#"'],
		['https://api.exa\nmple.com', 'the character U+000A'],
		['https://api.example.com/v 2', 'the character U+0020'],
	])('%j is refused: it has %s', ([given, named]) => {
		expect(() => normalizeBaseUrl(given)).toThrow(
			`The 'Base URL' of the credential must not contain ${named}`,
		);
	});
});

describe('API key', () => {
	test.for([
		['k3y', 'k3y'],
		[' k3y\r\n', 'k3y'],
		['\ufeffk3y\u00a0', 'k3y'],
		['a key ~ with ! signs', 'a key ~ with ! signs'],
	])('%j is taken as %j', ([given, normalized]) => {
		expect(normalizeApiKey(given)).toBe(normalized);
	});

	test.for(['', ' \n ', undefined, 7])('%j is refused: there is none', (given) => {
		expect(() => normalizeApiKey(given)).toThrow("The 'API Key' of the credential is empty");
	});

	test.for([
		['\u200b', 'U+200B'],
		['\u00a0', 'U+00A0'],
		['\n', 'U+000A'],
		['\u0000', 'U+0000'],
		['\u007f', 'U+007F'],
		['é', 'U+00E9'],
		['к', 'U+043A'],
		['\u{e0041}', 'U+E0041'],
	])('with %j in it is refused, and not repeated', ([character, named]) => {
		const key = `s3cr${character}et`;
		expect(() => normalizeApiKey(key)).toThrow(`${keyHasCharacter}${named}`);
		expect(() => normalizeApiKey(key)).not.toThrow(/s3cr|et:/);
	});
});
