import { lookups, type LookupName } from '../../nodes/ContactData/lookups/index.ts';
import type { Fault, FaultRule } from '../support/sandbox/faults.mts';
import { AMOUNTS } from '../support/sandbox/scenarios/amounts.mts';
import { BODIES } from '../support/sandbox/scenarios/bodies.mts';
import { ENDINGS } from '../support/sandbox/scenarios/endings.mts';
import { namesOf, type ScenarioName } from '../support/sandbox/scenarios/index.mts';
import { PROGRESS } from '../support/sandbox/scenarios/progress.mts';
import { REFUSALS } from '../support/sandbox/scenarios/refusals.mts';
import { RESULTS } from '../support/sandbox/scenarios/results.mts';
import { SUBMISSIONS } from '../support/sandbox/scenarios/submissions.mts';
import { LOOKUP_NAMES } from '../support/searches.mts';
import { Draw } from './draw.mts';
import { drawWanted, type IdentifyBy, type Wanted } from './people.mts';

export type Operation = 'submitAndWait' | 'submit' | 'submitBulkAndWait' | 'submitBulk';

/** Everything that happens to one node in one simulated execution, drawn from a seed. */
export interface Schedule {
	readonly seed: number;
	readonly resource: LookupName;
	readonly operation: Operation;
	readonly size: 'single' | 'bulk';
	readonly inputMode: 'each' | 'array';
	/** Split Results. */
	readonly splitResults: boolean;
	/** In `each` mode; a list has its searches by both. */
	readonly identifyBy: IdentifyBy;
	/** One list per input item; in `each` mode it has one entry. */
	readonly items: ReadonlyArray<readonly Wanted[]>;
	readonly onError: 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';
	/** 1: without Retry On Fail. */
	readonly maxTries: number;
	/** How often the Retry button is pressed. */
	readonly buttonRetries: number;
	/** The Retry button meets an n8n that was started anew. */
	readonly restarts: boolean;
	/** Milliseconds after the start. */
	readonly cancelAt: number | undefined;
	/** 0 for no limit. */
	readonly maxCredits: number;
	readonly credits: number;
	readonly price: number;
	/** When it falls to a half, in milliseconds after the start. */
	readonly priceFallsAt: number | undefined;
	readonly timeoutSeconds: number;
	readonly onTimeout: 'error' | 'output';
	/** What the option Custom is made of: it divides batches, by time at each try in another way. */
	readonly custom: 'none' | 'group' | 'execution' | 'time';
	readonly lookupMs: number;
	/** Round trip, at least and at most. */
	readonly latencyMs: readonly [number, number];
	readonly faults: readonly FaultRule[];
	/** Connections are refused from, to; milliseconds after the start. */
	readonly outage: readonly [number, number] | undefined;
	/** How the service answers otherwise than by default. */
	readonly scenarios: readonly ScenarioName[];
	/** Wait Mode Pause Until Notified. */
	readonly suspends: boolean;
	/** Execute Once: `items` are the one that the node gets; n8n holds so many more. */
	readonly executeOnce: { readonly others: number } | undefined;
	readonly includeInputFields: boolean;
	/** What an earlier node under Continue has left in the field `error` of some items. */
	readonly userError: unknown;
	/** The URLs that the items name in turn as their Webhook; 0 for none. */
	readonly webhooks: number;
	/** An agent calls the node: `items` is the one of its call. */
	readonly isTool: boolean;
	/** n8n crashes after what was parked is resumed: the Retry button then runs the node on that. */
	readonly crashes: boolean;
	/** Before the Retry button is pressed, the workflow is changed: the items come the other way round. */
	readonly turnsRound: boolean;
	/** Ways to say the country that the service assumes, which the items name in turn. */
	readonly countries: readonly unknown[];
	/** Which items name an earlier search, or an id that nobody knows. */
	readonly earlier: ReadonlyArray<'started' | 'unknown' | undefined>;
	/** How long ago that was started. */
	readonly earlierMs: number;
	/** What the items say of it: known when it is started. */
	readonly earlierIds: ReadonlyArray<string | undefined>;
}

/** Whether the operation waits for its results. */
export function waits({ operation }: Pick<Schedule, 'operation'>): boolean {
	return operation.endsWith('AndWait');
}

/** Whether an earlier node has left an error in this item. */
export function hasUserError({ userError }: Schedule, index: number): boolean {
	return userError !== undefined && index % 3 === 0;
}

