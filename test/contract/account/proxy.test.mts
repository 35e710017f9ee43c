import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { openElsewhere, type Elsewhere } from '../../support/elsewhere.mts';
import { jsonOf, type Bench, useBench } from '../../support/n8nCore/contactData.mts';
import { listSearch } from '../../support/n8nCore/listSearch.mts';

// A proxy that n8n's environment names, where the service is on n8n's own machine by plain http.

const bench = useBench();
useFastClock();

let proxy: Elsewhere;
beforeAll(async () => {
	proxy = await openElsewhere();
});
beforeEach(() => {
	proxy.forget();
	for (const name of ['NO_PROXY', 'no_proxy']) vi.stubEnv(name, undefined);
});
afterEach(() => vi.unstubAllEnvs());
afterAll(async () => await proxy.close());

function at(host: string): Bench['credentials'] {
	const { contactDataApi } = bench().credentials;
	const baseUrl = bench().sandbox.baseUrl.replace('127.0.0.1', host);
	return { contactDataApi: { ...contactDataApi, baseUrl } };
}

it.for([
	['HTTP_PROXY', '127.0.0.1'],
	['http_proxy', 'localhost'],
	['ALL_PROXY', '127.0.0.1'],
	['all_proxy', 'localhost'],
] as const)('%s is not asked for a service at %s', async ([name, host]) => {
	vi.stubEnv(name, proxy.url);
	const credentials = at(host);
	const [result] = jsonOf(
		await bench().run('emailVerifier', 'submitAndWait', {
			parameters: { email: 'mustfind@acme.com' },
			credentials,
		}),
	);
	const node = bench().node('emailVerifier', 'submit');
	await listSearch({ ...node, credentials, method: 'searchWebhooks' });
	expect(proxy.visits).toEqual([]);
	expect(result).toMatchObject({ status: 'completed' });
	expect(bench().posts).toHaveLength(1);
});
