import { expect, it } from 'vitest';
import { toAccount } from '../../../nodes/ContactData/service/request.ts';
import { toAccountInfo } from '../../../nodes/ContactData/service/account.ts';
import { askOnce } from '../../../nodes/ContactData/service/reading.ts';
import { findMessage, refusalIn } from '../../../nodes/ContactData/service/refusals.ts';
import { sendRequest } from '../../../nodes/ContactData/service/request.ts';

// What takes a text of others takes a hundred times as long for one that is a hundred times as long, and
// no longer: whatever is in it.

const SHORT = 2_000;
const LONG = 100 * SHORT;
/** What is quadratic comes to 100, for all that a busy machine and the collector of garbage add. */
const MOST = 25;

/** A key of which a long part occurs again and again, and of what is spelled in several ways. */
const accountOf = (key: string) => toAccount(key, 'https://api.example.com', 10);
const ACCOUNT = accountOf('k3y');

const answering = (answer: { status?: number; body?: string; headers?: object }) => ({
	account: ACCOUNT,
	send: async () => {
		const { status: statusCode = 200, headers = {}, body = '' } = answer;
		return await Promise.resolve({ statusCode, headers, body: [Buffer.from(body)].values() });
	},
});
const GET = { method: 'GET', path: '/x' } as const;

/** The function, what is worst for it, and how it is called. */
const FUNCTIONS: Array<[name: string, worst: string[], take: (text: string) => unknown]> = [
	['redact', ['aaaaaaaab', 'a'], (text) => accountOf(`${'a'.repeat(30)}b`).redact(text)],
	[
		'redact percents',
		['%', '%25', '%2525'],
		(text) => accountOf(`${'%25'.repeat(10)}b`).redact(text),
	],
	['findMessage', [' ', '\n x', '<', 'too many ', '\u0301'], (message) => findMessage({ message })],
	['findMessage of a text', [' ', '{', '\u0301'], findMessage],
	[
		'refusalIn',
		[
			'too many ',
			'missing ',
			'missing searches ',
			'at least ',
			'insufficient ',
			'per batch ',
			'\ud800',
		],
		(message) => refusalIn(400, { message }),
	],
	['toAccountInfo', ['1', ' ', '1.'], (credits) => toAccountInfo({ credits, webhooks: [credits] })],
	[
		'sendRequest: a body',
		['[', '{"a":', '"\\u0041', '\\', '\u0301'],
		async (body) => await sendRequest(answering({ body }), GET),
	],
	[
		'sendRequest: Retry-After',
		['1', ' ', '1.'],
		async (after) =>
			await sendRequest(answering({ status: 429, headers: { 'retry-after': `${after}x` } }), GET),
	],
	[
		'askOnce: an id',
		['<', '\u0301'],
		async (id) => await askOnce(answering({ status: 404, body: '{}' }), '/x', { query: { id } }),
	],
];

/** In one piece: to join the parts takes time, too. */
function textOf(part: string, length: number): string {
	return Array.from({ length: Math.ceil(length / part.length) }, () => part).join('');
}

/** The shortest of some times: what else the machine does makes only longer ones. */
async function shortestMs(run: () => Promise<void>): Promise<number> {
	let shortest = Infinity;
	for (let round = 0; round < 3; round++) {
		const begin = performance.now();
		await run();
		shortest = Math.min(shortest, performance.now() - begin);
	}
	return shortest;
}

it.for(FUNCTIONS)('%s', async ([, worst, take]) => {
	for (const part of worst) {
		const long = textOf(part, LONG);
		// A copy each, as what is made of a text once may be kept with it.
		const shorts = Array.from({ length: LONG / SHORT }, () => textOf(part, SHORT));
		const shortMs = await shortestMs(async () => {
			for (const short of shorts) await take(short);
		});
		const longMs = await shortestMs(async () => void (await take(long)));
		expect(longMs / shortMs, JSON.stringify(part)).toBeLessThan(MOST);
	}
});

it.for<[string, (character: string) => string]>([
	['JSON', (character) => `\\u00${character.charCodeAt(0).toString(16)}`],
	['a URL', (character) => `%${character.charCodeAt(0).toString(16)}`],
])('redact: no key takes much longer than one of half its length, in %s', async ([, spell]) => {
	const halfAndWhole = [8, 16].map((length) => {
		const key = '%25\\"u0'.repeat(length).slice(0, length);
		const account = accountOf(`${key}!`);
		const text = textOf(Array.from(key, spell).join(''), LONG);
		return async () =>
			await shortestMs(async () => await Promise.resolve(void account.redact(text)));
	});
	const [halfMs = 0, wholeMs = 0] = [await halfAndWhole[0]?.(), await halfAndWhole[1]?.()];
	// Where each letter doubles the time, eight more make it 256 times as long.
	expect(wholeMs / halfMs).toBeLessThan(100);
});
