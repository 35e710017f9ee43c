import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { lookupEvents } from '../../../nodes/ContactData/lookups/index.ts';
import { SeenIds } from '../../../nodes/ContactData/trigger/seen.ts';

const MAX_SEEN = 10_000;

const [event] = lookupEvents;
if (event === undefined) throw new Error('There are no lookups');
const question = (id: string) => ({ id, event });

/** Other processes share nothing but the data: what a process remembers is kept by trigger. */
const inProcess = (name: string, data: IDataObject) => new SeenIds(`w ${name}`, data);

/** The static data of a trigger that has seen as many as it remembers. */
const FULL: IDataObject = {};
const filling = inProcess('full', FULL);
for (let n = 0; n < MAX_SEEN; n++) filling.add(question(`old${n}`));

describe('SeenIds', () => {
	it('knows the last 10,000 ids, in less than 100 KB', () => {
		const data = structuredClone(FULL);
		expect(JSON.stringify(data).length).toBeLessThan(100_000);
		const seen = inProcess('space', data);
		seen.add(question('new'));
		const later = inProcess('space later', structuredClone(data));
		const known = ['old0', 'old1', `old${MAX_SEEN - 1}`, 'new'];
		expect(known.map((id) => later.has(question(id)))).toEqual([false, true, true, true]);
	});

	it('two processes in turn know what the other has just seen, however long both have run', () => {
		let saved = FULL;
		for (let n = 0; n < 20; n++) {
			const data = structuredClone(saved);
			const seen = inProcess(`in turn ${n % 2}`, data);
			for (let before = 0; before < n; before++)
				expect(seen.has(question(`id${before}`))).toBe(true);
			expect(seen.has(question(`id${n}`))).toBe(false);
			seen.add(question(`id${n}`));
			saved = structuredClone(data);
		}
	});
});
