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
		['HTTPS://API.example.com:443/V2/', 'https://api.example.com/V2'],
	])('"%s" is taken as "%s"', ([given, normalized]) => {
		expect(normalizeBaseUrl(given)).toBe(normalized);
	});

	test.for<[given: unknown, refused: string]>([
		['http://api.example.com', 'must start with https://, because http'],
		['http://localhost.example.com', 'must start with https://, because http'],
		['http://127.0.0.1@api.example.com', 'must not contain a user name or a password'],
		['https://ada:s3cret@api.example.com', 'must not contain a user name or a password'],
		['http://ada:s3cret@localhost:3000', 'must not contain a user name or a password'],
		['ftp://ada:s3cret@api.example.com', 'must be a URL that starts with https://'],
		['ada:s3cret@api.example.com', 'must be a URL that starts with https://'],
		['api.example.com', 'must be a URL that starts with https://'],
		['', 'must be a URL that starts with https://'],
		[undefined, 'must be a URL that starts with https://'],
		['https://api.example.com/v2?tenant=', 'must not contain "?"'],
		['https://api.example.com/#', 'must not contain "#"'],
		['https://api.exa\nmple.com', 'must not contain the character U+000A'],
	])('%j is refused, and no login is repeated: %s', ([given, refused]) => {
		expect(() => normalizeBaseUrl(given)).toThrow(`The 'Base URL' of the credential ${refused}`);
		expect(() => normalizeBaseUrl(given)).not.toThrow(/ada|s3cret/);
	});
});

describe('API key', () => {
	test.for([
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
		['\n', 'U+000A'],
		['é', 'U+00E9'],
		['\u{e0041}', 'U+E0041'],
	])('with %j in it is refused, and not repeated', ([character, named]) => {
		const key = `s3cr${character}et`;
		expect(() => normalizeApiKey(key)).toThrow(`${keyHasCharacter}${named}`);
		expect(() => normalizeApiKey(key)).not.toThrow(/s3cr|et:/);
	});
});
