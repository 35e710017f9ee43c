import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';
import { CredentialError, parseUrl } from './credentialChecks';

const KEY_HEADER = 'x-api-key';

/** A request of whatever node. */
interface AnyRequest extends IHttpRequestOptions {
	// So says n8n's older helper, which HTTP Request uses.
	uri?: string;
	rejectUnauthorized?: boolean;
}

/** A redirect would carry the header along, even to another host. */
const NO_REDIRECTS = {
	disableFollowRedirect: true,
	// The same for the older helper.
	followRedirect: false,
	followAllRedirects: false,
};

/** What a credential says, normalized. */
interface Signature {
	apiKey: string;
	baseUrl: string;
	/** Whether HTTP Request may send the key, and show it. */
	allowsHttpRequest: boolean;
}

/**
 * Adds the API key to a request.
 *
 * @throws {CredentialError} where somebody else than the service could read the key
 */
export function signRequest(
	request: AnyRequest,
	{ apiKey, baseUrl, allowsHttpRequest }: Signature,
): IHttpRequestOptions {
	const service = new URL(baseUrl);
	requireDestination(request, service);
	if (!allowsHttpRequest) requireQuietHelper(request);
	requireUsualTls(request);
	return {
		...request,
		...NO_REDIRECTS,
		headers: { ...without(KEY_HEADER, request.headers), [KEY_HEADER]: apiKey },
		...(service.protocol === 'http:' && { proxy: itself(service) }),
	};
}

/** Whichever of the addresses n8n follows, it must be the service's. */
function requireDestination({ url, uri, baseURL }: AnyRequest, service: URL): void {
	const given = [url, uri, baseURL].filter((address) => address !== undefined);
	const strange = given.find((address) => originOf(address, baseURL) !== originOf(service.href));
	if (strange === undefined && given.length > 0) return;
	const goesTo = strange === undefined ? undefined : originOf(strange, baseURL);
	throw new CredentialError(
		`The API key is only sent to the 'Base URL' of its credential (${service.origin}), and this request goes to ${goesTo ?? 'an address that is no URL'}`,
	);
}

function originOf(address: string, baseUrl?: string): string | undefined {
	const url = parseUrl(address, baseUrl);
	return url && `${url.protocol}//${url.host}`;
}

/**
 * n8n's older helper puts the headers that were sent into the error of a request that failed. HTTP
 * Request gives that error to the next nodes, where an expression can read it.
 */
function requireQuietHelper({ uri }: AnyRequest): void {
	if (uri === undefined) return;
	throw new CredentialError(
		"The API key is not sent for n8n's HTTP Request node, which would show it to whoever may use the credential: use the Contact Data node, or allow 'HTTP Request Node' in the credential",
	);
}

/** Otherwise a proxy that the request names could pretend to be the service. */
function requireUsualTls(request: AnyRequest): void {
	const { skipSslCertificateValidation, rejectUnauthorized, agentOptions } = request;
	if (!skipSslCertificateValidation && rejectUnauthorized !== false && !agentOptions) return;
	throw new CredentialError(
		"The API key is only sent where n8n checks the server's certificate in its usual way: switch off 'Ignore SSL Issues' and 'SSL Certificates' of the request",
	);
}

function without(header: string, headers: IDataObject = {}): IDataObject {
	// Case means nothing, and n8n takes white space off.
	const isOther = (name: string) => name.trim().toLowerCase() !== header;
	return Object.fromEntries(Object.entries(headers).filter(([name]) => isOther(name)));
}

/**
 * The service on this machine as its own proxy, which every server must be able to be (RFC 9112,
 * 3.2.2): otherwise one that n8n's environment names would get the request, unencrypted.
 */
function itself({ hostname, port }: URL): IHttpRequestOptions['proxy'] {
	return { protocol: 'http', host: hostname, port: Number(port || 80) };
}
