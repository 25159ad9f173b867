import ts from 'typescript';

/** One small change of a source text that tests should notice. */
export interface Mutant {
	readonly start: number;
	readonly end: number;
	readonly replacement: string;
	/** From 1. */
	readonly line: number;
	readonly original: string;
}

const OPERATORS: Readonly<Record<string, string>> = {
	'===': '!==',
	'!==': '===',
	'<': '<=',
	'<=': '<',
	'>': '>=',
	'>=': '>',
	'&&': '||',
	'||': '&&',
	'-': '+',
	'*': '/',
	'/': '*',
};

/** All mutants of a source text, in the order of their places. */
export function mutantsOf(text: string): Mutant[] {
	const source = ts.createSourceFile('file.ts', text, ts.ScriptTarget.ES2022, true);
	const mutants: Mutant[] = [];
	const add = (node: ts.Node, replacement: string) => {
		const start = node.getStart(source);
		const line = source.getLineAndCharacterOfPosition(start).line + 1;
		const original = text.slice(start, node.end);
		if (original !== replacement) {
			mutants.push({ start, end: node.end, replacement, line, original });
		}
	};
	const visit = (node: ts.Node): void => {
		if (ts.isTypeNode(node) || ts.isImportDeclaration(node)) return;
		if (ts.isBinaryExpression(node)) {
			const replacement = OPERATORS[node.operatorToken.getText(source)];
			if (replacement !== undefined) add(node.operatorToken, replacement);
		}
		if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
			add(node, node.operand.getText(source));
		}
		if (node.kind === ts.SyntaxKind.TrueKeyword) add(node, 'false');
		if (node.kind === ts.SyntaxKind.FalseKeyword) add(node, 'true');
		if (ts.isIfStatement(node)) {
			add(node.expression, 'true');
			add(node.expression, 'false');
		}
		if (ts.isConditionalExpression(node))
			add(node.condition, `!(${node.condition.getText(source)})`);
		if (ts.isNumericLiteral(node)) add(node, `(${node.text} + 1)`);
		if (ts.isExpressionStatement(node) && ts.isCallExpression(node.expression)) add(node, ';');
		ts.forEachChild(node, visit);
	};
	visit(source);
	return mutants.sort((one, other) => one.start - other.start);
}

export function applied(text: string, { start, end, replacement }: Mutant): string {
	return text.slice(0, start) + replacement + text.slice(end);
}
