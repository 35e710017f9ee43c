import { readFile } from 'node:fs/promises';
import type { INodeProperties } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { ContactDataApi } from '../../../credentials/ContactDataApi.credentials.ts';
import { ContactData } from '../../../nodes/ContactData/ContactData.node.ts';
import { ContactDataTrigger } from '../../../nodes/ContactData/ContactDataTrigger.node.ts';
import { PARAMETERS_PAGE, parametersPage } from '../../support/docs/parameters.mts';
import { choicesOf, optionsOf } from '../../support/docs/places.mts';

const page = await readFile(PARAMETERS_PAGE, 'utf8');

it('docs/parameters.md is made from the code: if not, `npm run docs` makes it', () => {
	expect(page).toBe(parametersPage());
});

describe('the page has all that the editor says of', () => {
	it.for([
		['the action node', new ContactData().description.properties],
		['the trigger', new ContactDataTrigger().description.properties],
		['the credential', new ContactDataApi().properties],
	] as const)('%s', ([, properties]) => {
		const all = properties.flatMap((property) => [property, ...optionsOf(property)]);
		const texts = all.filter(({ type }) => type !== 'notice').flatMap(textsOf);
		expect(texts.length).toBeGreaterThan(properties.length);
		expect(texts.filter((text) => !page.includes(text))).toEqual([]);
	});
});

function textsOf(property: INodeProperties): string[] {
	const { displayName, description, hint, modes = [] } = property;
	const choices = choicesOf(property).flatMap((choice) => [choice.name, choice.description]);
	const ways = modes.flatMap((mode) => [mode.displayName, mode.hint]);
	return [displayName, description, hint, ...choices, ...ways].flatMap((text) => text ?? []);
}

describe('an option says what it is by default, and where it is shown', () => {
	it.for([
		['First Check After', '1', 'Find, Find Many'],
		['Wait for Result', 'off', 'Get Bulk Results, Get Result'],
		['ID of an Earlier Search', '', 'Find'],
		['ID of an Earlier Search', '', 'Find Many with Input Mode: One Search per Item'],
		[
			'Include Input Fields',
			'off',
			'Find, Start Search; Find Many, Start Bulk Search with Input Mode: One Search per Item',
		],
		['Max Credits', '0', 'Find, Find Many, Start Bulk Search, Start Search'],
		['Retrieve Gender', 'off', 'Email Finder: Find, Find Many, Start Bulk Search, Start Search'],
	] as const)('%s: %s, %s', ([option, byDefault, place]) => {
		const rows = page.split('\n').map((line) => line.split(' | '));
		expect(rows).toContainEqual([`| ${option}`, byDefault, expect.anything(), `${place} |`]);
	});
});
