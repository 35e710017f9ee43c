import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { useHarness } from '../support/n8n/harness.mts';
import { people } from '../support/people.mts';
import type { SandboxOptions } from '../support/sandbox/server.mts';
import { noResultForItem } from '../support/texts.mts';
import {
	CONTINUE,
	expectPaidOnce,
	FIND,
	hints,
	idsCharged,
	lookUp,
	pairs,
	SUSPEND_NOT_USED,
} from './paid.mts';
import { callbackUrl, looksOf, park, withService } from './parked.mts';

/** Longer than a test: it says when the lookups are over. */
const UNTIL_TOLD_MS = 240_000;
/** After its first look for a missed callback, the node looks again in 10 s. */
const BEFORE_NEXT_LOOK_MS = 8_000;
/** So much earlier than a result the service calls back. */
const EARLY_MS = 600;

const VERIFY = {
	resource: 'emailVerifier',
	email: "={{ $json.fullname.replaceAll(' ', '.') }}@acme.example",
};
const SUSPEND = { ...FIND, waitMode: 'suspend' };

const harness = useHarness();

const run = async (...given: Parameters<typeof lookUp>) =>
	await harness.n8n.api.runWorkflow(lookUp(...given));

describe.concurrent('a batch that does not list what it found', () => {
	const leads = [...people(1), { fullname: 'notfound number 1', n: 1 }, ...people(3).slice(2)];
	const unlisted = (id?: string) => `Batch ${id} is finished, but ${noResultForItem}`;

	it.for([
		['emailFinder', FIND],
		['emailVerifier', VERIFY],
	] as const)('gives an error for it, with its id (%s)', async ([, fields]) => {
		const options: SandboxOptions = { scenarios: ['leavesOutFound'] };
		await withService(harness, options, async (sandbox, credential) => {
			const parameters = { ...fields, operation: 'submitBulkAndWait' };
			const execution = await run(credential, leads, parameters, CONTINUE);
			const [batch_id] = idsCharged(sandbox);
			const error = unlisted(batch_id);
			expect(execution.json('Find')).toMatchObject([
				{ error, batch_id },
				{ found: false, batch_id },
				{ error, batch_id },
			]);
			expect(pairs(execution)).toEqual([0, 1, 2]);

			const stopped = await run(credential, leads, parameters);
			expect(stopped.status).toBe('error');
			const [, another] = idsCharged(sandbox);
			expect(stopped.nodeError('Find')?.message).toBe(unlisted(another));
			expect(stopped.nodeError('Find')?.description).toContain('Get Bulk Results');
		});
	});
});

describe.concurrent('a wait in which the execution is paused', () => {
	it('gives the result where Execute Once keeps n8n from parking', async () => {
		// Longer than it polls before it would park.
		await withService(harness, { single: 12_000 }, async (sandbox, credential) => {
			const execution = await run(credential, people(2), SUSPEND, { executeOnce: true });
			expect(execution.status).toBe('success');
			const [id] = idsCharged(sandbox);
			expect(execution.json('Find')).toMatchObject([{ id, status: 'completed', found: true }]);
			expect(pairs(execution)).toEqual([0]);
			expect(hints(execution)).toContainEqual(SUSPEND_NOT_USED);
			expectPaidOnce(sandbox, 1);
		});
	});

	it('goes on where only the input can resolve an option', async () => {
		await withService(harness, { single: UNTIL_TOLD_MS }, async (sandbox, credential) => {
			const options = { custom: '={{ { d: $json.company.toTitleCase() } }}' };
			const leads = people(2).map((lead) => ({ ...lead, company: 'acme' }));
			const parameters = { ...SUSPEND, options };
			const id = await park(harness, lookUp(credential, leads, parameters));
			sandbox.service.finish();
			const execution = await harness.n8n.api.waitForEnd(id);
			const result = { status: 'completed', found: true, custom: { d: 'Acme' } };
			expect(execution.json('Find')).toMatchObject([result, result]);
			expect(pairs(execution)).toEqual([0, 1]);
			// The other callback may come when this one has brought both results.
			const refusals = sandbox.deliveries.filter(({ outcome }) => outcome === 503);
			for (const { answer } of refusals) expect(answer).toContain('has its results');
			expectPaidOnce(sandbox, 2);
		});
	});

	it.for([
		['its id', (id: string) => ({ id })],
		['nothing', () => ({})],
	] as const)(
		'goes on where each callback comes before its result can be read (with %s)',
		async ([, bodyOf]) => {
			const options: SandboxOptions = { single: UNTIL_TOLD_MS, webhooks: { send: 'none' } };
			await withService(harness, options, async (sandbox, credential) => {
				const execution = await park(harness, lookUp(credential, people(2), SUSPEND));
				const before = looksOf(sandbox).length;
				await sandbox.waitFor(() => looksOf(sandbox).length > before);
				// One after the other: together, one would make up for the other.
				for (const id of idsCharged(sandbox)) {
					sandbox.service.finish((lookup) => (lookup.id === id ? EARLY_MS : UNTIL_TOLD_MS));
					const body = JSON.stringify(bodyOf(id));
					const headers = { 'content-type': 'application/json' };
					await fetch(callbackUrl(sandbox), { method: 'POST', body, headers });
				}
				const ended = await harness.n8n.api.waitForEnd(execution, {
					timeoutMs: BEFORE_NEXT_LOOK_MS,
				});
				const result = { status: 'completed', found: true };
				expect(ended.json('Find')).toMatchObject([result, result]);
				expect(pairs(ended)).toEqual([0, 1]);
				expectPaidOnce(sandbox, 2);
			});
		},
	);

	it('gives the fields of the input that are called as its own, as Keep Running does', async () => {
		await withService(harness, { single: UNTIL_TOLD_MS }, async (sandbox, credential) => {
			const kept = {
				index: 'index of the user',
				raw_params: { fullname: 'of the user' },
				params: { socialprofile_url: 'https://user.example' },
			};
			const hidden = { id: 'id of the user', status: 'status of the user', found: 'of the user' };
			const leads = people(2).map((lead) => ({ ...lead, ...kept, ...hidden }));
			const parametersOf = (waitMode: string): INodeParameters => ({
				...FIND,
				waitMode,
				options: { includeInputFields: true },
			});
			const id = await park(harness, lookUp(credential, leads, parametersOf('suspend')));
			sandbox.service.finish();
			const suspended = (await harness.n8n.api.waitForEnd(id)).json('Find');
			expect(suspended).toMatchObject([
				{ ...kept, n: 0, status: 'completed', found: true },
				{ ...kept, n: 1, status: 'completed', found: true },
			]);
			expect(new Set(suspended.map((result) => result.id))).toEqual(idsCharged(sandbox));
			expectPaidOnce(sandbox, 2);

			sandbox.configure({ single: 0 });
			const polled = (await run(credential, leads, parametersOf('poll'))).json('Find');
			const withoutId = (results: IDataObject[]) => results.map((json) => ({ ...json, id: '' }));
			expect(withoutId(suspended)).toEqual(withoutId(polled));
		});
	});
});
