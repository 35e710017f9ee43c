import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import type { Choose } from './texts.mts';
import { ELLIPSIS, orEllipsis, Texts } from './texts.mts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Errors whose text is their first argument, and those of n8n, which are given the node first. */
const ERRORS = new Set(['CredentialError', 'Error']);
const NODE_ERRORS = new Set(['NodeOperationError']);
/** What shows a line in the output pane. */
const SHOWS_HINT = 'addHint';
/** What only an object of the editor's description has. */
const OF_DESCRIPTION = ['displayName', 'name', 'placeholder', 'displayOptions', 'default', 'type'];

/** A text that the product has for its users. Parts that differ from case to case are `…`. */
export interface Message {
	/** Below the root of the repository. */
	file: string;
	/** What happened. */
	message: string;
	/** What to do about it; empty where nothing is said. */
	description: string;
}

/**
 * Every message in the source of `nodes` and `credentials`: errors, hints of the output pane, answers
 * to webhooks, and what the test of the credential says. What the service says is not among them.
 */
export async function readMessages(): Promise<Message[]> {
	return collectMessages(orEllipsis).filter(({ message }) => /[a-z]{3}/.test(message));
}

/**
 * The same, also where the message is the service's own or is written elsewhere.
 * @param choose what stands for a part that can be one of several texts
 */
export function collectMessages(choose: Choose): Message[] {
	const program = createProgram();
	const texts = new Texts(program.getTypeChecker(), choose);
	const messages = program.getSourceFiles().flatMap((source) => {
		const file = source.fileName.slice(ROOT.length);
		const found: Message[] = [];
		const visit = (node: ts.Node): void => {
			for (const parts of partsIn(node)) found.push(...toMessages(texts, file, parts));
			ts.forEachChild(node, visit);
		};
		visit(source);
		return found;
	});
	return [...new Map(messages.map((message) => [JSON.stringify(message), message])).values()];
}

/** What is written between quotation marks in the source, and the fixed parts of templates. */
export function readLiterals(): string[] {
	const literals: string[] = [];
	const visit = (node: ts.Node): void => {
		const isPart = ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
		if (ts.isStringLiteralLike(node) || isPart) literals.push(node.text.trim());
		ts.forEachChild(node, visit);
	};
	for (const source of createProgram().getSourceFiles()) visit(source);
	return literals;
}

/** Of our own files only: what other packages declare is not needed, and would take seconds. */
function createProgram(): ts.Program {
	const files = ['credentials', 'nodes'].flatMap((folder) =>
		readdirSync(`${ROOT}${folder}`, { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.ts'))
			.sort()
			.map((file) => `${ROOT}${folder}/${file}`),
	);
	const options: ts.CompilerOptions = {
		noLib: true,
		types: [],
		target: ts.ScriptTarget.ES2022,
		module: ts.ModuleKind.CommonJS,
	};
	const host = ts.createCompilerHost(options);
	host.resolveModuleNameLiterals = (literals, containingFile) =>
		literals.map(({ text }) =>
			text.startsWith('.')
				? ts.resolveModuleName(text, containingFile, options, host)
				: { resolvedModule: undefined },
		);
	return ts.createProgram(files, options, host);
}

/** The expressions of a message, as they stand in the source. */
interface Parts {
	message?: ts.Node;
	description?: ts.Node;
}

function partsIn(node: ts.Node): Parts[] {
	if (ts.isObjectLiteralExpression(node)) return partsOfObject(node);
	if (ts.isNewExpression(node)) return partsOfError(node);
	if (ts.isCallExpression(node) && node.expression.getText() === SHOWS_HINT) {
		return [{ message: node.arguments[1] }];
	}
	return [];
}

function partsOfObject(node: ts.ObjectLiteralExpression): Parts[] {
	const values = valuesOf(node);
	if (OF_DESCRIPTION.some((name) => values.has(name))) return [];
	const message = values.get('message') ?? values.get('problem');
	const description = values.get('description');
	const advice = values.get('advice');
	if (advice !== undefined) return [{ description: advice }];
	const isOfAnother = description !== undefined && node.properties.some(ts.isSpreadAssignment);
	return message !== undefined || isOfAnother ? [{ message, description }] : [];
}

function partsOfError({ expression, arguments: given }: ts.NewExpression): Parts[] {
	const error = expression.getText();
	if (ERRORS.has(error)) return [{ message: given?.[0] }];
	if (!NODE_ERRORS.has(error)) return [];
	const options = given?.[2];
	const isGiven = options !== undefined && ts.isObjectLiteralExpression(options);
	return [
		{
			message: given?.[1],
			description: isGiven ? valuesOf(options).get('description') : undefined,
		},
	];
}

function valuesOf(node: ts.ObjectLiteralExpression): Map<string, ts.Node> {
	const values = new Map<string, ts.Node>();
	for (const property of node.properties) {
		if (ts.isPropertyAssignment(property))
			values.set(property.name.getText(), property.initializer);
		else if (ts.isShorthandPropertyAssignment(property)) {
			values.set(property.name.getText(), property);
		}
	}
	return values;
}

/** One for each text that it can be. */
function toMessages(texts: Texts, file: string, { message, description }: Parts): Message[] {
	const textsOf = (node: ts.Node | undefined, none: string) => {
		const given = node === undefined ? [] : texts.of(node);
		return given.length === 0 ? [none] : given;
	};
	const descriptions = textsOf(description, '');
	return textsOf(message, ELLIPSIS).flatMap((text) =>
		descriptions.map((one) => ({ file, message: text, description: one })),
	);
}
