import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { refuse } from '../common/errors';
import { isBlank } from '../common/values';
import { EMPTY } from '../values/emails';
import { searchKey } from '../lookups/searches';
import type { OptionOf, SearchField } from '../lookups/types';
import { readEnvelope, readItemCustom, withSettings } from './envelope';
import { DRAG_AGAIN, EARLIER_ID, type FieldsRead, readFields, readId, shownFields } from './fields';
import { readEntry, readList } from './lists';
import type { Parameters } from './parameters';
import { failureOf, invalidResult, type Row, wrongRow } from './rows';
import type { Settings } from './settings';

/** What the reading of items needs of a run. */
interface Input {
	input: readonly INodeExecutionData[];
	parameters: Parameters;
	settings: Settings;
	/** There for the call of a tool. */
	call?: object;
}
/** Where the service is to notify of an item's search, from the item's Options. */
type WebhookOf = (optionOf: OptionOf, item: number) => string | undefined;

const NOTHING_TO_DO =
	'Nothing to do: the input has nothing to search for. Nothing was sent, and nothing charged.';

/** Reads and checks what all input items search for, in their order; no rows where that is nothing. */
export function readRows(run: Input & { hint(line: string): void }, webhookOf: WebhookOf): Row[] {
	const rows = run.input.flatMap((_, item) => readItem(run, webhookOf, item));
	if (rows.length === 0) run.hint(NOTHING_TO_DO);
	const { lookup, isList } = run.settings;
	return isList || !lookup.judgesInput ? rows : withEmptyCells(rows);
}

function readItem(run: Input, webhookOf: WebhookOf, item: number): Row[] {
	const { parameters, settings } = run;
	const { isList, includesInput } = settings;
	const { json = {} } = run.input[item] ?? {};
	const beginning = { item, inputFields: includesInput ? json : undefined };
	try {
		const optionOf: OptionOf = (name) => parameters.option(name, item);
		const envelope = readEnvelope(settings, optionOf, webhookOf(optionOf, item));
		const basis = { ...beginning, envelope };
		return isList ? readEntries(run, basis, optionOf) : readSearch(run, basis, optionOf, json);
	} catch (error) {
		// An expression that cannot be resolved is the fault of its item alone.
		return [wrongRow(beginning, error)];
	}
}

type RowBasis = Pick<Row, 'item' | 'inputFields' | 'envelope'>;

function readEntries(run: Input, basis: RowBasis, optionOf: OptionOf): Row[] {
	const { lookup } = run.settings;
	const given = run.parameters.get(lookup.listField, basis.item);
	if (isBlank(given) && isBare(run, [lookup.listField])) return [];
	const list = readList(lookup, given);
	if (list.length === 0 && run.call !== undefined) {
		const message = `'${lookup.list.displayName}' is an empty list`;
		return refuse({ message, description: 'Add at least one entry.' });
	}
	return list.map((entry, position) => {
		try {
			const read = readEntry(lookup, entry, position);
			return checkRow(run.settings, optionOf, { ...basis, ...read });
		} catch (error) {
			return wrongRow(basis, error);
		}
	});
}

function readSearch(run: Input, basis: RowBasis, optionOf: OptionOf, json: IDataObject): Row[] {
	const { parameters, settings } = run;
	const { lookup, size } = settings;
	const { item, envelope } = basis;
	const { choice } = lookup;
	const fields = shownFields(lookup, choice && parameters.get(choice.property.name, item));
	const valueOf = ({ parameter }: SearchField) => parameters.get(parameter, item);
	const read = readFields(lookup, fields, valueOf, json);
	const { problem } = read;
	if (problem !== undefined) {
		const names = fields.map(({ parameter }) => parameter);
		if (problem.isOfNothing && isBare(run, names)) return [];
		const meant = problem.isOfNothing && tellNearColumn(parameters, names, item);
		const explained = meant ? { ...problem, description: meant, namesColumn: true } : problem;
		return [checkRow(settings, optionOf, { ...basis, ...read, problem: explained })];
	}
	try {
		const namedId = readEarlierId(parameters, item);
		const itemCustom = readItemCustom(lookup, "'Custom Data per Item'", optionOf('itemCustom'));
		const custom = size === 'single' ? envelope.custom : itemCustom;
		return [checkRow(settings, optionOf, { ...basis, custom, namedId, ...read })];
	} catch (error) {
		return [wrongRow(basis, error, read.search)];
	}
}

/** @throws ProblemError also where a column of another name is meant: without an id a search is paid for */
function readEarlierId(parameters: Parameters, item: number): string | undefined {
	const id = readId(EARLIER_ID, parameters.option('earlierId', item));
	const meant = tellNearColumn(parameters, ['options.earlierId'], item);
	if (id !== undefined || meant === undefined) return id;
	const message = `'${EARLIER_ID}' is empty: a new search would be paid for`;
	return refuse({ message, description: meant });
}

/** Whether n8n gave an empty item only so that the workflow goes on, and its expressions came to nothing. */
export function isBare({ input, parameters, call }: Input, names: readonly string[]): boolean {
	const [only, ...others] = input;
	return (
		others.length === 0 &&
		Object.keys(only?.json ?? {}).length === 0 &&
		call === undefined &&
		names.some((name) => parameters.isExpression(name))
	);
}

/** Where other items have the column, an item without it has an empty cell. */
function withEmptyCells(rows: Row[]): Row[] {
	const isOfNothing = ({ certain }: Row) =>
		certain?.kind === 'failure' && certain.problem.isOfNothing === true;
	if (rows.every(isOfNothing)) return rows;
	return rows.map((row) =>
		isOfNothing(row) ? { ...row, certain: invalidResult(row, EMPTY.reason) } : row,
	);
}

/** That an expression reads a column by another name than it has. */
export function tellNearColumn(
	parameters: Parameters,
	names: readonly string[],
	item: number,
): string | undefined {
	const [near] = names.flatMap((name) => parameters.nearColumn(name, item) ?? []);
	return (
		near &&
		`The expression asks for the column ${JSON.stringify(near.read)}, but in the input it is called ${JSON.stringify(near.meant)}: capital letters and white space count. ${DRAG_AGAIN}`
	);
}

function checkRow(
	{ lookup, size }: Settings,
	optionOf: OptionOf,
	{ flaw, problem, ...read }: Omit<Row, 'key' | 'certain'> & FieldsRead,
): Row {
	const key = searchKey(lookup, read.search);
	if (problem !== undefined) {
		const search = Object.keys(read.search).length > 0 ? read.search : undefined;
		return { ...read, key, certain: failureOf({ problem, search }) };
	}
	const envelope = withSettings(read.envelope, lookup, optionOf, read.search);
	const row = { ...read, key, envelope };
	// A batch is not risked for an address of which only the service could say whether it is one.
	const isSent = flaw === undefined || row.namedId !== undefined;
	if (isSent || (size === 'single' && !flaw.isCertain)) return row;
	return { ...row, certain: invalidResult(row, flaw.reason) };
}
