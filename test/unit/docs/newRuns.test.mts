import { expect, it } from 'vitest';
import { readTexts, ROOT } from './repository.mts';

/** Pages that tell of the service and of the work on this package, not of what a user does after an error. */
const NOT_FOR_USERS = /^docs\/(?:contributing\/.*|performance)\.md$/;

/** To do again what may be paid, in whatever words. */
const NEW_RUN =
	/\b(?:run|execute|start|launch|send|submit|search|look up|try|call|repeat|redo|buy|pay)\b[^.:!?]*?\b(?:again|anew|afresh|once more|a second time|from the start)\b|\b(?:re-?run|re-?send|re-?submit|re-?execute|restart the|restart it)\b/i;

/** Sentences with such words that advise nothing of the kind, or where nothing is charged; by a part of them. */
const HARMLESS = [
	// Warnings.
	'Each run pays again.',
	"next run may spend 'Max Credits' anew",
	'the next run searches, and pays, anew',
	'would run the node again',
	'would pay again',
	'Do not search for it again',
	"n8n's Retry does not pay again",
	'is read instead of paid again',
	// The option, which is for that.
	'Search Again',
	'again for what is remembered as paid',
	// The service has lost its ID.
	'cannot be read any more: the next run searches, and pays, anew',
	// Nothing was sent, or the same call finds what it has paid for.
	'Call this tool again, in a while.',
	'by the same call again',
	'**The same call again** goes on with what is paid for',
	'may have been charged is not sent again',
	'A model that asks for the same again pays once',
	// Read by its ID.
	'the model asks again for',
	'Run the workflow again: nothing is charged.',
	// The node itself.
	'The node sends a search again in two cases',
	'call to resume it, which is made again',
	// Notifications, which the service sends.
	'A test may start with the same ID again and again.',
	'The sender should try again.',
];

/** What users read, in sentences, with the file that has it. */
async function readSentences(): Promise<Array<[file: string, sentence: string]>> {
	const files = new Map([
		...(await readTexts(/\.ts$/, new URL('nodes/', ROOT))),
		...(await readTexts(/\.ts$/, new URL('credentials/', ROOT))),
		...(await readTexts(/\.md$/, new URL('docs/', ROOT))),
		...(await readTexts(/\.(?:md|json)$/, new URL('examples/', ROOT))),
		['README.md', (await readTexts(/^README\.md$/)).get('README.md') ?? ''],
	]);
	return [...files].flatMap(([file, text]) => {
		if (NOT_FOR_USERS.test(file)) return [];
		const read = file.endsWith('.ts') ? withoutComments(text) : text;
		const sentences = read.split(/(?<=[.!?])\s|\s\|\s|\n|\\n/);
		return sentences.map((sentence): [string, string] => [file, sentence.trim()]);
	});
}

function withoutComments(source: string): string {
	return source.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(?<=^|\s)\/\/.*$/gm, '');
}

it('no text advises a new run of what may be paid', async () => {
	const advice = (await readSentences()).filter(
		([, sentence]) => NEW_RUN.test(sentence) && !HARMLESS.some((part) => sentence.includes(part)),
	);
	expect(advice).toEqual([]);
});

it('each exception is there', async () => {
	const sentences = (await readSentences()).map(([, sentence]) => sentence).join('\n');
	expect(HARMLESS.filter((part) => !sentences.includes(part))).toEqual([]);
});
