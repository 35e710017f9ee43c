import { describe, expect, it } from 'vitest';
import { chain, code, contactData, editFields, madeItems } from '../support/n8n/workflows.mts';
import { useHarness } from '../support/n8n/harness.mts';

const harness = useHarness();

const staff = (count: number, company: string) =>
	madeItems(
		'People',
		count,
		`{ n, name: 'Person Number ' + n, domain: '${company}.example', profile: 'https://www.linkedin.com/in/person-' + n, email: 'person.' + n + '@${company}.example' }`,
	);

const FIELDS = {
	emailFinder: { fullname: '={{ $json.name }}', companyDomain: '={{ $json.domain }}' },
	emailVerifier: { email: '={{ $json.email }}' },
	phoneFinder: { socialProfileUrl: '={{ $json.profile }}' },
};

const find = (operation: string, settings = {}) =>
	contactData(
		'Find',
		harness.credential,
		{ resource: 'emailFinder', operation, ...FIELDS.emailFinder },
		settings,
	);

/** The third submission is refused once. */
const refuseThird = () =>
	harness.sandbox.faults.add({
		on: 'POST /email/find/single',
		kind: 'status',
		status: 400,
		body: { message: 'invalid JSON input' },
		skip: 2,
	});

describe('a run that breaks half way', () => {
	it('goes on with Retry On Fail, and pays each search once', async () => {
		refuseThird();
		const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 100 };
		const workflow = chain('Retry on fail', staff(6, 'acme'), find('submitAndWait', settings));
		const run = await harness.n8n.api.runWorkflow(workflow);
		expect(run.status).toBe('success');
		expect(run.json('Find')).toHaveLength(6);
		const { ledger } = harness.sandbox;
		expect(ledger.totals().searches).toBe(6);
		expect(ledger.chargedTwice()).toEqual([]);
	});

	it('goes on with the Retry button, and pays each search once', async () => {
		refuseThird();
		const workflow = chain('Retry button', staff(6, 'acme'), find('submitAndWait'));
		const { api } = harness.n8n;
		const failed = await api.runWorkflow(workflow);
		expect(failed.status).toBe('error');
		const paid = harness.sandbox.ledger.totals().searches;
		expect(paid).toBeGreaterThanOrEqual(2);
		expect(paid).toBeLessThan(6);

		const retried = await api.retryExecution(failed.id);
		expect(retried.status).toBe('success');
		expect(retried.json('Find')).toHaveLength(6);
		expect(harness.sandbox.ledger.totals().searches).toBe(6);
		expect(harness.sandbox.ledger.chargedTwice()).toEqual([]);
	});
});

it('pays 300 singles once each, and pairs them', { tags: 'long' }, async () => {
	const workflow = chain(
		'Singles',
		staff(300, 'acme'),
		find('submitAndWait'),
		editFields('Paired', { n: "={{ $('People').item.json.n }}" }),
	);
	const run = await harness.n8n.api.runWorkflow(workflow, { timeoutMs: 180_000 });
	expect(run.status).toBe('success');
	expect(run.json<{ n: string }>('Paired').map(({ n }) => Number(n))).toEqual([
		...Array(300).keys(),
	]);
	expect(harness.sandbox.ledger.totals().searches).toBe(300);
	expect(harness.sandbox.ledger.chargedTwice()).toEqual([]);
});

it.for([
	['emailFinder', 3],
	['emailVerifier', 3],
	['phoneFinder', 4],
] as const)('brings 12,000 results of the %s back to their items', async ([resource, batches]) => {
	harness.sandbox.service.account().credits = 1_000_000;
	const workflow = chain(
		resource,
		staff(12_000, 'acme'),
		contactData('Find', harness.credential, {
			resource,
			operation: 'submitBulkAndWait',
			// As the service tells it: what it repeats is what was asked.
			simplify: false,
			...FIELDS[resource],
		}),
		// Read for each item, as a later node does; one node that runs once keeps it quick.
		code(
			'Check',
			`const wrong = $input.all().filter((item, n) => {
				const person = $('People').itemMatching(n).json;
				const { raw_params, params, email } = item.json;
				const asked = raw_params?.fullname ?? params?.linkedin_url ?? params?.socialprofile_url ?? email;
				return person.n !== n || ![person.name, person.profile, person.email].includes(asked);
			});
			return [{ json: { items: $input.all().length, wrong: wrong.length } }];`,
		),
	);
	const run = await harness.n8n.api.runWorkflow(workflow, { timeoutMs: 240_000 });
	expect(run.status).toBe('success');
	expect(run.json('Check')).toEqual([{ items: 12_000, wrong: 0 }]);
	const posts = harness.sandbox.requests.filter(({ method }) => method === 'POST');
	expect(posts).toHaveLength(batches);
});

it('keeps to the pace of the key with three workflows at once', { tags: 'long' }, async () => {
	const { api } = harness.n8n;
	const find = (name: string) =>
		chain(
			name,
			madeItems('People', 70, "{ name: 'Person Number ' + n }"),
			contactData('Find', harness.credential, {
				resource: 'emailFinder',
				operation: 'submitAndWait',
				fullname: '={{ $json.name }}',
				companyDomain: `${name}.example`,
			}),
		);
	const ids = await Promise.all(
		['one', 'two', 'three'].map(async (name) => await api.startWorkflow(find(name))),
	);
	const runs = await Promise.all(ids.map(async (id) => await api.waitForEnd(id)));
	expect(runs.map(({ status }) => status)).toEqual(['success', 'success', 'success']);
	expect(runs.flatMap((run) => run.json('Find'))).toHaveLength(210);

	const posts = harness.sandbox.requests.filter(({ method }) => method === 'POST');
	const refused = posts.filter(({ status }) => status === 429).length;
	expect(harness.sandbox.ledger.totals().searches).toBe(210);
	expect(harness.sandbox.ledger.chargedTwice()).toEqual([]);
	// What leaves in time can come too early: the way to the service is not always equally long.
	expect(refused).toBeLessThan(0.05 * posts.length);
	// At half the pace it would take twice as long.
	const [first, last] = [posts.at(0), posts.at(-1)].map((post) => post?.at ?? NaN);
	expect(last - first).toBeLessThan(1.5 * 100 * posts.length);
});
