/** What happens to each part of a JSON value. `C` is what is known about the place of a part. */
export interface JsonRules<C> {
	/** What is known inside a field, from what is known around it. */
	enter(context: C, field: string): C;
	name(field: string): string;
	leaf(value: unknown, context: C): unknown;
}

interface Task<C> {
	readonly value: unknown;
	readonly context: C;
	readonly put: (result: unknown) => void;
}

/**
 * Copies a JSON value with each name and each leaf changed.
 *
 * Without recursion: it runs after money has moved, when a response nested a hundred thousand times
 * must not end in an error.
 */
export function walkJson<T, C>(value: T, context: C, rules: JsonRules<C>): T {
	let result: unknown;
	const tasks: Array<Task<C>> = [{ value, context, put: (copy) => (result = copy) }];
	for (let task = tasks.pop(); task; task = tasks.pop()) {
		const { value: current, context: here, put } = task;
		if (Array.isArray(current)) {
			const target = new Array<unknown>(current.length);
			put(target);
			for (const [index, entry] of current.entries()) {
				tasks.push({ value: entry, context: here, put: (copy) => (target[index] = copy) });
			}
		} else if (isPlainObject(current)) {
			const target: Record<string, unknown> = {};
			put(target);
			const places = new Places(current);
			for (const [field, entry] of Object.entries(current)) {
				const place = places.of(field, rules.name(field));
				// At once, so that the fields keep their order.
				setOwn(target, place, undefined);
				tasks.push({
					value: entry,
					context: rules.enter(here, field),
					put: (copy) => setOwn(target, place, copy),
				});
			}
		} else put(rules.leaf(current, here));
	}
	return result as T;
}

/** The new names of one object. Two that have become equal get a number. */
class Places {
	private readonly taken: Set<string>;
	private readonly counts = new Map<string, number>();

	constructor(source: Record<string, unknown>) {
		this.taken = new Set(Object.keys(source));
	}

	of(old: string, name: string): string {
		if (name === old) return old;
		let place = name;
		let count = this.counts.get(name) ?? 1;
		for (; this.taken.has(place); count += 1) place = `${name} (${count + 1})`;
		this.counts.set(name, count);
		this.taken.add(place);
		return place;
	}
}

/** Also for the name `__proto__`, which JSON may contain and an assignment would misunderstand. */
function setOwn(target: Record<string, unknown>, name: string, value: unknown): void {
	Object.defineProperty(target, name, {
		value,
		enumerable: true,
		configurable: true,
		writable: true,
	});
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
	return Object.prototype.toString.call(value) === '[object Object]';
}
