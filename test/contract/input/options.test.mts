import { expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { jsonOf, shownError, useBench } from '../../support/n8nCore/contactData.mts';
import { runNode } from '../../support/n8nCore/execute.mts';

const bench = useBench();
useFastClock();

const ALL = {
	fullname: 'Ada Hart',
	companyDomain: 'acme.com',
	email: 'a@acme.com',
	socialProfileUrl: 'https://social.example/in/a',
};

it.for([
	['emailFinder', { countryCode: 'Frankreich' }, "'Country Code'"],
	['emailFinder', { countryCode: '={{ 33 }}' }, "'Country Code'"],
	['emailFinder', { custom: '{cut' }, "'Custom Data'"],
	['emailVerifier', { custom: '[1]' }, "'Custom Data'"],
	['emailVerifier', { custom: '={{ 7 }}' }, "'Custom Data'"],
	['phoneFinder', { custom: '={{ { a: 1 } }}' }, "'Custom Data'"],
	['emailVerifier', { timeout: 0 }, "'Timeout'"],
	['emailVerifier', { timeout: '={{ "soon" }}' }, "'Timeout'"],
	['emailVerifier', { maxCredits: -5 }, "'Max Credits'"],
	['emailVerifier', { maxCredits: '={{ [1] }}' }, "'Max Credits'"],
] as const)('%s with %j is refused before anything is sent', async ([resource, options, label]) => {
	const given = { parameters: ALL, options: { ...options } };
	const run = await bench().run(resource, 'submitAndWait', given);
	expect(shownError(run, bench().sandbox.apiKey).message).toContain(`${label} must be`);
	bench().expectNothingSubmitted();
});

it.for([
	['UK', 'GB'],
	['gb', 'GB'],
	[' fr ', 'FR'],
])('the country %j is sent as %j', async ([countryCode, sent]) => {
	await bench().run('emailFinder', 'submit', { parameters: ALL, options: { countryCode } });
	expect(bench().posts).toMatchObject([{ body: { settings: { country_code: sent } } }]);
});

it('a name that breaks the JSON of Custom Data: the advice shows what takes any text', async () => {
	const run = await bench().run('emailFinder', 'submit', {
		parameters: ALL,
		options: { custom: '={"name": "{{ $json.name }}"}' },
		items: [{ name: 'Ada "Countess" Hart' }],
		settings: { onError: 'continueRegularOutput' },
	});
	expect(jsonOf(run)[0]?.error).toContain('{{ { name: $json.name } }}');
	bench().expectNothingSubmitted();
});

it('Custom Data per Item of a finder may be an object', async () => {
	const run = await bench().run('emailFinder', 'submitBulkAndWait', {
		parameters: { ...ALL, fullname: '={{ $json.name }}' },
		items: [{ name: 'mustfind ada', row: 7 }],
		options: { itemCustom: '={{ { row: $json.row } }}' },
	});
	expect(jsonOf(run)).toMatchObject([{ custom: { row: 7 } }]);
});

it('a country may be told by its English name', async () => {
	const run = await bench().run('emailFinder', 'submit', {
		parameters: { fullname: 'Ada Hart', companyDomain: 'acme.com' },
		options: { countryCode: ' germany' },
	});
	expect(run.error).toBeUndefined();
	expect(bench().posts[0]?.body).toMatchObject({ settings: { country_code: 'DE' } });
});

it('Options as one expression are refused: a Dry Run in it would pay', async () => {
	for (const options of ['={{ { dryRun: true } }}', '{"dryRun": true}']) {
		const { node } = bench().node('emailVerifier', 'submit');
		const run = await runNode({
			node,
			parameters: { resource: 'emailVerifier', operation: 'submit', ...ALL, options },
			credentials: bench().credentials,
		});
		const { message, description } = shownError(run, bench().sandbox.apiKey);
		expect(message).toContain("'Options' must be a list of single options");
		expect(description).toContain('Nothing was started');
		bench().expectNothingSubmitted();
	}
});
