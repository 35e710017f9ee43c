import type { IDataObject } from 'n8n-workflow';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { useBench } from '../../support/n8nCore/contactData.mts';
import { LOOKUPS } from '../../support/sandbox/lookups/index.mts';
import type { CallWebhookResult } from '../../support/n8nCore/webhook.mts';
import type { Kind } from '../../support/sandbox/types.mts';
import { notAsked, notFinishedYet, seenBefore } from '../../support/texts.mts';
import { expectAnswer, KINDS, notify, started } from './trigger.mts';

// Nothing in the service's document says that an id is used for one kind of lookup only.

const SEEN = seenBefore;

const bench = useBench();
useFastClock();
const marked = (event: Kind) => ({ query: { event } });

let tests = 0;
let id: string;

/** Makes the service know the id as a finished lookup of these kinds, and a running one of those. */
function know(kinds: readonly Kind[], running: readonly Kind[] = []): void {
	for (const { kind, size, path } of LOOKUPS.values()) {
		if (running.includes(kind)) {
			const answer = { status: 202, body: { status: 'ongoing' }, times: Infinity };
			bench().sandbox.faults.add({ on: `GET ${path}`, kind: 'status', ...answer });
		}
		if (!kinds.includes(kind)) continue;
		const qualification = kind.startsWith('phone') ? 'found' : 'valid';
		const result = { qualification, email: `${kind}@acme.example` };
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
		expect(items).toMatchObject([{ event: kind, email: `${kind}@acme.example` }]);
	}
	for (const kind of KINDS) expectAnswer(await notify(bench(), { id }, marked(kind)), 200, SEEN);
});

it('also when all come at the same moment, each twice', async () => {
	know(KINDS);
	const calls: CallWebhookResult[] = [];
	// More than twelve would be told to come again.
	for (let from = 0; from < KINDS.length; from += 6) {
		const six = KINDS.slice(from, from + 6);
		const together = [...six, ...six].map(async (kind) => {
			return await notify(bench(), { id }, marked(kind));
		});
		calls.push(...(await Promise.all(together)));
	}
	const events = calls.flatMap(started).map(({ event }) => event);
	expect(events.sort()).toEqual([...KINDS].sort());
	expect(new Set(calls.map(({ response }) => response?.status))).toEqual(new Set([200]));
});

describe('without a mark in the URL', () => {
	const PAIRS: Array<[Kind, Kind]> = [
		['emailFinderSingle', 'emailVerifierSingle'],
		['emailVerifierBulk', 'phoneFinderBulk'],
		['emailFinderSingle', 'emailFinderBulk'],
	];

	it.for(PAIRS)(
		'an id of two kinds starts the workflow for each: %s and %s',
		async ([one, two]) => {
			know([one, two]);
			const notified = (kind: Kind) =>
				notify(bench(), { event: `${wordsOf(kind)} completed`, data: { id } });
			const items: IDataObject[] = [];
			for (const kind of [one, two]) items.push(...started(await notified(kind)));
			expect(items.map(({ event }) => event)).toEqual([one, two]);
			for (const kind of [one, two]) expectAnswer(await notified(kind), 200, SEEN);
		},
	);

	it.for(PAIRS)(
		'an id that still runs as the likelier kind starts the workflow for the finished one: %s and %s',
		async ([one, two]) => {
			know([two], [one]);
			const body = { event: `${wordsOf(one)} completed`, data: { id } };
			expect(started(await notify(bench(), body))).toMatchObject([{ event: two }]);
			expectAnswer(await notify(bench(), body), 503, notFinishedYet);
		},
	);

	it('a notification of what still runs is not answered as taken for another id in it', async () => {
		const running = { status: 202, body: { status: 'ongoing' } };
		bench().sandbox.faults.add({ on: 'GET /email/verify/single', kind: 'status', ...running });
		know(['emailVerifierSingle']);
		const body = { id, data: { id: `${id}-finished` } };
		const call = await notify(bench(), body, marked('emailVerifierSingle'));
		expectAnswer(call, 503, notFinishedYet);
	});

	it('an id that still runs as one kind still runs, also if it cannot be read as another', async () => {
		know([], ['emailFinderSingle']);
		const body = { message: 'server error' };
		bench().sandbox.faults.add({ on: 'GET *', kind: 'status', status: 503, body, times: Infinity });
		const call = await notify(bench(), { id }, { parameters: { events: KINDS } });
		expectAnswer(call, 503, notFinishedYet);
	});

	it('an id that cannot be read as the kind that is listened to is not taken for another kind', async () => {
		const body = { message: 'server error' };
		bench().sandbox.faults.add({ on: 'GET /email/find/single', kind: 'status', status: 503, body });
		know(['emailFinderSingle', 'emailVerifierSingle']);
		const options = { parameters: { events: ['emailFinderSingle'] } };
		const call = await notify(bench(), { id }, options);
		expectAnswer(call, 503, notAsked);
		const items = started(await notify(bench(), { id }, options));
		expect(items).toMatchObject([{ event: 'emailFinderSingle' }]);
	});

	it('an id of one kind is not started again under the name of another', async () => {
		know(['emailFinderSingle']);
		expect(started(await notify(bench(), { id }, marked('emailFinderSingle')))).toHaveLength(1);
		for (const body of [{ id }, { verification_id: id }, { batch_id: id, results: [] }]) {
			const call = await notify(bench(), body);
			expect(call.workflowData).toBeUndefined();
			expect(call.response?.status).toBe(200);
		}
	});
});

describe('what is remembered', () => {
	it('holds the kinds after a restart of n8n', async () => {
		know(['emailFinderSingle', 'emailVerifierSingle']);
		const { staticData } = await notify(bench(), { id }, marked('emailFinderSingle'));
		vi.resetModules();
		const { notify: restarted } = await import('./trigger.mts');
		const again = await restarted(bench(), { id }, { ...marked('emailFinderSingle'), staticData });
		expectAnswer(again, 200, SEEN);
		const other = await restarted(
			bench(),
			{ id },
			{ ...marked('emailVerifierSingle'), staticData },
		);
		expect(started(other)).toMatchObject([{ event: 'emailVerifierSingle' }]);
		const { staticData: both } = other;
		for (const kind of ['emailFinderSingle', 'emailVerifierSingle'] as const) {
			const call = await restarted(bench(), { id }, { ...marked(kind), staticData: both });
			expectAnswer(call, 200, SEEN);
		}
	});

	it('by an earlier version, without kinds, still counts for all of them', async () => {
		know(KINDS);
		const staticData = { seen: [{ id, at: Date.now() }] };
		for (const kind of KINDS) {
			expectAnswer(await notify(bench(), { id }, { ...marked(kind), staticData }), 200, SEEN);
		}
	});
});

/** As a service may call its lookups. */
function wordsOf(kind: Kind): string {
	const size = kind.endsWith('Bulk') ? 'bulk ' : '';
	if (kind.startsWith('emailFinder')) return `${size}email find`;
	return kind.startsWith('phone') ? `${size}phone` : `${size}verification`;
}
