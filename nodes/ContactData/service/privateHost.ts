const PRIVATE_IPV4 =
	/^((10|127|192\.168|169\.254|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))(\.\d+)+|0\.0\.0\.0)$/;
const PRIVATE_IPV6 = /^\[(f[cd]|fe[89ab]|::)/i;
const PRIVATE_NAME = /^[^.]+$|\.(local|localhost|internal|lan|home|intranet)$/i;

/** Whether a URL leads to a host that a service on the internet cannot reach. */
export function hasPrivateHost(url: string): boolean {
	const [, host = ''] = /^[a-z]+:\/\/(\[[^\]]*\]|[^/:?#]+)/i.exec(url) ?? [];
	if (host.startsWith('[')) return PRIVATE_IPV6.test(host);
	return PRIVATE_IPV4.test(host) || PRIVATE_NAME.test(host);
}
