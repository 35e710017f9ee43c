import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { hints } from '../../../nodes/ContactData/description/hints.ts';
import { lookups } from '../../../nodes/ContactData/lookups/index.ts';
import type { Lookup } from '../../../nodes/ContactData/lookups/types.ts';

/** The hints that the editor shows for these parameters. */
function shownFor(parameter: { resource: string; operation: string }, options: object = {}) {
	return hints
		.filter(({ displayCondition = '' }) => {
			const [, condition = ''] = /^=\{\{(.*)\}\}$/.exec(displayCondition) ?? [];
			return (
				runInNewContext(condition, { $parameter: parameter, $rawParameter: { options } }) === true
			);
		})
		.map(({ message }) => message);
}

const all: Lookup[] = Object.values(lookups);

describe.for(all)('before a run of $title', ({ name, costHint }) => {
	const own = costHint === undefined ? [] : [costHint.message];

	it('the editor shows what the lookup says of its costs', () => {
		for (const operation of ['submit', 'submitAndWait', 'submitBulk', 'submitBulkAndWait']) {
			expect(shownFor({ resource: name, operation })).toEqual(own);
		}
	});

	it('it shows nothing where nothing is submitted, or the costs are watched over', () => {
		expect(shownFor({ resource: name, operation: 'getResult' })).toEqual([]);
		for (const option of [
			{ maxCredits: 100 },
			{ maxCredits: '={{ $json.x }}' },
			{ dryRun: true },
		]) {
			expect(shownFor({ resource: name, operation: 'submit' }, option)).toEqual([]);
		}
	});
});

it('a phone search says what it costs, and only that', () => {
	const costly = all.filter(({ costHint }) => costHint);
	expect(costly.map(({ name }) => name)).toEqual(['phoneFinder']);
	expect(hints).toHaveLength(1);
});
