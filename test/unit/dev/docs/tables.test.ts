import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fillTables, TABLES } from '../../../../dev/docs/tables';
import { OPERATIONS } from '../../../../dev/sandbox/routes';
import { errorJson } from '../../../../nodes/shared/failures/itemError';
import {
	findAnchors,
	readErrorCodes,
	readOpenPoints,
	readPage,
	repositoryRoot,
} from '../../support/pages';

/** Source files below these folders: path from the root of the repository, and text. */
const readSources = (...folders: string[]): Array<[file: string, text: string]> =>
	folders
		.flatMap((folder) =>
			readdirSync(join(repositoryRoot, folder), { recursive: true, encoding: 'utf8' })
				.filter((file) => file.endsWith('.ts') && !file.includes('node_modules'))
				.map((file) => join(folder, file)),
		)
		.map((file) => [file, readPage(file)]);

describe.each(Object.keys(TABLES))('%s', (page) => {
	it('has its tables as the code has them; run npm run docs after a change', () => {
		const text = readPage(page);
		expect(fillTables(page, text)).toBe(text);
	});
});

describe('docs/errors.md', () => {
	const codes = readErrorCodes();
	const nodes = readSources('nodes');

	it('has each code that the node can report', () => {
		const reported = nodes
			.flatMap(([, text]) => text.split('\n'))
			.filter((line) => /\bcode:/.test(line))
			.flatMap((line) => [...line.matchAll(/'([A-Z_]+)'/g)].map(([, code]) => code));

		expect(new Set(reported).size).toBeGreaterThan(12);
		expect(codes).toEqual(expect.arrayContaining(reported));
	});

	it('has no code twice, and none that the node cannot report', () => {
		expect([...new Set(codes)]).toEqual(codes);
		expect(codes.filter((code) => !nodes.some(([, text]) => text.includes(code)))).toEqual([]);
	});

	it('explains each field that a failed item carries', () => {
		const whole = errorJson({
			...{ code: 'TIMEOUT', message: 'what', description: 'remedy', httpStatus: null },
			...{ retryable: true, effect: 'unknown', idempotencyKey: 'key', reference: 'NF-1042' },
			...{ firstSentAt: 'before', retrySafeUntil: 'then' },
			...{ order: { name: 'auto', content: 'content' }, withdrawalIds: ['id'], paymentIds: ['id'] },
			parts: { remedy: 'remedy', howToCheck: 'check', serverSaid: 'words' },
		});
		const page = readPage('docs/errors.md');
		expect(Object.keys(whole).filter((field) => !page.includes(`\`${field}\``))).toEqual([]);
	});
});

describe('docs/api.md', () => {
	const page = readPage('docs/api.md');

	it('has every section that the code refers to', () => {
		const anchors = findAnchors(page);
		const missing = readSources('nodes', 'credentials', 'dev', 'test').flatMap(([file, text]) =>
			[...text.matchAll(/docs\/api\.md#([\w-]+)/g)]
				.map(([, anchor = '']) => anchor)
				.filter((anchor) => !anchors.includes(anchor))
				.map((anchor) => `${file}: #${anchor}`),
		);
		expect(missing).toEqual([]);
	});

	it('has the addresses and scopes of the emulated service', () => {
		const rows = OPERATIONS.map(({ method, path, scopes }) => {
			const address = `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`;
			// The emulator asks for a scope of its own: none is documented.
			const documented = path.endsWith('/simulate') ? [] : scopes;
			return `\`${address}\`|${documented.map((scope) => `\`${scope}\``).join(' or ')}`;
		});
		const described = [...page.matchAll(/^\|<a id=.*?<\/a>[^|]*\|([^|]*\|[^|]*)\|/gm)];
		expect(described.map(([, row]) => row)).toEqual(rows);
	});

	it('marks each open point, and no other', () => {
		const marked = [...page.matchAll(/open: ([\w, ]+)/g)].flatMap(([, names = '']) =>
			names.split(', '),
		);
		expect([...new Set(marked)].sort()).toEqual(['name', ...readOpenPoints().keys()].sort());
	});
});
