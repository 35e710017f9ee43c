import type { INodeType } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { contactData, jsonOf, shownError, useBench } from '../../support/n8nCore/contactData.mts';
import { runNode } from '../../support/n8nCore/execute.mts';
import { addresses, expectChargedOnce, idsCharged, MAIL } from '../spending/money.mts';

// An id that was received is in what the user sees, whatever goes wrong after that.

const bench = useBench();
useFastClock();

/** An n8n that fails once something is paid for. */
const inBrokenN8n: INodeType = {
	description: contactData.description,
	async execute() {
		this.addExecutionHints = () => {
			if (idsCharged(bench()).length > 0) throw new Error('There is no place for hints any more');
		};
		return await contactData.execute.call(this);
	},
};

describe.for(['submitAndWait', 'submitBulkAndWait', 'submit'])(
	'%s: a failure of n8n after the start',
	(operation) => {
		const given = { parameters: MAIL, options: { includeInputFields: true } };
		const fail = async (settings: object) =>
			await runNode({
				...bench().node('emailVerifier', operation, { ...given, settings }),
				node: inBrokenN8n,
				credentials: bench().credentials,
				items: addresses(3),
			});

		it('names the ids', async () => {
			const { message, description } = shownError(await fail({}), bench().sandbox.apiKey);
			expect(message).toBe('There is no place for hints any more');
			expect(idsCharged(bench())).not.toEqual([]);
			for (const id of idsCharged(bench())) expect(description).toContain(id);
		});

		it('names the ids under Continue', async () => {
			const run = await fail({ onError: 'continueRegularOutput' });
			const text = JSON.stringify(jsonOf(run));
			for (const id of idsCharged(bench())) expect(text).toContain(id);
		});

		it('is tried again without a payment', async () => {
			const { contextData } = await fail({});
			const again = { ...given, items: addresses(3), contextData };
			jsonOf(await bench().run('emailVerifier', operation, again));
			expectChargedOnce(bench(), 3);
		});
	},
);
