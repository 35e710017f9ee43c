import { randomUUID } from 'node:crypto';

import type { N8n } from './n8n.mts';
import { triggeredChain, webhookTrigger } from './workflows.mts';

/** Publishes n8n's own Webhook node, which refuses what comes without its secret, and gives its URL. */
export async function publishRefusingWebhook({ api, url }: N8n): Promise<string> {
	const path = randomUUID();
	const data = { name: 'x-secret', value: randomUUID() };
	const credential = await api.importCredential({ name: 'Secret', type: 'httpHeaderAuth', data });
	const id = await api.importWorkflow(
		triggeredChain('Refusing', {
			...webhookTrigger(path, { authentication: 'headerAuth', responseMode: 'onReceived' }),
			credentials: { httpHeaderAuth: credential },
		}),
	);
	await api.activate(id);
	return `${url}webhook/${path}`;
}

/** Calls with invented ids at the same moment; gives how often each status was answered. */
export async function flood(url: string, count: number): Promise<Record<number, number>> {
	const statuses: Record<number, number> = {};
	const call = async () => {
		const { status } = await fetch(url, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ id: randomUUID() }),
		});
		statuses[status] = (statuses[status] ?? 0) + 1;
	};
	await Promise.all(Array.from({ length: count }, call));
	return statuses;
}
