import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startClock } from '../../support/clock.mts';
import { findLookup } from '../../../nodes/ContactData/lookups/index.ts';
import {
	noteCallback,
	trustInCallbacks,
} from '../../../nodes/ContactData/suspension/callbackTrust.ts';
import { HOUR, MINUTE, Parking, SECOND, SIGNATURE, type N8nAnswer } from './parking.mts';

beforeEach(() => startClock());
afterEach(() => void vi.useRealTimers());

const DELAYS_MS = [SECOND, 20 * SECOND, 45 * SECOND, 2 * MINUTE, 10 * MINUTE];

/** How late an execution of one lookup is called, whose callback is lost. */
async function lateness(parking: Parking, jobMs: number, size: 'single' | 'bulk' = 'single') {
	const parkedAt = Date.now();
	const before = parking.calls.length;
	parking.park({ size, searches: size === 'bulk' ? 100 : 1, forMs: 12 * HOUR });
	await parking.pass(3 * jobMs + MINUTE);
	expect(parking.calls).toHaveLength(before + 1);
	return (parking.calls.at(-1)?.at ?? 0) - parkedAt - jobMs;
}

describe('a lost callback', () => {
	it.for(DELAYS_MS)(
		'of a lookup of %i ms costs half of its length, or ten seconds',
		async (jobMs) => {
			const late = await lateness(new Parking({ single: jobMs }), jobMs);
			expect(late).toBeLessThanOrEqual(Math.max(10 * SECOND, jobMs / 2));
		},
	);

	it.for([2 * MINUTE, 10 * MINUTE])(
		'of a lookup of %i ms costs a quarter, once several were lost',
		async (jobMs) => {
			const parking = new Parking({ single: jobMs });
			for (let lost = 0; lost < 3; lost++) await lateness(parking, jobMs);
			expect(await lateness(parking, jobMs)).toBeLessThanOrEqual(jobMs / 4);
		},
	);

	it.for([2 * MINUTE, 10 * MINUTE, HOUR])(
		'of a batch of %i ms costs 15 % of its length',
		async (jobMs) => {
			const late = await lateness(new Parking({ bulk: jobMs }), jobMs, 'bulk');
			expect(late).toBeLessThanOrEqual(0.15 * jobMs);
		},
	);

	it('is made up for without the key', async () => {
		const parking = new Parking({ single: SECOND });
		await lateness(parking, SECOND);
		expect(parking.calls).toMatchObject([{ headers: undefined }]);
	});

	it.for([4 * MINUTE, 262 * SECOND, 284 * SECOND])(
		'of a lookup of %i ms is made up for before the timeout, however rarely it is looked',
		async (jobMs) => {
			const parking = new Parking({ single: jobMs });
			parking.park({ forMs: 5 * MINUTE });
			await parking.pass(5 * MINUTE);
			expect(parking.calls).toHaveLength(1);
		},
	);

	it.for([SECOND, MINUTE])(
		'of each of 3,000 lookups of %i ms is made up for before the timeout',
		async (jobMs) => {
			const parking = new Parking({ single: jobMs });
			parking.service.latencyMs = 150;
			parking.park({ searches: 3_000, forMs: 5 * MINUTE });
			await parking.pass(5 * MINUTE);
			expect(parking.calls).toHaveLength(1);
			expect(parking.service.mostUnderWay).toBeLessThanOrEqual(10);
		},
	);
});

it.for([5 * MINUTE, HOUR])(
	'a service that is down for %i ms is looked at seldom, and again within five minutes',
	async (downMs) => {
		const parking = new Parking({ single: MINUTE });
		const { faults } = parking.service;
		const down = faults.add({ on: 'GET *', kind: 'status', status: 503, times: Infinity });
		parking.park({ forMs: 12 * HOUR });
		await parking.pass(downMs);
		expect(parking.looks).toBeLessThanOrEqual(8 + downMs / (5 * MINUTE));
		down.remove();
		await parking.pass(5 * MINUTE);
		expect(parking.calls).toHaveLength(1);
	},
);

