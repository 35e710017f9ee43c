import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { lookups } from '../../../nodes/ContactData/lookups/index.ts';
import { shortHash } from '../../../nodes/ContactData/common/values.ts';
import { ExecutionNotes } from '../../../nodes/ContactData/run/saved.ts';
import { Ledger } from '../../../nodes/ContactData/orders/ledger.ts';
import { bytesInUse } from '../../support/heap.mts';
import { orderOf, rowsFor, settingsFor } from '../../support/rows.mts';

const { emailFinder } = lookups;
const MOST = 500_000;
const MB = 1024 ** 2;
const account = { baseUrl: '', requestsPerSecond: 10, fingerprint: 'of the test', redact: String };

/** So many searches that were accepted, each alone or in batches. */
function accept(count: number, inBatches: number, mark: string): void {
	for (let from = 0; from < count; from += inBatches) {
		const searches = Array.from({ length: inBatches }, (_, n) => {
			return { fullname: `${mark} ${from + n}`, company_domain: 'a-company.example' };
		});
		const size = inBatches === 1 ? 'single' : 'bulk';
		const id = randomUUID();
		const order = orderOf(size, id, rowsFor(emailFinder, searches));
		const entries = order.entries.map((entry) => ({ ...entry, hash: shortHash(entry.hash, 12) }));
		const saved = { node: {}, flow: {}, executionId: '1', loopTurn: '0' };
		const settings = settingsFor(emailFinder, size);
		const connection = { account, send: async () => await Promise.resolve() };
		const notes = new ExecutionNotes(undefined, {});
		new Ledger({ settings, connection, saved, notes }).record({ ...order, entries }, order.fate);
	}
}

it(`${MOST} searches are remembered in at most 64 MB, and no more of them`, async () => {
	const before = await bytesInUse();
	const takenMb = async () => ((await bytesInUse()) - before) / MB;
	accept(MOST, 1, 'ada');
	expect(await takenMb()).toBeLessThan(64);
	// 60 as a rule, also where the oldest ones were forgotten since.
	accept(MOST / 5, 1, 'eve');
	expect(await takenMb()).toBeLessThan(64);
	accept(MOST, 5_000, 'zoe');
	expect(await takenMb()).toBeLessThan(64);
});
