import { nameOf } from './characters';
import { CredentialError } from './credentialError';

/**
 * The API key as a header carries it. Empty where there is none.
 *
 * @throws {CredentialError} if n8n would leave characters out, as what is sent would not be what is
 *   looked for where the key has to be taken out of a text
 */
export function normalizeApiKey(value: unknown): string {
	const key = typeof value === 'string' ? value.trim() : '';
	const [wrong] = /[^ -~]/u.exec(key) ?? [];
	if (wrong === undefined) return key;
	throw new CredentialError(
		`The 'API Key' of the credential must not contain ${nameOf(wrong)}: paste the key again`,
	);
}
