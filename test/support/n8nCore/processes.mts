import type { IDataObject, INodeType } from 'n8n-workflow';
import { vi } from 'vitest';
import { passTime } from '../clock.mts';
import { PlayedDataTables } from './dataTables.mts';
import type { CredentialValues } from './credentials.mts';
import { runNode, type RunNodeOptions } from './execute.mts';
import { type Asked, type Leg, ServiceInProcess } from './inProcess.mts';

/** For the email finder: items with `fullname`. */
const FIND = { fullname: '={{ $json.fullname }}', companyDomain: 'acme.com' };
const LIMIT_MS = 6 * 3_600_000;
const CONTINUE = { onError: 'continueRegularOutput' } as const;

let executions = 0;
let worlds = 0;

/** A service, a database, and processes that share nothing else. */
export class World {
	readonly service: ServiceInProcess;
	readonly tables = new PlayedDataTables();
	/** Of its workflow: what a process knows of a table is of one world. */
	readonly id = `world ${++worlds}`;

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

	/** An n8n that was just started. @param node of its own, which knows nothing of this world yet */
	async process(node?: INodeType): Promise<Process> {
		const { contactDataApi } = this.service.credentials;
		const credentials = { contactDataApi: { ...contactDataApi, ...this.credential } };
		return new Process(this, node ?? (await loadNode()), credentials);
	}
}

/** The node, with modules of its own, as each process has them. */
export async function loadNode(): Promise<INodeType> {
	vi.resetModules();
	const { ContactData } = await import('../../../nodes/ContactData/ContactData.node.ts');
	return new ContactData();
}

export class Process {
	private isKilled = false;

	private readonly node: INodeType;

	constructor(
		private readonly world: World,
		node: INodeType,
		private readonly credentials: CredentialValues,
	) {
		this.node = world.service.wire(node, undefined, () => !this.isKilled);
	}

	private begin(operation: string, items: IDataObject[], more: Partial<RunNodeOptions> = {}) {
		const { tables } = this.world;
		const ofLiving: PlayedDataTables['executeWorkflow'] = async (...call) =>
			this.isKilled ? await new Promise<never>(() => {}) : await tables.executeWorkflow(...call);
		const { parameters, ...others } = more;
		return runNode({
			node: this.node,
			credentials: this.credentials,
			items,
			executionId: `${++executions}`,
			workflowId: this.world.id,
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

	/** Runs, and is killed after so long. */
	async killedAfter(ms: number, ...run: Parameters<Process['begin']>): Promise<void> {
		const kill = new Promise((later) => setTimeout(later, ms));
		void this.begin(...run);
		await passTime(kill, LIMIT_MS);
		this.isKilled = true;
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
			};
		});
		const ended = this.begin(...run).then(() => {
			throw new Error('The run ended before it was killed');
		});
		await passTime(Promise.race([killed, ended]), LIMIT_MS);
		service.onRequest = () => {};
	}
}

export const found = (rows: readonly IDataObject[]) => rows.map((row) => row.found);
export const hintOf = ({ hints }: { hints: ReadonlyArray<{ message: string }> }) =>
	hints.map(({ message }) => message).join(' ');
