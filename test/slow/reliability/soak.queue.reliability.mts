import { it } from 'vitest';

import { describeQueueMode } from '../../support/n8n/queueHarness.mts';
import { SOAK_MINUTES } from './form.mts';
import { judge, SOAK_TIMEOUT_MS } from './judge.mts';
import { makeMoody, soak } from './soak.mts';

/** With n8n's default of two, its processes wait for connections under this load, and give up. */
const options = { env: { DB_POSTGRESDB_POOL_SIZE: '10' } };

describeQueueMode((harness) => {
	it(
		`${SOAK_MINUTES} min`,
		async () => {
			const { n8n, sandbox, credential } = harness;
			const losses = makeMoody(sandbox);
			let next = 0;
			const killSome = async () => {
				const worker = n8n.workers[next++ % n8n.workers.length];
				await worker?.end('SIGKILL');
				worker?.launch();
			};
			const target = {
				api: n8n.main.api,
				webhookUrl: n8n.webhookUrl,
				killSome,
				killsSaving: false,
				memory: async () => await n8n.main.memory(),
			};
			const soaked = await soak(target, sandbox, credential, SOAK_MINUTES, losses);
			await judge('queue', soaked, losses);
		},
		SOAK_TIMEOUT_MS,
	);
}, options);
