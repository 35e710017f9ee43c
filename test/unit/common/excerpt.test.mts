import { expect, it } from 'vitest';
import { excerpt } from '../../../nodes/ContactData/common/values.ts';

it.for([
	['plain', 'plain'],
	['two\r\nlines\u2028more', 'two  lines more'],
	['bell\u0007 and \u001b[31mred', 'bell  and  [31mred'],
	['turned \u202eround', 'turned  round'],
	['half \ud83d', 'half  '],
	['Zoë 🚀 علی', 'Zoë 🚀 علی'],
])('%j is shown as %j', ([text, shown]) => {
	expect(excerpt(text, 100)).toBe(shown);
});

it('is cut, and not in the middle of a character', () => {
	expect(excerpt('x'.repeat(1_000), 10)).toBe('x'.repeat(10));
	expect(excerpt('🚀🚀', 3)).toBe('🚀 ');
});
