import type { IHttpRequestOptions } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import { parseUrl } from './credentialChecks';

/** A request of whatever node. `uri` is how HTTP Request names the address, to n8n's older helper. */
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
	requireUsualTls(request);
	return {
		...request,
		headers: { ...request.headers, 'x-api-key': apiKey },
		// A redirect would carry the header along, even to another host.
		disableFollowRedirect: true,
		...(service.protocol === 'http:' && { proxy: itself(service) }),
	};
}

/**
 * n8n's older helper puts the headers that were sent into the error of a request that failed. HTTP
 * Request gives that error to the next nodes, where an expression can read it.
 */
function requireQuietHelper({ uri }: AnyRequest): void {
	if (uri === undefined) return;
	throw new UserError(
		"The API key is not sent for n8n's HTTP Request node, whose errors would show it to the next nodes: use the Contact Data node, or give HTTP Request a Header Auth credential with the header x-api-key",
	);
}

/** Whichever of the addresses n8n follows, it must be the service's. */
function requireDestination({ url, baseURL }: AnyRequest, service: URL): void {
	const given = [url, baseURL].filter((address) => address !== undefined);
	const strange = given.find((address) => originOf(address, baseURL) !== originOf(service.href));
	if (strange === undefined && given.length > 0) return;
	const goesTo = strange === undefined ? undefined : originOf(strange, baseURL);
	throw new UserError(
		`The API key is only sent to the 'Base URL' of its credential (${service.origin}), and this request goes to ${goesTo ?? 'an address that is no URL'}`,
	);
}

function originOf(address: string, baseUrl?: string): string | undefined {
	const url = parseUrl(address, baseUrl);
	return url && `${url.protocol}//${url.host}`;
}

/** Otherwise a proxy that the request names could pretend to be the service. */
function requireUsualTls(request: AnyRequest): void {
	const { skipSslCertificateValidation, agentOptions } = request;
	if (!skipSslCertificateValidation && !agentOptions) return;
	throw new UserError(
		"The API key is only sent where n8n checks the server's certificate in its usual way: switch off 'Ignore SSL Issues' and 'SSL Certificates' of the request",
	);
}

/**
 * The service on this machine as its own proxy, which every server must be able to be (RFC 9112,
 * 3.2.2): otherwise one that n8n's environment names would get the request, unencrypted.
 */
function itself({ hostname, port }: URL): IHttpRequestOptions['proxy'] {
	return { protocol: 'http', host: hostname, port: Number(port || 80) };
}
