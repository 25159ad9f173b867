/** The fields that have a value: what is absent must not appear, not even as undefined. */
type Defined<T> = {
	[K in keyof T as undefined extends T[K] ? never : K]: T[K];
} & {
	[K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Leaves out fields without a value; the others keep their order. */
export function omitUndefined<T extends object>(fields: T): Defined<T> {
	const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
	return Object.fromEntries(entries) as Defined<T>;
}
