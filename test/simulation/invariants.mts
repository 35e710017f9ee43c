import { inspect, isDeepStrictEqual } from 'node:util';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { pairedWith } from '../support/n8nCore/contactData.mts';
import { isRecord } from '../../nodes/ContactData/common/values.ts';
import { lookups } from '../../nodes/ContactData/lookups/index.ts';
import { doesNotCover } from '../support/texts.mts';
import { UNKNOWN_ID } from './earlier.mts';
import { userFieldsOf } from './node.mts';
import { NO_ADDRESS, type Wanted } from './people.mts';
import { isTaken, type Course } from './run.mts';
import { priceMayVary } from './schedule.mts';
import type { Sent } from './wire.mts';

/** What must hold after every schedule. Returns what does not, in words. */
export function violations(course: Course): string[] {
	return [
		...chargedTwice(course),
		...sentAgain(course),
		...boughtAgain(course),
		...notRead(course),
		...idsLost(course),
		...capBroken(course),
		...refusedByGuess(course),
		...itemsMiscounted(course),
		...wrongResults(course),
		...userFieldsLost(course),
		...runOnParked(course),
		...cutOff(course),
		...sentAfterCancel(course),
		...lateAfterCancel(course),
		...thrownDespiteContinue(course),
		...sentDespiteBadItem(course),
		...invalidMistold(course),
		...invalidSent(course),
		...keyShown(course),
	];
}

function chargedTwice({ chargedTwice: searches }: Course): string[] {
	return searches.map((search) => `charged twice: ${search}`);
}

/** After a fate that is accepted or unknown a search is never sent again. */
function sentAgain({ wire }: Course): string[] {
	const settled = new Map<string, Sent>();
	const found: string[] = [];
	for (const post of wire.posts) {
		for (const search of post.searches) {
			const before = settled.get(search);
			if (before !== undefined) found.push(`sent again after ${before.fate}: ${search}`);
			else if (post.fate !== 'refused') settled.set(search, post);
		}
	}
	return found;
}

/** What only items with the id of an earlier search ask for is never sent. */
function boughtAgain({ schedule, wire }: Course): string[] {
	const { items, earlierIds } = schedule;
	const isNew = (_: unknown, index: number) => earlierIds[index] === undefined;
	const wanted = new Set(
		items.filter(isNew).flatMap((list) => list.map(({ search }) => search?.canonical)),
	);
	return wire.posts.flatMap(({ searches }) =>
		searches
			.filter((search) => !wanted.has(search))
			.map((search) => `sent, though its item names an earlier search: ${search}`),
	);
}

/** An item that names an earlier search has its id, with the result or with the error. */
function notRead({ schedule, tries }: Course): string[] {
	const last = tries.at(-1);
	if (last === undefined || !isTaken(last)) return [];
	return schedule.earlierIds.flatMap((id, index) => {
		const { json = {} } = last.items[index] ?? {};
		const isBad = schedule.items[index]?.[0]?.search === undefined;
		return id === undefined || isBad || idOf(json) === id ? [] : [`item ${index} was not read`];
	});
}

/**
 * Every id that reached the node is in the output; where n8n takes no output, it is in the error or
 * in the execution's context, from which the Retry button goes on.
 */
function idsLost({ wire, tries, contextData }: Course): string[] {
	const last = tries.at(-1);
	if (last === undefined) return [];
	const output = last.items.map(({ json }) => json);
	const text = JSON.stringify(isTaken(last) ? output : [shownOf(last.error), contextData]);
	return [...wire.ids].filter((id) => !text.includes(id)).map((id) => `id lost: ${id}`);
}

function shownOf(error: unknown): string {
	return error instanceof NodeApiError || error instanceof NodeOperationError
		? `${error.message} ${error.description}`
		: inspect(error);
}

/** One search may be started to learn its price; nothing else may pass the cap, which is for each execution. */
function capBroken({ schedule, chargesByExecution }: Course): string[] {
	const { maxCredits, price, resource } = schedule;
	if (maxCredits === 0) return [];
	const allowed = priceMayVary(resource) ? Math.max(maxCredits, price) : maxCredits;
	return chargesByExecution.flatMap((charges) => {
		const charged = charges.reduce((sum, { credits }) => sum + credits, 0);
		return charged > allowed ? [`charged ${charged}, with a cap of ${maxCredits}`] : [];
	});
}

