import { expect, it } from 'vitest';
import { readText } from '../../../nodes/ContactData/service/answerText.ts';
import { nestedTooDeep, tooManyValues } from '../../support/texts.mts';

const MB = 1024 * 1024;
const TOO_DEEP = nestedTooDeep;
const TOO_MANY = tooManyValues;

/** What is said of an answer that comes in pieces. */
async function read(text: string, maxBytes = 20 * MB) {
	const bytes = Buffer.from(text);
	async function* stream() {
		for (let start = 0; start < bytes.length; start += MB) {
			yield bytes.subarray(start, start + MB);
		}
	}
	const answer = await readText(stream(), maxBytes);
	return answer?.tooLarge;
}

it.for([
	['[', ']'],
	['{"a":', '}'],
])('counts the levels of %s', async ([open, close]) => {
	const nested = (times: number) => open.repeat(times) + close.repeat(times);
	expect(await read(nested(10_000))).toBeUndefined();
	expect(await read(nested(10_001))).toBe(TOO_DEEP);
	expect(await read(nested(10_001) + ']'.repeat(20_000))).toBe(TOO_DEEP);
	expect(await read(nested(9_000).repeat(2))).toBeUndefined();
});

it.for([
	['commas', 1_500_000, ','],
	['lists', 1_500_000, '[]'],
	['objects', 1_500_000, '{}'],
	['lists of two', 750_000, '[1,2]'],
] as const)('counts the values of %s', async ([, most, text]) => {
	expect(await read(text.repeat(most))).toBeUndefined();
	expect(await read(text.repeat(most + 1))).toBe(TOO_MANY);
});

it('what is in a text is no level and no value, whatever quotes are in it', async () => {
	expect(await read(`"${'['.repeat(20_000)}"`)).toBeUndefined();
	expect(await read(`"\\"${'['.repeat(20_000)}"`)).toBeUndefined();
	expect(await read(`"\\\\"${'['.repeat(20_000)}`)).toBe(TOO_DEEP);
	expect(await read(`"${','.repeat(1_500_001)}"`)).toBeUndefined();
});

it('says how many bytes are too many', async () => {
	const text = ' '.repeat(2 * MB);
	expect(await read(text, 2 * MB)).toBeUndefined();
	expect(await read(`${text} `, 2 * MB)).toBe('larger than 2 MB');
});
