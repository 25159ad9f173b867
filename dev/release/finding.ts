/** Something that n8n, or the reader of the package, would object to. */
export interface Finding {
	/** The file, with the line where it is known, or the place in the editor. */
	readonly place: string;
	readonly text: string;
}

export interface CheckResult {
	readonly name: string;
	/** How much was looked at, such as `132 files`: a check that looked at nothing must show. */
	readonly extent: string;
	readonly findings: readonly Finding[];
}

export function unless(holds: boolean, place: string, text: string): Finding[] {
	return holds ? [] : [{ place, text }];
}