/** Whether the node may start one search to learn what it costs. */
export function priceMayVary(resource: LookupName): boolean {
	return !lookups[resource].price.isDocumented;
}

export function drawSchedule(seed: number): Schedule {
	const draw = new Draw(seed);
	const resource = draw.pick(LOOKUP_NAMES);
	const operation = draw.pick<Operation>([
		'submitAndWait',
		'submit',
		'submitBulkAndWait',
		'submitBulk',
	]);
	const size = operation.startsWith('submitBulk') ? 'bulk' : 'single';
	const inputMode = size === 'bulk' && draw.chance(0.4) ? 'array' : 'each';
	const identifyBy = draw.pick<IdentifyBy>(['profileUrl', 'profileUrl', 'nameAndCompany']);
	const items = drawItems(draw, { resource, size, inputMode, identifyBy });
	const suspends = waits({ operation }) && draw.chance(0.3);
	const entries = items.flat().length;
	const price =
		resource === 'emailVerifier'
			? 0.25
			: resource === 'phoneFinder'
				? draw.pick([40, 50, 20, 80])
				: draw.pick([0.5, 1, 2, 3]);
	const executeOnce = draw.chance(0.08) ? { others: draw.int(0, 3) } : undefined;
	const includeInputFields = inputMode === 'each' && draw.chance(0.3);
	const around = () => Math.ceil(price * entries * (draw.random() * 1.5));
	const schedule: Schedule = {
		seed,
		resource,
		operation,
		size,
		inputMode,
		identifyBy,
		splitResults: draw.chance(0.7),
		items: executeOnce === undefined ? items : items.slice(0, 1),
		onError: draw.pick(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput']),
		maxTries: draw.pick([1, 1, 2, 3]),
		buttonRetries: draw.pick([0, 0, 1, 2]),
		restarts: draw.chance(0.3),
		cancelAt: draw.chance(0.2) ? drawMoment(draw) : undefined,
		maxCredits: draw.chance(0.4) ? Math.max(1, around()) : 0,
		credits: draw.chance(0.2) ? around() : 1_000_000,
		price,
		priceFallsAt: undefined,
		timeoutSeconds: draw.pick(suspends ? [60, 300, 300] : [5, 60, 300]),
		onTimeout: draw.pick(['error', 'output']),
		custom: draw.pick(['none', 'none', 'group', 'execution', 'time']),
		lookupMs: draw.pick(suspends ? [4_000, 30_000, 600_000] : [0, 300, 4_000, 30_000]),
		latencyMs: draw.pick([
			[0, 0],
			[20, 80],
			[50, 900],
		]),
		faults: drawFaults(draw),
		outage: draw.chance(0.1) ? drawOutage(draw) : undefined,
		scenarios: drawScenarios(new Draw(seed + 1e6)),
		suspends,
		executeOnce,
		includeInputFields,
		userError:
			includeInputFields && draw.chance(0.7)
				? draw.pick(['Not found', { message: 'Not found' }, '', 0])
				: undefined,
		webhooks: waits({ operation }) ? 0 : draw.pick([0, 1, 2, 3]),
		isTool: false,
		crashes: false,
		turnsRound: false,
		countries: [],
		earlier: [],
		earlierMs: 0,
		earlierIds: [],
	};
	const drawn = { ...schedule, ...drawSituation(draw, schedule) };
	const priceFallsAt = draw.chance(0.15) ? drawMoment(draw) : undefined;
	return { ...drawn, priceFallsAt, ...drawEarlier(draw, drawn) };
}

function drawEarlier(draw: Draw, schedule: Schedule): Partial<Schedule> {
	const { inputMode, items, lookupMs } = schedule;
	if (!waits(schedule) || inputMode === 'array' || !draw.chance(0.4)) return {};
	const share = draw.pick([0.2, 0.6, 1]);
	const unknown = draw.pick([0, 0, 0.1]);
	const earlier = items.map(() => {
		if (!draw.chance(share)) return undefined;
		return draw.chance(unknown) ? 'unknown' : 'started';
	});
	return { earlier, earlierMs: draw.pick([3_000, lookupMs + 3_000]) };
}

function drawSituation(
	draw: Draw,
	{ resource, inputMode, items, includeInputFields, executeOnce }: Schedule,
): Partial<Schedule> {
	// What is parked has the fields of the search only where they are the user's, or an address.
	const isReadable = inputMode === 'each' && (includeInputFields || resource === 'emailVerifier');
	const countries = resource === 'emailFinder' && draw.chance(0.4) ? COUNTRIES : [];
	if (executeOnce === undefined && inputMode === 'each' && draw.chance(0.1)) {
		return { isTool: true, items: items.slice(0, 1), countries };
	}
	const crashes = isReadable && draw.chance(0.5);
	return { crashes, turnsRound: !crashes && draw.chance(0.3), countries };
}

const COUNTRIES = ['US', '', ' us', null];

function drawItems(
	draw: Draw,
	{
		resource,
		size,
		inputMode,
		identifyBy,
	}: Pick<Schedule, 'resource' | 'size' | 'inputMode' | 'identifyBy'>,
): Wanted[][] {
	const isCrowd = draw.chance(0.05);
	const count =
		inputMode === 'array' ? draw.int(1, 4) : isCrowd ? draw.int(55, 90) : draw.int(1, 14);
	const lengths = Array.from({ length: count }, () => (inputMode === 'array' ? draw.int(1, 6) : 1));
	const wanted = drawWanted(draw, {
		resource,
		identifyBy: inputMode === 'each' ? identifyBy : undefined,
		count: lengths.reduce((sum, length) => sum + length, 0),
		repeats: draw.pick([0, 0.2, 0.6]),
		bad: draw.pick([0, 0, 0.1]),
		refused: size === 'single' ? draw.pick([0, 0, 0.1]) : 0,
	});
	return lengths.map((length) => wanted.splice(0, length));
}

function drawMoment(draw: Draw): number {
	return draw.int(0, draw.pick([200, 2_000, 20_000]));
}

function drawOutage(draw: Draw): [number, number] {
	const from = drawMoment(draw);
	return [from, from + draw.pick([500, 5_000, 60_000, 300_000])];
}

function drawFaults(draw: Draw): FaultRule[] {
	if (draw.chance(0.15)) return [];
	const share = draw.pick([0.02, 0.1, 0.3]);
	const faults = Array.from({ length: draw.int(1, 4) }, () => drawFault(draw));
	const rules = faults.map((fault): FaultRule => {
		return { ...fault, on: 'POST *', times: Infinity, chance: share };
	});
	if (draw.chance(0.3)) {
		rules.push({ ...drawFault(draw), on: 'GET *', times: Infinity, chance: share });
	}
	return rules;
}

function drawFault(draw: Draw): Fault {
	const accepted = draw.chance(0.5);
	return draw.pick<() => Fault>([
		() => tooMany(draw),
		() => tooMany(draw),
		() => ({ kind: 'reset', when: accepted ? 'after' : 'before' }),
		() => ({ kind: 'delay', ms: draw.pick([500, 5_000, 45_000, 70_000]) }),
		() => ({ kind: 'status', status: draw.pick([500, 502, 503, 504, 408, 302]), accepted }),
		() => ({ kind: 'html', status: draw.pick([200, 502, 503]), accepted }),
		() => ({ kind: 'redirect', to: 'https://elsewhere.example.com/' }),
		() => ({ kind: 'truncated' }),
		() => ({ kind: 'cutJson' }),
		() => ({ kind: 'empty' }),
		() => ({ kind: 'noId' }),
		() => ({ kind: 'hang', accepted }),
	])();
}

function tooMany(draw: Draw): Fault {
	const seconds = draw.pick([undefined, undefined, 1, 5, 600]);
	return {
		kind: 'status',
		status: 429,
		body: { message: 'Too Many Requests' },
		headers: seconds === undefined ? {} : { 'retry-after': String(seconds) },
	};
}

/** None of notifications, as the node is told nothing here. */
const THEMES: ReadonlyArray<readonly ScenarioName[]> = [
	namesOf(RESULTS),
	namesOf(RESULTS),
	namesOf(PROGRESS),
	namesOf(AMOUNTS),
	namesOf(REFUSALS),
	namesOf(REFUSALS),
	namesOf(BODIES),
	namesOf(SUBMISSIONS),
];

function drawScenarios(draw: Draw): ScenarioName[] {
	const themes = draw.chance(0.15) ? [...THEMES, namesOf(ENDINGS)] : THEMES;
	return themes.flatMap((theme) => {
		const [first, ...others] = theme;
		return first !== undefined && draw.chance(0.5) ? [draw.pick([first, ...others])] : [];
	});
}
