import { runToEnd, secondsAfterSource, type Stage } from './stage.mts';
import { median, seconds, type Row, verdictOn } from './table.mts';
import { byHandWorkflow, oneByOneWorkflow, ownWorkflow } from './workflows.mts';

const LOOKUP_MS = 4_000;
const RATE = 10;
const ONE_BY_ONE = 5;

/** `count` single lookups of 4 s each, beside HTTP Request by hand and one item after another. */
export async function measureSingles(
	{ n8n, service, credential }: Stage,
	count: number,
	runs: number,
	report: (line: string) => void,
): Promise<Row> {
	const own: number[] = [];
	const byHand: number[] = [];
	let refused = 0;
	let looks = 0;
	const failures: string[] = [];
	for (let run = 1; run <= runs; run++) {
		report(`${count} single lookups, run ${run} of ${runs}: this package`);
		await service.reset({ single: LOOKUP_MS });
		own.push(
			secondsAfterSource(await runToEnd(n8n, ownWorkflow(credential, 'submitAndWait', count))),
		);
		const traffic = await service.traffic();
		if (traffic.searches !== count) throw new Error(`${traffic.searches} lookups were charged`);
		refused += traffic.refused;
		looks += traffic.gets;

		report(`${count} single lookups, run ${run} of ${runs}: by hand`);
		await service.reset({ single: LOOKUP_MS });
		try {
			byHand.push(secondsAfterSource(await runToEnd(n8n, byHandWorkflow(service, count))));
		} catch (error) {
			failures.push(error instanceof Error ? error.message : String(error));
		}
	}
	report(`${ONE_BY_ONE} lookups one after another`);
	await service.reset({ single: LOOKUP_MS });
	const oneByOne = await runToEnd(n8n, oneByOneWorkflow(credential, ONE_BY_ONE));
	const oneByOneSeconds = (secondsAfterSource(oneByOne) / ONE_BY_ONE) * count;

	const limit = count / RATE + LOOKUP_MS / 1000;
	const ratio = median(own) / limit;
	const allowedRefusals = Math.ceil((count * runs) / 200);
	const notes = [
		`The pace alone takes 1.006 × as long as the service allows, and more by what an answer takes longer than the fastest ones; a refusal costs about two seconds.`,
		`${(looks / runs / count).toFixed(2)} looks for each lookup, ${refused} refusals (429) in ${count * runs} submissions.`,
		`One after another is this package's own node in Loop Over Items with batches of one, measured with ${ONE_BY_ONE} items and extrapolated; other packages wait no less.`,
		`By hand is HTTP Request (10 items every 1.1 s: with 1.0 s the service refuses some), Wait 5 s, HTTP Request, If.`,
	];
	if (failures.length > 0) notes.push(`By hand failed ${failures.length} times: ${failures[0]}`);
	return {
		what: `${count.toLocaleString('en')} single lookups of 4 s`,
		ours: `${seconds(own)}, ${ratio.toFixed(3)} × limit`,
		beside: `by hand ${seconds(byHand)}; one after another ${seconds([oneByOneSeconds])} (${(oneByOneSeconds / median(own)).toFixed(0)} ×)`,
		limit: `${limit.toFixed(0)} s`,
		target: '≤ 1.04 × limit, at most one 429 in 200; ahead of by hand; ≥ 30 × one after another',
		met: verdictOn(
			ratio <= 1.04,
			refused <= allowedRefusals,
			!(median(own) >= median(byHand)),
			oneByOneSeconds >= 30 * median(own),
		),
		runs,
		notes,
	};
}
