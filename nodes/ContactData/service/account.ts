import { createHash } from 'crypto';

/** The account that a credential opens. Its key is in no field, only behind `redact`. */
export interface Account {
	/** No trailing slash. */
	baseUrl: string;
	/** Submissions per second that the service grants for each POST endpoint. */
	requestsPerSecond: number;
	/** Names the account in this process's memory; the key cannot be read back from it. */
	fingerprint: string;
	/** Takes the key out of what the service says, in whatever spelling. */
	redact(text: string): string;
}

/** @param apiKey not empty */
export function toAccount(apiKey: string, baseUrl: string, requestsPerSecond: number): Account {
	const spellings = spellingsOf(apiKey);
	return {
		baseUrl,
		requestsPerSecond,
		fingerprint: createHash('sha256').update(`${baseUrl}\n${apiKey}`).digest('hex'),
		redact: (text) => text.replace(spellings, REDACTED).replaceAll(apiKey, REDACTED),
	};
}

const REDACTED = '[API key]';

/**
 * Matches a key as it is, as any JSON has it (`\/`, `\u002b`) and as a URL does (`%2B`). No text takes
 * long, as none is matched in two ways: so a backslash, which JSON doubles, does not match one alone.
 */
function spellingsOf(apiKey: string): RegExp {
	const spellings = Array.from(apiKey, (character) => {
		const hex = character.charCodeAt(0).toString(16);
		const asItIs = character === '\\' ? '\\\\' : `\\\\?\\x${hex}`;
		const anyCase = hex.replace(/[a-f]/, (digit) => `[${digit}${digit.toUpperCase()}]`);
		return `(?:${asItIs}|(?:\\\\u00|%)${anyCase})`;
	});
	return new RegExp(spellings.join(''), 'g');
}
