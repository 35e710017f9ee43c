import { readFile } from 'node:fs/promises';
import { runInNewContext } from 'node:vm';
import { jsonParse, NodeHelpers, type IDataObject, type INode, type INodeType } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { ContactData } from '../../../nodes/ContactData/ContactData.node.ts';
import { ContactDataTrigger } from '../../../nodes/ContactData/ContactDataTrigger.node.ts';
import { asRecord, asText, isRecord } from '../../../nodes/ContactData/common/values.ts';
import type { WorkflowJson } from '../../support/n8n/api.mts';
import { exampleNames, EXAMPLES } from '../../support/n8n/examples.mts';
import { choicesOf } from '../../support/properties.mts';

const MOST_ROWS = 10;
const OURS = 'n8n-nodes-contact-data.';
const TRIGGER = `${OURS}contactDataTrigger`;
const MANUAL_TRIGGER = 'n8n-nodes-base.manualTrigger';
const DATA_TABLE = 'n8n-nodes-base.dataTable';
const NOTE = 'n8n-nodes-base.stickyNote';
/** Of a node that is no note, on the canvas. */
const NODE_SIZE = 100;
const NODES: Record<string, INodeType> = {
	contactData: new ContactData(),
	// An agent's tool is the action node.
	contactDataTool: new ContactData(),
	contactDataTrigger: new ContactDataTrigger(),
};
/** What n8n adds to a node that is a tool. */
const OF_TOOLS = ['descriptionType', 'toolDescription'];
/** A domain that somebody may own: `.example` is nobody's (RFC 2606). */
const OWNED_DOMAIN = /\b[\w-]+\.(?:app|at|ch|co|com|de|dev|eu|fr|io|net|org|uk|us)\b/gi;
/** What a search has found, read by another node. */
const READS_RESULT = /json\.(?:results\.)?(?:email|number)\b/;

async function read(name: string): Promise<{ text: string; workflow: WorkflowJson }> {
	const text = await readFile(new URL(`${name}.json`, EXAMPLES), 'utf8');
	return { text, workflow: jsonParse<WorkflowJson>(text) };
}

const textOf = (value: unknown): string => asText(value) ?? '';

const optionsOf = ({ parameters }: INode): IDataObject => asRecord(parameters.options) ?? {};

/** Those that start searches. */
function submitters({ nodes }: WorkflowJson): INode[] {
	return nodes.filter(
		({ type, parameters: { operation = 'submitAndWait', resource } }) =>
			type.startsWith(OURS) &&
			type !== TRIGGER &&
			resource !== 'account' &&
			textOf(operation).startsWith('submit'),
	);
}

const notesOf = ({ nodes }: WorkflowJson) => nodes.filter(({ type }) => type === NOTE);

/** The note where reading begins: the one furthest to the left, and up. */
function firstNote(workflow: WorkflowJson): string {
	const [first] = notesOf(workflow).sort(
		({ position: one }, { position: two }) => one[0] - two[0] || one[1] - two[1],
	);
	return textOf(first?.parameters.content);
}

/** Whether nothing of one node, which is a note, lies on the other. */
function areApart(note: INode, other: INode): boolean {
	const sizes = [note, other].map(({ parameters: { width = NODE_SIZE, height = NODE_SIZE } }) => [
		Number(width),
		Number(height),
	]);
	return [0, 1].some((axis) => {
		const [[start, end], [otherStart, otherEnd]] = [note, other].map(({ position }, index) => [
			position[axis],
			position[axis] + sizes[index][axis],
		]);
		return end <= otherStart || otherEnd <= start;
	});
}

/** What a Code node gives. */
function rowsOf({ parameters: { jsCode } }: INode): IDataObject[] {
	const rows: unknown = runInNewContext(`(($) => {${textOf(jsCode)}})(() => ({ all: () => [] }))`);
	// An array of another context is none of this one.
	return (JSON.parse(JSON.stringify(rows)) as unknown[]).filter(isRecord);
}

const codeNodes = ({ nodes }: WorkflowJson) =>
	nodes.filter(({ type }) => type === 'n8n-nodes-base.code');

