import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';
import { addCredits } from '../common/credits';
import { savedData } from './savedData';

const IDS = 'contact_data_ids';
const MAX_IDS_LENGTH = 255;
const FIGURES = ['spent', 'refunded', 'found', 'total'] as const;
type Figure = (typeof FIGURES)[number];
const NAMES: Record<Figure, string> = {
	spent: 'contact_data_credits_spent',
	refunded: 'contact_data_credits_refunded',
	found: 'contact_data_found',
	total: 'contact_data_total',
};
/** Names, in what n8n saves, the execution of which the figures are. */
const OWNER = 'contactDataExecution';

/** What an execution has cost and found. */
type Figures = Partial<Record<Figure, number>>;

/**
 * What an execution has started, cost and found, in its custom data: n8n shows it, filters by it, and
 * keeps it of an execution that is stopped. All nodes and runs of the execution add up. Nothing can
 * come between the reading and the writing of a figure.
 */
export class ExecutionNotes {
	/** @param data `undefined` where n8n has none */
	constructor(private readonly data: IExecuteFunctions['customData'] | undefined) {}

	static of(context: IExecuteFunctions): ExecutionNotes {
		// Some versions of n8n have no custom data here.
		const notes = new ExecutionNotes(context.customData);
		const saved = savedData(context, 'flow');
		const executionId = context.getExecutionId();
		// A retry is given all that the execution before has noted.
		if (saved[OWNER] !== undefined && saved[OWNER] !== executionId) notes.reset();
		saved[OWNER] = executionId;
		return notes;
	}

	/** For an execution that a callback resumes. */
	static ofCallback(context: IWebhookFunctions): ExecutionNotes {
		return new ExecutionNotes(context.customData);
	}

	/** Notes an id that is paid for, where there is room for it. */
	addId(id: string): void {
		const noted = this.data?.get(IDS) ?? '';
		const ids = noted === '' ? [] : noted.split(' ');
		const isFull = noted.length + 1 + id.length > MAX_IDS_LENGTH;
		if (!isFull && !ids.includes(id)) this.data?.set(IDS, [...ids, id].join(' '));
	}

	add(figures: Figures): void {
		for (const figure of FIGURES) {
			const more = figures[figure];
			if (more === undefined) continue;
			this.data?.set(NAMES[figure], String(addCredits(this.read(figure), more)));
		}
	}

	/** Adds a refund where it can be true: it is not more than what was spent. */
	addRefund(refunded: number): void {
		const all = addCredits(this.read('refunded'), refunded);
		if (refunded > 0 && all <= this.read('spent')) this.add({ refunded });
	}

	private read(figure: Figure): number {
		const noted = Number(this.data?.get(NAMES[figure]) ?? 0);
		return Number.isFinite(noted) ? noted : 0;
	}

	private reset(): void {
		for (const figure of FIGURES) {
			const name = NAMES[figure];
			if (this.data?.get(name) !== undefined) this.data.set(name, '0');
		}
	}
}
