import { it } from 'vitest';

import { describeQueueMode } from '../../support/n8n/queueHarness.mts';
import { SOAK_MINUTES } from './form.mts';
import { judge, SOAK_TIMEOUT_MS } from './judge.mts';
import { makeMoody } from './moody.mts';
import { soak } from './soak.mts';

/** With n8n's default of two, its processes wait for connections under this load, and give up. */
const options = { env: { DB_POSTGRESDB_POOL_SIZE: '10' } };

describeQueueMode((harness) => {
	it(
		`${SOAK_MINUTES} min`,
		async () => {
			const { n8n, sandbox, credential } = harness;
			const losses = makeMoody(sandbox);
			const { main, workers, webhookProcessors } = n8n;
			const ofMain = () => ({
				isRunning: main.isRunning(),
				memory: async () => await main.memory(),
			});
			const target = {
				api: main.api,
				webhookUrl: n8n.webhookUrl,
				processes: () => [ofMain(), ...workers, ...webhookProcessors],
				// In turns.
				kill: async (count: number) => {
					const worker = workers[count % workers.length];
					if (worker === undefined) throw new Error('There is no worker.');
					await worker.end('SIGKILL');
					await n8n.launch(worker);
				},
				killsSaving: false,
			};
			const soaked = await soak(target, sandbox, credential, SOAK_MINUTES, losses);
			await judge('queue', soaked, losses);
		},
		SOAK_TIMEOUT_MS,
	);
}, options);