describe('callbacks that arrive', () => {
	it('make the looks at a wait of 45 s rarer: two, and no more', async () => {
		const parking = new Parking({ single: 45 * SECOND });
		const looksOfOne = async () => {
			const before = parking.looks;
			const executionId = parking.park();
			await parking.pass(45 * SECOND);
			parking.register.resumed(executionId, parking.ids);
			await parking.pass(5 * MINUTE);
			return parking.looks - before;
		};
		expect(await looksOfOne()).toBeLessThanOrEqual(4);
		for (let arrived = 0; arrived < 5; arrived++) await looksOfOne();
		expect(await looksOfOne()).toBeLessThanOrEqual(2);
		expect(parking.calls).toEqual([]);
	});

	it('tell how long a lookup takes, so that a lost one costs little of it', async () => {
		const jobMs = 10 * MINUTE;
		const parking = new Parking({ single: jobMs });
		for (let arrived = 0; arrived < 5; arrived++) {
			const executionId = parking.park();
			await parking.pass(jobMs);
			parking.register.resumed(executionId, parking.ids);
		}
		expect(parking.calls).toEqual([]);
		expect(await lateness(parking, jobMs)).toBeLessThanOrEqual(MINUTE);
	});

	it('tell no lookup of a backlog, which is drained one by one, that its end is near', async () => {
		const parking = new Parking({ single: 10 * HOUR });
		const count = 200;
		for (let n = 0; n < count; n++) {
			const executionId = parking.park({ forMs: 12 * HOUR });
			const endsInMs = 2 * SECOND * (n + 1) - (n * SECOND) / 10;
			setTimeout(() => parking.register.resumed(executionId, parking.ids), endsInMs);
			if (n % 10 === 9) await parking.pass(SECOND);
		}
		await parking.pass(2 * SECOND * count);
		expect(parking.calls).toEqual([]);
		expect(parking.looks / count).toBeLessThanOrEqual(6);
	});

	it('tell when to look for one that is lost and takes a tenth of a second longer', async () => {
		for (let usual = 40; usual < 50; usual += 0.1) {
			const parking = new Parking({ single: usual * SECOND });
			for (let arrived = 0; arrived < 3; arrived++) {
				const executionId = parking.park();
				await parking.pass(usual * SECOND);
				parking.register.resumed(executionId, parking.ids);
			}
			const jobMs = (usual + 0.1) * SECOND;
			parking.service.service.configure({ single: jobMs });
			expect(await lateness(parking, jobMs), `after ${usual} s`).toBeLessThanOrEqual(SECOND);
		}
	});

	it.for([0.4, 1.2, 5, 11, 32, 60, 95])(
		'of lookups of two hours leave a shorter one, whose callback is lost, alone no longer than it took: %d min',
		async (minutes) => {
			const parking = new Parking({ single: 2 * HOUR });
			for (let arrived = 0; arrived < 5; arrived++) {
				const executionId = parking.park({ forMs: 12 * HOUR });
				await parking.pass(2 * HOUR);
				parking.register.resumed(executionId, parking.ids);
			}
			parking.service.service.configure({ single: minutes * MINUTE });
			expect(await lateness(parking, minutes * MINUTE)).toBeLessThanOrEqual(minutes * MINUTE);
		},
	);

	it('but lost ones make the looks of that account more frequent, not those of another', async () => {
		const [losing, other] = [0, 1].map(() => new Parking({ single: 30 * MINUTE }));
		const looksOf = async (parking: Parking) => {
			const before = parking.looks;
			const executionId = parking.park();
			await parking.pass(20 * MINUTE);
			parking.register.forget(executionId);
			return parking.looks - before;
		};
		const atFirst = await looksOf(other);
		losing.service.service.configure({ single: SECOND });
		for (let lost = 0; lost < 3; lost++) {
			losing.park();
			await losing.pass(MINUTE);
		}
		losing.service.service.configure({ single: 30 * MINUTE });
		const ofLosing = await looksOf(losing);
		expect(ofLosing).toBeGreaterThan(atFirst);
		expect(ofLosing).toBeLessThanOrEqual(2 * atFirst);
		expect(await looksOf(other)).toBeLessThanOrEqual(atFirst);
	});

	it('early, or without a visible end, are followed by a look within seconds', async () => {
		const parking = new Parking({ single: 5 * MINUTE });
		const executionId = parking.park();
		await parking.pass(5 * MINUTE);
		const calls = parking.calls.length;
		const second = parking.park();
		await parking.pass(5 * MINUTE - 1);
		const looks = parking.looks;
		parking.register.lookSoon(second);
		parking.register.lookSoon(executionId);
		await parking.pass(3 * SECOND);
		expect(parking.looks - looks).toBe(1);
		expect(parking.calls.length - calls).toBeLessThanOrEqual(2);
		expect(parking.calls.at(-1)?.executionId).toBe(second);
	});
});

