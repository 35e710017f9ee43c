const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/i;
const PRIVATE_ADDRESS =
	/^(10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|0\.0\.0\.0$|\[(f[cd]|fe[89ab]|::))/i;
const PRIVATE_NAME = /^[^.]+$|\.(local|localhost|internal|lan|home|intranet)$/i;

/** Whether a URL leads to a host that a service on the internet cannot reach. */
export function hasPrivateHost(url: string): boolean {
	const [, host = ''] = /^[a-z]+:\/\/(\[[^\]]*\]|[^/:?#]+)/i.exec(url) ?? [];
	if (LOOPBACK.test(host) || PRIVATE_ADDRESS.test(host)) return true;
	return !host.startsWith('[') && PRIVATE_NAME.test(host);
}
