import { describe, expect, it } from 'vitest';
import { collectMessages, readLiterals, readMessages } from '../../support/docs/messages.mts';
import { longest } from '../../support/docs/texts.mts';
import { LABELS } from './editor.mts';
import { countSentences, labelsIn, wordsNotForUsers } from './words.mts';

/** Labels of n8n's own editor. */
const OF_N8N = [
	'On Error',
	'Retry On Fail',
	'Execute Once',
	'Ignore SSL Issues',
	'SSL Certificates',
	'Host',
];

const messages = await readMessages();
const texts = collectMessages(longest);

it.for([
	[
		'results/problems.ts',
		'This … may have been charged: …',
		/^(The answer was: …)?$/,
	],
	['input/searchList.ts', "'…' is an empty list", /^Add at least one entry\.$/],
	['service/refusals.ts', 'The account does not have enough credits', /^Add credits/],
	['lookups/phoneFinder.ts', "'Profile URL' is empty", /'Identify By'/],
	['operations/submitAndWait.ts', 'The execution kept running instead of being paused: ….', /^$/],
	['trigger/receive.ts', 'The service could not be asked', /^$/],
	['suspension/suspend.ts', /^The service cannot reach this n8n/, /WEBHOOK_URL/],
] as const)('the messages of the source: %s, %s', ([file, message, description]) => {
	expect(messages).toContainEqual({
		file: `nodes/ContactData/${file}`,
		message: typeof message === 'string' ? message : (expect.stringMatching(message) as string),
		description: expect.stringMatching(description) as string,
	});
});

it('are many, also of the credential', () => {
	expect(messages.length).toBeGreaterThan(60);
	expect(messages.map(({ file }) => file)).toContain('credentials/signRequest.ts');
});

describe.for(texts)('$file: $message', ({ file, message, description }) => {
	it('says what happened in at most two sentences, and what to do in at most three', () => {
		// The hint of a run may end with an advice.
		const isHint = file.endsWith('/submitAndWait.ts');
		expect(countSentences(message)).toBeLessThanOrEqual(isHint ? 3 : 2);
		// One more says what is paid for, or what became of it.
		const isFollowed = /\/(service|lookups)\//.test(file);
		expect(countSentences(description)).toBeLessThanOrEqual(isFollowed ? 2 : 3);
	});

	it('uses the words of users', () => {
		expect(wordsNotForUsers(`${message} ${description}`)).toEqual([]);
	});

	it('quotes labels that exist', () => {
		const known = new Set([...LABELS, ...OF_N8N]);
		expect(labelsIn(`${message} ${description}`).filter((label) => !known.has(label))).toEqual([]);
	});
});

it('no longer sentence is written twice', () => {
	const sentences = readLiterals().flatMap((text) => text.split(/(?<=[.:;]) /));
	const long = sentences.filter((sentence) => sentence.split(' ').length > 7);
	expect(long.length).toBeGreaterThan(100);
	expect(long.filter((sentence, index) => long.indexOf(sentence) !== index)).toEqual([]);
});