describe('an execution of several lookups', () => {
	it('is called once, when all of them are finished', async () => {
		const parking = new Parking({ single: 20 * SECOND });
		parking.park({ searches: 30 });
		await parking.pass(10 * MINUTE);
		expect(parking.calls).toHaveLength(1);
		// Each once when it is finished, and the last one a few times before.
		expect(parking.looks).toBeLessThanOrEqual(30 + 4);
	});

	it.for([0, 1, 2])(
		'is not called before number %i has ended, which takes the longest',
		async (slow) => {
			const jobMs = 5 * MINUTE;
			const parking = new Parking({
				single: ({ searches }) =>
					searches[0]?.canonical.includes(`p${slow}@`) ? jobMs : 20 * SECOND,
			});
			const parkedAt = Date.now();
			parking.park({ searches: 3 });
			await parking.pass(3 * jobMs);
			expect(parking.calls).toHaveLength(1);
			expect((parking.calls[0]?.at ?? 0) - parkedAt).toBeGreaterThanOrEqual(jobMs);
		},
	);

	it('is read no more once it is resumed, where a read is slow and many are left', async () => {
		const parking = new Parking({ single: SECOND });
		const execution = parking.park({ searches: 100 });
		parking.service.onRequest = () => {
			if (parking.looks === 3) parking.register.resumed(execution, parking.ids);
		};
		await parking.pass(MINUTE);
		expect(parking.looks).toBe(3);
		expect(parking.calls).toEqual([]);
	});

	it('is called where a callback has brought its results, and n8n could not resume it', async () => {
		const parking = new Parking({ single: 20 * SECOND });
		const execution = parking.park({ searches: 2 });
		await parking.pass(20 * SECOND);
		const undo = parking.register.resumed(execution, parking.ids);
		await parking.pass(MINUTE);
		expect(parking.calls).toEqual([]);
		undo();
		undo();
		await parking.pass(10 * MINUTE);
		expect(parking.calls).toHaveLength(1);
	});

	it('is not taken back where it has been parked anew meanwhile, for other lookups', async () => {
		const parking = new Parking({ single: SECOND });
		const executionId = parking.park();
		const undo = parking.register.resumed(executionId, parking.ids);
		parking.service.service.configure({ single: 5 * MINUTE });
		parking.park({ executionId });
		undo();
		await parking.pass(4 * MINUTE);
		expect(parking.calls).toEqual([]);
		await parking.pass(10 * MINUTE);
		expect(parking.calls).toMatchObject([{ executionId }]);
	});

	it('is called at once when all of its lookups are seen to be finished elsewhere', async () => {
		const parking = new Parking({ single: HOUR });
		parking.park({ searches: 2 });
		parking.park();
		await parking.pass(MINUTE);
		const looks = parking.looks;
		const [first, second] = parking.service.service.ledger.entries;
		const { account, lookup, register } = parking;
		register.finished(account, lookup, 'single', first?.id ?? '');
		// What has the same id elsewhere is something else.
		const other = findLookup('emailFinder');
		if (other === undefined) throw new Error('No such lookup');
		register.finished('another account', lookup, 'single', second?.id ?? '');
		register.finished(account, other, 'single', second?.id ?? '');
		register.finished(account, lookup, 'bulk', second?.id ?? '');
		await parking.pass(SECOND);
		expect(parking.calls).toEqual([]);
		register.finished(account, lookup, 'single', second?.id ?? '');
		await parking.pass(SECOND);
		expect(parking.calls).toMatchObject([{ executionId: 'execution 1' }]);
		expect(parking.looks).toBe(looks);
	});
});

