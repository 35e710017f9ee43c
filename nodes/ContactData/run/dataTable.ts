import type { IDataObject, IExecuteFunctions, INodeParameters, IWorkflowBase } from 'n8n-workflow';

/**
 * Runs one operation of n8n's Data Table node: n8n opens its tables to no other node.
 * @param parameters as the editor saves them
 * @throws what the node throws, or n8n where it has none
 */
export async function runDataTable(
	context: IExecuteFunctions,
	operation: string,
	parameters: INodeParameters,
	items: IDataObject[] = [{}],
): Promise<IDataObject[]> {
	const code = workflowOf(context, { resource: 'row', operation, ...parameters });
	const given = items.map((json) => ({ json }));
	const { data } = await context.executeWorkflow({ code }, given);
	return (data[0] ?? []).map(({ json }) => json);
}

const START = 'n8n-nodes-base.executeWorkflowTrigger';

/** A workflow of this node alone, of which n8n saves nothing. Its tables are those of the caller's project. */
function workflowOf(context: IExecuteFunctions, parameters: INodeParameters): IWorkflowBase {
	const now = new Date();
	const node = { typeVersion: 1.1, position: [0, 0] as [number, number] };
	const start = { inputSource: 'passthrough' };
	return {
		id: context.getWorkflow().id ?? '',
		name: 'Contact Data: what was paid',
		active: false,
		activeVersionId: null,
		isArchived: false,
		createdAt: now,
		updatedAt: now,
		nodes: [
			{ ...node, id: '1', name: '1', type: START, parameters: start },
			{ ...node, id: '2', name: '2', type: 'n8n-nodes-base.dataTable', parameters },
		],
		connections: { 1: { main: [[{ node: '2', type: 'main', index: 0 }]] } },
		settings: {
			executionOrder: 'v1',
			callerPolicy: 'any',
			saveDataSuccessExecution: 'none',
			saveDataErrorExecution: 'none',
		},
	};
}

/** The table with this ID. */
export function byId(value: string): INodeParameters {
	return { __rl: true, mode: 'id', value };
}

/** A condition on a column. */
export function where(keyName: string, condition: 'eq' | 'gt' | 'lt', keyValue: string | number) {
	return { keyName, condition, keyValue };
}
