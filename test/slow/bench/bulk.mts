import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { memoryDuring } from '../../support/n8n/memory.mts';
import type { ScriptCost } from './script.mts';
import type { Service } from './service.mts';
import { runToEnd, secondsAfterSource, type Stage, warmUp } from './stage.mts';
import { megabytes, seconds, type Row } from './table.mts';
import { ownWorkflow, resultsWorkflow } from './workflows.mts';

const BATCH = 5_000;
const BATCH_MS = 5_000;
const MANY = 20_000;
const SCRIPT = fileURLToPath(new URL('script.mts', import.meta.url));

/** One batch, beside a bare script. */
export async function measureBatch(
	{ n8n, service, credential }: Stage,
	report: (line: string) => void,
): Promise<Row> {
	report(`One batch of ${BATCH}`);
	await service.reset({ bulk: BATCH_MS });
	const own = secondsAfterSource(
		await runToEnd(n8n, ownWorkflow(credential, 'submitBulkAndWait', BATCH)),
	);
	const { posts } = await service.traffic();
	const script = await runScript(service, BATCH);
	return {
		what: `${BATCH.toLocaleString('en')} lookups as one batch that takes ${BATCH_MS / 1000} s`,
		limit: seconds(BATCH_MS / 1000),
		ours: `${seconds(own)}, ${posts} POST`,
		beside: `a script without n8n ${seconds(script.seconds)}`,
	};
}

/** Many items in bulk: their time, and the memory that they take. */
export async function measureBulk(stage: Stage, report: (line: string) => void): Promise<Row> {
	const { n8n, service, credential } = stage;
	report(`${MANY} items in bulk`);
	await n8n.restart();
	await warmUp(stage);
	await service.reset({ bulk: 0 });
	const own = await memoryDuring(
		n8n,
		async () => await runToEnd(n8n, ownWorkflow(credential, 'submitBulkAndWait', MANY)),
	);
	const items = own.result.items().length;
	if (items !== MANY) throw new Error(`${items} of ${MANY} items came out`);
	await n8n.restart();
	await warmUp(stage);
	const alone = await memoryDuring(n8n, async () => await runToEnd(n8n, resultsWorkflow(MANY)));
	await service.reset({ bulk: 0 });
	const script = await runScript(service, MANY);
	return {
		what: `${MANY.toLocaleString('en')} items in bulk, whose batches finish at once`,
		// The pace of 10 batches a second, and the first look after 1 s.
		limit: seconds((Math.ceil(MANY / BATCH) - 1) / 10 + 1),
		ours: `${seconds(secondsAfterSource(own.result))}, ${megabytes(own.peak - own.idle)} over n8n at rest`,
		beside: `a script without n8n ${seconds(script.seconds)}, ${megabytes(script.peakBytes)}; n8n with a Code node that makes such items ${megabytes(alone.peak - alone.idle)}`,
	};
}

async function runScript({ baseUrl, apiKey }: Service, count: number): Promise<ScriptCost> {
	const args = ['--import', 'tsx', SCRIPT, baseUrl, apiKey, String(count)];
	const { stdout } = await promisify(execFile)(process.execPath, args);
	const cost = JSON.parse(stdout) as ScriptCost;
	if (cost.results !== count) throw new Error(`The script got ${cost.results} results`);
	return cost;
}