describe('an n8n that does not take the call', () => {
	const BUSY = { statusCode: 409, body: { message: 'The execution "1" is running already.' } };

	it.for([
		['401', 401, /: 401 $/],
		['409', BUSY, /: 409 The execution "1" is running already\.$/],
		['503', 503, /: 503 $/],
		['404', 404, /: 404 $/],
		['a page', { statusCode: 502, body: 'Bad gateway' }, /: 502 Bad gateway$/],
		['another place', 300, /: 300 $/],
		['no connection', 'connect ECONNREFUSED', /: connect ECONNREFUSED$/],
	] as const)(
		'%s: is called again within seconds, and it is said once',
		async ([, answer, told]) => {
			const parking = new Parking({ single: SECOND });
			parking.answers = [answer, answer];
			parking.park();
			await parking.pass(20 * SECOND);
			expect(parking.calls).toHaveLength(3);
			expect(parking.warnings).toHaveLength(1);
			expect(parking.warnings[0]).toContain('execution 1');
			expect(parking.warnings[0]).toMatch(told);
		},
	);

	it('is quoted without its signature', async () => {
		const parking = new Parking({ single: SECOND });
		parking.answers = [`connect ECONNREFUSED https://n8n.example/?signature=${SIGNATURE}`];
		parking.park();
		await parking.pass(MINUTE);
		expect(parking.warnings[0]).toMatch(
			/connect ECONNREFUSED https:\/\/n8n\.example\/\?signature=\[signature\]$/,
		);
	});

	it('and signs no address, is quoted as it is', async () => {
		const parking = new Parking({ single: SECOND });
		parking.isSigned = false;
		parking.answers = [{ statusCode: 502, body: 'Bad gateway' }];
		parking.park();
		await parking.pass(MINUTE);
		expect(parking.warnings[0]).toMatch(/: 502 Bad gateway$/);
	});

	it.for([MINUTE, 2 * MINUTE, 3 * MINUTE, 5 * MINUTE])(
		'for an hour, makes the lookups of %i ms after that be seen no later',
		async (jobMs) => {
			const latenessAfter = async (answers: N8nAnswer[]) => {
				const parking = new Parking({ single: jobMs });
				parking.answers = answers;
				parking.park();
				await parking.pass(2 * HOUR);
				expect(parking.answers).toEqual([]);
				return await lateness(parking, jobMs);
			};
			const usual = await latenessAfter([]);
			const answers = Array.from({ length: 12 }, () => 503);
			expect(await latenessAfter(answers)).toBeLessThanOrEqual(usual + SECOND);
		},
	);

	it('is not called sooner because the lookup of another execution is finished', async () => {
		const parking = new Parking({ single: SECOND });
		parking.answers = Array.from({ length: 100 }, () => 503);
		parking.park();
		await parking.pass(5 * MINUTE);
		const calls = parking.calls.length;
		for (const id of ['one', 'two', 'three']) {
			parking.register.finished(parking.account, parking.lookup, 'single', id);
			await parking.pass(SECOND);
		}
		expect(parking.calls).toHaveLength(calls);
	});

	it('for twenty seconds, since it is busy, is called once', async () => {
		const parking = new Parking({ single: SECOND });
		parking.answers = [{ afterMs: 20 * SECOND }];
		parking.park();
		await parking.pass(HOUR);
		expect(parking.calls).toHaveLength(1);
		expect(parking.warnings).toEqual([]);
	});

	it('and never answers, is called again within a minute', async () => {
		const parking = new Parking({ single: SECOND });
		parking.answers = [{ afterMs: Infinity }];
		parking.park();
		await parking.pass(MINUTE);
		expect(parking.calls).toHaveLength(2);
	});

	it('is called at growing distances until the deadline, and not after it', async () => {
		const parking = new Parking({ single: SECOND });
		parking.answers = Array.from({ length: 1_000 }, () => 503);
		parking.park({ forMs: 2 * HOUR });
		await parking.pass(2 * HOUR);
		const times = parking.calls.map(({ at }) => at);
		expect(times.length).toBeLessThanOrEqual(25);
		expect((times.at(-1) ?? 0) - (times.at(-2) ?? 0)).toBeLessThanOrEqual(11 * MINUTE);
		await parking.pass(HOUR);
		expect(parking.calls).toHaveLength(times.length);
		expect(parking.looks).toBe(1);
	});

	it('since there is no such execution, is called three times', async () => {
		const parking = new Parking({ single: SECOND });
		const body = { message: 'The execution "1" does not exist.' };
		parking.answers = Array.from({ length: 10 }, () => ({ statusCode: 404, body }));
		parking.park();
		await parking.pass(HOUR);
		expect(parking.calls).toHaveLength(3);
	});

	it('is called on where something else than n8n says that there is none', async () => {
		const parking = new Parking({ single: SECOND });
		const body = { message: 'The execution "1" does not exist.' };
		parking.answers = Array.from({ length: 5 }, () => ({ statusCode: 502, body }));
		parking.park();
		await parking.pass(HOUR);
		expect(parking.calls).toHaveLength(6);
	});

	it('since a callback has resumed the execution in another process, is called once', async () => {
		const parking = new Parking({ single: SECOND });
		const body = { message: 'The execution "1 has finished already.' };
		parking.answers = [{ statusCode: 409, body }];
		parking.park();
		await parking.pass(HOUR);
		expect(parking.calls).toHaveLength(1);
		expect(parking.warnings).toEqual([]);
	});
});

