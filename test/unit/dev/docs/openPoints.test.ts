import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DIALECTS } from '../../../../dev/sandbox/settings/dialects';
import { OPEN_POINTS } from '../../../../dev/docs/openPoints';
import { openPointsPage } from '../../../../dev/docs/openPointsPage';
import { readPage, repositoryRoot } from '../../support/pages';
import { SILENCES } from './silences';

const ids = Object.keys(OPEN_POINTS);

/** The service's own description, which is not part of the repository. */
const DESCRIPTION = join('..', 'shared', 'spec', 'service-interface.md');
const isHere = existsSync(join(repositoryRoot, DESCRIPTION));

/** How often the description says under each heading that something is not shown. */
function marksBySection(text: string): Record<string, number> {
	const marks: Record<string, number> = {};
	let section = '';
	for (const line of text.split('\n')) {
		section = /^#+ (.*?)(?: \(.*\))?$/.exec(line)?.[1] ?? section;
		const count = line.match(/not shown/gi)?.length ?? 0;
		if (count > 0) marks[section] = (marks[section] ?? 0) + count;
	}
	return marks;
}

it('docs/open-points.md is what the table says; run npm run docs after a change', () => {
	expect(readPage('docs/open-points.md')).toBe(openPointsPage());
});

describe('the dialects of the sandbox', () => {
	it.each(ids)('has an alternative for %s', (id) => {
		expect(Object.keys(DIALECTS)).toContain(id);
	});

	it.each(Object.keys(DIALECTS))('%s is in the table', (id) => {
		expect(ids).toContain(id);
	});
});

describe('the places where the description is silent', () => {
	it.each(SILENCES)('$section: $what', ({ points }) => {
		expect(ids).toEqual(expect.arrayContaining([...points]));
	});

	it.each(ids)('%s is one of them', (id) => {
		expect(SILENCES.flatMap(({ points }): string[] => [...points])).toContain(id);
	});

	(isHere ? it : it.skip)(
		`are those of the description${isHere ? '' : ` (skipped: there is no ${DESCRIPTION})`}`,
		() => {
			const listed: Record<string, number> = {};
			for (const { section } of SILENCES.filter(({ isMarked }) => isMarked)) {
				listed[section] = (listed[section] ?? 0) + 1;
			}
			const text = readFileSync(join(repositoryRoot, DESCRIPTION), 'utf8');
			expect(listed).toEqual(marksBySection(text));
		},
	);
});
