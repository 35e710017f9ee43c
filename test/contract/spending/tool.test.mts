import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { runAgent } from '../../support/n8nCore/agent.mts';
import { jsonOf, type Given, useBench } from '../../support/n8nCore/contactData.mts';
import { mayHaveBeenCharged } from '../../support/texts.mts';
import { expectChargedOnce, somebody } from './money.mts';

// An agent's tool: n8n counts each of its calls as another run of the node, with another run index.

const bench = useBench();
useFastClock();

const OPERATIONS = ['submitAndWait', 'submitBulkAndWait', 'submit', 'submitBulk'];
const RETRY_ON_FAIL = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
const EMAIL = "={{ $fromAI('email', 'the address', 'string') }}";
const FOUND = '"found":true';

interface Called extends Given {
	operation?: string;
	atOnce?: boolean;
}

async function verify(emails: string[], { operation = 'submitAndWait', ...given }: Called = {}) {
	const tool = bench().node('emailVerifier', operation, {
		parameters: { email: EMAIL },
		settings: RETRY_ON_FAIL,
		...given,
	});
	const { credentials } = bench();
	const calls = emails.map((email) => ({ email }));
	return await runAgent(tool, calls, { credentials, atOnce: given.atOnce });
}

const idOf = ({ answer = '' }: { answer?: string }) =>
	/"(?:search|batch)_id":"[^"]+"/.exec(answer)?.[0];

describe.for(OPERATIONS)('calls of one agent with Retry On Fail: %s', (operation) => {
	it('are not sent again where one may have been charged', async () => {
		bench().sandbox.faults.add({ kind: 'reset', when: 'after', on: 'POST *' });
		const email = somebody();
		const { answers } = await verify([email, email], { operation });
		expectChargedOnce(bench(), 1);
		expect(bench().posts).toHaveLength(1);
		for (const { answer } of answers) expect(answer).toMatch(mayHaveBeenCharged);
	});

	it('that ask again for what they were told are paid once', async () => {
		const email = somebody();
		const emails = [email, somebody(), email.toUpperCase()];
		const { answers } = await verify(emails, { operation });
		expectChargedOnce(bench(), 2);
		const [first, , again] = answers.map(idOf);
		expect(first).toBeDefined();
		expect(again).toBe(first);
	});
});

describe('calls of one agent', () => {
	it('that are made at once are paid once, and keep what is known of the others', async () => {
		bench().sandbox.configure({
			single: ({ searches: [search] }) => (search?.canonical.includes('late') ? 2_500 : 0),
		});
		const late = 'mustfind.late@acme.com';
		const asked = { options: { timeout: 1 }, atOnce: true };
		const { answers } = await verify([late, somebody(), late], asked);
		expectChargedOnce(bench(), 2);
		expect(answers.map(({ answer }) => answer?.includes(FOUND))).toEqual([false, true, false]);
		expect(answers[2] && idOf(answers[2])).toBe(answers[0] && idOf(answers[0]));
	});
});

it('an agent that fails, and whose execution is retried, pays nothing again', async () => {
	const call = async (executionId: string, contextData = {}) =>
		await bench().run('emailVerifier', 'submitAndWait', {
			parameters: { email: 'mustfind.retried@acme.com' },
			options: { maxCredits: 1 },
			tool: 'requested',
			executionId,
			contextData,
		});
	const first = await call('1');
	const retried = await call('2', structuredClone(first.contextData));
	expectChargedOnce(bench(), 1);
	expect(jsonOf(retried)).toMatchObject([{ found: true, credits_spent: 0 }]);
});
