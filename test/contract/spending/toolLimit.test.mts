import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { runAgent } from '../../support/n8nCore/agent.mts';
import {
	contactDataAfter,
	jsonOf,
	type Given,
	useBench,
} from '../../support/n8nCore/contactData.mts';
import { cannotBeKept, doesNotCover, mayHaveBeenCharged } from '../../support/texts.mts';
import { expectChargedOnce, newAccount } from './money.mts';

// Max Credits of a tool: an agent may call it twenty times, and the cap is one for all of them.

const bench = useBench();
useFastClock();

const EMAIL = "={{ $fromAI('email', 'the address', 'string') }}";
const REFUSED = /^'Max Credits' of 1 is reached: the calls of this execution have spent [\d.]+,/;
/** So many verifications cost one credit. */
const COVERED = 4;

interface Called extends Given {
	operation?: string;
	atOnce?: boolean;
}

/** An agent that calls the verifier once for each address. */
async function verify(emails: string[], { operation = 'submitAndWait', ...given }: Called = {}) {
	const tool = bench().node('emailVerifier', operation, {
		parameters: { email: EMAIL },
		options: { maxCredits: 1 },
		...given,
	});
	const { credentials } = bench();
	const calls = emails.map((email) => ({ email }));
	const { answers, run } = await runAgent(tool, calls, { credentials, atOnce: given.atOnce });
	const items = answers.flatMap(({ answer }) => (answer === undefined ? [] : readItems(answer)));
	return { answers, run, items, errors: items.map(({ error }) => error) };
}

function readItems(answer: string): Array<Record<string, unknown>> {
	return JSON.parse(answer) as Array<Record<string, unknown>>;
}

const charged = () => bench().sandbox.ledger.totals().charged;
const addresses = (count: number) =>
	Array.from({ length: count }, (_, n) => `mustfind${n}@acme.com`);

describe.for(['submitAndWait', 'submitBulkAndWait', 'submit', 'submitBulk'])(
	'Max Credits of a tool: %s',
	(operation) => {
		it.for([
			['one after another', false],
			['at the same moment', true],
		] as const)('is for all calls of an execution: %s', async ([, atOnce]) => {
			const { items, errors } = await verify(addresses(20), { operation, atOnce });
			expect(charged()).toBe(1);
			expect(items).toHaveLength(20);
			const refused = errors.filter((error) => typeof error === 'string');
			expect(refused).toHaveLength(20 - COVERED);
			for (const error of refused) expect(error).toMatch(REFUSED);
			if (atOnce) return;
			expect(items.slice(0, 4).map((item) => item.credits_spent)).toEqual([0.25, 0.5, 0.75, 1]);
		});
	},
);

describe('the answer to a model', () => {
	it('is a refusal that it can act on, also where any other failure is to end the call', async () => {
		const settings = { onError: 'stopWorkflow' } as const;
		const { answers, items } = await verify(addresses(5), { settings });
		expect(answers[4]?.error).toBeUndefined();
		expect(items[4]).toMatchObject({ email: 'mustfind4@acme.com', credits_spent: 1 });
		expect(items[4]?.error).toMatch(REFUSED);
		expect(items[4]?.error).toMatch(
			/would cost 0\.25\. Nothing was charged for that one\..* only the user can raise it/,
		);
		bench().sandbox.service.account().credits = 0;
		const poor = await verify(['mustfind.poor@acme.com'], { settings });
		expect(poor.answers[0]?.error).toMatch(new RegExp(`balance of 0 credits ${doesNotCover}`));
	});

	it('is a refusal that it can act on, where no price could be learned, too', async () => {
		const { credentials } = newAccount(bench());
		const tool = bench().node('emailFinder', 'submitAndWait', {
			parameters: { fullname: "={{ $fromAI('name') + ' Hart' }}", companyDomain: 'acme.com' },
			options: { maxCredits: 100 },
			settings: { onError: 'stopWorkflow' },
		});
		bench().sandbox.faults.add({ kind: 'reset', when: 'after', on: 'POST *' });
		const calls = [{ name: 'Ada' }, { name: 'Bea' }];
		const { answers } = await runAgent(tool, calls, { credentials });
		expect(answers[1]?.error).toBeUndefined();
		expect(answers[1]?.answer).toContain(`'Max Credits' of 100 ${cannotBeKept}`);
		expect(bench().posts).toHaveLength(1);
	});
});

