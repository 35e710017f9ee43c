import type { INodeParameters, INodeProperties } from 'n8n-workflow';
import { describe, expect, it, vi } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { contactData, useBench } from '../../support/n8nCore/contactData.mts';
import { resultsOf, Suspended } from './suspended.mts';

// When the service calls back, `$json` is no longer the item that the parameters were written for. That the
// results are those of a poll, `sameAsPollProperty.test.mts` says.

const JOB_MS = 600_000;

const bench = useBench({ single: JOB_MS, bulk: JOB_MS });
useFastClock();
// Sockets keep their own time, and another's load.
vi.setConfig({ testTimeout: 60_000 });

/** What no item but the input's can resolve: n8n's `toTitleCase` throws on what is not there. */
const COMPANY = '$json.company.toTitleCase()';
const asEver = (value: unknown) =>
	`={{ ${COMPANY} === 'Acme' ? ${JSON.stringify(value)} : undefined }}`;

const OPTIONS: INodeParameters = {
	custom: `={{ { d: ${COMPANY} } }}`,
	dryRun: asEver(false),
	earlierId: asEver(''),
	includeInputFields: asEver(true),
	maxCredits: asEver(1000),
	timeout: asEver(3000),
	countryCode: asEver('FR'),
	retrieveGender: asEver(true),
	retrieveCompanyInfo: asEver(true),
	searchAgain: asEver(false),
};
const CASES = [
	{ operation: 'submitAndWait', options: OPTIONS },
	{ operation: 'submitBulkAndWait', options: { ...OPTIONS, itemCustom: `={{ ${COMPANY} }}` } },
] as const;

/** The options that the editor offers for a suspended wait of the email finder, which has most. */
function offered(operation: string): string[] {
	const options = contactData.description.properties
		.filter(({ name }) => name === 'options')
		.flatMap(({ options: entries = [] }) => entries)
		.filter((entry): entry is INodeProperties => 'displayName' in entry);
	const shown: Record<string, string> = {
		'/resource': 'emailFinder',
		'/operation': operation,
		'/waitMode': 'suspend',
		'/inputMode': 'each',
	};
	const isOffered = ({ displayOptions, type }: INodeProperties) =>
		type !== 'hidden' &&
		Object.entries(displayOptions?.show ?? {}).every(
			([name, values]) => shown[name] === undefined || values?.includes(shown[name]),
		);
	return [...new Set(options.filter(isOffered).map(({ name }) => name))];
}

describe.for(CASES)('a parked $operation', ({ operation, options }) => {
	it('has each option here that the editor offers', () => {
		expect(Object.keys(options).sort()).toEqual(offered(operation).sort());
	});

	// Without the fields of its input nothing can be resolved any more.
	it.for([true, false])(
		'is resumed with what its input resolved (Include Input Fields: %s)',
		async (includeInput) => {
			const execution = new Suspended(bench(), 'emailFinder', operation, {
				items: [{ fullname: 'mustfind one', company: 'acme', note: 'own' }],
				parameters: {
					fullname: `={{ $json.fullname + (${COMPANY} === 'Acme' ? '' : ' x') }}`,
					companyDomain: `={{ ${COMPANY}.toLowerCase() }}.example`,
				},
				options: { ...options, includeInputFields: asEver(includeInput) },
			});
			const [result] = resultsOf(await execution.runThrough(JOB_MS));
			expect(result).toMatchObject({ status: 'completed', found: true });
			const { note, company, n } = result ?? {};
			const own = includeInput ? { note: 'own', company: 'acme', n: 0 } : {};
			expect({ note, company, n }).toEqual(own);
			if (operation === 'submitAndWait') expect(JSON.stringify(result?.custom)).toContain('"Acme"');
		},
	);
});
