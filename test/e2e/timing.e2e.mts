import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';

import { useHarness } from '../support/n8n/harness.mts';
import { lacks } from '../support/n8n/lacks.mts';
import { chain, contactData, madeItems } from '../support/n8n/workflows.mts';
import { callbackUrl, looksOf, park, withService, workflow } from './parked.mts';

// What is judged by the clock: this file runs when no other does.

const harness = useHarness();

/** What n8n notes of a cancelled execution that ran; the node's log has the ids as well. */
const NOTES_CANCELLED = !lacks('custom data of a cancelled execution');

it.for(['poll', 'suspend'])(
	'a waiting execution is stopped at once, and the ids are kept (%s)',
	async (mode) => {
		await withService(harness, { single: 300_000 }, async (sandbox, credential) => {
			const { api } = harness.n8n;
			const toRun = workflow(credential, 3, { waitMode: mode });
			const id = mode === 'suspend' ? await park(harness, toRun) : await api.startWorkflow(toRun);
			// A parked execution is looked at rarely.
			const looksBefore = mode === 'poll' ? 6 : 1;
			await sandbox.waitFor(() => looksOf(sandbox).length >= looksBefore, 60_000);
			const stopped = Date.now();
			await api.stopExecution(id);
			const execution = await api.waitForEnd(id);
			const tookMs = Date.now() - stopped;
			console.log(`stopped (${mode}) in ${tookMs} ms`);
			expect(execution.status).toBe('canceled');
			expect(tookMs).toBeLessThan(1_000);
			const looks = looksOf(sandbox).length;
			const noted = NOTES_CANCELLED ? execution.record.customData : harness.n8n.logs();
			const keptText = JSON.stringify(mode === 'suspend' ? execution.record.data : noted);
			for (const entry of sandbox.ledger.entries) expect(keptText).toContain(entry.id);
			await delay(3_000);
			// The process does not learn that a parked execution was stopped.
			expect(looksOf(sandbox).length - looks).toBeLessThanOrEqual(mode === 'suspend' ? 1 : 0);
			if (mode === 'suspend') {
				const { status } = await fetch(callbackUrl(sandbox), { method: 'POST' });
				expect(status).not.toBe(200);
				expect((await api.getExecution(id)).status).toBe('canceled');
			}
		});
	},
);

it(
	'a parked execution with 100 singles is resumed soon, for few reads',
	{ tags: 'long' },
	async () => {
		const spread = ({ searches }: { searches: readonly { canonical: string }[] }) =>
			26_000 + 80 * ((37 * Number(/number (\d+)/.exec(searches[0]?.canonical ?? '')?.[1])) % 100);
		await withService(harness, { single: spread }, async (sandbox, credential) => {
			const id = await park(harness, workflow(credential, 100));
			const before = looksOf(sandbox).length;
			const execution = await harness.n8n.api.waitForEnd(id);
			const last = Math.max(
				...sandbox.ledger.entries.map(
					({ at, searches }) =>
						at + spread({ searches: searches.map((canonical) => ({ canonical })) }),
				),
			);
			const resumedAfter = Date.parse(execution.record.stoppedAt ?? '') - last;
			const looks = looksOf(sandbox).slice(before);
			const counts = new Map<string | undefined, number>();
			for (const { query } of looks) counts.set(query.id, (counts.get(query.id) ?? 0) + 1);
			console.log(
				`100 parked singles: ${looks.length} reads after parking (${Math.max(...counts.values())} at most of one), resumed ${resumedAfter} ms after the last result`,
			);
			expect(execution.json('After').map(({ n }) => n)).toEqual(
				Array.from({ length: 100 }, (_, n) => String(n)),
			);
			expect(new Set(execution.json('After').map(({ id: one }) => one)).size).toBe(100);
			expect(looks.length).toBeLessThanOrEqual(400);
			expect(resumedAfter).toBeLessThan(10_000);
		});
	},
);

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
	console.info(`three workflows at once: ${posts.length} POSTs, ${refused} of them 429`);
	expect(harness.sandbox.ledger.totals().searches).toBe(210);
	expect(harness.sandbox.ledger.chargedTwice()).toEqual([]);
	// What leaves in time can come too early: the way to the service is not always equally long.
	expect(refused).toBeLessThan(0.05 * posts.length);
	// At half the pace it would take twice as long.
	const [first, last] = [posts.at(0), posts.at(-1)].map((post) => post?.at ?? NaN);
	expect(last - first).toBeLessThan(1.5 * 100 * posts.length);
});
