import type { INodeProperties } from 'n8n-workflow';
import { ContactDataApi } from '../../../credentials/ContactDataApi.credentials.ts';
import { ContactData } from '../../../nodes/ContactData/ContactData.node.ts';
import { ContactDataTrigger } from '../../../nodes/ContactData/ContactDataTrigger.node.ts';
import { toTable } from './markdown.mts';
import { choicesOf, optionsOf, Places } from './places.mts';

export const PARAMETERS_PAGE = new URL('../../../docs/parameters.md', import.meta.url);

const INTRODUCTION = `# Parameters

<!-- Written by \`npm run docs\`: change the code instead. -->

Every field and option of the two nodes and of the credential, with its default. The editor shows only those that fit what you have chosen. This page says which.

The Email Verifier has words of its own. What is said of Find, Find Many, Start Search and Start Bulk Search holds for Verify, Verify Many, Start Verification and Start Bulk Verification too.`;

/** These have sections of their own. */
const APART = ['resource', 'operation', 'options'];

const { properties } = new ContactData().description;
const places = new Places(properties);

/** The page of docs on all parameters, as the editor shows them. */
export function parametersPage(): string {
	const fields = properties.filter(({ name }) => !APART.includes(name));
	const sections = [...new Set(fields.map(titleOf))].sort(
		(a, b) => Number(a === '') - Number(b === ''),
	);
	const parts = [
		INTRODUCTION,
		'## Operations',
		operationsTable(),
		...sections.flatMap((title) => [
			`## ${title === '' ? 'Fields of all three' : `Fields of the ${title}`}`,
			...fieldsInGroups(fields.filter((field) => titleOf(field) === title)),
		]),
		'## Options',
		optionsTable(properties.flatMap(optionsOf)),
		'## Contact Data Trigger',
		fieldsTable(new ContactDataTrigger().description.properties),
		'## Credential',
		fieldsTable(new ContactDataApi().properties),
	];
	return `${parts.join('\n\n')}\n`;
}

/** The resources that a field is for; empty where it is for all. */
function titleOf(field: INodeProperties): string {
	return places.titles(field).join(' and ');
}

function operationsTable(): string {
	const rows = places
		.choices('resource')
		.flatMap((resource) =>
			places
				.choices('operation', String(resource.value))
				.map(({ name, description = '' }) => [resource.name, name, description]),
		);
	return toTable({ head: ['Resource', 'Operation', 'What it does'], rows });
}

/** Those that are shown in the same places stand together. */
function fieldsInGroups(fields: readonly INodeProperties[]): string[] {
	const byPlace = groupBy(copiesOf(fields), (copies) => places.tell(copies));
	return [...byPlace].flatMap(([place, group]) => [
		`_${place}_`,
		fieldsTable(group.map(([first]) => first)),
	]);
}

function fieldsTable(fields: readonly INodeProperties[]): string {
	const rows = fields
		.filter(({ type }) => type !== 'notice')
		.map((field) => [field.displayName, tellDefault(field), tell(field)]);
	return toTable({ head: ['Field', 'Default', 'What it is'], rows });
}

function optionsTable(options: readonly INodeProperties[]): string {
	const rows = copiesOf(options).map((copies) => {
		const [first] = copies;
		const told = [...groupBy(copies, titleOf)].map(([title, these]) =>
			[title, places.tell(these)].filter(Boolean).join(': '),
		);
		return [first.displayName, tellDefault(first), tell(first), told.join('; ')];
	});
	return toTable({ head: ['Option', 'Default', 'What it is', 'For'], rows });
}

type Group<T> = [T, ...T[]];

/** The copies of each property, which differ only in where they are shown. */
function copiesOf(all: readonly INodeProperties[]): Array<Group<INodeProperties>> {
	const withoutPlace = (property: INodeProperties) =>
		JSON.stringify({ ...property, displayOptions: undefined });
	return [...groupBy(all, withoutPlace).values()];
}

function groupBy<T>(all: readonly T[], keyOf: (one: T) => string): ReadonlyMap<string, Group<T>> {
	const groups = new Map<string, Group<T>>();
	for (const one of all) {
		const group = groups.get(keyOf(one));
		if (group === undefined) groups.set(keyOf(one), [one]);
		else group.push(one);
	}
	return groups;
}

/** All that the editor says of a property. */
function tell(property: INodeProperties): string {
	const { description = '', required, hint = '', modes = [], typeOptions } = property;
	const least = typeOptions?.minValue;
	const sentences = [
		required === true ? 'Required' : '',
		description,
		hint,
		least === undefined ? '' : `At least ${least}`,
		...tellChoices(choicesOf(property)),
		...tellChoices(
			modes.map(({ displayName, hint }) => ({ name: displayName, description: hint })),
		),
	];
	return sentences
		.filter((sentence) => sentence !== '')
		.map((sentence) => (/[.?!]$/.test(sentence) ? sentence : `${sentence}.`))
		.join(' ');
}

/** Those that need no explanation stand in a row. */
function tellChoices(choices: ReadonlyArray<{ name: string; description?: string }>): string[] {
	const explained = choices.flatMap(({ name, description }) =>
		description === undefined ? [] : [`**${name}**: ${description}`],
	);
	const bare = choices.filter(({ description }) => description === undefined);
	return [bare.map(({ name }) => `**${name}**`).join(', '), ...explained];
}

function tellDefault(property: INodeProperties): string {
	const { type, default: value } = property;
	const choices = choicesOf(property);
	if (Array.isArray(value)) return value.length === choices.length ? 'all' : JSON.stringify(value);
	const choice = choices.find((one) => one.value === value);
	if (choice !== undefined) return choice.name;
	if (typeof value === 'boolean') return value ? 'on' : 'off';
	if (typeof value === 'number') return value.toLocaleString('en');
	if (typeof value !== 'string' || value === '') return '';
	return type === 'json' ? `\`${value.replace(/\s*\n\s*/g, ' ')}\`` : value;
}
