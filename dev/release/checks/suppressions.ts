import type { Finding } from '../finding';

/** What keeps a linter or the compiler from seeing a line. */
const SUPPRESSION = /eslint-(?:disable|enable)|\/\*\s*eslint\s|@ts-(?:ignore|nocheck|expect-error)/;

/** @param files text by path */
export function checkSuppressions(files: ReadonlyMap<string, string>): Finding[] {
	return [...files].flatMap(([path, text]) =>
		text.split('\n').flatMap((line, index) => {
			const [found] = SUPPRESSION.exec(line) ?? [];
			return found
				? [{ place: `${path}:${index + 1}`, text: `switches a check off: ${found}` }]
				: [];
		}),
	);
}
