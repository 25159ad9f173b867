import { LoadOptionsContext } from 'n8n-core';
import { BrlPayments } from '../../../nodes/BrlPayments/BrlPayments.node';
import type { ApiCredential } from '../../../nodes/shared/client/connection';
import { useBench } from '../support/harness';
import { additionalDataFor } from '../support/execution';
import { NODE } from '../support/names';
import { CPF } from '../support/values';
import { buildWorkflow, operation } from '../support/workflow';

const bench = useBench();

beforeEach(() => bench.assume('listOrder'));

/** What the editor does when a user opens the list behind Product. */
const searchFor =
	(method: 'searchPayments' | 'searchProducts' | 'searchWithdrawals') =>
	async (filter?: string, token?: string, credential: Partial<ApiCredential> = {}) => {
		const workflow = buildWorkflow({ parameters: operation('product.delete') });
		const context = new LoadOptionsContext(
			workflow,
			workflow.getNode(NODE)!,
			additionalDataFor({ ...bench.credential, ...credential }, ''),
			'parameters.productId',
		);
		return await new BrlPayments().methods.listSearch[method].call(context, filter, token);
	};
const search = searchFor('searchProducts');

describe('the list behind Product', () => {
	it('shows the products in use with their prices, page by page', async () => {
		for (let n = 0; n < 101; n += 1) bench.sandbox.seed.product({ name: `Plan ${n}` });
		const old = bench.sandbox.seed.product({ isActive: false });

		const first = await search();
		const second = await search(undefined, String(first.paginationToken));

		expect(bench.requests().map(({ url }) => url)).toEqual([
			'/v1/products?page=1&limit=100',
			'/v1/products?page=2&limit=100',
		]);
		const results = [...first.results, ...second.results];
		expect(new Set(results.map(({ value }) => value)).size).toBe(101);
		expect(results.map(({ name }) => name)).toContain('Plan 7 (R$ 49,90)');
		expect(results.map(({ value }) => value)).not.toContain(old.id);
		expect(second.paginationToken).toBeUndefined();
	});

	it.each(['assumedNames', 'ignoredNames'] as const)('finds what is typed (%s)', async (names) => {
		bench.sandbox.dialect.listFilters.names = names;
		const wanted = bench.sandbox.seed.product({ name: 'Plano mensal' });
		bench.sandbox.seed.product({ name: 'T-shirt' });
		bench.sandbox.seed.product({ name: 'Plano antigo', isActive: false });

		const { results } = await search('PLÂNO');

		expect(bench.requests()[0]?.url).toBe('/v1/products?page=1&limit=100');
		expect(results.map(({ value }) => value)).toEqual([wanted.id]);
	});

	it('gives the editor a chance to stop a search that finds nothing', async () => {
		for (let n = 0; n < 1_050; n += 1) bench.sandbox.seed.product({ name: `Plan ${n}` });

		const first = await search('credito');
		const second = await search('credito', String(first.paginationToken));

		expect(first).toEqual({ results: [], paginationToken: '11' });
		expect(second).toEqual({ results: [] });
		expect(bench.requests()).toHaveLength(11);
	});

	it('says which scope is missing', async () => {
		const apiKey = bench.keyWith('balance:read');

		await expect(search(undefined, undefined, { apiKey })).rejects.toMatchObject({
			name: 'NodeApiError',
			message: 'The API key is not allowed to do this',
			description: expect.stringContaining('products:read'),
		});
	});
});

const PAYER = {
	...{ name: 'Maria Silva', document: CPF, documentType: 'CPF' as const },
	...{ institutionName: null, institutionIspb: null },
};

describe('the list behind Payment', () => {
	const searchPayments = searchFor('searchPayments');
	const at = (minutes: number) => Date.parse('2026-11-21T15:00:00.000Z') + minutes * 60_000;

	it('shows amount, status, date and payer, and masks a document', async () => {
		const { seed } = bench.sandbox;
		const [old, nameless, late] = [
			seed.payment({ amountCents: 12_590, status: 'PAID', createdAt: at(0) }),
			seed.payment({ createdAt: at(60), payer: { ...PAYER, name: null } }),
			seed.payment({ amountCents: 1_000, status: 'PAID', createdAt: at(90), payer: PAYER }),
		];

		const { results } = await searchPayments();

		expect(bench.requests().map(({ url }) => url)).toEqual(['/v1/payments?page=1&limit=100']);
		expect(results.map(({ value }) => value)).toEqual([late.id, nameless.id, old.id]);
		expect(results.map(({ name }) => name)).toEqual([
			expect.stringMatching(/^R\$ 10,00, PAID, 21\/11\/2026 \d\d:30, Maria Silva$/),
			expect.stringContaining('***.982.247-**'),
			expect.stringMatching(/^R\$ 125,90, PAID, 21\/11\/2026 \d\d:00$/),
		]);
	});

	it('finds what is typed: an amount, a status, an ID or a TxID', async () => {
		const wanted = bench.sandbox.seed.payment({ amountCents: 12_590, status: 'EXPIRED' });
		bench.sandbox.seed.payment({ amountCents: 1_000, status: 'PAID' });

		for (const typed of ['125,90', 'expired', wanted.id.slice(0, 13), wanted.txId.toLowerCase()]) {
			expect((await searchPayments(typed)).results.map(({ value }) => value)).toEqual([wanted.id]);
		}
	});
});

test('the list behind Withdrawal shows the PIX key masked', async () => {
	const { id } = bench.sandbox.seed.withdrawal({ amountCents: 5_000, pixKey: CPF });

	const { results } = await searchFor('searchWithdrawals')();

	expect(results.map(({ value }) => value)).toEqual([id]);
	expect(results[0]?.name).toMatch(/^R\$ 50,00, \w+, [\d/]+ [\d:]+, \*\*\*\.982\.247-\*\*$/);
});
