import type { NodeParameterValueType } from 'n8n-workflow';
import { assumedDialect, parseDialect, type Dialect, type OpenPointId } from '../../dev/sandbox';

/**
 * What the emulated service does in this run where its description is silent: `DIALECT=opposite npx
 * vitest …`, which the project `opposite` sets. Tests that are about one of these points choose their own.
 */
export const DIALECT: Readonly<Dialect> = parseDialect(process.env.DIALECT ?? '');

/** What the service does now, which a test may have changed. */
let current: Readonly<Dialect> = DIALECT;

/** @param dialect of the sandbox that the workflows of this file talk to; live */
export function follow(dialect: Readonly<Dialect>): void {
	current = dialect;
}

/** From now on, the service does at these points what the nodes assume. */
export function assume(dialect: Dialect, points: readonly OpenPointId[]): void {
	const assumed = assumedDialect();
	Object.assign(dialect, Object.fromEntries(points.map((point) => [point, assumed[point]])));
}

/** Parameters of a node, as in a workflow file. */
type Parameters = Record<string, NodeParameterValueType>;
type Pairs = Array<{ name: string; value: string }>;

/**
 * The parameters of the action node as a user has them whom docs/open-points.md has told what to do
 * about such a service. Other options stay as they are.
 */
export function withWaysOut(
	parameters: Parameters,
	dialect: Readonly<Dialect> = current,
): Parameters {
	const fields = missingFields(parameters, dialect);
	if (fields.length === 0) return parameters;
	const options = (parameters.options ?? {}) as Parameters;
	const additionalBodyFields = joined(options.additionalBodyFields, fields);
	return { ...parameters, options: { ...options, additionalBodyFields } as never };
}

function missingFields(
	{ resource, operation }: Parameters,
	{ requestBodies }: Readonly<Dialect>,
): Pairs {
	if (operation !== 'create') return [];
	const isExtra = requestBodies.extra === 'required';
	if (resource === 'withdrawal' && isExtra) return [{ name: 'destination.type', value: 'PIX_KEY' }];
	if (resource === 'payment' && isExtra) return [{ name: 'locale', value: 'pt-BR' }];
	return [];
}

/** The fields that a test enters come first, and stay what they are. */
function joined(own: unknown, added: Pairs): { field: Pairs } {
	const { field = [] } = (own ?? {}) as { field?: Pairs };
	const names = field.map(({ name }) => name);
	return { field: [...field, ...added.filter(({ name }) => !names.includes(name))] };
}
