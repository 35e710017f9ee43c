import type { IDataObject } from 'n8n-workflow';
import { optionalColumns } from '../../../nodes/ContactData/input/settings.ts';
import type { Size } from '../../../nodes/ContactData/lookups/types.ts';
import { columnsOf } from '../../../nodes/ContactData/results/columns.ts';
import type { Bench } from '../../support/n8nCore/contactData.mts';
import { settingsFor } from '../../support/rows.mts';
import { LOOKUPS } from '../../support/sandbox/lookups/index.mts';
import type { LookupDefinition } from '../../support/sandbox/types.mts';
import { LOOKUP_NAMES, lookupOf, resultOf } from '../../support/searches.mts';

/** Of three the second is not found. */
export const WORDS = ['mustfind1', 'notfound', 'mustfind2'];

/** All lookups, with what the service has for them. */
export const casesOf = (size: Size) =>
	LOOKUP_NAMES.map((resource) => {
		const definition = LOOKUPS.get(`${lookupOf(resource).path}/${size}`);
		if (definition === undefined) throw new Error(`The sandbox has no ${resource} ${size}`);
		return { resource, definition, path: definition.path };
	});

/** All columns of what comes out for a word; those of options where nobody knows with which it was started. */
export function columnsFor(resource: string, size: Size, word: string, isRead = false) {
	const lookup = lookupOf(resource);
	const askedColumns = isRead ? optionalColumns(lookup) : [];
	const names = columnsOf(settingsFor(lookup, size, { askedColumns }));
	return {
		...Object.fromEntries(names.map((name) => [name, null])),
		...resultOf(resource, size, word),
		status: 'completed',
	};
}

/** What the service tells of an id. */
export function told({ sandbox }: Bench, path: string, id = ''): IDataObject {
	const headers = { 'x-api-key': sandbox.apiKey };
	const { body } = sandbox.service.handle({ method: 'GET', path, query: { id }, headers });
	return JSON.parse(JSON.stringify(body)) as IDataObject;
}

/** The service's receipt of so many searches. */
export function receiptOf({ kind, created }: LookupDefinition, { sandbox }: Bench, count = 1) {
	const credits_used = count * sandbox.service.account().prices[kind];
	const split = { fromSub: credits_used, fromPaygo: 0 };
	const credits = { amount: credits_used, source: 'sub', split };
	return {
		message: created.message,
		credits_used,
		...(created.credits === 'given' && { credits }),
	};
}
