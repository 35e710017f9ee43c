import { expect, it } from 'vitest';
import {
	chain,
	code,
	contactData,
	madeItems,
	triggeredChain,
	webhookTrigger,
} from '../support/n8n/workflows.mts';
import { useHarness } from '../support/n8n/harness.mts';
import { expectPaidOnce, FIND } from './paid.mts';

const harness = useHarness();

it('pays once for a webhook that fires three times for one lead', async () => {
	const { n8n, sandbox, credential } = harness;
	const path = 'three-times';
	const lead = contactData('Find', credential, { ...FIND, fullname: 'mustfind ada' });
	// It answers when the workflow is over.
	const webhook = webhookTrigger(path, { responseMode: 'lastNode' });
	const id = await n8n.api.importWorkflow(triggeredChain(path, webhook, lead));
	await n8n.api.activate(id);
	const call = async () => (await fetch(`${n8n.url}webhook/${path}`, { method: 'POST' })).status;
	expect(await Promise.all([call(), call(), call()])).toEqual([200, 200, 200]);
	expectPaidOnce(sandbox, 1);
});

it('brings 12,000 results back to their items', async () => {
	const workflow = chain(
		'Large',
		madeItems('People', 12_000, "{ n, fullname: 'Person Number ' + n }"),
		contactData('Find', harness.credential, {
			...FIND,
			operation: 'submitBulkAndWait',
			// As the service tells it: what it repeats is what was asked.
			simplify: false,
		}),
		// Read for each item, as a later node does; one node that runs once keeps it quick.
		code(
			'Check',
			`const wrong = $input.all().filter((item, n) => {
				const person = $('People').itemMatching(n).json;
				return person.n !== n || person.fullname !== item.json.raw_params.fullname;
			});
			return [{ json: { items: $input.all().length, wrong: wrong.length } }];`,
		),
	);
	const run = await harness.n8n.api.runWorkflow(workflow, { timeoutMs: 240_000 });
	expect(run.status).toBe('success');
	expect(run.json('Check')).toEqual([{ items: 12_000, wrong: 0 }]);
	const posts = harness.sandbox.requests.filter(({ method }) => method === 'POST');
	expect(posts).toHaveLength(3);
});

it('keeps to the pace of the key with three workflows at once', { tags: 'long' }, async () => {
	const { api } = harness.n8n;
	const find = (name: string) =>
		chain(
			name,
			madeItems('People', 70, "{ fullname: 'Person Number ' + n }"),
			contactData('Find', harness.credential, { ...FIND, companyDomain: `${name}.example` }),
		);
	const ids = await Promise.all(
		['one', 'two', 'three'].map(async (name) => await api.startWorkflow(find(name))),
	);
	const runs = await Promise.all(ids.map(async (id) => await api.waitForEnd(id)));
	expect(runs.map(({ status }) => status)).toEqual(['success', 'success', 'success']);
	expect(runs.flatMap((run) => run.json('Find'))).toHaveLength(210);

	const posts = harness.sandbox.requests.filter(({ method }) => method === 'POST');
	const refused = posts.filter(({ status }) => status === 429).length;
	expectPaidOnce(harness.sandbox, 210);
	// What leaves in time can come too early: the way to the service is not always equally long.
	expect(refused).toBeLessThan(0.05 * posts.length);
	// At half the pace it would take twice as long.
	const [first, last] = [posts.at(0), posts.at(-1)].map((post) => post?.at ?? NaN);
	expect(last - first).toBeLessThan(1.5 * 100 * posts.length);
});
