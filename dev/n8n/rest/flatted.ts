/**
 * Reads the form in which n8n stores and sends execution data: a JSON array in which every string
 * value that stands for something is the index of another element. References may be shared and
 * circular, so each element is built once.
 */
export function parseFlatted<T>(text: string): T {
	const elements = JSON.parse(text) as unknown[];
	const built = new Map<number, unknown>();

	const resolve = (index: number): unknown => {
		if (built.has(index)) return built.get(index);
		const element = elements[index];
		if (typeof element !== 'object' || element === null) return element;
		const result: unknown[] | Record<string, unknown> = Array.isArray(element) ? [] : {};
		// Before its members: one of them may lead back here.
		built.set(index, result);
		for (const [key, value] of Object.entries(element)) {
			(result as Record<string, unknown>)[key] =
				typeof value === 'string' ? resolve(Number(value)) : value;
		}
		return result;
	};
	return resolve(0) as T;
}
