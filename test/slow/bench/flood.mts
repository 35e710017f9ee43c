import { randomUUID } from 'node:crypto';

import { flood, publishRefusingWebhook } from '../../support/n8n/flood.mts';
import { memoryDuring } from '../../support/n8n/memory.mts';
import { saveListener, triggerUrlOf } from '../../support/n8n/trigger.mts';
import { openStage, type Stage } from './stage.mts';
import { median, megabytes, type Row, verdictOn } from './table.mts';

const FEW = 300;
/** Of two figures that should be the same, in one run. */
const TOLERANCE = 1.1;

/** Calls of the trigger with invented ids, beside calls of n8n's own Webhook node that it refuses. */
export async function measureFlood(
	tarball: string,
	many: number,
	runs: number,
	report: (line: string) => void,
): Promise<Row> {
	const measure = async (of: 'trigger' | 'webhook', calls: number) => {
		report(`${calls} calls of the ${of}`);
		// Each in a new n8n: what a process has once taken it does not give back at once.
		const stage = await openStage(tarball, report);
		try {
			const { n8n, service } = stage;
			const url = await (of === 'webhook' ? publishRefusingWebhook(n8n) : publishTrigger(stage));
			await service.reset({});
			const { result, idle, peak } = await memoryDuring(n8n, async () => await flood(url, calls));
			const { gets } = await service.traffic();
			report(`${megabytes([peak - idle])} over rest, ${gets} reads, ${JSON.stringify(result)}`);
			return { over: peak - idle, gets };
		} finally {
			await stage.stop();
		}
	};
	type Measured = Awaited<ReturnType<typeof measure>>;
	const counts = [FEW, many];
	const ours: Measured[][] = counts.map(() => []);
	const own: Measured[][] = counts.map(() => []);
	for (let run = 0; run < runs; run++) {
		for (const [index, count] of counts.entries()) {
			ours[index]?.push(await measure('trigger', count));
			own[index]?.push(await measure('webhook', count));
		}
	}
	const [oursOfFew = NaN, oursOfMany = NaN] = ours.map((of) => median(of.map(({ over }) => over)));
	const [ownOfFew = NaN] = own.map((of) => median(of.map(({ over }) => over)));
	const inWords = (measured: Measured[][]) =>
		counts
			.map((count, index) => {
				const figures = (measured[index] ?? []).map(({ over }) => over);
				return `${count.toLocaleString('en')} at once ${megabytes(figures)} over rest`;
			})
			.join(', ');
	const reads = ours.map((of) => median(of.map(({ gets }) => gets)));
	return {
		what: 'Calls of the trigger by strangers',
		ours: inWords(ours),
		beside: `n8n's own Webhook node, which refuses them: ${inWords(own)}`,
		limit: '',
		target: `${FEW} at most twice as much as n8n's own, ${many.toLocaleString('en')} no more than ${FEW}`,
		met: verdictOn(oursOfFew <= 2 * ownOfFew, oursOfMany <= TOLERANCE * oursOfFew),
		runs,
		notes: [
			`Each call names another invented id. n8n holds a V8 isolate of about 10 MB for each call until it is answered (N8N_EXPRESSION_ENGINE=vm, the default), so few are followed up at the same time, and the others get 503: ${reads.join(' and ')} reads at the service. n8n's own Webhook node needs an isolate only while it reads its credential.`,
		],
	};
}

async function publishTrigger({ n8n, credential }: Stage): Promise<string> {
	const listening = { ...n8n, webhookUrl: n8n.url };
	const id = await saveListener({ n8n: listening, credential }, randomUUID());
	await n8n.api.activate(id);
	return await triggerUrlOf(listening, id);
}
