import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import {
	jsonOf,
	shownError,
	type Given,
	useBench,
	watchReadings,
	withBench,
} from '../../support/n8nCore/contactData.mts';
import { start } from '../../support/n8nCore/testNodes.mts';
import { runWorkflow } from '../../support/n8nCore/workflow.mts';
import { WRONG_EMAIL } from '../../support/people.mts';
import { addresses, idsCharged, MAIL } from '../spending/money.mts';
import {
	alreadyPaidFor,
	nothingStarted,
	notSentAgain,
	nothingChargedForThis,
	retryIt,
	unreachable,
} from '../../support/texts.mts';

// n8n shows the error of the last try alone: it has what the tries before it have paid for, and says
// nothing that would have the user pay for it again.

const bench = useBench();
useFastClock();

const REFUSED = { kind: 'status', status: 418, body: { message: 'Not now' } } as const;
const GONE = 'Credential with ID "1" does not exist for type "contactDataApi".';

/** The credential is deleted once so many submissions have arrived. */
function deleteCredentialAfter(posts: number): void {
	const { apiKey, baseUrl } = bench().sandbox;
	watchReadings().mockImplementation(async () => {
		if (bench().posts.length < posts) return { apiKey, baseUrl, requestsPerSecond: 20 };
		throw new Error(GONE);
	});
}

const verify = async (given: Given) =>
	await bench().run('emailVerifier', 'submitAndWait', { parameters: MAIL, ...given });

/** The receipts of a first try, that was refused its third item. */
async function firstTry() {
	bench().sandbox.faults.add({ ...REFUSED, on: 'POST *', skip: 2 });
	const contactDataApi = { ...bench().credentials.contactDataApi, requestsPerSecond: 20 };
	const first = await verify({ items: addresses(3), credentials: { contactDataApi } });
	expect(first.error).toBeInstanceOf(Error);
	expect(idsCharged(bench())).toHaveLength(2);
	return first.contextData;
}

describe('ids of a first try are named where the second one ends before it looks at them', () => {
	it('as the credential is gone', async () => {
		bench().sandbox.faults.add({ ...REFUSED, on: 'POST *', skip: 2 });
		deleteCredentialAfter(3);
		const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		const node = bench().node('emailVerifier', 'submitAndWait', { parameters: MAIL, settings });
		const { credentials } = bench();
		const { error } = await runWorkflow({ nodes: [start(addresses(3)), node], credentials });
		expect(error?.message).toBe(GONE);
		expect(idsCharged(bench())).toHaveLength(2);
		for (const id of idsCharged(bench())) expect(error?.description).toContain(id);
	});

	it.for<[string, Given]>([
		['as an option is empty', { options: { maxCredits: '={{ $json.none }}' } }],
		['as an item is wrong', { parameters: { email: `={{ $json.mail && "${WRONG_EMAIL}" }}` } }],
	])('%s', async ([, given]) => {
		const contextData = await firstTry();
		const run = await verify({ items: addresses(3), contextData, ...given });
		const { description } = shownError(run, bench().sandbox.apiKey);
		for (const id of idsCharged(bench())) expect(description).toContain(id);
		expect(description).not.toContain(`${nothingStarted}.`);
	});

	it('in each item under Continue', async () => {
		const contextData = await firstTry();
		const options = { maxCredits: '={{ $json.none }}' };
		const settings = { onError: 'continueRegularOutput' } as const;
		const run = await verify({ items: addresses(3), contextData, options, settings });
		expect(idsCharged(bench())).not.toEqual([]);
		expect(jsonOf(run)).toHaveLength(3);
		for (const json of jsonOf(run)) {
			for (const id of idsCharged(bench())) expect(json.error).toContain(id);
		}
	});

	it('and once, where there are more than an error names', async () => {
		bench().sandbox.faults.add({ ...REFUSED, on: 'POST *', skip: 25 });
		const run = await verify({ items: addresses(26) });
		const { description } = shownError(run, bench().sandbox.apiKey);
		expect(description.match(new RegExp(alreadyPaidFor, 'g'))).toHaveLength(1);
	});
});

describe('beside ids that are paid for, nobody is told to start all again', () => {
	it.for<[string, Given]>([
		['Continue', { settings: { onError: 'continueRegularOutput' } }],
		['a tool', { tool: 'requested' }],
	])('where the credits are used up, and the others have their results: %s', async ([, given]) => {
		const body = { reason: 'Insufficient credits', success: false };
		const usedUp = { kind: 'status', status: 402, body, skip: 2, times: Infinity } as const;
		bench().sandbox.faults.add({ ...usedUp, on: 'POST *' });
		const text = JSON.stringify(jsonOf(await verify({ items: addresses(4), ...given })));
		expect(idsCharged(bench())).toHaveLength(2);
		expect(text).toContain(nothingChargedForThis);
		expect(text).not.toContain(retryIt);
	});

	it('where the service cannot be reached any more', async () => {
		await withBench({}, async (at) => {
			const contactDataApi = { ...at.credentials.contactDataApi, requestsPerSecond: 1 };
			const running = at.run('emailVerifier', 'submitAndWait', {
				parameters: MAIL,
				items: addresses(3),
				credentials: { contactDataApi },
			});
			await at.sandbox.waitFor(() => at.posts.length > 0);
			await at.sandbox.close();
			const { message, description } = shownError(await running, at.sandbox.apiKey);
			expect(message).toContain(unreachable);
			expect(description).toContain(alreadyPaidFor);
			expect(description).not.toContain(nothingStarted);
		});
	});
});

it.for<[string, Given]>([
	['Continue, as older workflows have it', { settings: { continueOnFail: true } }],
	['a tool', { tool: 'requested' }],
])("to set 'On Error' is not advised where it goes on: %s", async ([, given]) => {
	bench().sandbox.faults.add({ kind: 'reset', when: 'after', on: 'POST *', skip: 1 });
	const text = JSON.stringify(jsonOf(await verify({ items: addresses(3), ...given })));
	expect(text).toContain(notSentAgain);
	expect(text).not.toContain("set 'On Error'");
});