/** What refuses is what the service charges this account, or has documented for all; or the lowest price that anybody pays. */
function refusedByGuess(course: Course): string[] {
	const { schedule, tries } = course;
	const { least } = lookups[schedule.resource].price;
	const texts = tries.flatMap(({ items, error }) => [
		shownOf(error),
		...items.map(({ json }) => JSON.stringify(json)),
	]);
	return texts.flatMap((text) => {
		const [, price] =
			new RegExp(`'Max Credits' of .+? ${doesNotCover} .+? at ([\\d.]+) credits? each`).exec(
				text,
			) ?? [];
		const { price: full, priceFallsAt } = schedule;
		const prices = [full, ...(priceFallsAt === undefined ? [] : [full / 2])];
		if (price !== undefined && !prices.some((one) => Number(price) === Math.max(least, one))) {
			return [`refused at ${price} credits each, where it is ${schedule.price}`];
		}
		const [, ofBalance] = /The account's .+? not cover .+? ([\d.]+) credits? each/.exec(text) ?? [];
		return ofBalance !== undefined && Number(ofBalance) !== least
			? ['refused for a balance, at a price that is not sure']
			: [];
	});
}

function itemsMiscounted({ schedule, tries }: Course): string[] {
	const last = tries.at(-1);
	if (last === undefined || !isTaken(last)) return [];
	const counts = schedule.items.map(() => 0);
	for (const item of last.items) {
		for (const index of pairedWith(item)) counts[index] = (counts[index] ?? 0) + 1;
	}
	return counts.flatMap((count, index) => {
		const entries = schedule.items[index]?.length ?? 0;
		if (schedule.inputMode === 'array') {
			return count >= 1 && count <= entries ? [] : [`item ${index}: ${count} outputs`];
		}
		return entries > 0 && count === 1 ? [] : [`item ${index}: ${count} outputs`];
	});
}

/** What is parked for the error output has all but its error under `message`. */
function idOf({ search_id, batch_id, message }: IDataObject): unknown {
	const own = isRecord(message) ? (message.batch_id ?? message.search_id) : undefined;
	return batch_id ?? search_id ?? own ?? undefined;
}

/** What failed or still runs has the column `found`, too: it is `null`. */
function isResult({ found }: IDataObject): boolean {
	return (found ?? undefined) !== undefined;
}

/** Each result belongs to a submission of the item's own search, and says what the service says. */
function wrongResults({ schedule, tries, wire, ...course }: Course): string[] {
	const charges = [...course.charges, ...course.earlierCharges];
	const { items, inputMode, operation, earlierIds } = schedule;
	const last = tries.at(-1);
	if (last === undefined || !isTaken(last) || inputMode === 'array') return [];
	const inOrder = operation !== 'submitBulk';
	const accepted = wire.posts.filter(({ fate }) => fate === 'accepted');
	const started = new Set<string | undefined>(accepted.flatMap(({ searches }) => searches));
	return last.items.flatMap((output, position) => {
		const id = idOf(output.json);
		const paired = pairedWith(output);
		if (inOrder && paired[0] !== position) return [`output ${position} is of item ${paired[0]}`];
		if (id === undefined) {
			// Of those that name an earlier search, `notRead` tells.
			const isStarted = paired.some(
				(index) =>
					earlierIds[index] === undefined && started.has(items[index]?.[0]?.search?.canonical),
			);
			const isInvalid = paired.every((index) => items[index]?.[0]?.invalid !== undefined);
			const isTold =
				typeof output.json.error === 'string' || (isInvalid && saysInvalid(output.json));
			return isStarted || !isTold ? ['output without id'] : [];
		}
		const charge = charges.find((entry) => entry.id === id);
		if (id === UNKNOWN_ID) {
			return isResult(output.json) ? [`output ${position} is of nothing`] : [];
		}
		return paired.flatMap((index) => {
			const wanted = items[index]?.[0];
			const { canonical } = wanted?.search ?? { canonical: 'nothing' };
			if (charge?.searches.includes(canonical) !== true) {
				return [`item ${index} has the id of another search`];
			}
			return isResult(output.json) && output.json.found !== wanted?.found
				? [`item ${index} is wrongly ${output.json.found === true ? 'found' : 'not found'}`]
				: [];
		});
	});
}

