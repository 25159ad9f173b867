import type { Resource } from '../execution/operation';

/** An expression for the text below the name of the node: `Create: Withdrawal`. */
export function buildSubtitle(resources: readonly Resource[]): string {
	const words = resources.flatMap(({ option, operations }) =>
		operations.map((operation) => [
			`${option.value}.${operation.option.value}`,
			`${operation.option.name}: ${option.name}`,
		]),
	);
	return `={{ (${JSON.stringify(Object.fromEntries(words))})[$parameter["resource"] + "." + $parameter["operation"]] }}`;
}