describe('what a tool has spent', () => {
	it('counts what may have been charged', async () => {
		bench().sandbox.faults.add({ kind: 'reset', when: 'after', on: 'POST *' });
		const { items } = await verify(addresses(5).map((address) => `unsure.${address}`));
		expect(items[0]?.error).toMatch(mayHaveBeenCharged);
		expect(charged()).toBe(1);
		expect(items.at(-1)?.error).toMatch(REFUSED);
	});

	/** As n8n's engine runs the tool of a newer agent: each call is a run of the node. */
	async function callByEngine(email: string, executionId: string, contextData = {}) {
		return await bench().run('emailVerifier', 'submitAndWait', {
			parameters: { email },
			options: { maxCredits: 0.25 },
			tool: 'requested',
			executionId,
			contextData,
		});
	}

	it('is counted over the calls of a newer agent, too', async () => {
		const first = await callByEngine('mustfind1@acme.com', '1');
		expect(jsonOf(first)).toMatchObject([{ found: true, credits_spent: 0.25 }]);
		const second = await callByEngine('mustfind2@acme.com', '1', first.contextData);
		expect(jsonOf(second)).toMatchObject([
			{ error: expect.anything() as unknown, credits_spent: 0.25 },
		]);
	});

	it('is counted over the calls of an execution that has no id, too', async () => {
		const given = bench().node('emailVerifier', 'submitAndWait', {
			parameters: { email: EMAIL },
			options: { maxCredits: 1 },
		});
		const node = contactDataAfter((context) => {
			Object.defineProperty(context, 'getExecutionId', { value: () => undefined });
		});
		const calls = addresses(20).map((email) => ({ email }));
		const { answers } = await runAgent({ ...given, node }, calls, {
			credentials: bench().credentials,
		});
		expect(charged()).toBe(1);
		expect(answers.at(-1)?.answer).toContain('"credits_spent":1');
	});

	it('begins anew with another execution, also where that is a retry of the first, which pays nothing again', async () => {
		const { contextData } = await callByEngine('mustfind1@acme.com', '1');
		const call = async (email: string) =>
			jsonOf(await callByEngine(email, '2', structuredClone(contextData)));
		expect(await call('mustfind1@acme.com')).toMatchObject([{ found: true, credits_spent: 0 }]);
		expect(await call('mustfind2@acme.com')).toMatchObject([{ found: true, credits_spent: 0.25 }]);
		expectChargedOnce(bench(), 2);
	});
});

describe('a tool without Max Credits', () => {
	const LIST = "={{ $fromAI('list', 'the addresses', 'json') }}";
	const call = async (count: number) => {
		const { credentials } = newAccount(bench());
		const parameters = { inputMode: 'array', verifications: LIST };
		const tool = bench().node('emailVerifier', 'submitBulk', { parameters });
		const calls = [{ list: addresses(count) }];
		const { answers } = await runAgent(tool, calls, { credentials });
		return readItems(answers[0]?.answer ?? '[]');
	};

	it('starts 25 searches in a call, and refuses more', async () => {
		expect(await call(25)).toMatchObject([{ status: 'ongoing', size: 25 }]);
		const [refused] = await call(26);
		expect(refused?.error).toMatch(
			/starts at most 25 .* has 26\. .*Nothing was charged for those.* add 'Max Credits' to the Options/,
		);
		expect(bench().posts).toHaveLength(1);
	});
});
