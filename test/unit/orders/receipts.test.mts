import type { IDataObject } from 'n8n-workflow';
import { jsonParse } from 'n8n-workflow';
import { expect, it } from 'vitest';
import type { Entry, Fate } from '../../../nodes/ContactData/orders/order.ts';
import { accepted } from '../../../nodes/ContactData/orders/order.ts';
import { fateOf, namesOf, Receipts } from '../../../nodes/ContactData/orders/receipts.ts';
import { shortHash } from '../../../nodes/ContactData/common/values.ts';
import { TOOL_TURN } from '../../../nodes/ContactData/input/saved.ts';
import { wasInterrupted } from '../../support/texts.mts';

const nameOf = (text: string) => shortHash(text, 12);
const row = { item: 0, search: {}, key: '', envelope: {} };

/** Writes orders in one try, and opens what n8n has saved of it in the next. */
function nextTry(fates: Record<string, Fate>, turn = '0', nextTurn = turn): Receipts {
	const node: IDataObject = {};
	const resumes = '7';
	const receipts = new Receipts({ node, turn, executionId: '7' });
	for (const [texts, fate] of Object.entries(fates)) {
		const entries = texts.split(' ').map((text): Entry => ({ name: nameOf(text), rows: [row] }));
		const size = entries.length > 1 ? 'bulk' : 'single';
		receipts.write({ origin: 'new', size, entries, count: entries.length, resumes, fate });
	}
	const saved = jsonParse<IDataObject>(JSON.stringify(node));
	return new Receipts({ node: saved, turn: nextTurn, executionId: '8' });
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
	const found = nextTry({ ...PAID, ...UNSURE }).find(false);
	const told = (text: string) => {
		const sent = found.get(nameOf(text));
		return sent && { ...sent, names: namesOf(sent), fate: fateOf(sent) };
	};
	const names = ['bob', 'cleo', 'dan'].map(nameOf);
	const fate = PAID['bob cleo dan'];
	expect(told('ada')).toMatchObject({ size: 'single', resumes: '7', fate: PAID.ada });
	expect(told('dan')).toMatchObject({ size: 'bulk', resumes: '7', names, fate });
	expect(found.get(nameOf('bob'))).toBe(found.get(nameOf('dan')));
	const reason: unknown = expect.stringContaining(wasInterrupted);
	expect(told('eve')?.fate).toMatchObject({ kind: 'unknown', reason });
	expect(told('fay')?.fate).toEqual(UNSURE.fay);
	expect(told('gil')).toBeUndefined();
});

it('what was not sent, or not taken, is not found', () => {
	const problem = { message: 'No', description: '' };
	const receipts = nextTry({
		ada: { kind: 'refused', problem },
		bob: { kind: 'planned' },
		eve: { kind: 'halted' },
	});
	expect(receipts.paid).toEqual(NOTHING);
});

it('what is paid for, or may be', () => {
	const receipts = nextTry({ ...PAID, ...UNSURE });
	expect(receipts.paid).toEqual({ paidFor: ['s-1', 'b-1'], unsure: 2 });
});

it('each turn of a loop has receipts of its own, and they end with it', () => {
	expect(nextTry(PAID, '0', '1').paid).toEqual(NOTHING);
	const receipts = nextTry(PAID);
	receipts.note([{ name: nameOf('zoe'), rows: [row] }], {
		size: 'single',
		names: nameOf('zoe'),
		answer: { id: 's-2' },
		isRead: true,
	});
	// Where n8n may run the node again, only what was read goes: a loop would pile it up.
	receipts.clear(true);
	expect(receipts.find(true).size).toBe(0);
	expect(receipts.paid.paidFor).toEqual(['s-1', 'b-1']);
	receipts.clear();
	expect(receipts.paid).toEqual(NOTHING);
});

it('those of a tool stay for its next call, and only what this execution has sent counts as its cost', () => {
	const receipts = nextTry(PAID, TOOL_TURN);
	receipts.clear();
	expect(receipts.paid.paidFor).toEqual(['s-1', 'b-1']);
	expect(receipts.cost).toEqual({ credits: 0, inDoubt: 0 });
	const entries: Entry[] = [{ name: nameOf('zoe'), rows: [row] }];
	const order = { origin: 'new', size: 'single', entries, count: 1 } as const;
	receipts.write({ ...order, fate: accepted('s-2', { id: 's-2', credits_used: 0.25 }) });
	expect(receipts.cost).toEqual({ credits: 0.25, inDoubt: 0 });
	receipts.write({ ...order, fate: { kind: 'sending' } });
	expect(receipts.cost).toEqual({ credits: 0, inDoubt: 1 });
});
