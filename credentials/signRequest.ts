import { type IHttpRequestOptions, UserError } from 'n8n-workflow';
import { parseUrl } from './credentialChecks';

/** A request of any node. `uri` is how HTTP Request names the address, to n8n's older helper. */
interface AnyRequest extends IHttpRequestOptions {
	uri?: string;
}

/**
 * Adds the API key to a request.
 *
 * @throws {UserError} where somebody else than the service could read the key
 */
export function signRequest(
	request: AnyRequest,
	apiKey: string,
	baseUrl: string,
): IHttpRequestOptions {
	const service = new URL(baseUrl);
	requireQuietHelper(request);
	requireDestination(request, service);
	return {
		...request,
		headers: { ...request.headers, 'x-api-key': apiKey },
		// A redirect would carry the header along, even to another host.
		disableFollowRedirect: true,
		...(service.protocol === 'http:' && { proxy: itself(service) }),
	};
}

/** n8n's older helper puts the sent headers into the error of a failed request, which next nodes can read. */
function requireQuietHelper({ uri }: AnyRequest): void {
	if (uri === undefined) return;
	throw new UserError(
		"The API key is not sent for n8n's HTTP Request node, whose errors would show it to the next nodes: use the Contact Data node, or give HTTP Request a Header Auth credential with the header x-api-key",
	);
}

/** Whichever of the addresses n8n follows, it must be the service's. */
function requireDestination({ url, baseURL }: AnyRequest, service: URL): void {
	const given = [url, baseURL].filter((address) => address !== undefined);
	const isService = (address: string) => originOf(address, baseURL) === originOf(service.href);
	if (given.length > 0 && given.every(isService)) return;
	throw new UserError(
		`The API key is only sent to the 'Base URL' of its credential (${service.origin})`,
	);
}

function originOf(address: string, baseUrl?: string): string | undefined {
	const url = parseUrl(address, baseUrl);
	return url && `${url.protocol}//${url.host}`;
}

/**
 * The service on this machine as its own proxy, which every server must be able to be (RFC 9112,
 * 3.2.2): otherwise one that n8n's environment names would get the request, unencrypted.
 */
function itself({ hostname, port }: URL): IHttpRequestOptions['proxy'] {
	return { protocol: 'http', host: hostname, port: Number(port || 80) };
}
