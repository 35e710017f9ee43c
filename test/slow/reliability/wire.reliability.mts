import { afterAll, beforeAll, expect, it } from 'vitest';

import { useHarness } from '../../support/n8n/harness.mts';
import { openElsewhere, type Elsewhere } from '../../support/elsewhere.mts';
import { WIRE_FAULTS } from './faults.mts';
import { openStage } from './stage.mts';
import { WAYS } from './ways.mts';

const harness = useHarness();
let elsewhere: Elsewhere;
beforeAll(async () => {
	elsewhere = await openElsewhere();
});
afterAll(async () => {
	// Redirects were answered with this address all along.
	expect(elsewhere.visits).toEqual([]);
	await elsewhere.close();
});

const CELLS = WIRE_FAULTS.flatMap((fault) => WAYS.map((way) => ({ fault, way })));

async function runCell({ fault, way }: (typeof CELLS)[number]): Promise<void> {
	const stage = await openStage({ n8n: harness.n8n, elsewhere }, way.sandbox);
	const seen = await way.run(stage, fault).finally(stage.close);
	console.log(`${fault.name}, ${way.name}: ${seen}`);
}

it.concurrent.for(CELLS.filter(({ fault }) => !fault.isHeavy))('$fault.name: $way.name', runCell);
it.for(CELLS.filter(({ fault }) => fault.isHeavy))('$fault.name: $way.name', runCell);
