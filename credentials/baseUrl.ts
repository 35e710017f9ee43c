import { UserError } from 'n8n-workflow';

const LOOPBACK_HOST = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * The base URL of the service as a request needs it: trimmed, without trailing slashes.
 *
 * @throws {UserError} if it is no URL, holds a login, or would send the API key unencrypted over a
 *   network: http is for a service on this machine only. The error does not repeat the URL.
 */
export function normalizeBaseUrl(value: unknown): string {
	const text = typeof value === 'string' ? value.trim().replace(/\/+$/, '') : '';
	const url = URL.canParse(text) ? new URL(text) : undefined;

	if (url !== undefined && (url.username !== '' || url.password !== '')) {
		throw new UserError(
			"The 'Base URL' of the credential must not contain a user name or a password",
		);
	}
	if (url?.protocol === 'https:') return text;
	if (url?.protocol === 'http:' && LOOPBACK_HOST.test(url.hostname)) return text;

	throw new UserError(
		url?.protocol === 'http:'
			? "The 'Base URL' of the credential must start with https://, because http would send the API key unencrypted"
			: "The 'Base URL' of the credential must be a URL that starts with https://",
	);
}
