import { it } from 'vitest';

import { useHarness } from '../../support/n8n/harness.mts';
import { SOAK_MINUTES } from './form.mts';
import { judge, SOAK_TIMEOUT_MS } from './judge.mts';
import { makeMoody } from './moody.mts';
import { soak } from './soak.mts';

const harness = useHarness();

it(
	`${SOAK_MINUTES} min in regular mode`,
	async () => {
		const { n8n, sandbox, credential } = harness;
		const losses = makeMoody(sandbox);
		const target = {
			api: n8n.api,
			webhookUrl: n8n.url,
			processes: () => [{ isRunning: n8n.isRunning(), memory: async () => await n8n.memory() }],
			kill: async () => {
				await n8n.kill();
				await n8n.restart();
			},
			killsSaving: true,
		};
		const soaked = await soak(target, sandbox, credential, SOAK_MINUTES, losses);
		await judge('regular', soaked, losses);
	},
	SOAK_TIMEOUT_MS,
);
