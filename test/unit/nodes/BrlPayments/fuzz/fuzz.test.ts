/**
 * Any response to any request: the node ends with items or with an error that names the item, it
 * ends soon, shows the key to no one, and never asks for the same money under two keys on its own.
 *
 * Each run draws other cases. A release tries 100,000 (`CASES_FACTOR=25`), which takes three minutes.
 * fast-check prints seed and path of one that fails.
 */
import fc from 'fast-check';
import {
	NodeApiError,
	NodeOperationError,
	type IDataObject,
	type IHttpRequestOptions,
	type IN8nHttpFullResponse,
	type INodeExecutionData,
} from 'n8n-workflow';
import type { Runtime } from '../../../../../nodes/shared/concurrency/runtime';
import { contentOf } from '../../../../../nodes/BrlPayments/orders/payouts';
import { knownTableIds } from '../../../../../nodes/BrlPayments/orders/findTable';
import { LEDGER_NAME } from '../../../../../nodes/shared/n8n/dataTable';
import { COLUMNS } from '../../../../../nodes/BrlPayments/orders/tableRow';
import { route } from '../../../../../nodes/BrlPayments/run';
import { FakeDataTables } from '../../../../support/dataTables';
import { countCases } from '../../../support/cases';
import { FakeDeduplication } from '../../../support/deduplicationStore';
import { fakeNodeContext } from '../../../support/nodeContext';
import { reply, type Reply } from './answers';
import { TRIED } from './operations';
import { KEY, tells, getTexts } from './secret';

const CASES = countCases(4_000);
/** As many as two items can need: every key tried as often as allowed, thirty waits, a few pages. */
const MAX_REQUESTS = 1_000;
const MAX_WAITED_MS = 24 * 60 * 60 * 1_000;

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

const NOW = Date.parse('2026-11-21T12:00:00Z');
const HOUR = 60 * 60 * 1_000;
const AMOUNTS = ['25,00', '31,50'];
const PIX_KEY = 'maria@recipient.example';

interface Case {
	readonly operation: (typeof TRIED)[number];
	readonly continueOnFail: boolean;
	readonly concurrency: number;
	readonly isMasked: boolean;
	/** When an earlier run sent under the references and got no answer, hours ago; undefined where none did. */
	readonly triedAgo: number | undefined;
	/** One after the other; the last one forever. */
	readonly replies: readonly Reply[];
}

/** Waits pass at once, and are counted. */
class CountedTime implements Runtime {
	waited = 0;

	constructor(private readonly giveUp: () => Promise<never>) {}

	now = () => NOW + this.waited;
	random = () => 0.5;
	nextTurn = async () => await Promise.resolve();

	wait = async (ms: number) => {
		this.waited += ms;
		if (!(ms >= 0) || this.waited > MAX_WAITED_MS) await this.giveUp();
	};
}

interface Ended {
	readonly items?: INodeExecutionData[][];
	readonly error?: unknown;
	readonly requests: IHttpRequestOptions[];
	readonly replies: Reply[];
	readonly shown: string[];
}

