import { INSTALLATION_TAKES } from '../../dev/n8n/install/install';
import { resources } from '../../nodes/BrlPayments/resources';
import { findAnchors, DOCS_PAGES, findLinks, readPage } from './support/pages';

const readme = readPage('README.md');

/** What npm shows and every n8n downloads, in bytes. */
const LONGEST = 12_000;

/** The rows of the table of operations: resource, operation, scope. */
function operationRows(): string[][] {
	const [, section = ''] = /## Operations\n([\s\S]*?)\n## /.exec(readme) ?? [];
	let resource = '';
	return section
		.split('\n')
		.filter((line) => line.startsWith('| ') && !/^\| (resource|---|-)/.test(line))
		.map((line) => line.split('|').map((cell) => cell.trim()))
		.map(([, first = '', operation = '', , scope = '']) => {
			resource = first || resource;
			return [resource, operation, scope.replaceAll('`', '').replace('–', '')];
		});
}

describe('README', () => {
	it('lists exactly the operations of the node, with their scopes', () => {
		const built = resources.flatMap(({ option, operations }) =>
			operations.map((operation) => [
				option.name,
				operation.option.name,
				(operation.scope ?? '').replace(' and ', ', '),
			]),
		);
		expect(built.length).toBeGreaterThan(1);
		expect(operationRows().sort()).toEqual(built.sort());
	});

	it.each(['README.md', 'dev/n8n/hosts/README.md'])(
		'%s says of the installation of n8n what the demo says of it',
		(page) => expect(readPage(page)).toContain(INSTALLATION_TAKES),
	);

	it('leads to every page in docs/', () => {
		const targets = findLinks('README.md').map(({ target }) => target);
		expect(targets).toEqual(expect.arrayContaining(DOCS_PAGES));
		expect(DOCS_PAGES.length).toBeGreaterThan(5);
	});

	it('is short, because it is published', () => {
		expect(Buffer.byteLength(readme)).toBeLessThan(LONGEST);
	});

	it.each([
		'credentials/BrlPaymentsApi.credentials.ts',
		'nodes/BrlPayments/BrlPayments.node.json',
		'nodes/BrlPaymentsTrigger/BrlPaymentsTrigger.node.json',
	])('has the sections that %s leads to', (source) => {
		const links = [...readPage(source).matchAll(/n8n-nodes-brl-payments#([\w-]+)/g)];
		expect(links.length).toBeGreaterThan(0);
		for (const [, anchor] of links) expect(['readme', ...findAnchors(readme)]).toContain(anchor);
	});

	it('is what CI runs', () => {
		const ci = readPage('.ci/run');
		for (const command of ['npm cit', 'npm run test:e2e', 'npm run demo -- --check']) {
			expect(readme).toContain(command);
			expect(ci).toContain(command);
		}
	});
});
