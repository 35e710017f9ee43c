import fc from 'fast-check';
import { expect, it } from 'vitest';
import { jsonOf, pairedWith, useBench } from '../../support/n8nCore/contactData.mts';
import { LOOKUP_NAMES, waysToAsk } from '../../support/searches.mts';

const bench = useBench();

/** Texts of which some are good, and values of which none is. */
const value = (good: string[]) =>
	fc.oneof(
		fc.constantFrom(...good),
		fc.string({ unit: 'binary', maxLength: 40 }),
		fc.constantFrom('', ' ', '\u0000', 'x'.repeat(10_240), '{{ 1 }}', '=1+1', '🦊', 'محمد'),
		fc.jsonValue({ maxDepth: 2 }),
	);
const record = fc.record({
	name: value(['Ada Lovelace', 'عدا']),
	domain: value(['acme.com', 'https://www.acme.com/x']),
	company: value(['Acme', 'Müller & Söhne']),
	mail: value(['ada@acme.com', 'eve@acme.com']),
	url: value(['https://social.example/in/ada', 'social.example/in/eve']),
});
const BY_KIND = {
	name: '={{ $json.name }}',
	company: '={{ $json.company }}',
	domain: '={{ $json.domain }}',
	email: '={{ $json.mail }}',
	url: '={{ $json.url }}',
};
const CASES = LOOKUP_NAMES.flatMap((resource) =>
	waysToAsk(resource, BY_KIND).map((parameters) => ({ resource, parameters })),
);

it.for(CASES)(
	'any input whatever of $resource, $parameters: an answer for each item, and nothing sent in vain',
	async ({ resource, parameters }) => {
		bench().sandbox.service.account().credits = 1e9;
		await fc.assert(
			fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 20 }), async (records) => {
				const run = await bench().run(resource, 'submitBulk', {
					parameters: { ...parameters, simplify: false },
					items: records.map((json) => ({ json: { ...json } })),
					settings: { onError: 'continueRegularOutput' },
				});
				const json = jsonOf(run);
				const answered = run.items.flatMap(pairedWith).sort((a, b) => a - b);
				expect(answered).toEqual(records.map((_, item) => item));
				for (const { error, description } of json.filter(
					(item) => typeof item.error === 'string',
				)) {
					expect(error).toMatch(/^'[A-Z][\w ]+'[ ,]/);
					expect(error).not.toMatch(/\n\s+at |undefined|\[object/);
					expect(description).toBeTypeOf('string');
					expect(error).toSatisfy((text: string) => text.length < 200);
				}
			}),
			{ numRuns: 25 },
		);
		const statuses = bench()
			.sandbox.requests.filter(({ method }) => method === 'POST')
			.map(({ status }) => status);
		expect(statuses.filter((status) => status !== 201)).toEqual([]);
	},
);
