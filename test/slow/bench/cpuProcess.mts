// The CPU row in a process of its own: n8n-core alone, without a server beside it. Prints JSON.
// n8n-core reads the environment when it is first imported: see `cpuRow.mts`.
import { createRequire } from 'node:module';
import type { INodeType, IVersionedNodeType } from 'n8n-workflow';

import { findManyRun, otherRun, type CpuRun } from '../../support/cpu.mts';

/** CPU milliseconds of each run. */
export type CpuFigures = Record<
	'own' | 'set' | 'ownTrimmed' | 'setTrimmed' | 'ownOfMany',
	number[]
>;

const [, , setNodeFile = '', countText = '', manyText = '', runsText = ''] = process.argv;
const count = Number(countText);
const require = createRequire(import.meta.url);
const { Set: SetNode } = require(setNodeFile) as { Set: new () => IVersionedNodeType };
const editFields: INodeType = new SetNode().getNodeType();
const setRun = (expression: string) => {
	const assignments = ['fullname', 'domain'].map((name) => ({
		id: name,
		name,
		value: expression.replace('FIELD', name),
		type: 'string',
	}));
	return otherRun(editFields, { assignments: { assignments }, options: {} }, count);
};

/** A field as it is dragged into a parameter, and one that is changed on the way. */
const DRAGGED = '={{ $json.FIELD }}';
const TRIMMED = '={{ $json.FIELD.trim() }}';
const runs: Record<keyof CpuFigures, CpuRun> = {
	own: findManyRun(count, DRAGGED),
	set: setRun(DRAGGED),
	ownTrimmed: findManyRun(count, TRIMMED),
	setTrimmed: setRun(TRIMMED),
	ownOfMany: findManyRun(Number(manyText), DRAGGED),
};
const figures: CpuFigures = { own: [], set: [], ownTrimmed: [], setTrimmed: [], ownOfMany: [] };
// The first runs are slower: their code is not compiled yet.
for (let warmUp = 0; warmUp < 3; warmUp++) await runs.own();
await runs.ownTrimmed();
await runs.set();
for (let run = 0; run < Number(runsText); run++) {
	figures.own.push(await runs.own());
	figures.set.push(await runs.set());
	figures.ownTrimmed.push(await runs.ownTrimmed());
	figures.setTrimmed.push(await runs.setTrimmed());
	figures.ownOfMany.push(await runs.ownOfMany());
}
console.log(JSON.stringify(figures));
