import type { INodeParameters } from 'n8n-workflow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { CredentialRef } from '../support/n8n/api.mts';
import { credentialFor, useHarness } from '../support/n8n/harness.mts';
import { saveListener, sendTo, triggerUrlOf, waitForStart } from '../support/n8n/trigger.mts';
import { chain, contactData, items } from '../support/n8n/workflows.mts';
import { StandIn } from '../support/standIn.mts';
import { workflowStarted } from '../support/texts.mts';

// Forms that the service's document leaves open, on a real n8n; all of them: contract/answers.

const harness = useHarness();
const standIn = new StandIn();
let credential: CredentialRef;

beforeAll(async () => {
	await standIn.open();
	credential = await harness.n8n.api.importCredential(credentialFor(standIn.credential));
});
afterAll(() => standIn.close());

async function find(
	resource: string,
	operation: string,
	leads: Array<Record<string, string>>,
	parameters: INodeParameters,
) {
	const settings = { onError: 'continueRegularOutput' } as const;
	const node = contactData('Find', credential, { resource, operation, ...parameters }, settings);
	const workflow = chain('Forms', items('Leads', leads), node);
	return (await harness.n8n.api.runWorkflow(workflow)).json('Find');
}

it('phones that name the profile linkedin_url, and one of which the other is left out', async () => {
	const entry = (index: number, number: string, who: string) => ({
		index,
		number,
		country: 'US',
		params: { linkedin_url: `https://www.linkedin.com/in/${who}` },
		qualification: 'found',
	});
	const stats = { requested: 3, found: 2, credits_cost: 150, credits_to_refund: 50 };
	const results = [entry(0, '+1', 'ada'), entry(0, '+2', 'ada'), entry(1, '+3', 'bea')];
	standIn.say({ get: { body: { general: { status: 'completed' }, stats, results } } });
	const leads = ['ada', 'bea', 'cem'].map((who) => ({ who }));
	const found = await find('phoneFinder', 'submitBulkAndWait', leads, {
		socialProfileUrl: '=https://www.linkedin.com/in/{{ $json.who }}',
	});
	expect(found).toMatchObject([
		{ number: '+1', found: true },
		{ number: '+3', found: true },
		{ qualification: 'not_found', found: false },
	]);
});

it('names told in ASCII', async () => {
	const leads = [{ name: 'Änne Öhler' }, { name: 'Bob Stone' }];
	const results = ['Aenne Oehler', 'Robert Stone'].map((fullname, index) => ({
		index: String(index),
		email: `${index}@acme.example`,
		raw_params: { fullname, company_domain: 'acme.example' },
		qualification: 'valid',
	}));
	standIn.say({ get: { body: { general: { status: 'completed' }, results } } });
	const found = await find('emailFinder', 'submitBulkAndWait', leads, {
		fullname: '={{ $json.name }}',
		companyDomain: 'acme.example',
	});
	expect(found).toMatchObject([{ email: '0@acme.example' }, { email: '1@acme.example' }]);
});

it('a verifier batch in progress without a status word', async () => {
	const body = { general: { id: 'x' }, stats: { requested: 2, valid: 1 } };
	const results = ['a@acme.example', 'b@acme.example'].map((email) => ({
		email,
		qualification: 'valid',
	}));
	const running = [
		{ body: { ...body, results: results.slice(0, 1) } },
		{ body: { ...body, results: [results[0], { email: 'b@acme.example', qualification: null }] } },
	];
	standIn.say({ get: [...running, { body: { ...body, results } }] });
	const leads = results.map(({ email }) => ({ email }));
	const found = await find('emailVerifier', 'submitBulkAndWait', leads, {
		email: '={{ $json.email }}',
	});
	expect(found).toMatchObject([{ found: true }, { found: true }]);
	expect(standIn.count('GET')).toBe(3);
});

it('an id that is not known, and an account without credits', async () => {
	standIn.say({
		get: { status: 404, body: { message: 'Not Found' } },
		post: { status: 422, body: { message: 'Insufficient balance' } },
	});
	const [unknown] = await find('emailFinder', 'getResult', [{ id: 'my-id' }], {
		lookupId: '={{ $json.id }}',
	});
	expect(unknown).toMatchObject({ error: 'The service does not know this ID: my-id' });
	const refused = await find('emailFinder', 'submitBulk', [{ name: 'Ada Hart' }], {
		fullname: '={{ $json.name }}',
		companyDomain: 'acme.example',
	});
	expect(refused).toMatchObject([
		{ error: 'Insufficient balance', description: expect.stringMatching(/^Add credits/) as string },
	]);
});

describe('a notification', () => {
	const FOUND = { body: { email: 'a@acme.example', qualification: 'valid' } };
	it.for<[string, string | undefined, string]>([
		['before the result can be read', 'application/json', 'early-1'],
		['without a content type', undefined, 'bare-1'],
		['as application/octet-stream', 'application/octet-stream', 'octets-1'],
	])('%s starts the workflow', async ([, contentType, id]) => {
		const { api } = harness.n8n;
		const workflowId = await saveListener({ n8n: trigger(), credential }, id);
		await api.activate(workflowId);
		const url = `${await triggerUrlOf(trigger(), workflowId)}?event=emailFinderSingle`;
		standIn.say({ get: [{ status: 500, body: { message: 'Could not retrieve' } }, FOUND] });
		const body = Buffer.from(JSON.stringify({ event: 'single_search_finished', id }));
		const headers = { ...(contentType !== undefined && { 'content-type': contentType }) };
		const answer = await sendTo(url, { headers, body });
		expect(await answer.json()).toMatchObject({ message: workflowStarted });
		const [item] = (await waitForStart(api, workflowId)).json('After');
		expect(item).toEqual({ event: 'emailFinderSingle', id });
	});
});

const trigger = () => ({ ...harness.n8n, webhookUrl: harness.n8n.url });
