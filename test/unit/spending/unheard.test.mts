import { expect, it } from 'vitest';
import { UnheardOf } from '../../../nodes/ContactData/spending/unheard.ts';

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
