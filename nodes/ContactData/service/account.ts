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
		redact: (text) => text.replace(spellings, '[API key]'),
	};
}

/** Matches a key as it is, as any JSON has it (`\/`, `\u002b`) and as a URL does (`%2B`). */
function spellingsOf(apiKey: string): RegExp {
	const letters = Array.from(apiKey, (letter) => {
		const hex = letter.charCodeAt(0).toString(16);
		return `(?:\\\\?\\x${hex}|(?:\\\\u00|%)${hex})`;
	});
	return new RegExp(letters.join(''), 'gi');
}
