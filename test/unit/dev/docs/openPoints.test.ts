import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DIALECTS } from '../../../../dev/sandbox/settings/dialects';
import { WITHDRAWAL_STATUSES } from '../../../../nodes/BrlPayments/fields/definitions';
import { isFailed } from '../../../../nodes/BrlPayments/orders/payouts';
import {
	DEFAULT_WINDOW_SECONDS,
	LONGEST_WINDOW_SECONDS,
} from '../../../../nodes/BrlPaymentsTrigger/description/options';
import { isTestEvent } from '../../../../nodes/BrlPaymentsTrigger/events/events';
import { eventOfRow } from '../../../../nodes/BrlPaymentsTrigger/polling/lists';
import { NAMED_SCHEMES } from '../../../../nodes/BrlPaymentsTrigger/signature/schemes';
import { TIMESTAMP_UNITS } from '../../../../nodes/BrlPaymentsTrigger/signature/timestamp';
import { LONGEST_HINTED_WAIT_MS } from '../../../../nodes/shared/retry/backoff';
import {
	DOCUMENT_PARAMETERS,
	FILTER_PARAMETERS,
	FILTERED_DATE,
	simulateBody,
} from '../../../../nodes/shared/transport/apiAssumptions';
import { findAnchors, readPage, readSections, repositoryRoot } from '../../support/pages';
import { MARKED, UNMARKED } from './silences';

const page = readPage('docs/open-points.md');

/** What the page says of each open point. */
const OPEN_POINTS = page
	.split(/^## /m)
	.slice(1)
	.map((text) => {
		const line = (name: string) => text.split(`\n- **${name}:** `)[1]?.split('\n')[0] ?? '';
		return {
			id: /^`(\w+)`/.exec(text)?.[1] ?? '',
			text,
			/** The headings in docs/api.md under which it is marked. */
			sections: [...line('In the API').matchAll(/\[(.*?)\]/g)].map(([, name = '']) => name),
			/** Where the assumption stands. */
			code: [...line('In the code').matchAll(/`(.*?)`/g)].map(([, file = '']) => file),
		};
	});
const ids = OPEN_POINTS.map(({ id }) => id);

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

describe('docs/open-points.md', () => {
	const anchors = findAnchors(page);

	it.each(OPEN_POINTS)('says everything of $id', ({ id, text, sections, code }) => {
		for (const part of ['Assumed', 'How you notice', 'What you can do']) {
			expect(text).toMatch(new RegExp(`^- \\*\\*${part}:\\*\\* .+\\.$`, 'm'));
		}
		expect(sections).not.toEqual([]);
		expect(code.filter((file) => !existsSync(join(repositoryRoot, file)))).toEqual([]);
		expect(page).toContain(`| [${id}](#${id.toLowerCase()}) | `);
		expect(anchors).toContain(id.toLowerCase());
	});

	const deadStatuses = WITHDRAWAL_STATUSES.map(({ value }) => String(value)).filter((status) =>
		isFailed({ status }),
	);
	const codes = (names: readonly string[]) => names.map((name) => `\`${name}\``);

	it.each<[string, readonly string[]]>([
		['listFilters', codes([...Object.values(FILTER_PARAMETERS), FILTERED_DATE])],
		['documentParameters', codes(Object.values(DOCUMENT_PARAMETERS))],
		[
			'simulateBody',
			codes([JSON.stringify(simulateBody('PAID'), null, 1).replaceAll(/\s+/g, ' ')]),
		],
		['withdrawalTransitions', codes(deadStatuses)],
		['rateLimitReset', [`more than ${LONGEST_HINTED_WAIT_MS / 60_000} minutes`]],
		['signature', codes(NAMED_SCHEMES.map(({ name }) => name))],
		['timestampForm', [TIMESTAMP_UNITS.join(', ')]],
		['retriedDelivery', [DEFAULT_WINDOW_SECONDS, LONGEST_WINDOW_SECONDS].map(String)],
		['probe', codes(['TEST', 'webhook.test', 'WEBHOOK_TEST'].filter(isTestEvent))],
		['medStatus', codes([eventOfRow('payment', { status: 'MED_FROZEN' }) ?? 'nothing'])],
	])('says of %s what the code assumes', (id, said) => {
		const { text = '' } = OPEN_POINTS.find((point) => point.id === id) ?? {};
		for (const words of said) expect(text).toContain(words);
	});
});

describe('the marks in docs/api.md', () => {
	const api = readPage('docs/api.md');
	/** `[open: listFilters](open-points.md#listfilters)` */
	const findMarks = (text: string) =>
		[...text.matchAll(/\[open: (\w+)\]\(open-points\.md#(\w+)\)/g)].map(([, id, anchor]) => {
			expect(anchor).toBe(id!.toLowerCase());
			return id;
		});

	it.each(OPEN_POINTS)('$id is marked where docs/open-points.md says', ({ id, sections }) => {
		const marked = [...readSections(api)]
			.filter(([, text]) => findMarks(text).includes(id))
			.map(([heading]) => heading);
		expect(marked.sort()).toEqual([...sections].sort());
	});

	it('all are about open points, and have the form that is looked for', () => {
		const marks = findMarks(api);
		expect(marks).toHaveLength(api.match(/open-points\.md#/g)!.length);
		const conventions = findMarks(api.slice(0, api.indexOf('## Conventions')));
		expect(ids).toEqual(expect.arrayContaining(marks.slice(conventions.length)));
	});
});

it('the dialects of the sandbox have an alternative for each, and for nothing else', () => {
	expect(Object.keys(DIALECTS).sort()).toEqual([...ids].sort());
});

describe('the places where the description is silent', () => {
	it('lead to all open points, and to no others', () => {
		const points = [...MARKED, ...UNMARKED].flatMap(([, , ...theirs]): string[] => theirs);
		expect([...new Set(points)].sort()).toEqual([...ids].sort());
	});

	(isHere ? it : it.skip)(
		`are those of the description${isHere ? '' : ` (skipped: there is no ${DESCRIPTION})`}`,
		() => {
			const listed: Record<string, number> = {};
			for (const [section] of MARKED) listed[section] = (listed[section] ?? 0) + 1;
			const text = readFileSync(join(repositoryRoot, DESCRIPTION), 'utf8');
			expect(listed).toEqual(marksBySection(text));
		},
	);
});
