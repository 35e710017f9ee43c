import { expect, it } from 'vitest';
import { ContactDataApi } from '../../../credentials/ContactDataApi.credentials.ts';
import { ContactData } from '../../../nodes/ContactData/ContactData.node.ts';
import { ContactDataTrigger } from '../../../nodes/ContactData/ContactDataTrigger.node.ts';
import { readTexts, ROOT } from './repository.mts';

const SHOWN = [
	new ContactData().description,
	new ContactDataTrigger().description,
	new ContactDataApi(),
];

/** Of n8n itself, and of its HTTP Request node. */
const LABELS_OF_N8N = [
	'Execute Once',
	'Loop Over Items (Split in Batches)',
	'On Error',
	'Retry On Fail',
	'Retry with currently saved workflow',
	'Timeout After',
];

/** Words of the code and of protocols. */
const NOT_FOR_USERS =
	/\b(?:lookups?|poll(?:s|ed|ing)?|suspend(?:s|ed|ing)?|park(?:s|ed|ing)?|submi(?:t|ts|tted|tting|ssions?)|payloads?|endpoints?|callbacks?|arrays?|booleans?|strings?)\b/gi;

/** The texts under these keys, at whatever depth. */
function textsUnder(keys: readonly string[], within: unknown): string[] {
	if (typeof within !== 'object' || within === null) return [];
	return Object.entries(within).flatMap(([key, value]) =>
		typeof value === 'string' && keys.includes(key) ? [value] : textsUnder(keys, value),
	);
}

/** What a text quotes as a label of the editor, such as `'Max Credits'`. */
function labelsIn(text: string): string[] {
	const quoted = text.matchAll(/(?<![\p{L}\p{N}])'(\p{Lu}[^'…\n]{1,50})'(?!\p{L})/gu);
	return [...quoted].map(([, label]) => label);
}

it('labels that messages and descriptions quote exist', async () => {
	const shown = textsUnder(['displayName', 'name'], SHOWN);
	// A text may leave out the unit of 'Timeout (Seconds)'.
	const labels = new Set([
		...LABELS_OF_N8N,
		...shown,
		...shown.map((label) => label.replace(/ \(.*\)$/, '')),
	]);
	const sources = await readTexts(/\.ts$/, new URL('nodes/', ROOT));
	// Texts that quote something stand in double quotes, or in backticks with code in them.
	const texts = [...sources.values()].flatMap((text) =>
		(text.match(/"[^"\n]*"|`[^`]*`/g) ?? []).map((quoted) => quoted.replace(/\$\{[^}]*\}/g, '…')),
	);
	const quoted = [
		...texts.flatMap(labelsIn),
		...textsUnder(['description', 'hint'], SHOWN).flatMap(labelsIn),
	];
	expect(quoted.length).toBeGreaterThan(50);
	expect(quoted.filter((label) => !labels.has(label))).toEqual([]);
});

it('the editor says nothing in words of the code', () => {
	const texts = textsUnder(['displayName', 'description', 'hint', 'placeholder', 'action'], SHOWN);
	expect(texts.flatMap((text) => text.match(NOT_FOR_USERS) ?? [])).toEqual([]);
});
