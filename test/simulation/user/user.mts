import { vi } from 'vitest';
import { resetClock } from '../../support/clock.mts';
import { pairedWith } from '../../support/n8nCore/contactData.mts';
import type { RunNodeResult } from '../../support/n8nCore/execute.mts';
import type { LedgerEntry } from '../../support/sandbox/ledger.mts';
import { isObject } from '../../support/sandbox/payload.mts';
import { SandboxService } from '../../support/sandbox/service.mts';
import { Draw } from '../draw.mts';
import { wired, type Processes } from '../run.mts';
import type { Schedule } from '../schedule.mts';
import { SimulatedWire } from '../wire.mts';
import type { Step, Story } from './story.mts';
import { changed, execute, NEW, type Execution, type Surroundings } from './workflow.mts';

/** How often somebody goes on reading and doing. */
const MAX_ROUNDS = 6;

/** What a text tells its reader to do. */
interface Advice {
	addsCredits: boolean;
	raisesCap: boolean;
	continues: boolean;
	retries: boolean;
	/** Start all anew: in whatever words, or because nothing was charged. */
	runsAgain: boolean;
	/** Start the one item anew. */
	runsItem: boolean;
	looksAtUsage: boolean;
}

/** Takes a text at its word: where nothing was charged, and nothing else is advised, one may start anew. */
function readAdvice(text: string): Advice {
	const retries = /Retry with currently saved|retry this execution/i.test(text);
	const isFree = /nothing (?:was )?(?:started|charged|sent)/i.test(text);
	const isOfItem = /charged for this item/.test(text);
	const warns = text.includes('would pay again');
	return {
		addsCredits: text.includes('Add credits'),
		raisesCap: text.includes("Raise 'Max Credits'"),
		continues: text.includes("set 'On Error'"),
		retries,
		runsAgain:
			/\b(?:run|execute|start|send|try)\b[^.]* again\b(?!.*would)/i.test(
				text.replace(/(?:was|were) not sent again/g, ''),
			) ||
			(isFree && !isOfItem && !retries && !warns),
		runsItem: isOfItem,
		looksAtUsage: text.includes('the usage of your account'),
	};
}

interface Played {
	/** Searches that were paid twice, in an execution and its retries or because a text advised a new run. */
	paidTwice: string[];
	retries: number;
	newRuns: number;
}

export interface Spoils extends Pick<Surroundings, 'hidesCaller'> {
	run?: (result: RunNodeResult) => RunNodeResult;
	/** Changes what the user reads. */
	text?: (text: string) => string;
}

let accounts = 0;

/** Plays a story to its end: what the workflow does, and what its reader then does. */
export async function play(
	story: Story,
	processes: Processes,
	spoils: Spoils = {},
): Promise<Played> {
	resetClock();
	const random = vi.spyOn(Math, 'random').mockImplementation(new Draw(story.seed).random);
	const played = { paidTwice: [], retries: 0, newRuns: 0 };
	const reader = new Reader(story, processes, spoils, played);
	await reader.useWorkflow();
	// The schedule starts it anew whatever the user does: that is no repeat of its own.
	if (story.place === 'schedule') await reader.useWorkflow();
	random.mockRestore();
	return played;
}

class Reader {
	private readonly service: SandboxService;
	private readonly around: Surroundings;
	private from = 0;

	constructor(
		private readonly story: Story,
		processes: Processes,
		private readonly spoils: Spoils,
		private readonly played: Played,
	) {
		const key = `key-of-reader-${++accounts}`;
		const { seed, steps } = story;
		const [first] = steps;
		if (first === undefined) throw new Error('A story needs a step');
		const { schedule } = first;
		const { lookupMs, scenarios, credits } = schedule;
		this.service = new SandboxService({
			idSeed: String(seed),
			single: lookupMs,
			bulk: lookupMs,
			scenarios,
			account: { key, credits },
		});
		const node = wired(processes.first.node, new SimulatedWire(this.service, schedule));
		const { hidesCaller, run: spoil } = spoils;
		this.around = { node, key, isCalled: story.isCalled, spoil, hidesCaller };
	}