async function run({
	operation,
	continueOnFail,
	concurrency,
	isMasked,
	triedAgo,
	replies,
}: Case): Promise<Ended> {
	const { parameters } = operation;
	const options = { maxConcurrency: concurrency, maskPersonalData: isMasked };
	const given: Reply[] = [];
	// Each case is a separate process.
	knownTableIds.clear();
	// A case that asks or waits forever is left waiting, and the case ends with this error.
	let fail: (reason: Error) => void;
	const endless = new Promise<never>((_, reject) => (fail = reject));
	endless.catch(() => undefined);
	const giveUp = async (): Promise<never> => {
		fail(new Error('Does not hold: it ends'));
		return await endless.catch(async () => await new Promise<never>(() => undefined));
	};
	const time = new CountedTime(giveUp);
	const tables = new FakeDataTables(() => time.now());
	if (triedAgo !== undefined) fillLedger(tables, NOW - triedAgo * HOUR);
	const { context, requests, hints } = fakeNodeContext({
		credential: { apiKey: KEY },
		continueOnFail,
		helpers: new FakeDeduplication().context().helpers,
		parameters: AMOUNTS.map((amount): IDataObject => ({
			...parameters,
			amount,
			// Makes each item a separate payment where the price is the product's.
			...(parameters.mode
				? { externalId: `order ${amount}` }
				: { additionalFields: { externalId: `order ${amount}` } }),
			...(parameters.pixKey && { pixKey: PIX_KEY }),
			...(parameters.reference && { reference: `NF ${amount}` }),
			options,
		})),
		respond: async (): Promise<IN8nHttpFullResponse> => {
			if (given.length > MAX_REQUESTS) await giveUp();
			const next = replies[Math.min(given.length, replies.length - 1)]!;
			given.push(next);
			if ('thrown' in next) throw next.thrown;
			return next.answer;
		},
	});
	Object.assign(context.helpers, {
		assertBinaryData: () => ({ fileName: 'image.png' }),
		getBinaryDataBuffer: async () => PNG,
		prepareBinaryData: async (_: Buffer, fileName: string) => ({ fileName, data: '' }),
	});
	const logger = { info: () => undefined, warn: () => undefined };
	Object.assign(context, { executeWorkflow: tables.executeWorkflow, logger });
	const seen = { requests, replies: given, shown: hints };
	try {
		return {
			...seen,
			items: await Promise.race([route(context, time), endless]),
		};
	} catch (error) {
		return { ...seen, error };
	}
}

/** An attempt of an earlier run that got no answer, for each item. */
function fillLedger(tables: FakeDataTables, at: number): void {
	tables.create(
		LEDGER_NAME,
		COLUMNS.map(([name, type]) => ({ name, type })),
	);
	for (const amount of AMOUNTS) {
		const cents = Number(amount.replace(',', ''));
		const content = contentOf(cents, PIX_KEY, 'instance-1');
		const { id } = tables.addRow({
			reference: `NF ${amount}`,
			status: 'sending',
			environment: 'test',
			generation: 0,
			apiKey: KEY.slice(0, KEY.lastIndexOf('_')),
			content,
			run: 'run-0',
		});
		tables.editRow(id, { createdAt: at }, undefined, at);
	}
}

/** As `expect`, which costs too much for a million calls. */
function hold(condition: boolean, what: string): asserts condition {
	if (!condition) throw new Error(`Does not hold: ${what}`);
}

function checkEnd({ items, error, shown }: Ended, continueOnFail: boolean): void {
	if (items === undefined) {
		hold(!continueOnFail, 'with Continue On Fail nothing is thrown');
		if (!(error instanceof NodeApiError || error instanceof NodeOperationError)) throw error;
		hold(isItem((error as { itemIndex?: unknown }).itemIndex), 'the error names the item');
		hold(error.message !== '', 'the error says something');
		hold(!error.description?.includes('report this as a bug'), 'nothing unexpected happens');
	} else {
		hold(items.length === 1, 'there is one output');
		for (const { json, pairedItem } of items[0]!) {
			hold(typeof json === 'object' && !Array.isArray(json), 'an item holds an object');
			hold(isItem((pairedItem as { item: unknown }).item), 'an item knows where it came from');
			hold(codeIn(json) !== 'UNEXPECTED_ERROR', 'nothing unexpected happens');
		}
	}
	hold(!tells(getTexts([items, error, shown]).join('\n')), 'nobody learns the key');
}

const isItem = (index: unknown) => index === 0 || index === 1;
const codeIn = ({ error }: IDataObject) => (error as IDataObject | null | undefined)?.code;

/** Whether an order took effect: else nothing was shown of what follows a success. */
const isMade = ({ items, requests }: Ended): boolean =>
	requests.some(({ headers = {} }) => 'X-Idempotency-Key' in headers) &&
	(items?.[0]?.some(({ json }) => codeIn(json) === undefined && json.id !== undefined) ?? false);

/**
 * A key may be given up only where the service has stored a failure under it, or, for what has a name, where
 * the list was read since.
 */
