import { AMOUNTS } from './amounts.mts';
import { BODIES } from './bodies.mts';
import { ENDINGS } from './endings.mts';
import { NOTIFICATIONS } from './notifications.mts';
import { PROGRESS } from './progress.mts';
import { REFUSALS } from './refusals.mts';
import { RESULTS } from './results.mts';
import { SUBMISSIONS } from './submissions.mts';
import type { Scenario } from './types.mts';

/**
 * What section 10 of `service-api.md` lists, and what older pages and public clients of such
 * a service show. Without any, the sandbox answers as is most likely.
 */
export const SCENARIOS = {
	...SUBMISSIONS,
	...RESULTS,
	...PROGRESS,
	...ENDINGS,
	...AMOUNTS,
	...REFUSALS,
	...BODIES,
	...NOTIFICATIONS,
};

export type ScenarioName = keyof typeof SCENARIOS;

/** The names of some rows of the table, or of all. */
export function namesOf<Name extends string>(
	rows: Readonly<Record<Name, unknown>>,
): readonly Name[] {
	return Object.keys(rows).filter((name): name is Name => Object.hasOwn(rows, name));
}

export function isScenarioName(name: string): name is ScenarioName {
	return Object.hasOwn(SCENARIOS, name);
}

/** Those of these names, in the order of the table. */
export function scenariosOf(names: readonly ScenarioName[]): readonly Scenario[] {
	const wanted = new Set<string>(names);
	return Object.entries(SCENARIOS)
		.filter(([name]) => wanted.has(name))
		.map(([, scenario]) => scenario);
}