/** The nodes whose items a node gets. */
function before(workflow: WorkflowJson, name: string): INode[] {
	return workflow.nodes.filter((node) =>
		Object.values(workflow.connections[node.name] ?? {})
			.flat()
			.some((to) => to?.some((one) => one.node === name)),
	);
}

function asksIfFound({ type, parameters }: INode): boolean {
	if (type === TRIGGER) return parameters.onlyFound === true;
	const isBranch = type === 'n8n-nodes-base.if' || type === 'n8n-nodes-base.filter';
	return isBranch && JSON.stringify(parameters).includes('"={{ $json.found }}"');
}

/** Whether nothing comes to a node but what was asked whether it was found. */
function isGuarded(workflow: WorkflowJson, name: string): boolean {
	const sources = before(workflow, name);
	return (
		sources.length > 0 &&
		sources.every((source) => asksIfFound(source) || isGuarded(workflow, source.name))
	);
}

describe.for(await exampleNames())('the example %s', async (name) => {
	const { text, workflow } = await read(name);
	const ours = workflow.nodes.filter(({ type }) => type.startsWith(OURS));

	it.for(ours)('gives $name what the editor shows, and nothing else', (node) => {
		const { description } = NODES[node.type.slice(OURS.length)];
		const { properties } = description;
		const parameters = Object.fromEntries(
			Object.entries(node.parameters).filter(([parameter]) => !OF_TOOLS.includes(parameter)),
		);
		expect(
			NodeHelpers.getNodeParameters(properties, parameters, true, false, node, description),
		).toMatchObject(parameters);
		expect(NodeHelpers.getNodeParametersIssues(properties, node, description)).toBeNull();
		for (const [parameter, value] of Object.entries(parameters)) {
			const choices = properties
				.filter(({ name: own, type }) => own === parameter && type === 'options')
				.flatMap(choicesOf);
			if (choices.length > 0) expect(choices.map((choice) => choice.value)).toContain(value);
		}
	});

	it('is on the page of the examples, with its picture', async () => {
		expect(ours).not.toEqual([]);
		const page = await readFile(new URL('README.md', EXAMPLES), 'utf8');
		expect(page).toContain(`](${name}.json)`);
		expect(page).toContain(`](../.github/images/examples/${name}.png)`);
	});

	it('can be imported: no node has the id, the name or the URL of another', () => {
		// n8n gives one to a node that has none, and keeps one that is there.
		for (const node of workflow.nodes) expect(node, node.name).not.toHaveProperty('webhookId');
		for (const field of ['id', 'name'] as const) {
			const values = workflow.nodes.map((node) => node[field]);
			expect(new Set(values).size, field).toBe(values.length);
		}
	});

	it("has the form of n8n's template gallery: one overview, and no note on another", () => {
		const notes = notesOf(workflow);
		const [overview, ...others] = notes.filter(({ parameters }) => parameters.color === undefined);
		expect(others).toEqual([]);
		const { content } = overview.parameters;
		expect(content).toBe(firstNote(workflow));
		expect(content).toMatch(/^## .+\n[^]+\n### How it works\n1\. [^]+\n### Setup\n1\. /);
		const onOverview = workflow.nodes.filter(
			(node) => node !== overview && !areApart(overview, node),
		);
		expect(onOverview.map((node) => node.name)).toEqual([]);
		const overlaps = notes.filter((note) =>
			notes.some((other) => other !== note && !areApart(note, other)),
		);
		expect(overlaps.map((note) => note.name)).toEqual([]);
	});

	it('says first what it costs at most, and is stopped there', () => {
		const caps = submitters(workflow).map((node) => {
			const { maxCredits, dryRun, earlierId } = optionsOf(node);
			// What only reads lets nothing be spent.
			expect(maxCredits, node.name).toBeGreaterThan(earlierId === undefined ? 0 : -1);
			return dryRun === true ? 0 : Number(maxCredits);
		});
		const most = caps.reduce((sum, cap) => sum + cap, 0);
		const says = most === 0 ? '**Costs no credits**' : `**Costs up to ${most} credits**`;
		expect(firstNote(workflow)).toContain(says);
	});

	it('searches for a few, who do not exist', () => {
		for (const node of codeNodes(workflow)) {
			const rows = rowsOf(node);
			expect(rows.length, node.name).toBeLessThanOrEqual(MOST_ROWS);
			for (const row of rows) {
				expect(row).not.toHaveProperty('company_name');
				expect(row.company_domain).toMatch(/^(https:\/\/)?[\w.-]+\.example\/?$/);
			}
		}
		for (const { name: submitter } of submitters(workflow)) {
			for (const { type, parameters } of before(workflow, submitter)) {
				if (type !== DATA_TABLE) continue;
				expect(parameters.returnAll).toBeUndefined();
				expect(parameters.limit).toBeLessThanOrEqual(MOST_ROWS);
			}
		}
		expect(text.match(OWNED_DOMAIN) ?? []).toEqual([]);
	});

	it('notifies nobody but its own trigger', () => {
		for (const node of submitters(workflow)) {
			const webhook = asRecord(optionsOf(node).webhook);
			expect(webhook?.value ?? '').toBe('');
		}
	});

	it('writes over nothing with a result that is none', () => {
		const writers = workflow.nodes.filter(
			({ type, parameters }) =>
				!type.startsWith(OURS) && READS_RESULT.test(JSON.stringify(parameters)),
		);
		for (const writer of writers) expect(isGuarded(workflow, writer.name), writer.name).toBe(true);
	});

	it('says first which tables it needs, and which of two entries to use', () => {
		const note = firstNote(workflow);
		for (const { type, parameters } of workflow.nodes) {
			if (type !== DATA_TABLE) continue;
			expect(note).toContain(`**${textOf(asRecord(parameters.dataTableId)?.value)}**`);
			const conditions = asRecord(parameters.filters)?.conditions;
			const filtered = (Array.isArray(conditions) ? conditions : [])
				.map((condition) => textOf(asRecord(condition)?.keyName))
				.filter((column) => column !== 'id');
			const written = Object.keys(asRecord(asRecord(parameters.columns)?.value) ?? {});
			for (const column of [...filtered, ...written]) expect(note).toContain(`\`${column}\``);
		}
		const entries = workflow.nodes.filter(
			({ type }) => type === MANUAL_TRIGGER || type === TRIGGER,
		);
		if (entries.length > 1) expect(note).toContain(`**${entries[0].name}**`);
	});
});

describe('the bill of the example that asks before it pays', () => {
	/** What whoever decides reads, by what the dry run has given. */
	async function bill(items: IDataObject[]): Promise<string> {
		const { workflow } = await read('see-the-bill-first');
		const [message] = workflow.nodes.filter(({ name }) => name === 'Message');
		const assignments = asRecord(message.parameters.assignments)?.assignments;
		const texts = (Array.isArray(assignments) ? assignments : []).map((assignment) =>
			textOf(asRecord(assignment)?.value)
				.replace(/^=/, '')
				.replace(/\{\{(.*?)\}\}/g, (_, expression: string) =>
					String(
						runInNewContext(expression, {
							$: () => ({ all: () => items.map((json) => ({ json })) }),
							$execution: { resumeFormUrl: 'https://n8n.example/form' },
						}),
					),
				),
		);
		const [alone, withLink] = texts;
		expect(withLink).toBe(`${alone} Decide here: https://n8n.example/form`);
		return alone;
	}

	it('is the sum of the credits of the items, and where Max Credits ends the run', async () => {
		const { workflow } = await read('see-the-bill-first');
		const caps = new Set(submitters(workflow).map((node) => Number(optionsOf(node).maxCredits)));
		const credits = [1, 1.5].map((each) => ({ action: 'submit', credits: each }));
		const free = ['same_as', 'invalid'].map((action) => ({ action, credits: 0 }));
		expect(await bill([...credits, ...free])).toBe(
			`2 of 4 leads would be paid for. Together they cost about 2.5 credits. Max Credits stops the run at ${[...caps].join()}.`,
		);
	});
});
