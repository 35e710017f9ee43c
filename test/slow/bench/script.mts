// What a developer would write without n8n: POSTs the searches in batches, looks each second until
// all are done, and keeps the results. Prints its time and its memory as JSON.
import axios from 'axios';

import { person } from '../../support/people.mts';

/** Of one run of the script. */
export interface ScriptCost {
	seconds: number;
	/** Peak of the process over what it took before the first request. */
	peakBytes: number;
	results: number;
}

const BATCH = 5000;
const LOOK_MS = 1000;

interface Answer {
	id: string;
	general: { status: string };
	results: Array<Record<string, unknown>>;
}

const [, , baseURL, apiKey, count = '0'] = process.argv;
const service = axios.create({ baseURL, headers: { 'x-api-key': apiKey } });
const idleBytes = process.memoryUsage.rss();
const started = performance.now();

const searches = Array.from({ length: Number(count) }, (_, n) => {
	const { fullname, domain } = person(n);
	return { fullname, company_domain: domain };
});
const ids: string[] = [];
for (let start = 0; start < searches.length; start += BATCH) {
	const body = { searches: searches.slice(start, start + BATCH) };
	ids.push((await service.post<Answer>('/email/find/bulk', body)).data.id);
}
const results = new Map<string, Answer['results']>();
while (results.size < ids.length) {
	await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
	for (const id of ids.filter((unread) => !results.has(unread))) {
		const { data } = await service.get<Answer>('/email/find/bulk', { params: { id } });
		if (data.general.status === 'completed') results.set(id, data.results);
	}
}
const items = ids.flatMap((id) => results.get(id) ?? []);

const cost: ScriptCost = {
	seconds: (performance.now() - started) / 1000,
	peakBytes: process.resourceUsage().maxRSS * 1024 - idleBytes,
	results: items.length,
};
console.log(JSON.stringify(cost));
