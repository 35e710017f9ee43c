import type { INodeType } from 'n8n-workflow';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import {
	contactData,
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

const CONTINUE = { onError: 'continueRegularOutput' } as const;

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
	const node: INodeType = {
		description: contactData.description,
		async execute() {
			this.helpers.httpRequestWithAuthentication = async () =>
				await Promise.reject(Object.assign(new Error(code), { code }));
			return await contactData.execute.call(this);
		},
	};
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
const CASES = Object.keys(SERVICES).flatMap((name) =>
	['submit', 'submitBulk'].map((operation) => ({ name, operation })),
);

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

it.for(CASES)('$name: $operation sends nothing, and a retry goes on', async (given) => {
	const { name, operation } = given;
	service = (await SERVICES[name]?.()) ?? {};
	const run = await verify(operation, service);
	const { message, description } = shownError(run, bench().sandbox.apiKey);
	expectNothingSent(`${message} ${description}`);

	bench().sandbox.faults.clear();
	jsonOf(await verify(operation, left(run)));
	expectChargedOnce(bench(), 3);
});

it.for(CASES)('$name: $operation under Continue does not put on the brake', async (given) => {
	const { name, operation } = given;
	service = (await SERVICES[name]?.()) ?? {};
	const run = await verify(operation, { ...service, settings: CONTINUE });
	expect(jsonOf(run)).toHaveLength(3);
	for (const item of jsonOf(run)) expectNothingSent(JSON.stringify(item));

	bench().sandbox.faults.clear();
	const again = await verify(operation, { ...left(run), settings: CONTINUE });
	expect(jsonOf(again).filter(({ error }) => typeof error === 'string')).toEqual([]);
	expectChargedOnce(bench(), 3);
});
