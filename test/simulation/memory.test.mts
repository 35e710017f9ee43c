import '../support/n8nCore/setup.mts';
import type { IDataObject, INodeType } from 'n8n-workflow';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startClock } from '../support/clock.mts';
import { loadNode, type Process, World } from '../support/n8nCore/processes.mts';
import { people } from '../support/people.mts';
import { seed as seedOfRun } from '../support/seed.mts';
import { Draw } from './draw.mts';

// Workflows on several processes of n8n that share a Data Table, with restarts and kills at any moment: what was
// written down is paid once, and no ID is lost but of the last second.

const SHORT_RUN = 100;
const MAX_SHOWN = 10;
/** How many processes a story has at most, restarted ones included. */
const PROCESSES = 7;
/** From the receipt to the row, at most: a second, n8n's own time, and the answer's way. */
const UNWRITTEN_MS = 1_600;
/** What has left arrives, also after the kill. */
const ON_ITS_WAY_MS = 100;
const TABLE = 'contact_data_searches';

let nodes: INodeType[] = [];
beforeAll(async () => {
	startClock();
	for (let number = 0; number < PROCESSES; number++) nodes.push(await loadNode());
});
afterAll(() => {
	vi.useRealTimers();
	nodes = [];
});

/** What is written down of an order at some moment. */
interface Written {
	ids: Set<string>;
	at: number;
}

class Story {
	readonly draw: Draw;
	readonly world: World;
	private readonly fresh = [...nodes];
	private readonly processes: Process[] = [];
	/** When processes were killed, and what was in the table then. */
	readonly kills: Written[] = [];
	readonly outputs: IDataObject[] = [];

	constructor(seed: number) {
		this.draw = new Draw(seed);
		this.world = new World({ memory: 'dataTable', requestsPerSecond: this.draw.pick([10, 1_000]) });
		this.world.service.latencyMs = this.draw.pick([5, 80]);
		const tookMs = this.draw.pick([0, 40, 120]);
		this.world.tables.before = async () => await new Promise((done) => setTimeout(done, tookMs));
	}

	private async start(): Promise<Process> {
		return await this.world.process(this.fresh.pop());
	}

	async play(): Promise<void> {
		const { draw, world } = this;
		this.processes.push(await this.start(), await this.start());
		const crowd = people(40);
		for (let step = draw.int(3, 5); step > 0; step--) {
			const worker = draw.int(0, 1);
			const from = draw.int(0, 30);
			const items = crowd.slice(from, from + draw.int(1, 25)).map((one) => ({
				...one,
				of: Math.floor(one.n / 5),
			}));
			const operation = draw.pick(['submitAndWait', 'submitBulkAndWait']);
			const options = draw.chance(0.5) ? { custom: '={{ ({ of: $json.of }) }}' } : {};
			const more = { parameters: { options } };
			world.service.faults.clear();
			if (draw.chance(0.3)) {
				const status = draw.pick([429, 429, 400]);
				world.service.faults.add({ kind: 'status', status, on: 'POST *', times: 5, chance: 0.3 });
			}
			const process = this.processes[worker];
			if (process === undefined) throw new Error('There are two');
			if (this.fresh.length > 0 && draw.chance(0.4)) {
				await process.killedAfter(draw.int(0, draw.pick([200, 3_000])), operation, items, more);
				this.kills.push({ at: Date.now(), ids: this.idsWritten() });
				this.processes[worker] = await this.start();
			} else {
				const { rows } = await process.run(operation, items, more);
				for (const row of rows) this.outputs.push(row);
			}
		}
	}

	private idsWritten(): Set<string> {
		const rows = this.world.tables.rowsOf(TABLE);
		return new Set(
			rows.flatMap(({ search_id: ids }) => (typeof ids === 'string' ? ids.split('\n') : [])),
		);
	}

	/** What must not have happened, in words. */
	violations(): string[] {
		const { entries } = this.world.ledger;
		const shown = JSON.stringify(this.outputs);
		const written = this.idsWritten();
		const isOfLastSecond = (id: string, at: number) =>
			this.kills.some(
				(kill) =>
					!kill.ids.has(id) && at - kill.at <= ON_ITS_WAY_MS && kill.at - at <= UNWRITTEN_MS,
			);
		const seen = new Map<string, string>();
		const found: string[] = [];
		for (const { id, at, searches, endpoint } of entries) {
			for (const search of searches) {
				const before = seen.get(search);
				const first = entries.find((entry) => entry.id === before);
				seen.set(search, id);
				if (first === undefined || isOfLastSecond(first.id, first.at)) continue;
				found.push(`paid twice: ${search}, by ${endpoint}`);
			}
			const isKnown = written.has(id) || shown.includes(id);
			if (!isKnown && !isOfLastSecond(id, at)) found.push(`lost: ${id} of ${endpoint}`);
		}
		// A batch leaves its row before it is sent: not even the last second pays it again.
		const batches = entries.filter(({ endpoint }) => endpoint.endsWith('/bulk'));
		const ofBatches = batches.flatMap(({ searches }) => searches);
		if (new Set(ofBatches).size < ofBatches.length) found.push('a batch was paid twice');
		return found;
	}
}

async function play(seed: number): Promise<{ story: Story; found: string[] }> {
	const story = new Story(seed);
	await story.play();
	return { story, found: story.violations() };
}

const { SEED, SCHEDULES } = process.env;
const count = SEED === undefined ? Number(SCHEDULES ?? SHORT_RUN) : 1;

it(`${count} stories of processes that share a memory: nothing that was written down is paid twice or lost`, async () => {
	const first = SEED === undefined ? seedOfRun() : Number(SEED);
	const seen = { kills: 0, read: 0, charges: 0 };
	const failures: string[] = [];
	for (let seed = first; seed < first + count; seed++) {
		const { story, found } = await play(seed).catch((error: unknown) => ({
			story: undefined,
			found: [String(error)],
		}));
		seen.kills += story?.kills.length ?? 0;
		seen.charges += story?.world.ledger.entries.length ?? 0;
		seen.read += story?.outputs.length ?? 0;
		if (found.length > 0)
			failures.push(`SEED=${seed} npm test -- simulation  # ${found.join('; ')}`);
	}
	if (SCHEDULES !== undefined) console.log(seen);
	const shown = failures.slice(0, MAX_SHOWN).join('\n');
	expect(failures.length, `${failures.length} of ${count} stories fail:\n${shown}\n`).toBe(0);
	expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
}, 3_600_000);
