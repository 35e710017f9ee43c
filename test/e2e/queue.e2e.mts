import type { INodeParameters } from 'n8n-workflow';
import { expect, it } from 'vitest';

import { describeQueueMode } from '../support/n8n/queueHarness.mts';
import { chain, contactData, editFields, items } from '../support/n8n/workflows.mts';
import { people } from '../support/people.mts';
import { publishFinder, untilAll } from './queueWorkflow.mts';

const PARKED = 50;
/** Longer than a test: it says when the lookups are over. */
const UNTIL_TOLD_MS = 280_000;

describeQueueMode((harness) => {
	const api = () => harness.n8n.main.api;
	const publish = async (parameters: INodeParameters) =>
		await publishFinder(api(), harness.n8n.webhookUrl, harness.credential, parameters);

	it("what the editor's button starts is run by a worker, paused and resumed", async () => {
		const { sandbox, n8n, credential } = harness;
		sandbox.configure({ single: UNTIL_TOLD_MS });
		const find = contactData('Find', credential, {
			resource: 'emailFinder',
			operation: 'submitAndWait',
			fullname: '={{ $json.fullname }}',
			companyDomain: 'acme.example',
			waitMode: 'suspend',
		});
		const after = editFields('After', { n: "={{ $('Leads').item.json.n }}" });
		const leads = items('Leads', people(2, 'by hand'));
		const id = await api().startWorkflow(chain('By hand', leads, find, after));
		await api().waitForStatus(id, (status) => status === 'waiting');
		const ranIt = n8n.workers.filter((worker) => worker.logs().includes(`execution ${id} `));
		expect(ranIt).toHaveLength(1);
		sandbox.service.finish();
		const execution = await api().waitForEnd(id);
		expect(execution.record).toMatchObject({ status: 'success', mode: 'manual' });
		expect(execution.json('Find')).toMatchObject(Array(2).fill({ found: true }));
		expect(execution.json('After').map(({ n }) => n)).toEqual(['0', '1']);
		expect(sandbox.ledger.entries).toHaveLength(2);
	});

	it(`a worker that is killed while ${PARKED} executions are parked loses none`, async () => {
		const { sandbox } = harness;
		const account = sandbox.service.account();
		expect(account.credits).toBeGreaterThan(PARKED);
		sandbox.configure({ single: UNTIL_TOLD_MS });
		const { workflowId, start } = await publish({
			operation: 'submitAndWait',
			waitMode: 'suspend',
		});
		for (let one = 0; one < PARKED; one++) {
			const [lead] = people(1, `execution ${one}`);
			await start([{ ...lead, n: one }]);
		}
		await untilAll(api(), PARKED, workflowId, 'waiting');
		const [victim, survivor] = harness.n8n.workers;
		await victim?.end('SIGKILL');
		expect([victim?.isRunning, survivor?.isRunning]).toEqual([false, true]);
		sandbox.service.finish();
		await untilAll(api(), PARKED, workflowId, 'success');
		const executions = await api().listExecutions({ workflowId });
		expect(executions).toHaveLength(PARKED);
		const numbers = new Set<unknown>();
		for (const { id } of executions) {
			const after = (await api().getExecution(id)).json('After');
			expect(after).toMatchObject([{ found: 'true' }]);
			numbers.add(after[0]?.n);
		}
		expect(numbers.size).toBe(PARKED);
		const searched = sandbox.ledger.entries.flatMap(({ searches }) => searches);
		expect(searched).toHaveLength(PARKED);
		expect(new Set(searched).size).toBe(PARKED);
	}, 300_000);

	// Workers share what n8n saves of an execution, and not what each of them remembers of the last day.
	it('the same search is paid once by each worker, and no more', { tags: 'long' }, async () => {
		const { n8n, sandbox } = harness;
		const [one, other] = n8n.workers;
		if (one === undefined || other === undefined) throw new Error('There are two workers.');
		const { workflowId, start } = await publish({ operation: 'submitAndWait' });
		let ended = 0;
		/** Searches for the same person again and again; each execution begins when the last one is over. */
		const search = async (mark: string, times: number) => {
			for (let time = 0; time < times; time++) {
				await start(people(1, mark));
				await untilAll(api(), ++ended, workflowId, 'success');
			}
		};
		const paidFor = (mark: string) =>
			sandbox.ledger.entries.filter(({ searches }) => searches.join().includes(mark)).length;

		await one.end('SIGTERM');
		if (!other.isRunning) await n8n.launch(other);
		await search('alone', 3);
		expect(paidFor('alone')).toBe(1);

		await n8n.launch(one);
		await search('both', 6);
		await other.end('SIGTERM');
		await search('both', 1);
		expect(paidFor('both')).toBeGreaterThanOrEqual(1);
		expect(paidFor('both')).toBeLessThanOrEqual(n8n.workers.length);

		await search('alone', 2);
		expect(paidFor('alone')).toBe(2);
	});
});
