import type { IDataObject } from 'n8n-workflow';
import { jsonParse } from 'n8n-workflow';
import { expect, it } from 'vitest';
import { shortHash } from '../../../nodes/ContactData/common/values.ts';
import type { Saved } from '../../../nodes/ContactData/run/saved.ts';
import { ExecutionNotes } from '../../../nodes/ContactData/run/saved.ts';
import type { ToolCall } from '../../../nodes/ContactData/run/toolCall.ts';
import { lookups } from '../../../nodes/ContactData/lookups/index.ts';
import { Ledger } from '../../../nodes/ContactData/orders/ledger.ts';
import type { AcceptedOrder, Entry, Fate } from '../../../nodes/ContactData/orders/order.ts';
import { accepted, isAccepted, noteShown } from '../../../nodes/ContactData/orders/order.ts';
import { costIn, paidIn } from '../../../nodes/ContactData/orders/receipts.ts';
import { settingsFor } from '../../support/rows.mts';
import { wasInterrupted } from '../../support/texts.mts';

const hashOf = (text: string) => shortHash(text, 12);
const row = { item: 0, search: {}, key: '', envelope: {} };
const ACCOUNT = { baseUrl: '', requestsPerSecond: 10, redact: String };
const PLANNED: Fate = { kind: 'planned' };

const CALL = { isOfAgent: true } as ToolCall;

/** Records orders in one try, and opens the ledger with what n8n has saved of it in the next. */
function nextTry(fates: Record<string, Fate>, turn = '0', nextTurn = turn) {
	const node: IDataObject = {};
	const open = (saved: Saved) => {
		const settings = settingsFor(lookups.emailFinder, 'single');
		// Of the memory of the process nothing is wanted here.
		const account = { ...ACCOUNT, fingerprint: String(Math.random()) };
		const connection = { account, send: async () => await Promise.resolve() };
		const notes = new ExecutionNotes(undefined, {});
		const call = saved.loopTurn === 'tool' ? CALL : undefined;
		return { saved, ledger: new Ledger({ settings, connection, saved, notes, call }) };
	};
	const first = open({ node, flow: {}, loopTurn: turn, executionId: '7' });
	for (const [texts, fate] of Object.entries(fates)) record(first.ledger, texts, fate);
	const saved = jsonParse<IDataObject>(JSON.stringify(node));
	return open({ node: saved, flow: {}, loopTurn: nextTurn, executionId: '8' });
}

const entriesOf = (texts: string) =>
	texts.split(' ').map((text): Entry => ({ hash: hashOf(text), rows: [row] }));

function record(ledger: Ledger, texts: string, fate: Fate): void {
	const entries = entriesOf(texts);
	const size = entries.length > 1 ? 'bulk' : 'single';
	const count = entries.length;
	ledger.record({ origin: 'new', size, entries, count, resumes: '7', fate: PLANNED }, fate);
}

const PAID = {
	ada: accepted('s-1', { id: 's-1', credits_used: 2 }),
	'bob cleo dan': accepted('b-1', { id: 'b-1', credits_used: 6 }),
};
const UNSURE: Record<string, Fate> = {
	eve: { kind: 'sending' },
	fay: { kind: 'unknown', reason: 'no answer came in time', lastAnswer: 'Busy' },
};

const NOTHING = { paidFor: [], unsure: 0 };

it('a next try finds each search that was sent, with the others of its order, and what became of it', () => {
	const { ledger } = nextTry({ ...PAID, ...UNSURE });
	const told = (text: string) => ledger.find(entriesOf(text)).known[0];
	const fate = PAID['bob cleo dan'];
	expect(told('ada')).toMatchObject({ size: 'single', count: 1, resumes: '7', fate: PAID.ada });
	expect(told('dan')).toMatchObject({ size: 'bulk', count: 3, entries: [{ place: 2 }], fate });
	expect(ledger.find(entriesOf('bob dan')).known).toHaveLength(1);
	const reason: unknown = expect.stringContaining(wasInterrupted);
	expect(told('eve')?.fate).toMatchObject({ kind: 'unknown', reason });
	expect(told('fay')?.fate).toEqual(UNSURE.fay);
	expect(told('gil')).toBeUndefined();
});

