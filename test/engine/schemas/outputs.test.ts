/**
 * The editor offers the fields of a node that has not run yet by the schemas in `__schema__`. Here
 * each operation runs, and its schema has to match the output. `npm run schemas` rewrites them.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { resources } from '../../../nodes/BrlPayments/resources';
import { OPERATIONS, rowsFor } from '../../support/operations';
import { itemWithFile } from '../support/harness';
import { usePayouts } from '../support/money';
import { alike, referenced } from '../support/payouts';
import { CPF, EMAIL, HOUR, PNG } from '../support/values';
import { operation, type Parameters } from '../support/workflow';
import { onlyDocumented, toShape, withTypesFrom, type Shape } from '../support/shape';

const bench = usePayouts();
const FOLDER = join(__dirname, '../../../nodes/BrlPayments/__schema__/v2.0.0');
const getFile = (name: string) => join(FOLDER, `${name.replace('.', '/')}.json`);

function readSchema(name: string): Shape | undefined {
	if (!existsSync(getFile(name))) return undefined;
	return JSON.parse(readFileSync(getFile(name), 'utf8')) as Shape;
}

/** What the API says of objects whose content it leaves open. */
const DOCUMENTED = { methodData: ['type', 'cardFundingType'], metadata: [] };

/** References of which two were paid, and the answers to the others were lost more than a day ago. */
const references = async () => {
	const [one, two, ...unclear] = alike('NF-1', 'NF-2', 'NF-3', 'NF-4');
	const settings = { credential: bench.liveCredential };
	const workflow = referenced();
	await bench.start(workflow, unclear, { ...settings, lost: 'dropAfter' });
	bench.clock.advance(25 * HOUR);
	await bench.start(workflow, [one!, two!, ...unclear], settings);
	bench.sandbox.setWithdrawalStatus(bench.idOf('NF-1')!, 'COMPLETED');
	bench.sandbox.setWithdrawalStatus(bench.idOf('NF-2')!, 'FAILED', 'Example');
};

type Items = Array<IDataObject | INodeExecutionData>;

interface More {
	parameters?: Parameters;
	items?: () => Items | Promise<Items>;
	apiKey?: () => string;
}

/** What the table of operations leaves to this file: keys with everything, files, and references in doubt. */
const MORE: Readonly<Record<string, More>> = {
	'apiKey.get': {
		apiKey: () =>
			bench.sandbox.createKey({
				...{ environment: 'PRODUCTION', scopes: ['*'], ipAllowlist: ['127.0.0.1'] },
				rateLimitPerMinute: 600,
				expiresAt: new Date(bench.clock.now() + 1_000_000).toISOString(),
			}),
	},
	'product.uploadImage': {
		items: async () => {
			const { id } = bench.sandbox.seed.product({ environment: 'PRODUCTION' });
			return [await itemWithFile(PNG, 'image/png', 'plan.png', { id })];
		},
	},
	'withdrawal.checkBatch': {
		parameters: {
			recipientDocument: '={{ $json.document }}',
			reference: '={{ $json.invoice }}',
		},
		items: async () => {
			await references();
			const rows = [
				{ amount: 10, pixKey: CPF, document: CPF },
				{ amount: 1, pixKey: 'nobody' },
				{ amount: 10, pixKey: CPF },
				{ amount: 5000, pixKey: EMAIL },
			];
			// The last three were paid before, are in doubt, and were paid with another amount.
			return [
				...rows.map((row, index) => ({ ...row, invoice: `N-${index}` })),
				...alike('NF-1', 'NF-3'),
				{ ...alike('NF-1')[0], amount: 11 },
			];
		},
	},
	'withdrawal.create': {
		parameters: { reference: '={{ $json.invoice }}', description: '={{ $json.invoice }}' },
		items: () => alike('NF-1', 'NF-2'),
	},
	'withdrawal.getByReference': {
		items: async () => {
			await references();
			return ['NF-1', 'NF-2', 'NF-3'].map((reference) => ({ reference }));
		},
	},
	'withdrawal.settleReference': {
		parameters: { outcome: '={{ $json.outcome }}', notThese: '={{ $json.notThese }}' },
		items: async () => {
			await references();
			return [
				{ reference: 'NF-3', outcome: 'paid', id: bench.idOf('NF-3') },
				{ reference: 'NF-4', outcome: 'notPaid', notThese: bench.idsPaid.join() },
			];
		},
	},
};

/** What the API does not show at all is not promised. */
const UNDOCUMENTED: Record<string, (shape: Shape) => Shape> = {
	'payment.simulate': (shape) =>
		shape.type === 'object' ? { type: 'object', properties: { id: shape.properties.id! } } : shape,
};

async function shapeOfOutput(name: string): Promise<Shape> {
	const sample = OPERATIONS[name];
	if (!sample) throw new Error(`OPERATIONS in test/support/operations.ts has no ${name}.`);
	const { keys, seed } = bench.sandbox;
	const { parameters, items, apiKey } = MORE[name] ?? {};
	const rows = (await items?.()) ?? rowsFor(sample, seed);
	const key = apiKey?.() ?? (sample.isTest ? keys.test : keys.live);
	const given = operation(name, { ...sample.parameters, ...parameters });
	const run = await bench.run(given, rows, { credential: { apiKey: key } });
	expect(run.error?.message).toBeUndefined();
	const shape = onlyDocumented(toShape(run.json), DOCUMENTED);
	return withTypesFrom(UNDOCUMENTED[name]?.(shape) ?? shape, readSchema(name));
}

const operations = resources.flatMap(({ option, operations: all }) =>
	all.map(({ option: { value }, fields }) => ({
		name: `${option.value}.${String(value)}`,
		isSimplified: fields.some(({ name }) => name === 'simplify'),
	})),
);

if (process.env.WRITE_SCHEMAS === '1') {
	it.each(operations)('$name: the schema is written', async ({ name }) => {
		mkdirSync(dirname(getFile(name)), { recursive: true });
		const text = JSON.stringify(await shapeOfOutput(name), null, 2);
		writeFileSync(getFile(name), `${text}\n`);
	});
} else {
	it.each(operations)('$name puts out what its schema says', async ({ name, isSimplified }) => {
		const shape = await shapeOfOutput(name);
		expect(readSchema(name)).toBeDefined();
		expect(shape).toEqual(readSchema(name));
		// In the order in which people read them.
		if (isSimplified) expect(JSON.stringify(shape)).toBe(JSON.stringify(readSchema(name)));
		// The type of a field that was null in all samples is to be filled in by hand.
		expect(JSON.stringify(readSchema(name))).not.toContain('"null"');
	});
}