describe('in queue mode, where another process takes the call', () => {
	it('the next call tells whether it has resumed the execution', async () => {
		const parking = new Parking({ single: SECOND });
		parking.isResumedElsewhere = true;
		parking.answers = [200, 200, { statusCode: 409, body: { message: 'is running already' } }];
		parking.park();
		await parking.pass(HOUR);
		expect(parking.calls).toHaveLength(3);
		expect(parking.warnings).toEqual([]);
		// Until then the execution may wait for its turn to run.
		const [first, second, third] = parking.calls.map(({ at }) => at);
		expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(30 * SECOND);
		expect((third ?? 0) - (second ?? 0)).toBeGreaterThanOrEqual(30 * SECOND);
	});
});

describe('what a call tells of the callbacks of the account', () => {
	const FINISHED = { statusCode: 409, body: { message: 'has finished already' } };

	/** Parks so many executions one after another, whose calls are answered so. */
	async function trustAfter(count: number, answers: N8nAnswer[]): Promise<string> {
		const parking = new Parking({ single: SECOND });
		parking.isResumedElsewhere = true;
		for (let parked = 0; parked < count; parked++) {
			parking.answers = [...answers];
			parking.park();
			await parking.pass(10 * MINUTE);
			expect(parking.answers).toEqual([]);
		}
		return trustInCallbacks(parking.account);
	}

	it.for([
		['has finished: the callback had arrived', 3, [FINISHED], 'arriving'],
		['has finished, once', 1, [FINISHED], 'unknown'],
		['takes it: the callback was lost', 1, [200, FINISHED], 'missing'],
	] as const)('an n8n that says that it %s', async ([, count, answers, trust]) => {
		expect(await trustAfter(count, [...answers])).toBe(trust);
	});

	it('is told once of each execution', async () => {
		const parking = new Parking({ single: SECOND });
		parking.isResumedElsewhere = true;
		parking.answers = [200, 200, 200, FINISHED];
		parking.park();
		await parking.pass(HOUR);
		expect(parking.calls).toHaveLength(4);
		noteCallback(parking.account, true);
		expect(trustInCallbacks(parking.account)).toBe('unknown');
	});
});

describe('an n8n that has taken a call', () => {
	it.for([503, 404, { statusCode: 500, body: { message: 'It is finished' } }])(
		'is called on while it does not say that the execution was resumed: %j',
		async (answer) => {
			const parking = new Parking({ single: SECOND });
			parking.isResumedElsewhere = true;
			parking.answers = [200, answer, { statusCode: 409, body: {} }];
			parking.park();
			await parking.pass(HOUR);
			expect(parking.calls).toHaveLength(3);
		},
	);

	it('is not believed where it fails, whatever it says', async () => {
		const parking = new Parking({ single: SECOND });
		const body = { message: 'The execution has finished' };
		parking.answers = [{ statusCode: 500, body }];
		parking.park();
		await parking.pass(HOUR);
		expect(parking.calls).toHaveLength(2);
	});
});

describe('a service that cannot be asked', () => {
	it('is asked at growing distances, and the execution called when it is back', async () => {
		const parking = new Parking({ single: SECOND });
		parking.service.faults.add({ on: 'GET *', kind: 'reset', when: 'before', times: 8 });
		parking.park();
		await parking.pass(HOUR);
		expect(parking.calls).toHaveLength(1);
		expect(parking.looks).toBe(9);
	});

	it('once, is asked again after five seconds', async () => {
		const parking = new Parking({ single: SECOND });
		parking.service.faults.add({ on: 'GET *', kind: 'status', status: 503 });
		parking.park();
		await parking.pass(10 * SECOND);
		expect(parking.calls).toHaveLength(1);
	});

	it('and hangs, holds up nobody of another account', async () => {
		const [slow, quick] = [0, 1].map(() => new Parking({ single: SECOND }));
		slow.service.faults.add({ on: 'GET *', kind: 'hang', times: Infinity });
		for (let count = 0; count < 5; count++) slow.park();
		quick.park();
		await quick.pass(10 * SECOND);
		expect(quick.calls).toHaveLength(1);
	});
});

