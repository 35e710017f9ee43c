import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startClock } from '../../support/clock.mts';
import { HOUR, MINUTE, Parking, SECOND, SIGNATURE } from './parking.mts';

// What happens while a look or a call is under way, and n8n or a service that is worse than usual.

beforeEach(() => startClock());
afterEach(() => void vi.useRealTimers());

describe('while a look is on its way back, that saw the lookup still running', () => {
	/** One execution, and what happens half a second after its first look has left. */
	async function duringLook(work: (parking: Parking, executionId: string, id: string) => void) {
		const parking = new Parking({ single: HOUR });
		parking.service.latencyMs = 2 * SECOND;
		const executionId = parking.park();
		const id = parking.service.service.ledger.entries[0]?.id ?? '';
		parking.service.onRequest = (_, leg) => {
			if (leg === 'answered' && parking.looks === 1) work(parking, executionId, id);
		};
		await parking.pass(10 * SECOND);
		return parking;
	}

	it('it is seen finished elsewhere: the execution is called at once', async () => {
		const parking = await duringLook(({ register, account, lookup }, _, id) =>
			register.finished(account, lookup, 'single', id),
		);
		expect(parking.calls).toHaveLength(1);
		expect(parking.looks).toBe(1);
	});

	it('it is called about: it is looked at again soon', async () => {
		const parking = await duringLook(({ register, service }, executionId) => {
			service.service.finish();
			register.lookSoon(executionId);
		});
		expect(parking.looks).toBe(2);
		expect(parking.calls).toHaveLength(1);
	});
});

describe('an execution that is parked twice', () => {
	it('is not forgotten when a late callback of the first time is followed up', async () => {
		const parking = new Parking({ single: SECOND });
		const first = parking.add(['of the first time']);
		const second = parking.park({ executionId: first });
		parking.register.resumed(second, ['of the first time']);
		await parking.pass(MINUTE);
		expect(parking.calls).toHaveLength(1);
	});

	it('is not forgotten when the call that resumed it the first time is answered late', async () => {
		const parking = new Parking({ single: SECOND });
		parking.isResumedElsewhere = true;
		parking.answers = [{ afterMs: 3 * SECOND }];
		const executionId = parking.park();
		await parking.pass(4 * SECOND);
		expect(parking.calls).toHaveLength(1);
		parking.register.resumed(executionId, parking.ids);
		parking.park({ executionId });
		await parking.pass(10 * SECOND);
		expect(parking.calls).toHaveLength(2);
	});
});

describe('a service that hangs', () => {
	it('does not hold up another account, however many wait for it', async () => {
		const [slow, quick] = Parking.together(2, { single: SECOND });
		slow.service.faults.add({ on: 'GET *', kind: 'hang', times: Infinity });
		for (let count = 0; count < 300; count++) slow.park();
		await slow.pass(10 * SECOND);
		quick.park();
		await quick.pass(20 * SECOND);
		expect(quick.calls).toHaveLength(1);
	});

	it('for a while when it gives the results of a batch, has time for them', async () => {
		const parking = new Parking({ bulk: MINUTE });
		parking.park({ size: 'bulk', searches: 100 });
		await parking.pass(MINUTE);
		parking.service.latencyMs = 15 * SECOND;
		await parking.pass(5 * MINUTE);
		expect(parking.calls).toHaveLength(1);
	});
});

it('what is seen finished elsewhere is called before a thousand others are looked at', async () => {
	const parking = new Parking({ single: HOUR });
	for (let count = 0; count < 1_000; count++) parking.park();
	await parking.pass(3 * SECOND);
	const id = parking.service.service.ledger.entries.at(-1)?.id ?? '';
	parking.register.finished(parking.account, parking.lookup, 'single', id);
	await parking.pass(SECOND);
	expect(parking.calls).toMatchObject([{ executionId: 'execution 1000' }]);
});

describe('an n8n that says 404', () => {
	const GONE = { statusCode: 404, body: { message: 'The execution "1" does not exist.' } };

	it('once, after it was busy for a while, is called again', async () => {
		const parking = new Parking({ single: SECOND });
		parking.answers = [503, 503, GONE];
		parking.park();
		await parking.pass(5 * MINUTE);
		expect(parking.calls).toHaveLength(4);
	});

	it('since the proxy before it starts again, is called again', async () => {
		const parking = new Parking({ single: SECOND });
		parking.answers = Array.from({ length: 5 }, () => ({
			statusCode: 404,
			body: '404 page not found',
		}));
		parking.park();
		await parking.pass(10 * MINUTE);
		expect(parking.calls).toHaveLength(6);
	});
});

it('an answer that repeats the resume URL brings no signature into the log, and no line', async () => {
	const parking = new Parking({ single: SECOND });
	const url = `https://n8n.example/webhook-waiting/1/contact-data?signature=${SIGNATURE}`;
	parking.answers = [
		{ statusCode: 502, body: `<p>Bad\n<a>${url}</a>` },
		`tunnel to ${url} failed\n`,
		502,
	];
	parking.park();
	parking.park();
	await parking.pass(MINUTE);
	expect(parking.warnings).toHaveLength(2);
	for (const warning of parking.warnings) {
		expect(warning).not.toContain(SIGNATURE);
		expect(warning).not.toContain('\n');
	}
});

describe('two credentials with the same key', () => {
	it('of which the latest is deleted: what was parked with the other is looked at', async () => {
		const parking = new Parking({ single: SECOND });
		parking.park();
		parking.park({ credentialId: 'deleted' });
		parking.deletedCredentials.add('deleted');
		await parking.pass(MINUTE);
		expect(parking.calls).toMatchObject([{ executionId: 'execution 1' }]);
	});
});
