import type { IDataObject } from 'n8n-workflow';
import { vi } from 'vitest';
import { passTime } from '../clock.mts';
import { PlayedDataTables } from './dataTables.mts';
import { runNode, type RunNodeOptions } from './execute.mts';
import { type Asked, type Leg, ServiceInProcess } from './inProcess.mts';

/** For the email finder: items with `fullname`. */
const FIND = { fullname: '={{ $json.fullname }}', companyDomain: 'acme.com' };
const LIMIT_MS = 6 * 3_600_000;
const CONTINUE = { onError: 'continueRegularOutput' } as const;

let executions = 0;

/** A service, a database, and processes that share nothing else. */
export class World {
	readonly service: ServiceInProcess;
	readonly tables = new PlayedDataTables();

	constructor(
		private readonly credential: IDataObject = { memory: 'dataTable' },
		account = {},
	) {
		this.service = new ServiceInProcess({ single: 1_000, bulk: 1_000, account });
	}

	get posts(): Asked[] {
		return this.service.requests.filter(({ method }) => method === 'POST');
	}

	get ledger() {
		return this.service.service.ledger;
	}

	/** An n8n that was just started. */
	async process(): Promise<Process> {
		vi.resetModules();
		const { ContactData } = await import('../../../nodes/ContactData/ContactData.node.ts');
		const node = this.service.wire(new ContactData());
		const { contactDataApi } = this.service.credentials;
		const credentials = { contactDataApi: { ...contactDataApi, ...this.credential } };
		return new Process(this, { node, credentials: credentials as RunNodeOptions['credentials'] });
	}
}

export class Process {
	private isKilled = false;

	constructor(
		private readonly world: World,
		private readonly given: Pick<RunNodeOptions, 'node' | 'credentials'>,
	) {}

	private begin(operation: string, items: IDataObject[], more: Partial<RunNodeOptions> = {}) {
		const { tables } = this.world;
		const ofLiving: PlayedDataTables['executeWorkflow'] = async (...call) =>
			this.isKilled ? await new Promise<never>(() => {}) : await tables.executeWorkflow(...call);
		const { parameters, ...others } = more;
		return runNode({
			...this.given,
			items,
			executionId: `${++executions}`,
			settings: CONTINUE,
			dataTables: Object.assign(new PlayedDataTables(), { executeWorkflow: ofLiving }),
			...others,
			parameters: { resource: 'emailFinder', operation, ...FIND, ...parameters },
		});
	}

	async run(operation: string, items: IDataObject[], more: Partial<RunNodeOptions> = {}) {
		const run = await passTime(this.begin(operation, items, more), LIMIT_MS);
		return { ...run, rows: run.items.map(({ json }) => json) };
	}

	/** Runs until so long after something happens, and kills the process. */
	async killedWhen(
		isReached: (asked: Asked, leg: Leg) => boolean,
		laterMs: number,
		...run: Parameters<Process['begin']>
	): Promise<void> {
		const { service } = this.world;
		const killed = new Promise<void>((resolve) => {
			service.onRequest = async (asked, leg) => {
				if (!this.isKilled && isReached(asked, leg)) {
					await new Promise((later) => setTimeout(later, laterMs));
					this.isKilled = true;
					resolve();
				}
				if (this.isKilled) await new Promise<never>(() => {});
			};
		});
		const ended = this.begin(...run).then(() => {
			throw new Error('The run ended before it was killed');
		});
		await passTime(Promise.race([killed, ended]), LIMIT_MS);
		service.onRequest = () => {};
		vi.clearAllTimers();
	}
}

export const found = (rows: readonly IDataObject[]) => rows.map((row) => row.found);
export const hintOf = ({ hints }: { hints: ReadonlyArray<{ message: string }> }) =>
	hints.map(({ message }) => message).join(' ');
