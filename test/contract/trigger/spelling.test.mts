import { beforeEach, describe, expect, it } from 'vitest';
import { useBench } from '../../support/n8nCore/contactData.mts';
import { noSuchSearch, seenBefore } from '../../support/texts.mts';
import { expectAnswer, notify, started } from './trigger.mts';

// A service may know a lookup by several spellings of its id, which differ by case or by white space around
// it: each of them is the same lookup. Where it gives itself another id, it is another one.

const bench = useBench();

const FOUND = { qualification: 'valid', email: 'ada@acme.example' };

/** An id of its own for each test, as a process remembers. */
let id: string;
let tests = 0;

beforeEach(() => {
	id = `aB${++tests}cDef`;
	const general = { id, status: 'completed' };
	const stats = { requested: 1, finished: 1 };
	const batch = { general, stats, results: [{ index: '0', ...FOUND }] };
	// The same lookup, whatever id it is asked for.
	const answer = { kind: 'status', status: 200, times: Infinity } as const;
	bench().sandbox.faults.add({ ...answer, on: 'GET /email/find/single', body: FOUND });
	bench().sandbox.faults.add({ ...answer, on: 'GET /email/find/bulk', body: batch });
});

describe.for<[string, string, () => string[]]>([
	[
		'an id in capitals and in small letters',
		'emailFinderSingle',
		() => [id, id.toUpperCase(), ` ${id.toLowerCase()} `],
	],
	['a batch that says its own id', 'emailFinderBulk', () => [`${id} `, id.toLowerCase(), id]],
])('%s', ([, event, spellings]) => {
	const mark = { query: { event } };

	it('starts the workflow once', async () => {
		const [first, ...others] = spellings();
		expect(started(await notify(bench(), { id: first }, mark))).toHaveLength(1);
		for (const other of others) {
			expectAnswer(await notify(bench(), { id: other }, mark), 200, seenBefore);
		}
	});

	it('starts it once when all come at the same moment', async () => {
		const calls = spellings().map(async (one) => await notify(bench(), { id: one }, mark));
		expect((await Promise.all(calls)).flatMap(started)).toHaveLength(1);
	});
});

it('an id that gets the answer of another starts nothing, and leaves that to its own', async () => {
	const mark = { query: { event: 'emailFinderBulk' } };
	for (const other of [`000${id}`, `${id}.`])
		expectAnswer(await notify(bench(), { id: other }, mark), 404, noSuchSearch);
	expect(started(await notify(bench(), { id }, mark))).toHaveLength(1);
});
