import ts from 'typescript';

/**
 * Shortens the names of members that only classes of this package have: private ones, and those whose
 * name is nowhere else the name of anything, nor a text. The compiler knows which these are; the
 * minifier cannot, and leaves the names of all members.
 */
export function shortMemberNames(program) {
	const checker = program.getTypeChecker();
	const sources = program.getSourceFiles().filter(({ isDeclarationFile }) => !isDeclarationFile);
	const shared = sharedNames(sources, checker);
	const shortened = new Map();

	const shortNameOf = (symbol) => {
		const declaration = symbol?.valueDeclaration;
		if (declaration === undefined || !isMember(declaration)) return undefined;
		const { name } = symbol;
		if (!isPrivate(declaration) && (shared.has(name) || !isOfPlainClass(declaration))) {
			return undefined;
		}
		if (!shortened.has(name)) shortened.set(name, `$${shortened.size.toString(36)}`);
		return shortened.get(name);
	};

	return (context) => (file) => {
		const { factory } = context;
		const visit = (node) => {
			if (ts.isShorthandPropertyAssignment(node)) {
				const short = shortNameOf(checker.getShorthandAssignmentValueSymbol(node));
				if (short === undefined) return node;
				return factory.createPropertyAssignment(node.name.text, factory.createIdentifier(short));
			}
			if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent)) {
				return visitBinding(node);
			}
			if (ts.isIdentifier(node)) {
				const short = shortNameOf(checker.getSymbolAtLocation(node));
				return short === undefined ? node : factory.createIdentifier(short);
			}
			return ts.visitEachChild(node, visit, context);
		};

		/** `const { name } = this`: the variable keeps its name, the member does not. */
		const visitBinding = (node) => {
			const short = shortNameOf(propertyOf(node, checker));
			if (short === undefined) return ts.visitEachChild(node, visit, context);
			return factory.updateBindingElement(
				node,
				node.dotDotDotToken,
				factory.createIdentifier(short),
				node.name,
				node.initializer && ts.visitNode(node.initializer, visit),
			);
		};
		return ts.visitNode(file, visit);
	};
}

/** The property that an element of `const { name } = owner` reads. */
function propertyOf(node, checker) {
	const name = node.propertyName ?? node.name;
	if (!ts.isIdentifier(name)) return undefined;
	return checker.getPropertyOfType(checker.getTypeAtLocation(node.parent), name.text);
}

/** Of a class of this package, not of a library. */
function isMember(declaration) {
	if (declaration.getSourceFile().isDeclarationFile) return false;
	return (
		(ts.isClassElement(declaration) && ts.isClassDeclaration(declaration.parent)) ||
		(ts.isParameter(declaration) &&
			ts.isParameterPropertyDeclaration(declaration, declaration.parent))
	);
}

function isPrivate(declaration) {
	return (ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Private) !== 0;
}

/** Of no class that extends or implements something: somebody else may know its members by name. */
function isOfPlainClass({ parent }) {
	const owner = ts.isConstructorDeclaration(parent) ? parent.parent : parent;
	return owner.heritageClauses === undefined;
}

/** Texts, and names of whatever is not a member of a class. */
function sharedNames(sources, checker) {
	const names = new Set();
	const visit = (node) => {
		if (ts.isStringLiteralLike(node)) names.add(node.text);
		if (ts.isIdentifier(node) && isPropertyName(node) && !isOwnMember(node, checker)) {
			names.add(node.text);
		}
		ts.forEachChild(node, visit);
	};
	sources.forEach(visit);
	return names;
}

function isPropertyName(node) {
	const { parent } = node;
	if (ts.isBindingElement(parent)) {
		return (
			ts.isObjectBindingPattern(parent.parent) && (parent.propertyName ?? parent.name) === node
		);
	}
	return (
		ts.isShorthandPropertyAssignment(parent) ||
		((ts.isPropertyAccessExpression(parent) ||
			ts.isObjectLiteralElement(parent) ||
			ts.isTypeElement(parent) ||
			ts.isClassElement(parent)) &&
			parent.name === node)
	);
}

function isOwnMember(node, checker) {
	const { parent } = node;
	if (ts.isShorthandPropertyAssignment(parent) || ts.isPropertyAssignment(parent)) return false;
	const symbol = ts.isBindingElement(parent)
		? propertyOf(parent, checker)
		: checker.getSymbolAtLocation(node);
	const { declarations = [] } = symbol ?? {};
	return declarations.length > 0 && declarations.every(isMember);
}
