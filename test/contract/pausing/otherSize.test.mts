import { expect, it } from 'vitest';
import { useFastClock } from '../../support/clock.mts';
import { useBench } from '../../support/n8nCore/contactData.mts';
import { start } from '../../support/n8nCore/testNodes.mts';
import { callWebhook } from '../../support/n8nCore/webhook.mts';
import { resumeWorkflow, runWorkflow } from '../../support/n8nCore/workflow.mts';
import { people } from '../../support/people.mts';
import { FIND } from '../spending/money.mts';

// A pause waits for what another node of its execution has started, in whatever size that was.

const HOUR_MS = 3_600_000;

const bench = useBench({ single: HOUR_MS, bulk: HOUR_MS });
useFastClock();

it.for([
	['submitBulkAndWait', 'submitAndWait'],
	['submitAndWait', 'submitBulkAndWait'],
] as const)('%s, and a %s that pauses for the same search', async ([first, then]) => {
	const one = {
		...bench().node('emailFinder', first, {
			parameters: FIND,
			options: { timeout: 1, onTimeout: 'output' },
		}),
		name: 'First',
	};
	const fullname = "={{ $('Start').item.json.fullname }}";
	const two = bench().node('emailFinder', then, {
		parameters: { ...FIND, fullname, waitMode: 'suspend' },
		options: { timeout: 86_400 },
	});
	const { credentials } = bench();
	const workflow = { nodes: [start(people(1)), one, two], credentials, mode: 'trigger' as const };
	const { parked } = await runWorkflow({ ...workflow, executionId: `paused by ${then}` });
	if (parked === undefined) throw new Error('Not paused');
	bench().sandbox.service.finish();
	const { resumed } = await callWebhook({ ...two, credentials, parked, body: {} });
	if (resumed === undefined) throw new Error('Not resumed');
	const done = await resumeWorkflow(workflow, resumed);
	expect(done.items('Contact Data')).toMatchObject([{ json: { found: true } }]);
});
