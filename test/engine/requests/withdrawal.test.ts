import { useBench } from '../support/harness';
import { payEach } from '../support/payouts';
import { CNPJ, CPF, EMAIL } from '../support/values';
import { expectOwnKeys, sent } from '../support/wire';

const bench = useBench();

describe('Withdrawal: Create', () => {
	const create = payEach(
		{ maxConcurrency: 1 },
		{
			recipientDocument: '={{ $json.document }}',
			description: '={{ $json.description }}',
		},
	);

	it('pays what each item says', async () => {
		const run = await bench.run(create, [
			{ amount: '1.234,56', pixKey: ' Maria@Recipient.example ', document: '11.222.333/0001-81' },
			{ amount: 10.1, pixKey: '529.982.247-25', description: 'Serviço nº 2' },
		]);

		expect(sent(bench)).toEqual([
			`POST /v1/withdrawals {"amount":1234.56,"destination":{"pixKey":"${EMAIL}","recipientDocument":"${CNPJ}"}}`,
			`POST /v1/withdrawals {"amount":10.1,"destination":{"pixKey":"${CPF}"},"description":"Serviço nº 2"}`,
		]);
		expectOwnKeys(bench);
		expect(run.sources).toEqual([0, 1]);
		expect(run.json).toEqual([
			expect.objectContaining({
				...{ amount: 1234.56, fee: 1.5, total: 1236.06 },
				...{ netAmount: 1234.56, feeAmount: 1.5, grossAmount: 1236.06 },
			}),
			expect.objectContaining({ netAmount: 10.1, status: 'PENDING', description: 'Serviço nº 2' }),
		]);
		// In the order in which people read them.
		expect(Object.keys(run.json[1]!).slice(0, 8)).toEqual([
			...['amount', 'fee', 'total', 'pixKey', 'status', 'alreadyPaid', 'description', 'id'],
		]);
		expect(bench.paid).toEqual([1010, 123_456]);
	});

	it.each([
		['11 digits that are no CPF', { amount: 10, pixKey: '11987654321' }],
		['less than R$ 10,00', { amount: 9.99, pixKey: CPF }],
		['a description of 501 characters', { amount: 10, pixKey: CPF, description: 'x'.repeat(501) }],
	])('sends nothing for %s', async (_name, item) => {
		const { error } = await bench.run(create, [item, { amount: 20, pixKey: CPF }]);

		expect(error?.name).toBe('NodeOperationError');
		expect(error).toHaveProperty('itemIndex', 0);
		expect(bench.requests()).toEqual([]);
	});
});
