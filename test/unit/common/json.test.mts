import { expect, it } from 'vitest';
import { asNumber, asRecord, asText } from '../../../nodes/ContactData/common/values.ts';

it.for([0, 7.5, -1])('%j is a number', (value) => {
	expect(asNumber(value)).toBe(value);
});

it.for(['7', NaN, Infinity, null, undefined, true, [7]])('%j is no number', (value) => {
	expect(asNumber(value)).toBeUndefined();
});

it.for([[], null, 'text', 7, undefined])('%j is no record', (value) => {
	expect(asRecord(value)).toBeUndefined();
});

it.for(['', 7, null, undefined, {}])('%j is no text', (value) => {
	expect(asText(value)).toBeUndefined();
});
