// The sandbox in a process of its own. It is asked over the channel to its parent, and ends with it.
import { startSandbox, type SandboxOptions } from '../../support/sandbox/server.mts';

/** What is asked: `reset` with the settings from then on, or what happened since the last one. */
export type Question = { ask: 'reset'; options: SandboxChange } | { ask: 'traffic' };

/** How long lookups take in milliseconds, and how their end is notified. */
export type SandboxChange = Pick<SandboxOptions, 'single' | 'bulk' | 'webhooks'>;

/** Requests since the last reset. */
export interface Traffic {
	posts: number;
	/** POSTs that were answered with 429. */
	refused: number;
	/** Searches and verifications that were charged. */
	searches: number;
}

const CREDITS = 100_000_000;

const sandbox = await startSandbox({ keepRequests: 200_000, account: { credits: CREDITS } });
process.on('disconnect', () => process.exit());
process.on('message', (question: Question) => process.send?.(answer(question)));
process.send?.({ baseUrl: sandbox.baseUrl, apiKey: sandbox.apiKey });

/** @returns of a reset: the new key */
function answer(question: Question): Traffic | string {
	if (question.ask === 'traffic') {
		const posts = sandbox.requests.filter(({ method }) => method === 'POST');
		return {
			posts: posts.length,
			refused: posts.filter(({ status }) => status === 429).length,
			searches: sandbox.ledger.totals().searches,
		};
	}
	sandbox.reset();
	sandbox.configure(question.options);
	return sandbox.apiKey;
}
