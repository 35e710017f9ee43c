import { expect, it, vi } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { useBench } from '../../support/n8nCore/contactData.mts';
import { people } from '../../support/people.mts';
import { pauseInN8n } from './callingN8n.mts';
import { resultsOf, Suspended } from './suspended.mts';

const HOUR = 3_600_000;

const bench = useBench({ single: 5 * HOUR, webhooks: { send: 'none' } });
useFastClock();
// Sockets keep their own time, and another's load.
vi.setConfig({ testTimeout: 60_000 });

it('a pause that was looked at for hours leaves no timer behind when it is over', async () => {
	const before = vi.getTimerCount();
	// Node's own are no timers that somebody could clear.
	vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal);
	const paused = await pauseInN8n(
		new Suspended(bench(), 'emailFinder', 'submitAndWait', { items: people(1) }),
	);
	expect(resultsOf(await paused.resumedWithin(6 * HOUR))).toMatchObject([{ found: true }]);
	expect(bench().looks.length).toBeGreaterThan(100);
	await new Promise((resolve) => setTimeout(resolve, HOUR));
	expect(vi.getTimerCount()).toBe(before);
});