it('what was not sent, or not taken, is not found', () => {
	const problem = { message: 'No', description: '' };
	const { saved } = nextTry({
		ada: { kind: 'refused', problem },
		bob: { kind: 'claimed' },
		eve: { kind: 'halted' },
	});
	expect(paidIn(saved)).toEqual(NOTHING);
});

it('what is paid for, or may be', () => {
	const { saved } = nextTry({ ...PAID, ...UNSURE });
	expect(paidIn(saved)).toEqual({ paidFor: ['s-1', 'b-1'], unsure: 2 });
});

it('each turn of a loop has receipts of its own, and they end with it', () => {
	expect(paidIn(nextTry(PAID, '0', '1').saved)).toEqual(NOTHING);
	const { ledger, saved } = nextTry(PAID);
	const answer = { id: 's-2' };
	const read = { size: 'single', hashes: hashOf('zoe'), at: 1_700_000_000, answer };
	ledger.receipts[hashOf('zoe')] = { ...read, isOnlyRead: true };
	const known = { origin: 'recent', sentAt: read.at };
	expect(ledger.find(entriesOf('zoe')).known).toMatchObject([known]);
	// Where n8n may run the node again, only what was read goes: a loop would pile it up.
	ledger.clear(true);
	expect(ledger.find(entriesOf('zoe')).known).toEqual([]);
	expect(paidIn(saved).paidFor).toEqual(['s-1', 'b-1']);
	ledger.clear(false);
	expect(paidIn(saved)).toEqual(NOTHING);
});

it('those of a tool stay for its next call, and only what this execution has sent counts as its cost', () => {
	const { ledger, saved } = nextTry(PAID, 'tool');
	ledger.clear(false);
	expect(paidIn(saved).paidFor).toEqual(['s-1', 'b-1']);
	expect(costIn(saved)).toEqual({ credits: 0, inDoubt: 0 });
	record(ledger, 'zoe', accepted('s-2', { id: 's-2', credits_used: 0.25 }));
	expect(costIn(saved)).toEqual({ credits: 0.25, inDoubt: 0 });
	record(ledger, 'zoe', { kind: 'sending' });
	expect(costIn(saved)).toEqual({ credits: 0, inDoubt: 1 });
});

/** The service has said that it does not know the id. */
function asLost(order: AcceptedOrder): AcceptedOrder {
	const refusal = {
		message: 'No such id',
		description: '',
		affects: 'request',
		status: 404,
	} as const;
	noteShown(order, { kind: 'fault', fault: 'refused', refusal }, true);
	return order;
}

it('what is forgotten is the lost id, and not the one of a search that another run has started since', async () => {
	const fingerprint = 'forgets';
	const open = (executionId: string) => {
		const settings = settingsFor(lookups.emailFinder, 'single');
		const connection = {
			account: { ...ACCOUNT, fingerprint },
			// The account answers.
			send: async () => await Promise.resolve({ statusCode: 200, body: { credits: 1 } }),
		};
		const saved = { node: {}, flow: {}, loopTurn: '0', executionId };
		return new Ledger({ settings, connection, saved, notes: new ExecutionNotes(undefined, {}) });
	};
	const searched = (id: string) => {
		record(open(id), 'ada', accepted(id, { id, credits_used: 1 }));
		const [order] = open('reader').find(entriesOf('ada')).known;
		if (order === undefined || !isAccepted(order)) throw new Error('It is not known');
		return order;
	};
	const [lost] = [searched('s-1'), searched('s-2')];
	await open('reader').settle([asLost(lost)]);
	const idFound = () =>
		open('third')
			.find(entriesOf('ada'))
			.known.map(({ fate }) => fate);
	expect(idFound()).toMatchObject([{ id: 's-2' }]);
	await open('reader').settle([asLost(searched('s-2'))]);
	expect(idFound()).toEqual([]);
});
