import { assumedDialect, parseDialect, type Dialect, type OpenPointId } from '../../dev/sandbox';

/**
 * What the emulated service does in this run where its description is silent: `DIALECT=opposite npx
 * vitest …`, which the project `opposite` sets. Tests that are about one of these points choose their own.
 */
export const DIALECT: Readonly<Dialect> = parseDialect(process.env.DIALECT ?? '');

/** From now on, the service does at these points what the nodes assume. */
export function assume(dialect: Dialect, points: readonly OpenPointId[]): void {
	const assumed = assumedDialect();
	Object.assign(dialect, Object.fromEntries(points.map((point) => [point, assumed[point]])));
}
