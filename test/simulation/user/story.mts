import { Draw } from '../draw.mts';
import { LOOKUP_NAMES } from '../../support/searches.mts';
import { drawWanted, type Wanted } from '../people.mts';
import { drawSchedule, type Schedule } from '../schedule.mts';

/** Where in a workflow the node stands. */
export type Place = 'alone' | 'loop' | 'twoNodes' | 'schedule';

/** One run of a node. */
export interface Step {
	/** Of the node. */
	readonly name: string;
	/** At which turn of the loop. */
	readonly runIndex: number;
	readonly schedule: Schedule;
}

/** A workflow with faults, and somebody who reads what it says. */
export interface Story {
	readonly seed: number;
	readonly place: Place;
	/** Whether another workflow calls it. */
	readonly isCalled: boolean;
	/** In order. */
	readonly steps: readonly Step[];
	/** Whether a retry is tried before On Error is set to Continue. */
	readonly isPatient: boolean;
}

export function drawStory(seed: number): Story {
	const draw = new Draw(seed + 3e6);
	const place = draw.pick<Place>(['alone', 'loop', 'loop', 'twoNodes', 'twoNodes', 'schedule']);
	const drawn = plain(drawSchedule(seed), draw);
	return {
		seed,
		place,
		isCalled: place !== 'schedule' && draw.chance(0.4),
		steps: toSteps(place, drawn, draw),
		isPatient: draw.chance(0.3),
	};
}

/** One item, one search; the user lets the execution go to its end. */
function plain(schedule: Schedule, draw: Draw): Schedule {
	const { resource, operation, items, price } = schedule;
	const isEach = schedule.inputMode === 'each';
	const wanted = isEach
		? items.flat()
		: drawWanted(draw, { ...CROWD, resource, identifyBy: schedule.identifyBy });
	return {
		...schedule,
		operation: draw.chance(0.8)
			? operation.startsWith('submitBulk')
				? 'submitBulkAndWait'
				: 'submitAndWait'
			: operation,
		inputMode: 'each',
		items: wanted.map((one) => [one]),
		onError: draw.pick(['stopWorkflow', 'stopWorkflow', 'continueRegularOutput']),
		credits: draw.chance(0.4) ? Math.ceil(price * draw.int(1, 12)) : 1_000_000,
		cancelAt: undefined,
		suspends: false,
		executeOnce: undefined,
		includeInputFields: false,
		userError: undefined,
		isTool: false,
		crashes: false,
		webhooks: 0,
		custom: 'none',
		countries: [],
		earlier: [],
	};
}

const CROWD = { count: 8, repeats: 0, bad: 0.05, refused: 0.1 };

function toSteps(place: Place, schedule: Schedule, draw: Draw): Step[] {
	switch (place) {
		case 'alone':
		case 'schedule':
			return [{ name: 'First', runIndex: 0, schedule }];
		case 'loop': {
			const turns = draw.int(2, 4);
			// Whom two turns search for is paid twice, as the page on credits says.
			const groups = [...groupByPerson(schedule.items).values()];
			return Array.from({ length: turns }, (_, runIndex) => {
				const items = groups.filter((_, index) => index % turns === runIndex).flat();
				return { name: 'First', runIndex, schedule: { ...schedule, items } };
			}).filter((step) => step.schedule.items.length > 0);
		}
		case 'twoNodes': {
			const resource = draw.pick(LOOKUP_NAMES);
			const other = resource === schedule.resource ? 'emailVerifier' : resource;
			const last = other === schedule.resource ? 'phoneFinder' : other;
			const { identifyBy, size } = schedule;
			const wanted = drawWanted(draw, {
				...CROWD,
				resource: last,
				identifyBy,
				refused: size === 'single' ? 0.1 : 0,
			});
			const second = { ...schedule, resource: last, items: wanted.map((one) => [one]) };
			return [
				{ name: 'First', runIndex: 0, schedule },
				{ name: 'Second', runIndex: 0, schedule: { ...second, maxCredits: 0 } },
			];
		}
	}
}

function groupByPerson(items: ReadonlyArray<readonly Wanted[]>): Map<unknown, Wanted[][]> {
	const groups = new Map<unknown, Wanted[][]>();
	for (const [wanted] of items) {
		if (wanted === undefined) continue;
		const key = wanted.search?.canonical ?? wanted;
		groups.set(key, [...(groups.get(key) ?? []), [wanted]]);
	}
	return groups;
}
