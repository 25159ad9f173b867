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
	const moreFields = missingAdditionalFields(parameters, dialect);
	const options = (parameters.options ?? {}) as Parameters;
	const added: Parameters = {
		...(fields.length > 0 && {
			additionalBodyFields: joined(options.additionalBodyFields, fields) as never,
		}),
		...(parameters.operation === 'simulate' &&
			dialect.simulateBody.field === 'targetStatus' &&
			options.body === undefined && {
				body: getBody('targetStatus', (parameters.status as string | undefined) ?? 'PAID'),
			}),
	};
	return {
		...parameters,
		...(moreFields && { additionalFields: moreFields as never }),
		...(Object.keys(added).length > 0 && { options: { ...options, ...added } as never }),
	};
}

/** JSON of one field; of an expression, an expression. */
function getBody(name: string, value: string): string {
	const isExpression = value.startsWith('=');
	const body = JSON.stringify({ [name]: isExpression ? value.slice(1) : value });
	return isExpression ? `=${body}` : body;
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

function missingAdditionalFields(
	{ resource, operation, additionalFields }: Parameters,
	{ productFields }: Readonly<Dialect>,
): Parameters | undefined {
	if (resource !== 'product' || operation !== 'create') return undefined;
	if (productFields.required !== 'all') return undefined;
	const own = (additionalFields ?? {}) as Parameters;
	return { description: 'Example', externalId: 'example', metadata: '{ "example": true }', ...own };
}

/**
 * Leaves out list filters that the service does not know under these names: the node filters what
 * comes back on its own.
 */
export function withoutUnknownFilters(
	parameters: Parameters,
	{ listFilters }: Readonly<Dialect> = current,
): Parameters {
	const filters = Object.keys((parameters.filters ?? {}) as Parameters);
	if (listFilters.names === 'assumedNames' || filters.length === 0) return parameters;
	const options = (parameters.options ?? {}) as Parameters;
	const own = (options.additionalQueryParameters ?? {}) as { parameter?: Pairs };
	const parameter = [...(own.parameter ?? []), ...filters.map((name) => ({ name, value: '' }))];
	return {
		...parameters,
		options: { ...options, additionalQueryParameters: { parameter } } as never,
	};
}

/** The fields that a test enters come first, and stay what they are. */
function joined(own: unknown, added: Pairs): { field: Pairs } {
	const { field = [] } = (own ?? {}) as { field?: Pairs };
	const names = field.map(({ name }) => name);
	return { field: [...field, ...added.filter(({ name }) => !names.includes(name))] };
}
