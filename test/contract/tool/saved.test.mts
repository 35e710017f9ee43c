import { expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, useBench } from '../../support/n8nCore/contactData.mts';
import { isMissing } from '../../support/n8nCore/missing.mts';

// What a tool was saved with, and the editor does not offer it.

const bench = useBench();
useFastClock();

it.for(['submitAndWait', 'submit'])(
	'where the model chooses the operation, a list of another one is not paid for (%s)',
	async (operation) => {
		const email = 'mustfind.asked@acme.example';
		const run = await bench().run('emailVerifier', "={{ $fromAI('operation') }}", {
			tool: 'requested',
			items: [{ operation }],
			parameters: { email, inputMode: 'array', verifications: '["mustfind.other@acme.example"]' },
		});
		if (isMissing('operations that a model chooses')) return bench().expectNothingSubmitted();
		expect(jsonOf(run)).toMatchObject([{ email }]);
		expect(bench().posts).toMatchObject([{ body: { email } }]);
	},
);
