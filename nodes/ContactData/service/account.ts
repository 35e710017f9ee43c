import { createHash } from 'crypto';

/** The account that a credential opens. Its key is in no field, only behind `redact`. */
export interface Account {
	/** No trailing slash. */
	baseUrl: string;
	/** Submissions per second that the service grants for each POST endpoint. */
	requestsPerSecond: number;
	/** Names the account in this process's memory; the key cannot be read back from it. */
	fingerprint: string;
	/** Takes the key out of a text that came from outside. */
	redact(text: string): string;
}

/** @param apiKey not empty */
export function toAccount(apiKey: string, baseUrl: string, requestsPerSecond: number): Account {
	return {
		baseUrl,
		requestsPerSecond,
		fingerprint: createHash('sha256').update(`${baseUrl}\n${apiKey}`).digest('hex'),
		redact: (text) => withoutKey(text, apiKey),
	};
}

/**
 * A text without the key as JSON writes it, as a URL does, and as it is.
 * @param apiKey not empty
 */
export function withoutKey(text: string, apiKey: string): string {
	const forms = [JSON.stringify(apiKey).slice(1, -1), encodeURIComponent(apiKey), apiKey];
	return forms.reduce((left, form) => left.replaceAll(form, '[API key]'), text);
}
