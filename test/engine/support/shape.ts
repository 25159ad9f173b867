/** What n8n's editor needs to know of a value: as much of JSON Schema as it reads. */
export type Shape =
	| { type: 'string' | 'number' | 'boolean' | 'null' }
	| { type: 'object'; properties: Record<string, Shape> }
	| { type: 'array'; items: Shape };

/**
 * The shape that all samples have. Where some are null, or contain more than others, the rest
 * decides.
 */
export function toShape(samples: readonly unknown[]): Shape {
	const told = samples.filter((sample) => sample !== null && sample !== undefined);
	const types = [...new Set(told.map(getType))];
	const [type = 'null'] = types;
	if (types.length > 1) throw new Error(`One field is of the types ${types.join(' and ')}`);
	if (type === 'array') return { type, items: toShape(told.flat()) };
	if (type !== 'object') return { type };
	const records = told as Array<Record<string, unknown>>;
	const names = new Set(records.flatMap((record) => Object.keys(record)));
	return {
		type,
		properties: Object.fromEntries(
			[...names].map((name) => [name, toShape(records.map((record) => record[name]))]),
		),
	};
}

function getType(value: unknown): 'string' | 'number' | 'boolean' | 'object' | 'array' {
	if (Array.isArray(value)) return 'array';
	const type = typeof value;
	if (type === 'string' || type === 'number' || type === 'boolean' || type === 'object')
		return type;
	throw new Error(`JSON has no ${type}`);
}

/**
 * Leaves in the shape of an object only these fields, at each of the paths: what else is there is the
 * emulator's own, or the user's.
 */
export function onlyDocumented(shape: Shape, documented: Record<string, readonly string[]>): Shape {
	if (shape.type !== 'object') return shape;
	return {
		type: 'object',
		properties: Object.fromEntries(
			Object.entries(shape.properties).map(([name, field]) => {
				const kept = documented[name];
				if (kept === undefined || field.type !== 'object') return [name, field];
				const properties = Object.entries(field.properties).filter(([each]) => kept.includes(each));
				return [name, { type: 'object', properties: Object.fromEntries(properties) }];
			}),
		),
	};
}

/** The shape with the types of another one where only null was seen, as of a date in the future. */
export function withTypesFrom(shape: Shape, known: Shape | undefined): Shape {
	if (known === undefined) return shape;
	if (shape.type === 'null') return known;
	if (shape.type === 'array' && known.type === 'array') {
		return { type: 'array', items: withTypesFrom(shape.items, known.items) };
	}
	if (shape.type !== 'object' || known.type !== 'object') return shape;
	return {
		type: 'object',
		properties: Object.fromEntries(
			Object.entries(shape.properties).map(([name, field]) => [
				name,
				withTypesFrom(field, known.properties[name]),
			]),
		),
	};
}
