import { afterEach, expect, it, vi } from 'vitest';
import { toAccount } from '../../../nodes/ContactData/service/account.ts';
import { CallReceipts } from '../../../nodes/ContactData/spending/callReceipts.ts';
import { UnheardOf } from '../../../nodes/ContactData/spending/unheard.ts';
import { skipTime, startClock } from '../../support/clock.mts';

afterEach(() => void vi.useRealTimers());

const NAME_LENGTH = 8;
const LARGEST_BATCH = 5_000;

it('forgets nothing for thousands of single searches of others', () => {
	const tool = new UnheardOf('a tool');
	const others = new UnheardOf('another tool');
	const entry = { names: 'x'.repeat(NAME_LENGTH), unknown: 'the connection broke' };
	tool.keep('search', entry);
	for (let n = 0; n < 5_000; n++) others.keep(`search ${n}`, entry);
	expect(tool.get('search')).toEqual(entry);
});

it('forgets the oldest for hundreds of the largest batches: memory stays bounded', () => {
	const tool = new UnheardOf('a tool of batches');
	const entry = { names: 'x'.repeat(NAME_LENGTH * LARGEST_BATCH) };
	for (let n = 0; n < 500; n++) tool.keep(`batch ${n}`, entry);
	expect(tool.get('batch 0')).toBeUndefined();
	expect(tool.get('batch 499')).toEqual(entry);
	expect(tool.list().length).toBeGreaterThan(200);
	expect(tool.list().length).toBeLessThan(300);
});

it('forgets all after two hours', () => {
	startClock();
	const tool = new UnheardOf('a tool of the morning');
	tool.keep('search', { names: 'x' });
	skipTime(7_199_000);
	expect(tool.list()).toEqual([['search', { names: 'x' }]]);
	skipTime(1_000);
	expect(tool.get('search')).toBeUndefined();
	expect(tool.list()).toEqual([]);
});

it('counts what the service says, too', () => {
	const tool = new UnheardOf('a tool of a talkative service');
	const entry = { names: 'x'.repeat(NAME_LENGTH), said: { message: 'x'.repeat(100_000) } };
	for (let n = 0; n < 200; n++) tool.keep(`search ${n}`, entry);
	expect(tool.list().length).toBeLessThan(100);
});

it('keeps the ID of an answer that is nested too deeply to be counted', () => {
	const account = toAccount('a key', 'https://service.example', 50);
	const receipts = new CallReceipts({}, '1', account, 'a tool');
	const submission = { key: 'key', names: ['search'], body: {}, searches: [], items: [], size: 1 };
	const estimated = JSON.parse('['.repeat(9_999) + ']'.repeat(9_999)) as string;
	const answer = { id: 'an-id', credits_used: 1, estimated_duration: estimated };
	receipts.settle(submission, { kind: 'accepted', id: 'an-id', answer });
	const later = new CallReceipts({}, '2', account, 'a tool');
	expect(later.get('key')).toMatchObject({ kind: 'accepted', id: 'an-id' });
});

it('what other executions have paid for counts for the cap of a call, once', () => {
	const account = toAccount('a key', 'https://service.example', 50);
	const saved = {};
	const submission = { key: 'key', names: ['search'], body: {}, searches: [], items: [], size: 1 };
	const first = new CallReceipts(saved, '1', account, 'a tool with a cap');
	expect(first.countsForCap('key')).toBe(false);
	first.settle(submission, {
		kind: 'accepted',
		id: 'an-id',
		answer: { id: 'an-id', credits_used: 1 },
	});
	const ofExecution = (id: string) => new CallReceipts(saved, id, account, 'a tool with a cap');
	expect(ofExecution('1').countsForCap('key')).toBe(false);
	expect(ofExecution('2').countsForCap('key')).toBe(true);
});
