import { readPage } from '../../support/pages';

/** What docs/open-points.md says of one open point. */
export interface OpenPoint {
	readonly id: string;
	readonly text: string;
	/** The headings in docs/api.md under which it is marked. */
	readonly sections: readonly string[];
	/** Where the assumption stands. */
	readonly code: readonly string[];
}

export const OPEN_POINTS: readonly OpenPoint[] = readPage('docs/open-points.md')
	.split(/^## /m)
	.slice(1)
	.map((text) => {
		const line = (name: string) => text.split(`\n- **${name}:** `)[1]?.split('\n')[0] ?? '';
		return {
			id: /^`(\w+)`/.exec(text)?.[1] ?? '',
			text,
			sections: [...line('In the API').matchAll(/\[(.*?)\]/g)].map(([, name = '']) => name),
			code: [...line('In the code').matchAll(/`(.*?)`/g)].map(([, file = '']) => file),
		};
	});
