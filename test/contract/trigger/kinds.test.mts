import type { IDataObject } from 'n8n-workflow';
import { beforeEach, describe, expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { useBench } from '../../support/n8nCore/contactData.mts';
import { LOOKUPS } from '../../support/sandbox/lookups/index.mts';
import type { Kind } from '../../support/sandbox/types.mts';
import { notFinishedYet, seenBefore } from '../../support/texts.mts';
import { eventOf, expectAnswer, KINDS, notify, started } from './trigger.mts';

// Nothing in the service's document says that an id is used for one kind of lookup only.

const bench = useBench();
useFastClock();
const marked = (event: Kind) => ({ query: { event } });

let tests = 0;
let id: string;

/** What was found, in the column that the lookup has for it. */
const tellOf = (kind: Kind) => {
	const [column = ''] = eventOf(kind).lookup.columns.found;
	return { [column]: `${kind}@acme.example` };
};

/** Makes the service know the id as a finished lookup of these kinds, and a running one of those. */
function know(kinds: readonly Kind[], running: readonly Kind[] = []): void {
	for (const { kind, size, path } of LOOKUPS.values()) {
		if (running.includes(kind)) {
			const answer = { status: 202, body: { status: 'ongoing' }, times: Infinity };
			bench().sandbox.faults.add({ on: `GET ${path}`, kind: 'status', ...answer });
		}
		if (!kinds.includes(kind)) continue;
		const qualification = kind.startsWith('phone') ? 'found' : 'valid';
		const result = { qualification, ...tellOf(kind) };
		const body =
			size === 'single'
				? result
				: { general: { id, status: 'completed' }, stats: { requested: 1 }, results: [result] };
		bench().sandbox.faults.add({
			on: `GET ${path}`,
			kind: 'status',
			status: 200,
			body,
			times: Infinity,
		});
	}
}

beforeEach(() => {
	id = `same-${++tests}`;
});

it('the same id of all kinds starts the workflow once for each', async () => {
	know(KINDS);
	for (const kind of KINDS) {
		const items = started(await notify(bench(), { id }, marked(kind)));
		expect(items).toMatchObject([{ event: kind, ...tellOf(kind) }]);
	}
	for (const kind of KINDS)
		expectAnswer(await notify(bench(), { id }, marked(kind)), 200, seenBefore);
});

describe('without a mark in the URL', () => {
	it('an id of two kinds starts the workflow for each, where its notification says of which', async () => {
		const kinds = ['emailFinderSingle', 'emailFinderBulk'] as const;
		know(kinds);
		const items: IDataObject[] = [];
		for (const kind of kinds)
			items.push(...started(await notify(bench(), { event: wordOf(kind), data: { id } })));
		expect(items.map(({ event }) => event)).toEqual(kinds);
	});

	it('an id of two kinds is that of the first that answers, of those that are listened to', async () => {
		know(['emailFinderSingle', 'phoneFinderBulk']);
		const options = { parameters: { events: ['phoneFinderBulk'] } };
		expect(started(await notify(bench(), { id }, options))).toMatchObject([
			{ event: 'phoneFinderBulk' },
		]);
	});

	it('an id that runs for ever as other kinds is found as the one that it is of', async () => {
		know(['phoneFinderBulk'], ['emailFinderSingle', 'emailVerifierBulk']);
		expect(started(await notify(bench(), { id }))).toMatchObject([{ event: 'phoneFinderBulk' }]);
	});

	it('an id that still runs as one kind still runs, also if it cannot be read as another', async () => {
		know([], ['emailFinderSingle']);
		const body = { message: 'server error' };
		bench().sandbox.faults.add({ on: 'GET *', kind: 'status', status: 503, body, times: Infinity });
		const call = await notify(bench(), { id }, { parameters: { events: KINDS } });
		expectAnswer(call, 503, notFinishedYet);
	});

	it('an id of one kind is not started again under the name of another', async () => {
		know(['emailFinderSingle']);
		expect(started(await notify(bench(), { id }, marked('emailFinderSingle')))).toHaveLength(1);
		for (const body of [{ id }, { search_id: id }, { batch_id: id, results: [] }]) {
			const call = await notify(bench(), body);
			expect(call.workflowData).toBeUndefined();
			expect(call.response?.status).toBe(200);
		}
	});
});

function wordOf(kind: Kind): string {
	const { lookup, size } = eventOf(kind);
	return lookup.notifiedAs[size];
}
