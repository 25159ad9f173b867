/**
 * The look of a table in the terminal; plain where no person looks at it, such as in the log of a
 * build machine.
 */
export function tableStyle(useColour: boolean): { head: string[]; border?: string[] } {
	return useColour ? { head: ['cyan'] } : { head: [], border: [] };
}
