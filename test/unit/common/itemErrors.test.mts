import { expect, it } from 'vitest';
import { ensureError } from '../../../nodes/ContactData/common/itemErrors.ts';

it('an error stays what it is', () => {
	const error = new TypeError('x');
	expect(ensureError(error)).toBe(error);
});

it.for(['text', 7, null, undefined])('%j becomes an error that says so', (thrown) => {
	expect(ensureError(thrown)).toEqual(new Error(String(thrown)));
});
