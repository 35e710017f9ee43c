import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { ContactData } from '../../../nodes/ContactData/ContactData.node.ts';
import { ContactDataTrigger } from '../../../nodes/ContactData/ContactDataTrigger.node.ts';
import { hints } from '../../../nodes/ContactData/description/operations.ts';

/** The hints that the editor shows before a run with these parameters. */
function shownFor(resource: string, operation: string, options: object = {}) {
	const variables = { $parameter: { resource, operation }, $rawParameter: { options } };
	return hints.filter(({ displayCondition = '' }) => {
		const [, condition = ''] = /^=\{\{(.*)\}\}$/.exec(displayCondition) ?? [];
		return runInNewContext(condition, variables) === true;
	});
}

it.for(['submit', 'submitAndWait', 'submitBulk', 'submitBulkAndWait'])(
	'before %s the editor says what a phone search costs, and nothing of an email search',
	(operation) => {
		expect(shownFor('phoneFinder', operation)).toHaveLength(1);
		expect(shownFor('emailFinder', operation)).toEqual([]);
	},
);

it('it says so with a cap, too, and nothing where nothing is started', () => {
	expect(shownFor('phoneFinder', 'getResult')).toEqual([]);
	expect(shownFor('phoneFinder', 'submit', { dryRun: true })).toEqual([]);
	expect(shownFor('phoneFinder', 'submit', { maxCredits: 100 })).toHaveLength(1);
});

it('no hint is longer than the 120 characters that n8n asks for', () => {
	const shown = JSON.stringify([
		new ContactData().description,
		new ContactDataTrigger().description,
	]);
	const texts = [...shown.matchAll(/"(?:hint|message)":"(.*?)"/g)].map(([, text]) => text);
	expect(texts.length).toBeGreaterThan(5);
	expect(texts.filter(({ length }) => length > 120)).toEqual([]);
});
