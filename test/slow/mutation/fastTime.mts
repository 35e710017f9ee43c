// A vitest setup file: lets time go by so much faster, though not for sockets. A mutant that
// survives costs the time of all tests that reach it, and most of that time is waiting.

const SPEED = 8;

// Test files share their worker, and so the clock.
const worker = globalThis as { hasFastClock?: boolean };
if (worker.hasFastClock !== true) startFastClock();
worker.hasFastClock = true;

function startFastClock() {
	const { now } = Date;
	const { setTimeout } = globalThis;
	const start = now();
	const fastNow = () => Math.floor(start + (now() - start) * SPEED);

	Date.now = fastNow;
	const passed = performance.now.bind(performance);
	performance.now = () => passed() * SPEED;
	globalThis.Date = new Proxy(Date, {
		construct: (target, args, newTarget): object =>
			Reflect.construct(target, args.length === 0 ? [fastNow()] : args, newTarget) as object,
	});
	globalThis.setTimeout = Object.assign(
		(work: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
			setTimeout(work, ms / SPEED, ...args),
		setTimeout,
	);
}