	/** One start of the workflow, and all that its texts lead to. */
	async useWorkflow(): Promise<void> {
		this.from = this.service.ledger.entries.length;
		let { steps } = this.story;
		let isPatient = this.story.isPatient;
		let execution = await execute(steps, NEW, this.around);
		for (let round = 0; execution.error !== undefined && round < MAX_ROUNDS; round++) {
			const text = this.read(execution.error);
			const advice = readAdvice(text);
			if (advice.addsCredits) this.addCredits();
			const mend = (schedule: Schedule): Schedule => ({
				...schedule,
				...(advice.raisesCap && { maxCredits: 0 }),
				...(advice.continues && !isPatient && { onError: 'continueRegularOutput' }),
			});
			isPatient = false;
			steps = changed(steps, mend);
			if (advice.retries) {
				this.played.retries++;
				// Who retries a workflow that called this one starts this one anew.
				execution = await execute(steps, this.story.isCalled ? NEW : execution, this.around);
			} else if (advice.runsAgain) {
				this.played.newRuns++;
				execution = await execute(steps, NEW, this.around);
			} else if (advice.runsItem) {
				const step = steps[execution.outputs.length];
				if (step !== undefined) await this.runItems(step, [itemOf(execution.error) ?? 0]);
				break;
			} else {
				break;
			}
		}
		await this.readItems(steps, execution);
		this.count();
	}

	private read(error: Error): string {
		const description = 'description' in error ? error.description : undefined;
		const text = `${error.message} ${typeof description === 'string' ? description : ''}`;
		return this.spoils.text?.(text) ?? text;
	}

	private addCredits(): void {
		const account = this.service.account();
		account.credits += 1_000_000;
	}

	/** Of items that failed under Continue: those that were not charged are searched for by themselves. */
	private async readItems(steps: readonly Step[], { outputs }: Execution): Promise<void> {
		for (const [index, items] of outputs.entries()) {
			const step = steps[index];
			const uncharged = items.flatMap((output) => {
				const { error } = output.json;
				if (typeof error !== 'string') return [];
				const advice = readAdvice(this.spoils.text?.(error) ?? error);
				if (advice.addsCredits) this.addCredits();
				return pairedWith(output).filter(
					(item) => advice.runsItem || (advice.looksAtUsage && !this.isCharged(step, item)),
				);
			});
			if (step !== undefined) await this.runItems(step, uncharged);
		}
	}

	private async runItems(step: Step, numbers: readonly number[]): Promise<void> {
		if (numbers.length === 0) return;
		const isAmong = (_: unknown, index: number) => numbers.includes(index);
		const { items, earlierIds } = step.schedule;
		const alone = { items: items.filter(isAmong), earlierIds: earlierIds.filter(isAmong) };
		await execute([{ ...step, schedule: { ...step.schedule, ...alone } }], NEW, this.around);
	}

	/** What the account says of an item. */
	private isCharged(step: Step | undefined, item: number): boolean {
		const search = step?.schedule.items[item]?.[0]?.search?.canonical;
		return this.own().some(({ searches }) => searches.includes(search ?? ''));
	}

	private own(): readonly LedgerEntry[] {
		return this.service.ledger.entries.slice(this.from);
	}

	private count(): void {
		const searches = this.own().flatMap((entry) => entry.searches);
		this.played.paidTwice.push(
			...searches.filter((search, index) => searches.indexOf(search) < index),
		);
	}
}

function itemOf(error: Error): number | undefined {
	const context: unknown = 'context' in error ? error.context : undefined;
	const itemIndex = isObject(context) ? context.itemIndex : undefined;
	return typeof itemIndex === 'number' ? itemIndex : undefined;
}
