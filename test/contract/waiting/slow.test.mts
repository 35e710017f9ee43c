import { expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { shownError, useBench } from '../../support/n8nCore/contactData.mts';
import { noAnswerInTime } from '../../support/texts.mts';

const bench = useBench();
useFastClock();

const TIMEOUT_MS = 1_000;
/** For the last looks, together, after the deadline. */
const LAST_LOOKS_MS = 5_000;

it('a wait ends at its timeout while an answer still comes byte by byte', async () => {
	const { sandbox } = bench();
	// A timeout for silence never strikes here.
	sandbox.faults.add({ on: 'GET /email/*', kind: 'trickle', bytesPerSecond: 1, times: Infinity });
	const begin = Date.now();
	const run = await bench().run('emailVerifier', 'submitAndWait', {
		parameters: { email: 'mustfind@acme.com' },
		options: { timeout: TIMEOUT_MS / 1_000 },
	});
	expect(Date.now() - begin).toBeLessThanOrEqual(TIMEOUT_MS + LAST_LOOKS_MS);
	const shown = shownError(run, sandbox.apiKey);
	expect(shown.message).toContain(String(sandbox.ledger.entries[0]?.id));
	expect(shown.message).toContain(noAnswerInTime);
});
