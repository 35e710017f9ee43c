import { describe, expect, it } from 'vitest';
import { CHOICES, DESCRIPTIONS, LABELLED, LABELS, NODES, NOTES, PROPERTIES } from './editor.mts';
import { countSentences, labelsIn, wordsNotForUsers } from './words.mts';

/** Not capitalized in a title, but at its ends. */
const SMALL = new Set(
	'a an and as at but by for from if in nor of on or over per the to up via when with'.split(' '),
);

/** E.g. `ID of an Earlier Search`. */
function isTitle(label: string): boolean {
	const words = label.split(' ');
	return words.every((word, position) => {
		const isInside = position > 0 && position < words.length - 1;
		const isSmall = SMALL.has(word.toLowerCase().replace(/,$/, ''));
		return isInside && isSmall ? word === word.toLowerCase() : /^[A-Z0-9]/.test(word);
	});
}

it('looks at everything that the editor shows', () => {
	expect([...LABELS]).toEqual(
		expect.arrayContaining([
			'Contact Data Trigger',
			'API Key',
			'Wait Mode',
			'Pause Until Notified',
			'Max Credits',
			"This Workflow's Trigger",
			'One Email per Item',
			'Phone Search Batch Finished',
		]),
	);
	expect(DESCRIPTIONS.length).toBeGreaterThan(60);
	expect(NOTES.join()).toMatch(/Find many emails.*Paused until/s);
});

describe('labels', () => {
	it.for([...LABELS])('%s is in Title Case', (label) => {
		expect(isTitle(label)).toBe(true);
		expect(wordsNotForUsers(label)).toEqual([]);
	});

	it('are the same wherever the same parameter is shown, and another one for another', () => {
		const labels = new Map(LABELLED.map(({ name, displayName }) => [name, displayName]));
		const names = new Map(LABELLED.map(({ name, displayName }) => [displayName, name]));
		for (const { name, displayName } of LABELLED) {
			expect(displayName).toBe(labels.get(name));
			expect(name).toBe(names.get(displayName));
		}
	});
});

describe('descriptions', () => {
	it.for([...new Set(DESCRIPTIONS)])('%s', (description) => {
		expect(description).toMatch(/^[A-Z]/);
		expect(countSentences(description)).toBeLessThanOrEqual(3);
		expect(description.endsWith('.')).toBe(countSentences(description) > 1);
		expect(wordsNotForUsers(description)).toEqual([]);
	});

	it('of a switch begin with Whether', () => {
		for (const { type, displayName, description } of PROPERTIES) {
			if (displayName === 'HTTP Request Node') continue;
			const begins = description?.startsWith('Whether ') ?? false;
			expect({ displayName, begins }).toEqual({ displayName, begins: type === 'boolean' });
		}
	});

	it('say more than the label', () => {
		for (const { displayName, description } of PROPERTIES) {
			expect(description?.toLowerCase()).not.toBe(displayName.toLowerCase());
		}
		for (const { name, description } of CHOICES) {
			expect(description?.toLowerCase()).not.toBe(name.toLowerCase());
		}
	});
});

describe('notes, actions and placeholders', () => {
	it.for([...new Set(NOTES)])('%s', (note) => {
		expect(wordsNotForUsers(note)).toEqual([]);
	});

	it('of the operations are all different, and not titles', () => {
		const actions = CHOICES.flatMap(({ action }) => action ?? []);
		expect(actions.length).toBeGreaterThan(15);
		expect(new Set(actions).size).toBe(actions.length);
		for (const action of actions) expect(action).toMatch(/^[A-Z][a-z]+( [a-z]+)+$/);
	});

	it('give an example where something is to be filled in', () => {
		for (const { type, placeholder } of PROPERTIES) {
			if (type === 'string' && placeholder !== undefined) expect(placeholder).toMatch(/^e\.g\. /);
		}
	});
});

it('labels that a text quotes exist', () => {
	for (const text of [...DESCRIPTIONS, ...NOTES]) {
		expect(labelsIn(text).filter((label) => !LABELS.has(label))).toEqual([]);
	}
});

it('the lines below the names of the nodes are made of labels', () => {
	for (const { subtitle = '' } of NODES) expect(wordsInQuotes(subtitle)).toEqual([]);
});

/** Words of values, such as `emailFinder submitAndWait`, are for machines. */
function wordsInQuotes(subtitle: string): string[] {
	const texts = [...subtitle.matchAll(/":"([^"]+)"/g)].map(([, text]) => text);
	return texts.flatMap(wordsNotForUsers);
}