/** Where an answer has its name, `null` included, a field has a column of its own. */
function isKept(json: IDataObject, name: string, value: unknown): boolean {
	return [json[name], json[`input_${name}`]].some((one) => isDeepStrictEqual(one, value));
}

/** With Include Input Fields the user's own fields stand under those of the result, or of the error. */
function userFieldsLost({ schedule, tries }: Course): string[] {
	const { includeInputFields, isTool, operation } = schedule;
	const last = tries.at(-1);
	// A tool has no such option.
	if (!includeInputFields || isTool || operation === 'submitBulk') return [];
	if (last === undefined || !isTaken(last)) return [];
	return last.items.flatMap(({ json }, index) => {
		const fields = isRecord(json.message) ? json.message : json;
		return Object.entries(userFieldsOf(schedule, index))
			.filter(([name, value]) => !isKept(fields, name, value))
			.map(([name]) => `item ${index} has lost its field ${name}`);
	});
}

/** n8n tries a node again on its input, and what a node parks replaces that. */
function runOnParked({ tries }: Course): string[] {
	return tries.some(({ isOnParked }) => isOnParked) ? ['run again on what it had parked'] : [];
}

function saysInvalid({ qualification, reason, status, found }: IDataObject): boolean {
	const isText = typeof reason === 'string' && reason !== '';
	return qualification === 'invalid' && isText && status === 'completed' && found === false;
}

function isBad({ search, invalid }: Wanted): boolean {
	return search === undefined && invalid === undefined;
}

/** What can be no address is no error, whatever becomes of the others. */
function invalidMistold({ schedule, tries }: Course): string[] {
	const { items, inputMode, earlierIds } = schedule;
	const last = tries.at(-1);
	if (inputMode === 'array' || last === undefined || !isTaken(last)) return [];
	return items.flatMap(([wanted], index) => {
		if (wanted?.invalid !== 'known' || earlierIds[index] !== undefined) return [];
		const outputs = last.items.filter((item) => pairedWith(item).includes(index));
		const isTold = outputs.length > 0 && outputs.every(({ json }) => saysInvalid(json));
		return isTold ? [] : [`item ${index} is not told to be invalid`];
	});
}

function invalidSent({ wire }: Course): string[] {
	return wire.posts.some(({ body }) => body.includes(NO_ADDRESS)) ? ['sent what is invalid'] : [];
}

/** What has left may be charged: only its own time limit ends the waiting for its answer. */
function cutOff({ wire }: Course): string[] {
	return wire.posts
		.filter(({ broken }) => broken === 'ERR_CANCELED')
		.map(({ searches }) => `cut off by the cancellation: ${searches.join(', ')}`);
}

function sentAfterCancel({ tries, wire }: Course): string[] {
	return wire.posts
		.filter(({ at, try: number }) => at > (tries[number - 1]?.cancelledAt ?? Infinity))
		.map(({ searches }) => `sent after the cancellation: ${searches.join(', ')}`);
}

/** A cancelled try ends at once, or with the last answer to what it has sent. */
function lateAfterCancel({ tries, wire }: Course): string[] {
	return tries.flatMap(({ cancelledAt, endedAt }, index) => {
		const answers = wire.posts.filter((post) => post.try === index + 1).map((post) => post.endedAt);
		const lateMs = endedAt - Math.max(cancelledAt, ...answers);
		return cancelledAt < Infinity && lateMs > 0
			? [`ended ${lateMs} ms after the cancellation`]
			: [];
	});
}

function thrownDespiteContinue({ schedule, tries }: Course): string[] {
	const goesOn = schedule.onError !== 'stopWorkflow';
	return tries.flatMap(({ error }) =>
		goesOn && error !== undefined ? [`thrown under Continue: ${shownOf(error)}`] : [],
	);
}

/** Where the run stops at errors, nothing is sent while one item is wrong. */
function sentDespiteBadItem({ schedule, wire }: Course): string[] {
	const hasBad = schedule.items.flat().some(isBad);
	return schedule.onError === 'stopWorkflow' && hasBad && wire.posts.length > 0
		? ['sent although an item is wrong']
		: [];
}

function keyShown({ key, tries, contextData }: Course): string[] {
	const shown = tries.map(({ items, error }) => [
		items.map((item: INodeExecutionData) => item.json),
		shownOf(error),
	]);
	return JSON.stringify([shown, contextData]).includes(key) ? ['the key is shown'] : [];
}
