import { INSTALLATION_TAKES } from '../../dev/n8n/install/install';
import { countWords, DOCS_PAGES, findAnchors, findLinks, readPage } from './support/pages';

describe('the words', () => {
	it.each([
		['README.md', 1_000],
		['ARCHITECTURE.md', 1_500],
		['docs/', 19_000],
	])('%s has at most %i', (page, most) => {
		const pages = page === 'docs/' ? DOCS_PAGES : [page];
		const count = pages.reduce((sum, one) => sum + countWords(one), 0);
		expect(count).toBeGreaterThan(100);
		expect(count).toBeLessThanOrEqual(most);
	});
});

describe('README', () => {
	const readme = readPage('README.md');

	it.each(['README.md', 'dev/n8n/hosts/README.md'])(
		'%s says of the installation of n8n what the demo says of it',
		(page) => expect(readPage(page)).toContain(INSTALLATION_TAKES),
	);

	it('leads to every page in docs/, or a page does to which it leads', () => {
		const targets = (page: string) => findLinks(page).map(({ target }) => target);
		const near = targets('README.md');
		const reached = [...near, ...near.filter((page) => page.endsWith('.md')).flatMap(targets)];
		expect(reached).toEqual(expect.arrayContaining(DOCS_PAGES));
		expect(DOCS_PAGES.length).toBeGreaterThan(5);
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
});
