import { createHash } from 'node:crypto';
import { ExecutionLifecycleHooks, ExternalSecretsProxy } from 'n8n-core';
import { jsonParse, Workflow } from 'n8n-workflow';
import type {
	IConnections,
	IDataObject,
	IExecuteFunctions,
	INode,
	INodeParameters,
	INodeType,
	INodeTypeDescription,
	INodeTypes,
	IWorkflowExecuteAdditionalData,
	IWorkflowSettings,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { NOBODY } from '../ports.mts';
import type { PlayedDataTables } from './dataTables.mts';
import { TestCredentials, type CredentialValues } from './credentials.mts';

/** What a test says about one node. The defaults of its description are filled in as n8n does. */
export interface NodeUnderTest {
	node: INodeType;
	/** Default: the description's `defaults.name`. */
	name?: string;
	/** Default: `n8n-nodes-contact-data.<description.name>`. */
	type?: string;
	/** As saved in a workflow; values starting with `=` are expressions. */
	parameters?: INodeParameters;
	/** The node's settings tab (`onError`, `retryOnFail`, …), and what n8n gives it in a workflow. */
	settings?: NodeSettings;
}

export type NodeSettings = Partial<
	Pick<
		INode,
		| 'onError'
		| 'continueOnFail'
		| 'retryOnFail'
		| 'maxTries'
		| 'waitBetweenTries'
		| 'executeOnce'
		| 'alwaysOutputData'
		| 'disabled'
		| 'rewireOutputLogTo'
		| 'webhookId'
		| 'id'
	>
>;

export interface EnvironmentOptions {
	credentials?: CredentialValues;
	/** Default another one for each test of `useBench`. */
	workflowId?: string;
	/** Default `'1'`. */
	executionId?: string;
	/** The base of `$execution.resumeUrl`. */
	waitingBaseUrl?: string;
	/** The base of a trigger's webhook URL; its test URL has `-test` after it. */
	webhookBaseUrl?: string;
	workflowSettings?: IWorkflowSettings;
	/** Default: an n8n without any. */
	dataTables?: PlayedDataTables;
	/** The node's static data before the call; the result has it after. */
	staticData?: IDataObject;
}

const PACKAGE_NAME = 'n8n-nodes-contact-data';
/** The workflow of a test: what the node remembers of a tool's calls is of one workflow. */
export const harness = { workflowId: 'harness' };

/** Where n8n is called about what it has paused. */
export const waitingUrl = () => `${process.env.CONTACT_DATA_PLAYED_N8N ?? NOBODY}/webhook-waiting`;

export function nodeTypeName({ node, type }: NodeUnderTest): string {
	return type ?? `${PACKAGE_NAME}.${node.description.name}`;
}

/** As n8n describes the tool that it makes of a node: by the name, `@tool` tells one. */
export function descriptionOfTool(description: INodeTypeDescription): INodeTypeDescription {
	return { ...description, name: `${description.name}Tool`, inputs: [], outputs: ['ai_tool'] };
}

/** n8n registers a `usableAsTool` node a second time, as `<type>Tool`. */
export function asTool<T extends NodeUnderTest>(entry: T): T {
	const node: INodeType = {
		description: descriptionOfTool(entry.node.description),
		async execute(this: IExecuteFunctions) {
			return (await entry.node.execute?.call(this)) ?? [];
		},
	};
	return { ...entry, name: nodeName(entry), type: `${nodeTypeName(entry)}Tool`, node };
}

export function nodeName({ node, name }: NodeUnderTest): string {
	return name ?? String(node.description.defaults.name ?? node.description.displayName);
}

/**
 * A real n8n `Workflow`, whose constructor fills in the parameters' defaults and drops those hidden
 * by `displayOptions`, as in production.
 */
export function createWorkflow(
	nodes: NodeUnderTest[],
	connections: IConnections,
	options: EnvironmentOptions,
): Workflow {
	const types = new Map(nodes.map((entry) => [nodeTypeName(entry), entry.node]));
	const first = nodes[0];
	return new Workflow({
		id: options.workflowId ?? harness.workflowId,
		name: 'Harness',
		active: true,
		nodes: nodes.map((entry, index) => toWorkflowNode(entry, index, options.credentials ?? {})),
		connections,
		nodeTypes: new FixedNodeTypes(types),
		settings: { executionOrder: 'v1', ...options.workflowSettings },
		staticData:
			first === undefined || options.staticData === undefined
				? {}
				: { [`node:${nodeName(first)}`]: structuredClone(options.staticData) },
	});
}

function toWorkflowNode(entry: NodeUnderTest, index: number, credentials: CredentialValues): INode {
	const { description } = entry.node;
	const accepted = (description.credentials ?? []).map((credential) => credential.name);
	return {
		id: `node-${index}`,
		name: nodeName(entry),
		type: nodeTypeName(entry),
		typeVersion: latestVersion(description.version),
		position: [index * 200, 0],
		parameters: structuredClone(entry.parameters ?? {}),
		credentials: Object.fromEntries(
			accepted
				.filter((name) => name in credentials)
				.map((name) => [name, { id: idOf(credentials[name]), name: `Test ${name}` }]),
		),
		...entry.settings,
	};
}

/** Other values are another credential. */
function idOf(values: unknown): string {
	return createHash('sha256').update(JSON.stringify(values)).digest('hex');
}

function latestVersion(version: number | number[]): number {
	return Array.isArray(version) ? Math.max(...version) : version;
}

class FixedNodeTypes implements INodeTypes {
	constructor(private readonly types: Map<string, INodeType>) {}

	getByName(type: string): INodeType {
		return this.getByNameAndVersion(type);
	}

	getByNameAndVersion(type: string): INodeType {
		const found = this.types.get(type);
		if (found === undefined) throw new Error(`The harness knows no node type '${type}'`);
		return found;
	}

	getKnownTypes(): IDataObject {
		return {};
	}
}

/** The node's static data as n8n saves it. */
export function staticDataOf(workflow: Workflow, node: INode): IDataObject {
	return jsonParse<IDataObject>(JSON.stringify(workflow.getStaticData('node', node)));
}

/** What n8n hands to every context; calls into parts of n8n that do not exist here throw. */
export function createAdditionalData(
	mode: WorkflowExecuteMode,
	options: EnvironmentOptions,
): IWorkflowExecuteAdditionalData {
	const { executionId = '1', workflowId = harness.workflowId, dataTables } = options;
	const { executionTimeout: limitSeconds = -1 } = options.workflowSettings ?? {};
	const webhookBaseUrl = options.webhookBaseUrl ?? `${NOBODY}/webhook`;
	const waitingBaseUrl = options.waitingBaseUrl ?? waitingUrl();
	const url = (path: string) => `${NOBODY}/${path}`;
	const notHere = async () => await Promise.reject(new Error('Not part of the harness'));
	return {
		credentialsHelper: new TestCredentials(options.credentials ?? {}),
		executeWorkflow: async (workflow, _, { inputData }) =>
			await (dataTables?.executeWorkflow(workflow, inputData) ?? notHere()),
		getRunExecutionData: notHere,
		getRuntimeCredential: notHere,
		startRunnerTask: notHere,
		executionId,
		executionTimeoutTimestamp: limitSeconds > 0 ? Date.now() + limitSeconds * 1000 : undefined,
		currentNodeExecutionIndex: 0,
		restApiUrl: url('rest'),
		instanceBaseUrl: url(''),
		formBaseUrl: url('form'),
		formWaitingBaseUrl: url('form-waiting'),
		formTestBaseUrl: url('form-test'),
		webhookBaseUrl,
		webhookWaitingBaseUrl: waitingBaseUrl,
		webhookTestBaseUrl: `${webhookBaseUrl}-test`,
		mcpBaseUrl: url('mcp'),
		mcpTestBaseUrl: url('mcp-test'),
		variables: {},
		logAiEvent: () => {},
		externalSecretsProxy: new ExternalSecretsProxy(),
		hooks: new ExecutionLifecycleHooks(mode, executionId, {
			id: workflowId,
			name: 'Harness',
			active: true,
			activeVersionId: null,
			isArchived: false,
			createdAt: new Date(0),
			updatedAt: new Date(0),
			nodes: [],
			connections: {},
		}),
	};
}
