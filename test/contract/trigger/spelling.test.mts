import { beforeEach, describe, expect, it, vi } from 'vitest';
import { useBench } from '../../support/n8nCore/contactData.mts';
import { seenBefore } from '../../support/texts.mts';
import { expectAnswer, notify, started } from './trigger.mts';

// A service may know a lookup by several spellings of its id. Each of them is the same lookup.

const SEEN = seenBefore;

const bench = useBench();

const marked = (event: string) => ({ query: { event } });
const SINGLE = marked('emailFinderSingle');
const BULK = marked('emailFinderBulk');

/** Makes the service find the same lookup, whatever id it is asked for. */
function answerAll(path: string, body: Record<string, unknown>): void {
	const on = `GET ${path}` as const;
	bench().sandbox.faults.add({ on, kind: 'status', status: 200, body, times: Infinity });
}

/** An id of its own for each test, as a process remembers. */
let id: string;
let tests = 0;

beforeEach(() => {
	id = `aB${++tests}cDef`;
	answerAll('/email/find/single', { qualification: 'valid', email: 'ada@acme.example' });
});

describe('an id in capitals and in small letters', () => {
	const spellings = () => [id, id.toUpperCase(), id.toLowerCase()];

	it('starts the workflow once', async () => {
		expect(started(await notify(bench(), { id }, SINGLE))).toMatchObject([{ id }]);
		const before = bench().looks.length;
		for (const other of spellings()) {
			expectAnswer(await notify(bench(), { id: other }, SINGLE), 200, SEEN);
		}
		expect(bench().looks).toHaveLength(before);
	});

	it('starts it once when all come at the same moment', async () => {
		const calls = spellings().map(async (one) => await notify(bench(), { id: one }, SINGLE));
		expect((await Promise.all(calls)).flatMap(started)).toHaveLength(1);
	});

	it('starts it once also over a restart of n8n', async () => {
		const { staticData } = await notify(bench(), { id }, SINGLE);
		vi.resetModules();
		const { notify: restarted } = await import('./trigger.mts');
		const again = await restarted(bench(), { id: id.toUpperCase() }, { ...SINGLE, staticData });
		expectAnswer(again, 200, SEEN);
	});
});

describe('a batch that says its own id', () => {
	const answerBatch = () =>
		answerAll('/email/find/bulk', {
			general: { id, status: 'completed' },
			stats: { requested: 1, finished: 1 },
			results: [{ index: '0', qualification: 'valid', email: 'ada@acme.example' }],
		});

	it('starts the workflow once, however it is spelled', async () => {
		answerBatch();
		expect(started(await notify(bench(), { id: `000${id}` }, BULK))).toHaveLength(1);
		for (const other of [id, `${id}.`, `00${id}`, `000${id}`]) {
			expectAnswer(await notify(bench(), { id: other }, BULK), 200, SEEN);
		}
	});

	it('starts it once when all spellings come at the same moment', async () => {
		answerBatch();
		const calls = [id, `${id}.`, `0${id}`].map(
			async (one) => await notify(bench(), { id: one }, BULK),
		);
		expect((await Promise.all(calls)).flatMap(started)).toHaveLength(1);
	});
});
