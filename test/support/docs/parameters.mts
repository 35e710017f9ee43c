import type { INodeProperties } from 'n8n-workflow';
import { ContactDataApi } from '../../../credentials/ContactDataApi.credentials.ts';
import { ContactData } from '../../../nodes/ContactData/ContactData.node.ts';
import { ContactDataTrigger } from '../../../nodes/ContactData/ContactDataTrigger.node.ts';
import { ALL_THAT_SEARCH, choicesOf, optionsOf, Places } from './places.mts';

export const PARAMETERS_PAGE = new URL('../../../docs/parameters.md', import.meta.url);

const INTRODUCTION = `# Parameters

<!-- Written by \`npm run renew\`: change the code instead. -->

Every field and option of the two nodes and of the credential, with its default. The editor shows only those that fit your choices. In the last column, "${ALL_THAT_SEARCH}" are Find, Find Many, Start Search and Start Bulk Search; the Email Verifier calls them Verify, Verify Many, Start Verification and Start Bulk Verification.`;

/** These have sections of their own. */
const APART = ['resource', 'operation', 'options'];

const { properties } = new ContactData().description;
const places = new Places(properties);

/** The page of docs on all parameters, as the editor shows them. */
export function parametersPage(): string {
	const parts = [
		INTRODUCTION,
		'## Operations',
		operationsTable(),
		'## Fields',
		toTable(properties.filter(({ name }) => !APART.includes(name))),
		'## Options',
		toTable(properties.flatMap(optionsOf)),
		'## Contact Data Trigger',
		toTable(new ContactDataTrigger().description.properties),
		'## Credential',
		toTable(new ContactDataApi().properties),
	];
	return `${parts.join('\n\n')}\n`;
}

/** Once for all resources that have it, in the words of the first. */
function operationsTable(): string {
	const all = places
		.choices('resource')
		.flatMap(({ value }) => places.choices('operation', String(value)));
	const rows = groupBy(all, ({ value }) => String(value)).map((copies) => {
		const names = new Set(copies.map(({ name }) => name));
		return [[...names].join(', '), copies[0].description ?? ''];
	});
	return toMarkdown(['Operation', 'What it does'], rows);
}

/** Each property once for all places where it is shown; the last column is left out where it says nothing. */
function toTable(all: readonly INodeProperties[]): string {
	const withoutPlace = (property: INodeProperties) =>
		JSON.stringify({ ...property, displayOptions: undefined, required: undefined });
	const shown = all.filter(({ type }) => type !== 'notice' && type !== 'hidden');
	const rows = groupBy(shown, withoutPlace).map((copies) => {
		const [first] = copies;
		return [first.displayName, tellDefault(first), tell(first), places.tell(copies)];
	});
	const columns = rows.some(([, , , place]) => place !== '') ? 4 : 3;
	const head = ['Name', 'Default', 'What it is', 'For'];
	return toMarkdown(
		head.slice(0, columns),
		rows.map((row) => row.slice(0, columns)),
	);
}

function toMarkdown(head: string[], rows: string[][]): string {
	const line = (cells: string[]) =>
		`| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
	return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function groupBy<T>(all: readonly T[], keyOf: (one: T) => string): Array<[T, ...T[]]> {
	const groups = new Map<string, [T, ...T[]]>();
	for (const one of all) {
		const group = groups.get(keyOf(one));
		if (group === undefined) groups.set(keyOf(one), [one]);
		else group.push(one);
	}
	return [...groups.values()];
}

/** All that the editor says of a property. */
function tell(property: INodeProperties): string {
	const { description = '', hint = '', modes = [], typeOptions } = property;
	const least = typeOptions?.minValue;
	const sentences = [
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
