import 'reflect-metadata';
import type { IExecuteFunctions, INodeParameters, INodeType } from 'n8n-workflow';

import { ContactData } from '../../nodes/ContactData/ContactData.node.ts';
import { runNode, type RunNodeOptions } from './n8nCore/execute.mts';
import { crowd, person } from './people.mts';
import { NOBODY } from './ports.mts';

/** Gives the CPU milliseconds of one run of a node over all its items. */
export type CpuRun = () => Promise<number>;

const BATCH = 5000;

/**
 * Makes runs of Find Many over a crowd of `count`, with the service's answers ready made.
 *
 * @param expression of a field, with its name in place of `FIELD`
 */
export function findManyRun(count: number, expression: string): CpuRun {
	const node = offline(new ContactData(), finderAnswers(count));
	return async () =>
		await cpuOf({
			node,
			credentials: {
				contactDataApi: { apiKey: 'key', baseUrl: NOBODY, requestsPerSecond: 10_000 },
			},
			parameters: {
				resource: 'emailFinder',
				operation: 'submitBulkAndWait',
				fullname: expression.replace('FIELD', 'fullname'),
				companyDomain: expression.replace('FIELD', 'domain'),
				options: { pollInterval: 0.1 },
			},
			items: crowd(count),
		});
}

/** Makes runs of another node over the same crowd. */
export function otherRun(node: INodeType, parameters: INodeParameters, count: number): CpuRun {
	return async () => await cpuOf({ node, parameters, items: crowd(count) });
}

async function cpuOf(options: RunNodeOptions): Promise<number> {
	let cpuMs = 0;
	const node: INodeType = {
		description: options.node.description,
		async execute() {
			const before = process.cpuUsage();
			const output = await options.node.execute?.call(this);
			const { user, system } = process.cpuUsage(before);
			cpuMs = (user + system) / 1000;
			return output ?? [];
		},
	};
	const { error, items } = await runNode({ ...options, node });
	if (error instanceof Error) throw error;
	if (items.length !== options.items?.length) throw new Error(`${items.length} items came out`);
	return cpuMs;
}

/** The node with its network replaced: each look finds its batch finished. */
function offline(node: ContactData, answers: Map<string, string>): INodeType {
	return {
		description: node.description,
		async execute(this: IExecuteFunctions) {
			let batches = 0;
			this.helpers.httpRequestWithAuthentication = async (_type, { method, qs }) => {
				const body =
					method === 'POST'
						? JSON.stringify({ id: `batch-${batches++}`, credits_used: BATCH })
						: (answers.get(qs?.id as string) ?? JSON.stringify({ credits: 10_000_000 }));
				return { statusCode: 200, headers: {}, body };
			};
			return await node.execute.call(this);
		},
	};
}

/** What `GET /email/find/bulk` says of each batch (`service-api.md` 4.4), as text. */
function finderAnswers(count: number): Map<string, string> {
	const answers = new Map<string, string>();
	for (let start = 0; start < count; start += BATCH) {
		const id = `batch-${start / BATCH}`;
		const size = Math.min(BATCH, count - start);
		const results = Array.from({ length: size }, (_, index) => {
			const { fullname, domain } = person(start + index);
			const [firstname, lastname] = fullname.split(' ');
			return {
				index: String(index),
				qualification: 'valid',
				email: `ada.number${start + index}@${domain}`,
				info: { domain, firstname, lastname, gender: null, companyInfo: { name: domain } },
				raw_params: { fullname, company_domain: domain },
			};
		});
		const stats = { finished: size, requested: size, valid: size };
		answers.set(id, JSON.stringify({ general: { id, status: 'completed' }, stats, results }));
	}
	return answers;
}
