import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { epochSeconds } from '../../../nodes/ContactData/common/time.ts';
import { Ledger } from '../../../nodes/ContactData/orders/ledger.ts';
import { Memory, memoryOf } from '../../../nodes/ContactData/orders/memory.ts';
import type { MemoryTable } from '../../../nodes/ContactData/run/memoryTable.ts';
import { skipTime, startClock } from '../../support/clock.mts';

const DAY_S = 86_400;
beforeEach(() => startClock());
afterEach(() => void vi.useRealTimers());

it('what was spent in the last second of a minute counts for 24 hours', () => {
	const memory = new Memory(DAY_S);
	const at = Math.ceil(epochSeconds() / 60) * 60 + 59;
	skipTime(1000 * (at - epochSeconds()));
	memory.spend(100);
	skipTime(1000 * (DAY_S - 30));
	expect(memory.ofDay.credits).toBe(100);
	skipTime(1000 * 120);
	expect(memory.ofDay.credits).toBe(0);
});

it('what another process got back ends with its charge', () => {
	const memory = new Memory(DAY_S);
	const hashes = 'abcdefghijkl';
	const row = { kind: '/phone/find/bulk', search_id: 'id', searches: hashes, execution: '1' };
	memory.takeIn({ ...row, event: 'accepted', credits: 100, at: epochSeconds() });
	memory.takeIn({ ...row, event: 'refunded', credits: 50, at: epochSeconds() + 3_600 });
	expect(memory.ofDay.credits).toBe(50);
	skipTime(1000 * (DAY_S + 120));
	expect(memory.ofDay.credits).toBe(0);
});

it('an account that the process has forgotten is read anew', async () => {
	const told: string[] = [];
	const table: Pick<MemoryTable, 'readAnew' | 'readNew'> = {
		readAnew: () => void told.push('anew'),
		readNew: async () => await Promise.resolve(void told.push('new')),
	};
	const accountOf = (fingerprint: string) => ({
		fingerprint,
		baseUrl: '',
		requestsPerSecond: 10,
		redact: String,
	});
	const read = async () => {
		const run = { connection: { account: accountOf('one') }, saved: { node: {} }, table };
		await new Ledger(run as never).refresh();
	};
	await read();
	await read();
	expect(told).toEqual(['anew', 'new', 'new']);
	for (let n = 0; n < 200; n++) memoryOf(accountOf(`other ${n}`));
	await read();
	expect(told.slice(3)).toEqual(['anew', 'new']);
});
