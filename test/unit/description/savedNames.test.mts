import type { INodeProperties } from 'n8n-workflow';
import { expect, it } from 'vitest';
import { ContactDataApi } from '../../../credentials/ContactDataApi.credentials.ts';
import { ContactData } from '../../../nodes/ContactData/ContactData.node.ts';
import { ContactDataTrigger } from '../../../nodes/ContactData/ContactDataTrigger.node.ts';
import { choicesOf, optionsOf } from '../../support/properties.mts';

// Users' workflows are saved with these names and values: one that changes breaks them.

const OPERATIONS = 'getBulkResult getResult submit submitAndWait submitBulk submitBulkAndWait';
const EVENTS = ['emailFinder', 'emailVerifier', 'phoneFinder']
	.flatMap((name) => [`${name}Bulk`, `${name}Single`])
	.join(' ');

const nodes = [new ContactData(), new ContactDataTrigger()].map(({ description }) => description);
const credential = new ContactDataApi();

it('the nodes, their version and credential, and the paths that n8n is called by', () => {
	const saved = nodes.map(({ name, version, credentials = [], webhooks = [] }) => [
		...[name, version],
		...credentials.map((one) => one.name),
		...webhooks.map((one) => one.path),
	]);
	expect(saved).toEqual([
		['contactData', 1, 'contactDataApi', 'contact-data'],
		['contactDataTrigger', 1, 'contactDataApi', 'webhook'],
	]);
	expect(credential.name).toBe('contactDataApi');
});

it('the parameters of the action node, and the values of those that are chosen', () => {
	expect(namesIn(nodes[0]?.properties)).toEqual([
		'batchId',
		'companyDomain',
		'companyName',
		'email',
		'firstname',
		'fullname',
		'identifyBy: nameAndCompany profileUrl urlOrName',
		'inputMode: array each',
		'lastname',
		'lookupId',
		'nameFormat: firstAndLastName fullName',
		`operation: ${OPERATIONS}`,
		'operation: getInfo',
		'options',
		'resource: account emailFinder emailVerifier phoneFinder',
		'searches',
		'simplify',
		'socialProfileUrl',
		'splitResults',
		'verifications',
		'waitMode: poll suspend',
	]);
});

it('the options of the action node', () => {
	expect(namesIn(nodes[0]?.properties.flatMap(optionsOf))).toEqual([
		'countryCode',
		'custom',
		'dryRun',
		'dry_run',
		'earlierId',
		'earlier_id',
		'includeInputFields',
		'itemCustom',
		'length',
		'maxCredits',
		'max_credits',
		'onTimeout: error output',
		'retrieveCompanyInfo',
		'retrieveGender',
		'searchAgain',
		'timeout',
		'waitForResult',
		'webhook: list trigger url',
	]);
});

it('the parameters of the trigger and of the credential', () => {
	const shown = nodes[1]?.properties.filter(({ type }) => type !== 'notice');
	expect(namesIn(shown)).toEqual([`events: ${EVENTS}`, 'onlyFound', 'simplify', 'splitResults']);
	const ofCredential = ['apiKey', 'baseUrl', 'requestsPerSecond'];
	expect(namesIn(credential.properties)).toEqual(expect.arrayContaining(ofCredential));
});

/** Each name once, with what can be chosen for it; the order is the editor's business. */
function namesIn(properties: INodeProperties[] = []): string[] {
	const names = properties.map((property) => {
		const modes = property.modes ?? [];
		const values = [
			...choicesOf(property).map(({ value }) => value),
			...modes.map(({ name }) => name),
		];
		return [property.name, values.sort().join(' ')].filter((part) => part !== '').join(': ');
	});
	return [...new Set(names)].sort();
}
