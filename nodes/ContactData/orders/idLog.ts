import { sleepUnlessAborted } from '../common/time';
import type { Run } from '../run/run';
import { isAccepted, type Order } from './order';

const MAX_IDS_IN_A_LINE = 10;
const MAX_UNLOGGED_MS = 1_000;

/** Writes ids into n8n's log soon after they are paid for: where n8n is killed, or an agent fails, only it has them. */
export class IdLog {
	private ids: string[] = [];
	private waiting = new AbortController();

	constructor(private readonly run: Pick<Run, 'logger' | 'saved'>) {}

	add(order: Order): void {
		if (!isAccepted(order)) return;
		if (this.ids.push(order.fate.id) === 1) {
			this.waiting = new AbortController();
			const { signal } = this.waiting;
			void sleepUnlessAborted(MAX_UNLOGGED_MS, signal).then((isOver) => isOver && this.write());
		}
		if (order.size === 'bulk' || this.ids.length >= MAX_IDS_IN_A_LINE) this.write();
	}

	write(): void {
		this.waiting.abort();
		if (this.ids.length === 0) return;
		const { logger, saved } = this.run;
		logger.info(`Started and paid for in execution ${saved.executionId}: ${this.ids.join(', ')}`);
		this.ids = [];
	}
}
