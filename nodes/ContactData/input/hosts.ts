import { parseUrl } from '../../../credentials/credentialChecks';

const PRIVATE_HOSTS = [
	/^(10|127|192\.168|172\.(1[6-9]|2\d|3[01]))\.[\d.]+$|^0\.0\.0\.0$/,
	/^\[(f[cd]|::)/,
	/^[^.[]+$|\.(local|localhost|internal|lan|home|intranet)$/,
];

/** Whether a URL leads to a host that a service on the internet cannot reach. */
export function hasPrivateHost(url: string): boolean {
	return PRIVATE_HOSTS.some((host) => host.test(hostOf(url)));
}

/** Empty where it is no URL. */
export function hostOf(url: string): string {
	return parseUrl(url)?.hostname ?? '';
}