function checkKeys({ requests, replies }: Ended, tried: Case['operation']): void {
	// Each charge has an External ID, and each payout a reference or an automatic name.
	const isNamed = ['payment', 'withdrawal'].includes(tried.resource);
	const lastByKey = new Map<string, { key: unknown; reply: Reply; before: Reply | undefined }>();
	let isListRead = false;
	requests.forEach(({ headers = {}, method, body, url }, index) => {
		const key = headers['X-Idempotency-Key'];
		if (method === 'GET' && /\/v1\/(withdrawals|payments)$/.test(url)) isListRead = true;
		// Each call of it has its own key: it moves no money.
		if (key === undefined || url.endsWith('/simulate')) return;
		const operation = `${url} ${Buffer.isBuffer(body) ? 'file' : (body as string)}`;
		const last = lastByKey.get(operation);
		if (last !== undefined && last.key !== key) {
			const code = getCode(last.reply);
			const isRepeated = last.before !== undefined && getCode(last.before) === code;
			const isStored =
				(code === 'WITHDRAWAL_PROVIDER_UNAVAILABLE' && isNamed) ||
				(code === 'PROVIDER_TEMPORARILY_UNAVAILABLE' && operation.includes('["BOLETO"]'));
			const isProved = isNamed && isListRead;
			hold(
				(isStored && isRepeated) || isProved,
				'a key is given up only where the failure is stored under it, or the list was read',
			);
		}
		const before = last?.key === key ? last?.reply : undefined;
		lastByKey.set(operation, { key, reply: replies[index]!, before });
	});

	// Two items with two amounts: without a renewal, two keys.
	const keys = [...lastByKey.values()].map(({ key }) => key);
	hold(new Set(keys).size === keys.length, 'no two items share a key');
}

function getCode(given: Reply): unknown {
	if (!('answer' in given)) return undefined;
	const body = JSON.parse((given.answer.body as Buffer).toString()) as {
		error?: IDataObject;
		code?: unknown;
	};
	return body.error?.code ?? body.code;
}

/** Twice as often as the others: they are what keys are about. */
const ORDERS = TRIED.filter(({ operation }) => ['create', 'refund'].includes(operation));

const anyCase: fc.Arbitrary<Case> = fc.record({
	operation: fc.constantFrom(...TRIED, ...ORDERS),
	continueOnFail: fc.boolean(),
	concurrency: fc.constantFrom(1, 5),
	isMasked: fc.boolean(),
	triedAgo: fc.constantFrom(undefined, undefined, 1, 25),
	replies: fc.array(reply, { minLength: 1, maxLength: 4 }),
});

test(
	`${CASES} cases end with items or an error that names the item`,
	async () => {
		const rejected: unknown[] = [];
		const note = (reason: unknown) => void rejected.push(reason);
		process.on('unhandledRejection', note);
		const ended = { items: 0, errors: 0, requests: 0, orders: 0 };
		await fc.assert(
			fc.asyncProperty(anyCase, async (given) => {
				const end = await run(given);
				ended.requests += end.requests.length;
				ended[end.items === undefined ? 'errors' : 'items'] += 1;
				if (isMade(end)) ended.orders += 1;
				checkEnd(end, given.continueOnFail);
				checkKeys(end, given.operation);
				hold(end.requests.length <= MAX_REQUESTS, 'the number of requests is bounded');
				hold(Object.keys(Object.prototype).length === 0, 'no object has got a field by it');
			}),
			{ numRuns: CASES, timeout: 20_000, endOnFailure: false },
		);
		process.off('unhandledRejection', note);
		expect(rejected).toEqual([]);
		// The cases are of both kinds, and reach the client: otherwise nothing was shown.
		expect(ended.items).toBeGreaterThan(CASES / 10);
		expect(ended.errors).toBeGreaterThan(CASES / 10);
		expect(ended.requests).toBeGreaterThan(CASES);
		expect(ended.orders).toBeGreaterThan(CASES / 100);
	},
	15 * 60_000,
);
