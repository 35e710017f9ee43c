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

/** @param apiKey not empty */
export function withoutKey(text: string, apiKey: string): string {
	return formsOf(apiKey).reduce((left, form) => left.split(form).join('[API key]'), text);
}

/** The key as PHP and others write it in JSON, as a URL does, and as it is. */
function formsOf(apiKey: string): string[] {
	const inJson = JSON.stringify(apiKey).slice(1, -1);
	const forms = [inJson.replaceAll('/', '\\/'), inJson, encodeURIComponent(apiKey), apiKey];
	return [...new Set(forms)];
}
