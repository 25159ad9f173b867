import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ERROR_CATALOGUE } from '../../../../nodes/shared/retry/errors';
import { OPERATIONS } from '../../../../dev/sandbox/routes';
import { findAnchors, readPage, readSections, repositoryRoot } from '../../support/pages';

const page = readPage('docs/api.md');

/** Source files of the repository, from its root. */
const sources = ['nodes', 'credentials', 'dev', 'test']
	.flatMap((folder) =>
		readdirSync(join(repositoryRoot, folder), { recursive: true, encoding: 'utf8' })
			.filter((file) => !file.includes('node_modules'))
			.map((file) => join(folder, file)),
	)
	.filter((file) => file.endsWith('.ts'));

describe('the endpoints are those of the emulated service', () => {
	/** `POST /v1/payments (payments:write), with an idempotency key` */
	const documented = [
		...page.matchAll(/^`([A-Z]+ \/v1\/\S*)` \((.*?)\)(, with an idem.*)?$/gm),
	].map(([, address = '', scopes = '', key]) => ({
		address,
		scopes: [...scopes.matchAll(/`(\S+)`/g)].map(([, scope]) => scope),
		hasKey: key !== undefined,
	}));

	it.each(OPERATIONS)('$method $path', ({ method, path, scopes, idempotent }) => {
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
		expect(documented).toHaveLength(OPERATIONS.length);
	});
});

it('the error codes are those of the catalogue, with their statuses', () => {
	const rows = [
		...readSections(page)
			.get('Error codes')!
			.matchAll(/^\| `(\w+)` +\| (\d+|–) +\|/gm),
	];
	expect(Object.fromEntries(rows.map(([, code, status]) => [code, status]))).toEqual(
		Object.fromEntries(
			Object.entries(ERROR_CATALOGUE).map(([code, { status }]) => [code, String(status ?? '–')]),
		),
	);
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
