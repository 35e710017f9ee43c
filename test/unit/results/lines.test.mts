import { expect, it } from 'vitest';

import { emailFinder } from '../../../nodes/ContactData/lookups/emailFinder';
import { ordersOfItems } from '../../../nodes/ContactData/results/named';
import { summarizePause } from '../../../nodes/ContactData/results/summary';

it.for(['DEFAULT', 'GMT+2', '', 'Europe/Paris'])(
	'the end of a pause is told in the time zone %j: nothing fails once n8n pauses',
	(timeZone) => {
		const until = new Date('2026-11-28T04:15:00Z');
		const line = summarizePause({ lookup: emailFinder, size: 'single' }, [], [], {
			until,
			timeZone,
		});
		expect(line).toMatch(/until 28 Nov 2026, 0[45]:15 [^.]+\.$/);
	},
);

it.for([
	[undefined, 1],
	['The batch was not finished', undefined],
] as const)(
	'of a waiting item with the error %j and an index the place in its batch is %j',
	([error, place]) => {
		const json = {
			status: 'ongoing',
			batch_id: 'b-1',
			found: null,
			fullname: 'Ada Hart',
			index: 1,
		};
		const item = { item: 0, id: 'b-1', json: { ...json, ...(error && { error }) } };
		const { orders } = ordersOfItems(emailFinder, 'bulk', [item]);
		expect(orders.flatMap(({ entries }) => entries.map((entry) => entry.place))).toEqual([place]);
	},
);
