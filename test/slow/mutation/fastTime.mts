// A vitest setup file: lets time go by so much faster, though not for sockets. A mutant that
// survives costs the time of all tests that reach it, and most of that time is waiting.
import { expect } from 'vitest';
import { SOCKETS_KEEP_UP } from './files.mts';

const SPEED = 8;
const SPEED_OF_SOCKETS = 2;

const { testPath = '' } = expect.getState();
const keepsUp = SOCKETS_KEEP_UP.some((name) => testPath.includes(`/test/${name}`));
const speed = keepsUp ? SPEED_OF_SOCKETS : SPEED;

// Test files share their worker, and so the clock.
const clock = globalThis as { fastClock?: { setSpeed(times: number): void } };
clock.fastClock ??= startFastClock();
clock.fastClock.setSpeed(speed);

function startFastClock() {
	const { now } = Date;
	const { setTimeout } = globalThis;
	let times = 1;
	let since = now();
	let reached = since;
	const fastNow = () => Math.floor(reached + (now() - since) * times);

	Date.now = fastNow;
	globalThis.Date = new Proxy(Date, {
		construct: (target, args, newTarget): object =>
			Reflect.construct(target, args.length === 0 ? [fastNow()] : args, newTarget) as object,
	});
	globalThis.setTimeout = Object.assign(
		(work: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
			setTimeout(work, ms / times, ...args),
		setTimeout,
	);
	return {
		setSpeed(next: number) {
			[reached, since] = [fastNow(), now()];
			times = next;
		},
	};
}