describe('looks that take long', () => {
	it('are ten at once, whatever else becomes due', async () => {
		const parking = new Parking({ single: HOUR });
		parking.service.latencyMs = 9 * SECOND;
		for (let count = 0; count < 10; count++) parking.park();
		await parking.pass(4 * SECOND);
		for (let count = 0; count < 10; count++) parking.park();
		await parking.pass(MINUTE);
		expect(parking.service.mostUnderWay).toBe(10);
	});

	it('are one of each execution, also when something calls about it', async () => {
		const parking = new Parking({ single: HOUR });
		parking.service.latencyMs = 9 * SECOND;
		const execution = parking.park();
		await parking.pass(4 * SECOND);
		expect(parking.looks).toBe(1);
		parking.register.lookSoon(execution);
		await parking.pass(4 * SECOND);
		expect(parking.looks).toBe(1);
		await parking.pass(6 * SECOND);
		expect(parking.looks).toBe(2);
	});

	it('and tell of the latest are what the next one goes by', async () => {
		const lastEnds = 2 * SECOND;
		const parking = new Parking({
			single: ({ searches }) => (searches[0]?.canonical.includes('p2@') ? lastEnds : HOUR),
		});
		parking.park({ searches: 3 });
		parking.brokenIds.add(parking.ids[0]);
		await parking.pass(4 * SECOND);
		const looks = parking.looks;
		// A fault would be looked at again after five seconds.
		await parking.pass(6 * SECOND);
		expect(parking.looks).toBe(looks);
	});
});

it('what has called about an execution is followed by a look, and not in the same moment', async () => {
	const parking = new Parking({ single: HOUR });
	const execution = parking.park();
	await parking.pass(10 * MINUTE);
	const looks = parking.looks;
	parking.register.lookSoon(execution);
	await parking.pass(1_900);
	expect(parking.looks).toBe(looks);
	await parking.pass(600);
	expect(parking.looks).toBe(looks + 1);
});

it('long addresses count in the memory that parked executions may take', async () => {
	const parking = new Parking();
	for (let count = 0; count < 40; count++) {
		parking.add([], { executionId: `${count} `.padEnd(1_000_000, 'x') });
	}
	await parking.pass(MINUTE);
	expect(parking.calls.length).toBeGreaterThan(10);
	expect(parking.calls.length).toBeLessThanOrEqual(16);
});

describe('many parked executions', () => {
	const MANY = 1_000;

	it('do not stampede: ten reads at once, 1,200 in a minute', async () => {
		const parking = new Parking({ single: HOUR });
		for (let count = 0; count < MANY; count++) parking.park();
		for (let minute = 0; minute < 10; minute++) {
			const before = parking.looks;
			await parking.pass(MINUTE);
			expect(parking.looks - before).toBeLessThanOrEqual(1_200);
		}
		expect(parking.service.mostUnderWay).toBeLessThanOrEqual(10);
	});

	it('of many lookups each are read ten at once, too', async () => {
		const parking = new Parking({ single: SECOND });
		parking.service.latencyMs = 150;
		for (let count = 0; count < 5; count++) parking.park({ searches: 200 });
		await parking.pass(5 * MINUTE);
		expect(parking.calls).toHaveLength(5);
		expect(parking.service.mostUnderWay).toBeLessThanOrEqual(10);
	});

	it('are all called when all of their callbacks are lost', async () => {
		const parking = new Parking({ single: MINUTE });
		for (let count = 0; count < MANY; count++) parking.park();
		await parking.pass(20 * MINUTE);
		expect(new Set(parking.calls.map(({ executionId }) => executionId)).size).toBe(MANY);
		expect(parking.calls).toHaveLength(MANY);
	});

	it('of many lookups each: those parked last are remembered, by what they take in memory', async () => {
		const parking = new Parking();
		const ids = Array.from({ length: 300 }, (_, n) => `${n} `.padEnd(100_000, 'x'));
		for (const id of ids) parking.add([id]);
		await parking.pass(MINUTE);
		const looked = new Set(parking.service.looks.map(({ id }) => id));
		expect(looked).toContain(ids.at(-1));
		expect(looked.size).toBeGreaterThan(100);
		expect(looked.size).toBeLessThanOrEqual(160);
	});

	it('over the limit, the oldest are forgotten', async () => {
		const parking = new Parking();
		// Nothing is left of what they wait for, so they are called, one after another.
		for (let count = 0; count < 10_005; count++) parking.add([]);
		await parking.pass(10_000);
		expect(parking.calls.length).toBeGreaterThan(50);
		expect(parking.calls[0]?.executionId).toBe('execution 6');
	});
});
