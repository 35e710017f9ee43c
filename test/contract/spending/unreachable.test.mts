import type { INodeType } from 'n8n-workflow';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import {
	contactDataAfter,
	jsonOf,
	shownError,
	useBench,
	type Given,
} from '../../support/n8nCore/contactData.mts';
import { runNode, type RunNodeResult } from '../../support/n8nCore/execute.mts';
import { NOBODY } from '../../support/ports.mts';
import { NOT_YET_VALID, SELF_SIGNED } from '../../support/sandbox/selfSigned.mts';
import { startSandbox, type SandboxOptions } from '../../support/sandbox/server.mts';
import { mayHaveBeenCharged, unreachable } from '../../support/texts.mts';
import { addresses, expectChargedOnce, MAIL } from './money.mts';

// Where nobody has answered before the first submission, nothing was charged: nothing is sent, and the
// execution may go on once the service is there.

const bench = useBench();
useFastClock();

type Service = Pick<Given, 'credentials'> & {
	node?: INodeType;
	/** Its end. */
	over?: () => Promise<void> | void;
};

/** A service at another address than the sandbox's. */
function at(baseUrl: string): Service {
	const { contactDataApi } = bench().credentials;
	return { credentials: { contactDataApi: { ...contactDataApi, baseUrl } } };
}

async function withCertificate(tls: SandboxOptions['tls']): Promise<Service> {
	const secure = await startSandbox({ tls });
	return { ...at(secure.baseUrl), over: async () => await secure.close() };
}

/** The node, where the network fails so. */
function failing(code: string): Service {
	const node = contactDataAfter(({ helpers }) => {
		helpers.httpRequestWithAuthentication = async () =>
			await Promise.reject(Object.assign(new Error(code), { code }));
	});
	return { credentials: bench().credentials, node };
}

/** All that is asked of the sandbox, and the answer to none. */
function silent(fault: { kind: 'hang' } | { kind: 'reset'; when: 'before' }): Service {
	bench().sandbox.faults.add({ ...fault, on: '*', times: Infinity });
	return { credentials: bench().credentials };
}

const SERVICES: Record<string, () => Promise<Service> | Service> = {
	'a port where nobody listens': () => at(NOBODY),
	'https to a server that speaks http': () => at(bench().sandbox.baseUrl.replace('http', 'https')),
	'a certificate of its own': async () => await withCertificate(SELF_SIGNED),
	'a certificate that is not valid yet': async () => await withCertificate(NOT_YET_VALID),
	'a certificate of an unknown chain': () => failing('UNABLE_TO_GET_ISSUER_CERT'),
	'a firewall that drops packets': () => silent({ kind: 'hang' }),
	'a server that hangs up': () => silent({ kind: 'reset', when: 'before' }),
};
const CASES = Object.keys(SERVICES).flatMap((name) => [
	{ name, operation: 'submit', onError: 'stopWorkflow' } as const,
	{ name, operation: 'submitBulk', onError: 'continueRegularOutput' } as const,
]);

let service: Service = {};
beforeEach(() => {
	service = {};
});
afterEach(async () => await service.over?.());

/** A run of three addresses, as it left the execution. */
async function verify(operation: string, given: Given & { node?: INodeType }) {
	return await runNode({
		...bench().node('emailVerifier', operation, { parameters: MAIL, ...given }),
		items: addresses(3),
		credentials: bench().credentials,
		...given,
		...(given.node !== undefined && { node: given.node }),
	});
}

function expectNothingSent(told: string): void {
	expect(told).toContain(unreachable);
	expect(told).toMatch(/\bnothing\b[^.]* (started|charged)/i);
	expect(told).not.toMatch(mayHaveBeenCharged);
	bench().expectNothingSubmitted();
}

const left = ({ contextData, flowData }: RunNodeResult) => ({ contextData, flowData });

it.for(CASES)('$name: $operation sends nothing, and a retry goes on: $onError', async (given) => {
	const { name, operation, onError } = given;
	const settings = { onError };
	service = (await SERVICES[name]?.()) ?? {};
	const run = await verify(operation, { ...service, settings });
	const isStopped = onError === 'stopWorkflow';
	const told = isStopped ? [shownError(run, bench().sandbox.apiKey)] : jsonOf(run);
	expect(told).toHaveLength(isStopped ? 1 : 3);
	for (const one of told) expectNothingSent(JSON.stringify(one));

	// Also the brake is not on.
	bench().sandbox.faults.clear();
	const again = await verify(operation, { ...left(run), settings });
	expect(jsonOf(again).filter(({ error }) => typeof error === 'string')).toEqual([]);
	expectChargedOnce(bench(), 3);
});
