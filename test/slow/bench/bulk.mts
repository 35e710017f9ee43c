import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { memoryDuring } from '../../support/n8n/memory.mts';
import type { ScriptCost } from './script.mts';
import type { Service } from './service.mts';
import { runToEnd, secondsAfterSource, type Stage, warmUp } from './stage.mts';
import { median, megabytes, seconds, type Row, verdictOn } from './table.mts';
import { ownWorkflow, resultsWorkflow } from './workflows.mts';

const BATCH = 5000;
const BATCH_MS = 5_000;
const SCRIPT = fileURLToPath(new URL('script.mts', import.meta.url));

/** One batch, beside a bare script. */
export async function measureBatch(
	{ n8n, service, credential }: Stage,
	runs: number,
	report: (line: string) => void,
): Promise<Row> {
	const own: number[] = [];
	const script: number[] = [];
	let posts = 0;
	for (let run = 1; run <= runs; run++) {
		report(`One batch of ${BATCH}, run ${run} of ${runs}`);
		await service.reset({ bulk: BATCH_MS });
		const workflow = ownWorkflow(credential, 'submitBulkAndWait', BATCH);
		own.push(secondsAfterSource(await runToEnd(n8n, workflow)));
		posts = Math.max(posts, (await service.traffic()).posts);
		script.push((await runScript(service, BATCH)).seconds);
	}
	const over = median(own) - median(script);
	return {
		what: '5,000 lookups as one batch that takes 5 s',
		ours: `${seconds(own)}, ${posts} POST`,
		beside: `script ${seconds(script)}`,
		limit: `${BATCH_MS / 1000} s`,
		target: '≤ 1.5 s over the script, 1 POST',
		met: verdictOn(over <= 1.5, posts === 1),
		runs,
		notes: [
			`${over.toFixed(2)} s over the script, which uses axios, looks each second, and does nothing with the results.`,
		],
	};
}

/** Many items in bulk: whether time grows with their number alone, and what memory they take. */
export async function measureManyInBulk(
	stage: Stage,
	count: number,
	runs: number,
	report: (line: string) => void,
): Promise<Row> {
	const few: number[] = [];
	const many: number[] = [];
	const memory: number[] = [];
	const n8nAlone: number[] = [];
	const script: ScriptCost[] = [];
	for (let run = 1; run <= runs; run++) {
		report(`${count} items in bulk, run ${run} of ${runs}`);
		await stage.n8n.restart();
		await warmUp(stage);
		const cost = await runBulk(stage, count);
		many.push(cost.seconds);
		memory.push(cost.bytes);
		few.push((await runBulk(stage, BATCH)).seconds);
		await stage.n8n.restart();
		await warmUp(stage);
		const alone = await memoryDuring(
			stage.n8n,
			async () => await runToEnd(stage.n8n, resultsWorkflow(count)),
		);
		n8nAlone.push(alone.peak - alone.idle);
		await stage.service.reset({ bulk: 0 });
		script.push(await runScript(stage.service, count));
	}
	const limit = limitSeconds(count);
	const perItem = (values: number[], items: number) =>
		((median(values) - limitSeconds(items)) / items) * 1000;
	const growth = perItem(many, count) / perItem(few, BATCH);
	const scriptBytes = script.map(({ peakBytes }) => peakBytes);
	const times = median(memory) / median(scriptBytes);
	return {
		what: `${count.toLocaleString('en')} items in bulk`,
		ours: `${seconds(many)}, ${megabytes(memory)} over idle`,
		beside: `script ${seconds(script.map((cost) => cost.seconds))}, ${megabytes(scriptBytes)} over its own; n8n alone ${megabytes(n8nAlone)} over idle`,
		limit: `${limit.toFixed(1)} s`,
		target: 'time per item within 10 % from 5,000 on; memory ≤ 3 × the script',
		met: verdictOn(growth <= 1.1, times <= 3),
		runs,
		notes: [
			`The limit is the pace of 10 batches a second and the first look after 1 s; the batches themselves finish at once. Over it an item takes ${perItem(many, count).toFixed(3)} ms, and ${perItem(few, BATCH).toFixed(3)} ms at 5,000 (${growth.toFixed(2)} ×); memory ${times.toFixed(1)} × the script's, ${(median(memory) / median(n8nAlone)).toFixed(2)} × that of n8n alone: a Code node that makes such items out of nothing, which n8n holds, serialises and saves. Each in a new n8n.`,
		],
	};
}

/** Submitting at 10 a second, and the first look after the default First Check After of 1 s. */
function limitSeconds(items: number): number {
	return (Math.ceil(items / BATCH) - 1) / 10 + 1;
}

async function runBulk(
	{ n8n, service, credential }: Stage,
	count: number,
): Promise<{ seconds: number; bytes: number }> {
	await service.reset({ bulk: 0 });
	const workflow = ownWorkflow(credential, 'submitBulkAndWait', count);
	const { idle, peak, result } = await memoryDuring(n8n, async () => await runToEnd(n8n, workflow));
	const items = result.items().length;
	if (items !== count) throw new Error(`${items} of ${count} items came out`);
	return { seconds: secondsAfterSource(result), bytes: peak - idle };
}

async function runScript({ baseUrl, apiKey }: Service, count: number): Promise<ScriptCost> {
	const args = ['--import', 'tsx', SCRIPT, baseUrl, apiKey, String(count)];
	const { stdout } = await promisify(execFile)(process.execPath, args);
	const cost = JSON.parse(stdout) as ScriptCost;
	if (cost.results !== count) throw new Error(`The script got ${cost.results} results`);
	return cost;
}
