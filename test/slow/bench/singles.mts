import { runToEnd, secondsAfterSource, type Stage } from './stage.mts';
import { seconds, type Row } from './table.mts';
import { byHandWorkflow, oneByOneWorkflow, ownWorkflow } from './workflows.mts';

const COUNT = 200;
const LOOKUP_MS = 4_000;
const RATE = 10;
const ONE_BY_ONE = 5;

/** Single lookups, beside HTTP Request by hand and one item after another. */
export async function measureSingles(
	{ n8n, service, credential }: Stage,
	report: (line: string) => void,
): Promise<Row> {
	report(`${COUNT} single lookups: this package`);
	await service.reset({ single: LOOKUP_MS });
	const own = secondsAfterSource(
		await runToEnd(n8n, ownWorkflow(credential, 'submitAndWait', COUNT)),
	);
	const { searches } = await service.traffic();
	if (searches !== COUNT) throw new Error(`${searches} lookups were charged`);

	report(`${COUNT} single lookups: by hand`);
	await service.reset({ single: LOOKUP_MS });
	const byHand = await runToEnd(n8n, byHandWorkflow(service, COUNT)).then(
		(execution) => seconds(secondsAfterSource(execution)),
		(error: unknown) => `failed (${String(error)})`,
	);

	report(`${ONE_BY_ONE} lookups one after another`);
	await service.reset({ single: LOOKUP_MS });
	const few = await runToEnd(n8n, oneByOneWorkflow(credential, ONE_BY_ONE));
	const oneByOne = (secondsAfterSource(few) / ONE_BY_ONE) * COUNT;

	const limit = COUNT / RATE + LOOKUP_MS / 1000;
	return {
		what: `${COUNT} single lookups of ${LOOKUP_MS / 1000} s`,
		limit: seconds(limit),
		ours: `${seconds(own)}, ${(own / limit).toFixed(3)} × limit`,
		beside: `by hand ${byHand}; in a loop, one after another, ${seconds(oneByOne)}`,
	};
}
