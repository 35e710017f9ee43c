import ts from 'typescript';

/** What stands for a part of a text that differs from case to case. */
export const ELLIPSIS = '…';

/** Makes one text of what a part of a template may be. */
export type Choose = (alternatives: string[]) => string;

/** The one text that it can be, or an ellipsis. */
export const orEllipsis: Choose = (alternatives) =>
	alternatives.length === 1 ? alternatives[0] : ELLIPSIS;

/** The longest text that it can be. */
export const longest: Choose = (alternatives) =>
	alternatives.reduce((one, other) => (other.length > one.length ? other : one), '');

/** Reads the texts that expressions of the product can come to, without running them. */
export class Texts {
	/** Functions whose results are being read: one may call itself. */
	private readonly underWay = new Set<ts.Node>();

	constructor(
		private readonly checker: ts.TypeChecker,
		private readonly choose: Choose,
	) {}

	/** All texts that an expression can be; an ellipsis for one that cannot be told. */
	of(node: ts.Node): string[] {
		return [...new Set(this.read(node))];
	}

	private read(node: ts.Node): string[] {
		if (ts.isStringLiteralLike(node)) return [node.text];
		if (ts.isTemplateExpression(node)) return [this.readTemplate(node)];
		if (ts.isParenthesizedExpression(node) || ts.isSatisfiesExpression(node)) {
			return this.of(node.expression);
		}
		if (ts.isConditionalExpression(node)) {
			return [...this.of(node.whenTrue), ...this.of(node.whenFalse)];
		}
		if (ts.isBinaryExpression(node)) return this.readOperation(node);
		if (ts.isCallExpression(node)) return this.readCall(node);
		if (ts.isShorthandPropertyAssignment(node)) {
			return this.readDeclaration(
				this.checker.getShorthandAssignmentValueSymbol(node)?.valueDeclaration,
			);
		}
		if (!ts.isIdentifier(node)) return [ELLIPSIS];
		if (node.text === 'undefined') return [];
		return this.readDeclaration(this.declarationOf(node));
	}

	private readTemplate({ head, templateSpans }: ts.TemplateExpression): string {
		const parts = templateSpans.map(
			({ expression, literal }) => this.part(expression) + literal.text,
		);
		return joined([head.text, ...parts]);
	}

	private readOperation({ left, operatorToken, right }: ts.BinaryExpression): string[] {
		switch (operatorToken.kind) {
			case ts.SyntaxKind.PlusToken:
				return [joined([this.part(left), this.part(right)])];
			case ts.SyntaxKind.QuestionQuestionToken:
			case ts.SyntaxKind.BarBarToken:
				return [...this.of(left), ...this.of(right)];
			default:
				return [ELLIPSIS];
		}
	}

	/** What a function gives, whatever it is called with. */
	private readCall({ expression }: ts.CallExpression): string[] {
		const declaration = this.declarationOf(expression);
		const given =
			declaration !== undefined && ts.isVariableDeclaration(declaration)
				? declaration.initializer
				: declaration;
		if (given === undefined || !ts.isFunctionLike(given) || this.underWay.has(given)) {
			return [ELLIPSIS];
		}
		this.underWay.add(given);
		const texts = resultsOf(given).flatMap((result) => this.of(result));
		this.underWay.delete(given);
		return texts.length === 0 ? [ELLIPSIS] : texts;
	}

	private readDeclaration(declaration: ts.Declaration | undefined): string[] {
		const isConstant =
			declaration !== undefined &&
			ts.isVariableDeclaration(declaration) &&
			(ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const) !== 0;
		return isConstant && declaration.initializer !== undefined
			? this.of(declaration.initializer)
			: [ELLIPSIS];
	}

	private part(node: ts.Node): string {
		const texts = this.of(node);
		return texts.length === 0 ? ELLIPSIS : this.choose(texts);
	}

	private declarationOf(node: ts.Node): ts.Declaration | undefined {
		const symbol = this.checker.getSymbolAtLocation(node);
		if (symbol === undefined) return undefined;
		const isImported = (symbol.flags & ts.SymbolFlags.Alias) !== 0;
		const own = isImported ? this.checker.getAliasedSymbol(symbol) : symbol;
		return own.valueDeclaration;
	}
}

/** Two parts that differ from case to case are as good as one. */
function joined(parts: string[]): string {
	return parts.join('').replaceAll(/…{2,}/g, ELLIPSIS);
}

/** The expressions that a function returns, without those of functions in it. */
function resultsOf(given: ts.SignatureDeclaration): ts.Expression[] {
	const body = 'body' in given ? given.body : undefined;
	if (body === undefined) return [];
	if (!ts.isBlock(body)) return ts.isExpression(body) ? [body] : [];
	const results: ts.Expression[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isFunctionLike(node)) return;
		if (ts.isReturnStatement(node) && node.expression !== undefined) results.push(node.expression);
		ts.forEachChild(node, visit);
	};
	visit(body);
	return results;
}
