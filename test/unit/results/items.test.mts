import { describe, expect, it } from 'vitest';
import { lookups } from '../../../nodes/ContactData/lookups/index.ts';
import {
	batchItem,
	bulkResult,
	idsOf,
	isErrorJson,
	isFound,
	ongoingItem,
	singleResult,
	toErrorJson,
	unlistedResult,
} from '../../../nodes/ContactData/results/items.ts';

const { emailFinder, emailVerifier, phoneFinder } = lookups;

describe('found', () => {
	it.for([
		['valid', true],
		['found', true],
		['invalid', false],
		['not_found', false],
		['Valid', true],
		[' FOUND', true],
		['', false],
		[undefined, false],
		[null, false],
		[true, false],
	])('%j is %s', ([qualification, found]) => {
		expect(isFound(qualification)).toBe(found);
	});
});

describe('our fields', () => {
	it('stand beside those of the service, and over them', () => {
		const body = { qualification: 'valid', id: 'theirs', status: 'theirs', found: 'theirs', x: 1 };
		expect(singleResult('ours', body)).toEqual({
			qualification: 'valid',
			x: 1,
			id: 'ours',
			status: 'completed',
			found: true,
		});
		expect(bulkResult('ours', body)).toEqual({
			...body,
			batch_id: 'ours',
			status: 'completed',
			found: true,
		});
		expect(batchItem('ours', { general: {}, status: 'theirs' })).toEqual({
			general: {},
			batch_id: 'ours',
			status: 'completed',
		});
	});

	it('leave the body as it was', () => {
		const body = Object.freeze({ qualification: 'valid' });
		singleResult('a', body);
		bulkResult('a', body);
		expect(body).toEqual({ qualification: 'valid' });
	});

	it('name the id by what it is of', () => {
		expect(idsOf('single', 'a')).toEqual({ id: 'a' });
		expect(idsOf('bulk', 'a')).toEqual({ batch_id: 'a' });
	});
});

describe('a search that its batch does not list', () => {
	const tail = { batch_id: 'b', status: 'completed', found: false };

	it('of a phone is not found', () => {
		const search = { socialprofile_url: 'https://social.example/in/ada' };
		expect(unlistedResult(phoneFinder, 'b', search, { results: [] })).toEqual({
			params: search,
			qualification: 'not_found',
			...tail,
		});
	});

	it('of a phone is not known where the batch found more than it lists', () => {
		const body = { results: [{}], stats: { found: 2 } };
		expect(unlistedResult(phoneFinder, 'b', {}, body)).toBeUndefined();
		expect(unlistedResult(phoneFinder, 'b', {}, { ...body, stats: { found: 1 } })).toBeDefined();
	});

	it.for([emailFinder, emailVerifier])('of $name is not known', (lookup) => {
		expect(unlistedResult(lookup, 'b', {}, { results: [] })).toBeUndefined();
	});
});

describe('a lookup that still runs', () => {
	it('has its id and its search', () => {
		const single = { lookup: emailVerifier, size: 'single' } as const;
		expect(ongoingItem(single, 'a', { email: 'a@acme.com' }, {})).toEqual({
			id: 'a',
			status: 'ongoing',
			email: 'a@acme.com',
		});
	});

	it('of a batch has its place in it, also the first', () => {
		const search = { fullname: 'Ada', company_name: 'Acme' };
		const bulk = { lookup: emailFinder, size: 'bulk' } as const;
		expect(ongoingItem(bulk, 'b', search, { index: 0, custom: 'row 1' })).toEqual({
			batch_id: 'b',
			status: 'ongoing',
			index: 0,
			raw_params: search,
			custom: 'row 1',
		});
	});
});

describe('an item that says what went wrong', () => {
	it('names the search and the ids that it has, and no others', () => {
		const error = { message: 'No', description: '' };
		expect(toErrorJson(error, { item: 0, ids: {} })).toStrictEqual({ error: 'No', item: 0 });
		const search = { email: 'ada@acme.com' };
		expect(toErrorJson(error, { item: 1, search, ids: { id: 'a' } })).toStrictEqual({
			error: 'No',
			item: 1,
			search,
			id: 'a',
		});
	});

	it('is known by its error, which a result may have, too', () => {
		expect(isErrorJson({ error: 'No' })).toBe(true);
		expect(isErrorJson({ error: 'No', status: 'completed' })).toBe(false);
		expect(isErrorJson({})).toBe(false);
	});
});
