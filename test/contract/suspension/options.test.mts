import type { INodeParameters, INodeProperties } from 'n8n-workflow';
import { describe, expect, it, vi } from 'vitest';
import { skipTime, useFastClock } from '../../support/clock.mts';
import { contactData, useBench } from '../../support/n8nCore/contactData.mts';
import { resumeWorkflow } from '../../support/n8nCore/workflow.mts';
import { resultsOf, Suspended } from './suspended.mts';

// When the service calls back, `$json` is no longer the item that the parameters were written for.

const JOB_MS = 600_000;

const bench = useBench({ single: JOB_MS, bulk: JOB_MS });
useFastClock();
// Sockets keep their own time, and another's load.
vi.setConfig({ testTimeout: 60_000 });

/** What no item but the input's can resolve: n8n's `toTitleCase` throws on what is not there. */
const COMPANY = '$json.company.toTitleCase()';
const asEver = (value: unknown) =>
	`={{ ${COMPANY} === 'Acme' ? ${JSON.stringify(value)} : undefined }}`;

const RUN_OPTIONS: INodeParameters = {
	custom: `={{ { d: ${COMPANY} } }}`,
	dryRun: asEver(false),
	earlierId: asEver(''),
	includeInputFields: asEver(true),
	maxCredits: asEver(1000),
	pollInterval: asEver(0.1),
	timeout: asEver(3000),
};
const FINDER_OPTIONS: INodeParameters = {
	countryCode: asEver('FR'),
	retrieveGender: asEver(true),
	retrieveCompanyInfo: asEver(true),
};
const OPERATIONS = ['submitAndWait', 'submitBulkAndWait'] as const;

const LOOKUPS = [
	{
		resource: 'emailFinder',
		input: { fullname: 'mustfind one' },
		parameters: {
			fullname: `={{ $json.fullname + (${COMPANY} === 'Acme' ? '' : ' x') }}`,
			companyDomain: `={{ ${COMPANY}.toLowerCase() }}.example`,
		},
		options: { ...RUN_OPTIONS, ...FINDER_OPTIONS },
	},
	{
		resource: 'emailVerifier',
		input: { name: 'mustfind' },
		parameters: { email: `={{ $json.name + '@' + ${COMPANY}.toLowerCase() }}.example` },
		options: RUN_OPTIONS,
	},
	{
		resource: 'phoneFinder',
		input: { slug: 'mustfind-1' },
		parameters: {
			socialProfileUrl: `=https://network.example/{{ ${COMPANY} }}/{{ $json.slug }}`,
		},
		options: RUN_OPTIONS,
	},
];

const CASES = LOOKUPS.flatMap((lookup) =>
	OPERATIONS.map((operation) => ({ ...lookup, operation })),
);

/** Options that only some have. */
function optionsOf({ resource, operation, options }: (typeof CASES)[number]): INodeParameters {
	const isBulk = operation === 'submitBulkAndWait';
	const { custom, ...others } = options;
	return {
		...others,
		...(isBulk && resource !== 'emailVerifier' && { itemCustom: `={{ ${COMPANY} }}` }),
		// A phone search of its own takes text.
		custom: !isBulk && resource === 'phoneFinder' ? `={{ ${COMPANY} }}` : custom,
	};
}

/** The options that the editor offers for a suspended wait. */
function offered({ resource, operation }: (typeof CASES)[number]): string[] {
	const options = contactData.description.properties
		.filter(({ name }) => name === 'options')
		.flatMap(({ options: entries = [] }) => entries)
		.filter((entry): entry is INodeProperties => 'displayName' in entry);
	const shown: Record<string, string> = {
		'/resource': resource,
		'/operation': operation,
		'/waitMode': 'suspend',
		'/inputMode': 'each',
	};
	const isOffered = ({ displayOptions }: INodeProperties) =>
		Object.entries(displayOptions?.show ?? {}).every(
			([name, values]) => shown[name] === undefined || values?.includes(shown[name]),
		);
	return [...new Set(options.filter(isOffered).map(({ name }) => name))];
}

it.for(CASES)('of $resource $operation none is left out here', (lookup) => {
	expect(Object.keys(optionsOf(lookup)).sort()).toEqual(offered(lookup).sort());
});

async function expectResumed(
	{ resource, operation, input, parameters }: (typeof CASES)[number],
	options: INodeParameters,
) {
	const given = { items: [{ ...input, company: 'acme' }], parameters, options };
	const execution = new Suspended(bench(), resource, operation, given);
	const parked = await execution.park();
	skipTime(JOB_MS);
	const call = await execution.call(parked);
	expect({ status: call.response?.status, error: call.error }).toEqual({ status: 200 });
	if (call.resumed === undefined) throw new Error('Not resumed');
	const [result] = resultsOf(await resumeWorkflow(execution.workflow, call.resumed));
	expect(result).toMatchObject({ status: 'completed', found: true });
	return result;
}

describe.for(CASES)('a parked $resource $operation', (lookup) => {
	const options = optionsOf(lookup);

	it('is resumed with the input fields and the custom data, which its input resolved', async () => {
		const result = await expectResumed(lookup, options);
		expect(result).toMatchObject({ ...lookup.input, company: 'acme', n: 0 });
		if (lookup.operation === 'submitAndWait') expect(JSON.stringify(result)).toContain('"Acme"');
	});

	it('is resumed without the input fields, where none of it can be resolved any more', async () => {
		const result = await expectResumed(lookup, { ...options, includeInputFields: asEver(false) });
		expect(result).not.toHaveProperty('company');
		expect(result).not.toHaveProperty('n');
	});
});

describe.for(CASES.slice(0, 2))('only the input can resolve one option of $operation', (lookup) => {
	const options = optionsOf(lookup);

	it.for(Object.keys(options))('%s, and the execution is resumed', async (name) => {
		await expectResumed(lookup, { [name]: options[name] });
	});
});

it('without the option, a parked execution is resumed without the input fields', async () => {
	const [lookup] = CASES;
	const result = await expectResumed(lookup, {});
	expect(result).not.toHaveProperty('company');
	expect(result).not.toHaveProperty('n');
});
