import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ERROR_CATALOGUE } from '../../../../nodes/shared/retry/errors';
import {
	DOCUMENT_PARAMETERS,
	FILTER_PARAMETERS,
	FILTERED_DATE,
	simulateBody,
} from '../../../../nodes/shared/transport/apiAssumptions';
import { OPERATIONS } from '../../../../dev/sandbox/routes';
import { findAnchors, readPage, repositoryRoot } from '../../support/pages';
import { OPEN_POINTS } from './openPoints';

const page = readPage('docs/api.md');

/** What is under each heading. */
const sections = new Map(
	page
		.split(/^#{2,3} /m)
		.slice(1)
		.map((section) => {
			const [heading = '', ...lines] = section.split('\n');
			return [heading, lines.join('\n')];
		}),
);

function textUnder(...headings: string[]): string {
	return headings.map((heading) => sections.get(heading) ?? '').join('\n');
}

/** The marks of a text: `[open: listFilters](open-points.md#listfilters)`. */
function marksIn(text: string): Array<{ id: string; anchor: string }> {
	return [...text.matchAll(/\[open: (\w+)\]\(open-points\.md#(\w+)\)/g)].map(
		([, id = '', anchor = '']) => ({ id, anchor }),
	);
}

/** Source files of the repository, from its root. */
const sources = ['nodes', 'credentials', 'dev', 'test']
	.flatMap((folder) =>
		readdirSync(join(repositoryRoot, folder), { recursive: true, encoding: 'utf8' })
			.filter((file) => !file.includes('node_modules'))
			.map((file) => join(folder, file)),
	)
	.filter((file) => file.endsWith('.ts'));

describe('the marks of open points', () => {
	const marks = marksIn(page.slice(page.indexOf('## Conventions')));

	it.each([...new Set(marks.map(({ id }) => id))])('%s is in docs/open-points.md', (id) => {
		expect(OPEN_POINTS.map((point) => point.id)).toContain(id);
		for (const mark of marks.filter((one) => one.id === id)) {
			expect(mark.anchor).toBe(id.toLowerCase());
		}
	});

	it.each(OPEN_POINTS)('$id is marked where docs/open-points.md says', ({ id, ...point }) => {
		const marked = [...sections.entries()]
			.filter(([, text]) => marksIn(text).some((mark) => mark.id === id))
			.map(([heading]) => heading);
		expect(marked.sort()).toEqual([...point.sections].sort());
	});

	it('all have the form that is looked for', () => {
		expect(marksIn(page)).toHaveLength(page.match(/open-points\.md#/g)?.length ?? 0);
	});
});

describe('the assumptions are those of the code', () => {
	it.each(Object.values(FILTER_PARAMETERS))('list filter %s', (name) => {
		expect(textUnder('List filters')).toContain(`\`${name}\``);
	});

	it.each(Object.values(DOCUMENT_PARAMETERS))('parameter %s of documents', (name) => {
		expect(textUnder('Get a receipt', 'Get a statement')).toContain(`\`${name}\``);
	});

	it('date of the filters, body of Simulate', () => {
		expect(textUnder('List filters')).toContain(`mean \`${FILTERED_DATE}\``);
		const body = JSON.stringify(simulateBody('PAID'), null, 1).replaceAll(/\s+/g, ' ');
		expect(textUnder('Simulate an outcome')).toContain(`\`${body}\``);
	});
});

describe('the endpoints are those of the emulated service', () => {
	/** Those whose address no dialect has made up. */
	const operations = OPERATIONS.filter(({ isThere }) => isThere === undefined);

	/** `POST /v1/payments (payments:write), with an idempotency key` */
	const documented = [
		...page.matchAll(/^`([A-Z]+ \/v1\/\S*)` \((.*?)\)(, with an idem.*)?$/gm),
	].map(([, address = '', scopes = '', key]) => ({
		address,
		scopes: [...scopes.matchAll(/`(\S+)`/g)].map(([, scope]) => scope),
		hasKey: key !== undefined,
	}));

	it.each(operations)('$method $path', ({ method, path, scopes, idempotent }) => {
		const address = `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`;
		// What it asks of Simulate is its own decision: no scope is documented.
		const isSimulate = path.endsWith('/simulate');
		expect(documented).toContainEqual({
			address,
			scopes: isSimulate ? [] : [...scopes],
			hasKey: idempotent === true,
		});
	});

	it('and no others', () => {
		expect(documented).toHaveLength(operations.length);
	});
});

it('the error codes are those of the catalogue, with their statuses', () => {
	const rows = [...textUnder('Error codes').matchAll(/^\| `(\w+)` +\| (\d+|–) +\|/gm)];
	expect(Object.fromEntries(rows.map(([, code, status]) => [code, status]))).toEqual(
		Object.fromEntries(
			Object.entries(ERROR_CATALOGUE).map(([code, { status }]) => [code, String(status ?? '–')]),
		),
	);
});

it('has each heading once, so that its anchor is stable', () => {
	const anchors = findAnchors(page);
	expect(new Set(anchors).size).toBe(anchors.length);
});

it('has every section that the code refers to', () => {
	const anchors = findAnchors(page);
	const missing = sources.flatMap((file) =>
		[...readPage(file).matchAll(/docs\/api\.md#([\w-]+)/g)]
			.map(([, anchor = '']) => anchor)
			.filter((anchor) => !anchors.includes(anchor))
			.map((anchor) => `${file}: #${anchor}`),
	);
	expect(missing).toEqual([]);
});
