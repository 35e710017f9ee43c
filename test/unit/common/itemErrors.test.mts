import { expect, it } from 'vitest';
import { ensureError } from '../../../nodes/ContactData/common/itemErrors.ts';
import { nestedTooDeeply } from '../../support/texts.mts';

it('an error stays what it is', () => {
	const error = new TypeError('x');
	expect(ensureError(error)).toBe(error);
});

it.for(['text', 7, null, undefined])('%j becomes an error that says so', (thrown) => {
	expect(ensureError(thrown)).toEqual(new Error(String(thrown)));
});

it("has words of its own for V8's, and keeps what was thrown", () => {
	const thrown = new RangeError('Maximum call stack size exceeded');
	const error = ensureError(thrown);
	expect(error.message).toBe(`A value ${nestedTooDeeply}, or is too large, to be handled`);
	expect(error.cause).toBe(thrown);
});
