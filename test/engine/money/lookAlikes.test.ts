/**
 * Payouts without a reference among others that look alike: the same amount to the same PIX key, told
 * apart by their descriptions. Each is paid once, or its error says that it is in doubt.
 */
import type { IDataObject, IExecuteFunctions, INodeParameters, INodeType } from 'n8n-workflow';
import { startSandbox, type Sandbox } from '../../../dev/sandbox';
import type { Execution } from '../support/execution';
import { useBench, type RunSettings } from '../support/harness';
import { NODE } from '../support/names';
import { nodeTypes, PASS_NODE } from '../support/nodeTypes';
import { payEach } from '../support/payouts';
import { restart } from '../support/restart';
import { CPF, EMAIL } from '../support/values';
import { buildWorkflow, edit, type Parameters } from '../support/workflow';
import { CONTINUE, HOUR, MINUTE } from '../support/references';

const bench = useBench();

/** The same amount to the same PIX key for each name. */
const alike = (...names: string[]): IDataObject[] =>
	names.map((name) => ({ amount: 50, pixKey: CPF, name }));
const payNamed = (options: Parameters = {}, more: Parameters = {}) =>
	payEach(options, { description: '={{ $json.name }}', ...more });

const booked = () => bench.sandbox.books.withdrawals;
/** For whom was paid. */
const namesPaid = () => booked().map(({ description }) => description);
const nameOf = (id: unknown) => booked().find((one) => one.id === id)?.description;
/** For whom the withdrawals were made that the node put on the items. */
const namesShown = ({ json }: Execution) => json.map(({ id }) => nameOf(id));
/** It has not failed, and shows each its own withdrawal. */
const expectShown = (execution: Execution, names: string[]) => {
	expect(execution.error).toBeUndefined();
	expect(namesShown(execution)).toEqual(names);
};
const IN_DOUBT = 'It is not known whether an earlier attempt paid';

/** Each one begins in another millisecond, by the clock of the tests. */
const begun = () => {
	bench.clock.advance(1);
	return { establishedAt: bench.clock.now() };
};
/** An execution of its own pays each of them. */
const pay = async (names: string[], settings: RunSettings = {}) =>
	await bench.run(payNamed(), alike(...names), { ...begun(), ...settings });
/** For one payout by its name, all requests. */
const strike = (name: string, fault: object) =>
	bench.sandbox.faults.add({
		method: 'POST',
		times: Infinity,
		when: ({ rawBody }) => rawBody.includes(`"${name}"`),
		...(fault as { kind: 'dropAfter' }),
	});
/** Another workflow, which knows nothing of the others. */
const payElsewhere = async (name: string) => {
	const { error, ids } = await pay([name]);
	expect(error).toBeUndefined();
	return ids[0]!;
};

describe('executions that fail at a node before the payout', () => {
	const failFive = async () => {
		const pass = nodeTypes.getByNameAndVersion(PASS_NODE) as Required<Pick<INodeType, 'execute'>>;
		const fails = vi.spyOn(pass, 'execute').mockImplementation(async function (
			this: IExecuteFunctions,
		) {
			if (this.getNode().name === 'Before') throw new Error('The database of the shop is away');
			return await Promise.resolve([this.getInputData()]);
		});
		const workflow = buildWorkflow({ parameters: payNamed() });
		const failed: Execution[] = [];
		for (const name of FIVE) failed.push(await bench.start(workflow, alike(name), begun()));
		fails.mockRestore();
		expect(failed.every(({ error }) => error !== undefined)).toBe(true);
		expect(bench.requests()).toEqual([]);
		return failed;
	};
	const FIVE = ['one', 'two', 'three', 'four', 'five'];

	it('are all paid when they are retried', async () => {
		const failed = await failFive();
		bench.clock.advance(HOUR);

		const retried: Execution[] = [];
		for (const execution of failed) retried.push(await bench.retry(execution));

		expect(retried.map(({ error }) => error)).toEqual(FIVE.map(() => undefined));
		expect(retried.flatMap(namesShown)).toEqual(FIVE);
		expect(namesPaid()).toEqual(FIVE);
	});

	it('are all paid when they are retried at the same time', async () => {
		const failed = await failFive();

		const retried = await Promise.all(failed.map(async (one) => await bench.retry(one)));

		expect(retried.map(({ error }) => error)).toEqual(FIVE.map(() => undefined));
		expect(retried.flatMap(namesShown)).toEqual(FIVE);
		expect(namesPaid().sort()).toEqual([...FIVE].sort());
	});

	it('are in doubt behind the first one when they are retried a day later, and never called paid', async () => {
		const failed = await failFive();
		bench.clock.advance(25 * HOUR);

		const retried: Execution[] = [];
		for (const execution of failed) retried.push(await bench.retry(execution));

		expect(namesPaid()).toEqual(['one']);
		expect(namesShown(retried[0]!)).toEqual(['one']);
		for (const { error } of retried.slice(1)) {
			expect(error?.message).toContain(IN_DOUBT);
			expect(error?.description).toContain(`(ID ${booked()[0]?.id})`);
		}
	});
});

describe('n8n is killed while equal payouts are in flight', () => {
	const FOUR = ['one', 'two', 'three', 'four'];

	it.each(['dropBefore', 'dropAfter'] as const)(
		'of four executions, and each is paid once when all are retried: %s',
		async (kind) => {
			const clear = bench.lose(kind);
			const workflow = buildWorkflow({ parameters: payNamed() });
			const killed: Execution[] = [];
			for (const name of FOUR) killed.push(await bench.start(workflow, alike(name), begun()));
			clear();
			bench.clock.advance(MINUTE);

			const retried: Execution[] = [];
			for (const execution of killed) retried.push(await bench.retryAfterKill(execution));

			expect(retried.map(({ error }) => error)).toEqual(FOUR.map(() => undefined));
			expect(retried.flatMap(namesShown)).toEqual(FOUR);
			expect(namesPaid()).toEqual(FOUR);
		},
	);

	it.each<[string, string[]]>([
		['none arrived', []],
		['one arrived', ['three']],
		['all but one arrived', ['one', 'two', 'four']],
	])('of one execution, and each is paid once when it is retried: %s', async (_what, arrived) => {
		const lost = FOUR.map((name) => [
			`"${name}"`,
			arrived.includes(name) ? 'dropAfter' : 'dropBefore',
		]);
		const killed = await pay(FOUR, { lost: Object.fromEntries(lost) });
		expect(namesPaid().sort()).toEqual([...arrived].sort());

		const retried = await bench.retryAfterKill(killed);

		expectShown(retried, FOUR);
		expect(namesPaid().sort()).toEqual([...FOUR].sort());
	});
});

describe('a loop loses an answer in round two, and an equal payout of another workflow stands in the list', () => {
	const THREE = ['one', 'two', 'three'];
	/** What each round has put out, without the one that failed. */
	const roundsShown = (execution: Execution) =>
		execution
			.getRuns()
			.flatMap(({ data }) => data?.main?.[0] ?? [])
			.map(({ json }) => nameOf(json.id));

	it.each(['dropBefore', 'dropAfter'] as const)('each row is paid once: %s', async (kind) => {
		const failed = await pay(THREE, { isLooped: true, lost: { '"two"': kind } });
		expect(failed.error).toBeDefined();
		const other = await payElsewhere('other');

		const retried = await bench.retry(failed);

		expect(retried.error).toBeUndefined();
		expect(roundsShown(retried)).toEqual(THREE);
		expect(namesPaid().sort()).toEqual(['one', 'other', 'three', 'two']);
		expect(JSON.stringify(retried.data.resultData.runData[NODE])).not.toContain(other);
	});

	it('also where n8n was killed in that round', async () => {
		const killed = await pay(THREE, { isLooped: true, lost: { '"two"': 'dropBefore' } });
		await payElsewhere('other');

		const retried = await bench.retryAfterKill(killed);

		expect(retried.error).toBeUndefined();
		expect(namesPaid().sort()).toEqual(['one', 'other', 'three', 'two']);
	});
});

describe('equal rows of one list', () => {
	const ROWS = ['A', 'B', 'C', 'D'];

	it('keep their own withdrawals over a retry, however each of them ended', async () => {
		const balance = strike('D', { kind: 'error', code: 'INSUFFICIENT_BALANCE' });
		const failed = await pay(ROWS, { lost: { '"B"': 'dropAfter', '"C"': 'dropBefore' } });
		balance();
		expect(namesPaid().sort()).toEqual(['A', 'B']);
		await payElsewhere('other');

		const retried = await bench.retry(failed);

		expectShown(retried, ROWS);
		expect(namesPaid().sort()).toEqual([...ROWS, 'other']);
	});

	it.each<[string, INodeParameters]>([
		['whose payout was refused', { amount: '={{ $json.name === "B" ? 60 : 50 }}' }],
		['that was paid', { amount: '={{ $json.name === "A" ? 60 : 50 }}' }],
	])(
		'stop where the amount of the one is changed %s: it says what is true of both',
		async (_what, edited) => {
			strike('B', { kind: 'error', code: 'INSUFFICIENT_BALANCE' });
			const failed = await pay(['A', 'B']);
			bench.sandbox.faults.clear();
			edit(failed, edited);

			const retried = await bench.retry(failed);

			expect(retried.error?.message).toContain('which of them was removed or changed');
			expect(retried.error).toMatchObject({ effect: 'unknown' });
			expect(retried.error?.description).toContain(
				'At least one of the equal rows was paid, and at least one may not have been.',
			);
			expect(namesPaid()).toEqual(['A']);
		},
	);

	it('are both paid where one lost its answers and the other was refused for good', async () => {
		bench.assume('storedFailures');
		const code = 'WITHDRAWAL_PROVIDER_UNAVAILABLE';
		strike('B', { kind: 'error', code, times: 1 });
		const failed = await pay(['A', 'B'], { lost: { '"A"': 'dropAfter' } });
		expect(namesPaid()).toEqual(['A']);

		const retried = await bench.retry(failed);

		expectShown(retried, ['A', 'B']);
		expect(namesPaid()).toEqual(['A', 'B']);
	});

	it('are paid a day later where the list shows no other withdrawal than those that belong to the rest', async () => {
		const failed = await pay(['A', 'B', 'C'], { lost: { '"B"': 'dropBefore' } });
		bench.clock.advance(25 * HOUR);

		const retried = await bench.retry(failed);

		expectShown(retried, ['A', 'B', 'C']);
		expect(namesPaid().sort()).toEqual(['A', 'B', 'C']);
	});

	it('whose answer names the withdrawal of another row are in doubt, and never show it', async () => {
		const { json: earlier } = await pay(['elsewhere']);
		const [withdrawal] = earlier;
		const { id } = withdrawal!;
		restart();
		bench.sandbox.faults.add({
			...{ method: 'POST', kind: 'status', status: 201, times: Infinity },
			body: { withdrawal },
		});

		const { json } = await bench.run(payNamed({ maxConcurrency: 1 }), alike('A', 'B'), {
			...begun(),
			...CONTINUE,
		});

		expect(json[0]).toMatchObject({ id });
		expect(json[1]?.error).toMatchObject({
			...{ code: 'PAYOUT_IN_DOUBT', effect: 'unknown', withdrawalIds: [id] },
		});
	});

	it('whose answer names the withdrawal of another execution are in doubt, and paid when they are retried', async () => {
		const first = await pay(['A']);
		const [withdrawal] = first.json;
		bench.sandbox.faults.add({
			...{ method: 'POST', kind: 'status', status: 201, body: { withdrawal } },
		});

		const second = await pay(['B']);

		expect(second.error).toMatchObject({ effect: 'unknown' });
		expect(second.error?.description).toContain(withdrawal?.id);
		expect(namesPaid()).toEqual(['A']);
		const retried = await bench.retry(second);
		expect(namesShown(retried)).toEqual(['B']);
		expect(namesPaid()).toEqual(['A', 'B']);
	});

	it('and are asked for again under the same key show the same withdrawal', async () => {
		const own = payNamed({ idempotencyKey: '={{ "key-" + $json.name }}' });
		await bench.run(own, alike('A', 'B'), begun());

		const second = await bench.run(own, alike('A', 'B'), begun());

		expectShown(second, ['A', 'B']);
	});
});

describe('the credential of another company is chosen for the retry', () => {
	let company: Sandbox;
	let theirs: string;
	beforeEach(async () => {
		company = await startSandbox({ clock: bench.clock, dialect: bench.sandbox.dialect });
		theirs = company.seed.withdrawal({ pixKey: CPF, amountCents: 5000 }).id;
	});
	afterEach(async () => await company.close());

	it.each(['dropBefore', 'dropAfter'] as const)(
		'what has no answer stays in doubt, and is never shown as a withdrawal of that company: %s',
		async (kind) => {
			const failed = await pay(['ours'], { lost: kind });
			const { credential: ours } = failed;
			Object.assign(failed, {
				credential: { ...ours, apiKey: company.keys.test, baseUrl: company.url },
			});

			const early = await bench.retry(failed);
			bench.clock.advance(25 * HOUR);
			const late = await bench.retry(early);

			for (const { error } of [early, late]) {
				expect(error?.message).toContain(IN_DOUBT);
				expect(error?.description).toContain('It was sent with another API key');
				expect(JSON.stringify(error)).not.toContain(theirs);
			}
			bench.clock.advance(-25 * HOUR);
			expect(company.requests.filter(({ method }) => method === 'POST')).toEqual([]);

			const { error, json } = await bench.retry(Object.assign(late, { credential: ours }));
			expect(error).toBeUndefined();
			expect(json.map(({ id }) => nameOf(id))).toEqual(['ours']);
			expect(namesPaid()).toEqual(['ours']);
		},
	);

	it('what is known to be paid is shown by its own ID', async () => {
		const failed = await pay(['first', 'second'], { lost: { '"second"': 'dropBefore' } });
		failed.workflow.nodes[NODE]!.onError = 'continueRegularOutput';

		const { json, hints } = await bench.retry(
			Object.assign(failed, {
				credential: { ...failed.credential, apiKey: company.keys.test, baseUrl: company.url },
			}),
		);

		expect(json[0]).toEqual({ id: booked()[0]?.id, status: 'UNKNOWN', alreadyPaid: true });
		expect(json[1]?.error).toMatchObject({ code: 'PAYOUT_IN_DOUBT', effect: 'unknown' });
		expect(hints.join()).toContain('could not be read now');
		expect(company.books.withdrawals).toEqual([]);
	});
});

describe('a limit that a person sets after a crash', () => {
	it.each<[string, Parameters]>([
		['Largest Amount', { largestAmount: '49,99' }],
		['Largest Total', { largestTotal: '49,99' }],
		['Allowed PIX Keys', { allowedPixKeys: EMAIL }],
	])('%s: does not deny what the first attempt may have paid', async (_name, limit) => {
		const killed = await pay(['one', 'two']);
		edit(killed, { options: { ...limit, whenOverLimit: 'refuseItem' } as never });
		killed.workflow.nodes[NODE]!.onError = 'continueRegularOutput';

		const retried = await bench.retryAfterKill(killed);

		for (const error of retried.errors) {
			expect(error).toMatchObject({ code: 'OVER_LIMIT', effect: 'unknown' });
			expect(error?.description).toContain('An earlier attempt may have paid it');
		}
		expect(namesPaid()).toEqual(['one', 'two']);
	});

	it('says of what was surely never sent that it had no effect', async () => {
		const limit = { largestAmount: '49,99', whenOverLimit: 'refuseItem' };

		const { json } = await bench.run(payNamed(limit), alike('one'), { ...begun(), ...CONTINUE });

		expect(json[0]?.error).toMatchObject({ code: 'OVER_LIMIT', effect: 'none' });
		expect(namesPaid()).toEqual([]);
	});

	it('does not deny it in the second retry either', async () => {
		const killed = await pay(['A']);
		edit(killed, { options: { largestAmount: '49,99' } as never });
		const first = await bench.retryAfterKill(killed);
		expect(first.error).toMatchObject({ effect: 'unknown' });

		const second = await bench.retry(first);

		expect(second.error).toMatchObject({ effect: 'unknown' });
	});
});

describe('an error that is left on an item', () => {
	const failWith = async (fault: () => () => void) => {
		const clear = fault();
		const failed = await pay(['earlier'], CONTINUE);
		clear();
		return failed.errors[0]!;
	};
	const refused = async () =>
		await failWith(() => strike('earlier', { kind: 'error', code: 'INSUFFICIENT_BALANCE' }));
	const other = (error: IDataObject): IDataObject => ({
		...{ amount: 70, pixKey: EMAIL, name: 'other', error },
	});

	it('of another payment that had no effect: the item is paid under its own key', async () => {
		const error = await refused();

		const { json } = await bench.run(payNamed(), [other(error)], begun());

		expect(namesShown({ json } as unknown as Execution)).toEqual(['other']);
		expect(namesPaid()).toEqual(['other']);
		expect(booked()[0]?.idempotencyKey).not.toBe(error.idempotencyKey);
	});

	it('of another payment that had no effect, in a row that comes back: that pays its own', async () => {
		const error = await refused();
		await bench.run(payNamed(), [other(error)], begun());

		const { json } = await bench.run(payNamed(), [{ ...alike('earlier')[0], error }], begun());

		expect(json.map(({ id }) => nameOf(id))).toEqual(['earlier']);
		expect(namesPaid()).toEqual(['other', 'earlier']);
	});

	it.each(['dropBefore', 'dropAfter'] as const)(
		'of another payment that is in doubt: nothing is sent until it is removed: %s',
		async (kind) => {
			const error = await failWith(() => bench.lose(kind));

			const stopped = await bench.run(payNamed(), [other(error)], { ...begun(), ...CONTINUE });

			expect(stopped.errors[0]).toMatchObject({ code: 'INVALID_INPUT', effect: 'unknown' });
			expect(stopped.errors[0]?.description).toContain('remove its field "error"');
			expect(stopped.posts).toBe(0);

			const cleaned = { ...other(error), error: undefined };
			expect((await bench.run(payNamed(), [cleaned], begun())).error).toBeUndefined();
			expect(namesPaid().filter((name) => name === 'other')).toHaveLength(1);
		},
	);

	it.each(['dropBefore', 'dropAfter'] as const)(
		'of the same payment that is in doubt: it keeps its key among others that look alike: %s',
		async (kind) => {
			const error = await failWith(() => bench.lose(kind));
			await payElsewhere('elsewhere');

			const { json } = await bench.run(
				payNamed(),
				[{ ...alike('earlier')[0], error }, ...alike('later')],
				begun(),
			);

			expect(json.map(({ id }) => nameOf(id))).toEqual(['earlier', 'later']);
			expect(namesPaid().sort()).toEqual(['earlier', 'elsewhere', 'later']);
		},
	);

	it.each(['dropBefore', 'dropAfter'] as const)(
		'of the same payment, a day later: it is settled, or the error says what a person has to do: %s',
		async (kind) => {
			const failed = await pay(['A'], { ...CONTINUE, lost: kind });
			let [error] = failed.errors;
			bench.clock.advance(25 * HOUR);
			const waits: unknown[] = [];
			// What the error says: "Run this again after …". Its execution succeeded, so n8n offers no Retry.
			for (let runs = 1; runs <= 3 && error !== undefined; runs += 1) {
				const again = await bench.run(payNamed(), [{ ...alike('A')[0], error }], {
					...begun(),
					...CONTINUE,
				});
				[error] = again.errors;
				waits.push(error?.retryable);
				bench.clock.advance(10 * 60_000);
			}

			expect(waits).not.toEqual([true, true, true]);
			expect(namesPaid()).toEqual(['A']);
		},
	);
});

describe('a key that is dead', () => {
	const failYesterday = async () => {
		const failed = await pay(['ours'], { lost: 'dropBefore' });
		return failed;
	};

	it('with a payout that looks alike: in doubt, with its ID, and a person decides', async () => {
		const failed = await failYesterday();
		const candidate = await payElsewhere('other');
		bench.clock.advance(25 * HOUR);
		failed.workflow.nodes[NODE]!.onError = 'continueRegularOutput';

		const retried = await bench.retry(failed);

		expect(retried.errors[0]).toMatchObject({
			...{ code: 'PAYOUT_IN_DOUBT', effect: 'unknown', retryable: false },
			withdrawalIds: [candidate],
		});
		expect(retried.errors[0]?.description).toContain(
			'If it was not paid, run a new execution with only this item.',
		);
		expect(retried.posts).toBe(0);

		const decided = await pay(['ours']);
		expect(namesShown(decided)).toEqual(['ours']);
		expect(namesPaid()).toEqual(['other', 'ours']);
	});

	it('with a payout that looks alike and has failed: paid', async () => {
		const failed = await failYesterday();
		bench.sandbox.setWithdrawalStatus(await payElsewhere('other'), 'FAILED', 'Account closed');
		bench.clock.advance(25 * HOUR);

		const retried = await bench.retry(failed);

		expect(namesShown(retried)).toEqual(['ours']);
		expect(namesPaid()).toEqual(['other', 'ours']);
	});

	it.each<[string, object]>([
		['an empty page that counts one', { withdrawals: [], pagination: countOne() }],
		['a page without a count', { withdrawals: [] }],
	])('with %s for a list: in doubt', async (_what, body) => {
		const failed = await failYesterday();
		bench.clock.advance(25 * HOUR);
		bench.sandbox.faults.add({
			...{ method: 'GET', kind: 'status', status: 200, times: Infinity, body },
		});

		const { error } = await bench.retry(failed);

		expect(error?.message).toContain(IN_DOUBT);
		expect(namesPaid()).toEqual([]);
	});
});

function countOne() {
	return { page: 1, limit: 100, total: 1, totalPages: 1 };
}

describe('content that is changed after an attempt without an answer', () => {
	const change = async () => {
		const failed = await pay(['ours'], { lost: 'dropBefore' });
		edit(failed, { amount: '={{ $json.amount + 1 }}' });
		return failed;
	};

	it('is in doubt where another payout looks like the earlier content', async () => {
		const failed = await change();
		const other = await payElsewhere('other');

		const late = await bench.retryAsTold(await bench.retry(failed));

		expect(late.error?.message).toContain(IN_DOUBT);
		expect(late.error?.description).toContain(`(ID ${other})`);
		expect(namesPaid()).toEqual(['other']);
	});

	it('after a kill, it stays in doubt when the retry is retried', async () => {
		const killed = await pay(['A']);
		edit(killed, { amount: 60 });
		const first = await bench.retryAfterKill(killed);
		expect(first.error?.message).toContain('It is not known whether an earlier attempt paid');

		await bench.retry(first);

		expect(bench.paid).toEqual([5000]);
	});
});

describe('a first request that times out and arrives 90 seconds later', () => {
	const arriveLate = () =>
		bench.sandbox.faults.add({ method: 'POST', kind: 'lateRequest', ms: 90_000 });
	/** Time passes, and what arrives meanwhile is processed. */
	const pass = async (ms: number) => {
		bench.clock.advance(ms);
		for (let turns = 0; turns < 20; turns += 1) await new Promise(setImmediate);
	};
	const refuse = (stored: boolean) =>
		bench.sandbox.faults.add({
			...{ method: 'POST', kind: 'error', code: 'WITHDRAWAL_PROVIDER_UNAVAILABLE', stored },
			times: 2,
		});

	it.each([10_000, 120_000])(
		'and refusals that are not kept in between: one payout by the retry after %d ms',
		async (ms) => {
			arriveLate();
			refuse(false);
			const failed = await pay(['ours']);
			expect(failed.error).toMatchObject({ effect: 'unknown' });
			await pass(ms);
			expect(namesPaid()).toHaveLength(ms > 90_000 ? 1 : 0);

			const retried = await bench.retry(failed);
			await pass(120_000);

			expectShown(retried, ['ours']);
			expect(namesPaid()).toEqual(['ours']);
		},
	);

	it('and refusals that are kept in between: one payout, when the key is dead', async () => {
		bench.assume('storedFailures');
		arriveLate();
		refuse(true);
		let failed = await pay(['ours']);
		for (const ms of [10_000, 120_000, HOUR]) {
			await pass(ms);
			failed = await bench.retry(failed);
			expect(failed.error).toMatchObject({ effect: 'unknown' });
		}
		expect(bench.keys).toHaveLength(1);
		expect(namesPaid()).toEqual([]);
		// A refusal that is kept does not use up the fault.
		bench.sandbox.faults.clear();
		bench.clock.advance(25 * HOUR);

		const retried = await bench.retry(failed);

		expect(namesShown(retried)).toEqual(['ours']);
		expect(namesPaid()).toEqual(['ours']);
	});

	it('and its content is changed in between: one payout', async () => {
		arriveLate();
		strike('ours', { kind: 'dropBefore', times: 4 });
		const failed = await pay(['ours']);
		edit(failed, { amount: '={{ $json.amount + 1 }}' });

		const early = await bench.retry(failed);
		await pass(90_000);
		const late = await bench.retryAsTold(early);

		expect(late.error?.description).toContain(`(ID ${booked()[0]?.id})`);
		expect(bench.paid).toEqual([5000]);
	});
});

it('a cache that keeps pages of the list without saying so hides no payout', async () => {
	const addresses = () => new Set(bench.requests('GET').map(({ url }) => url));
	await bench.run(payNamed({ duplicateGuard: 'always' }), alike('other'), begun());
	const before = addresses();
	expect(before.size).toBeGreaterThan(0);
	const pagination = { page: 1, limit: 100, total: 0, totalPages: 0 };
	bench.sandbox.faults.add({
		...{ method: 'GET', kind: 'status', status: 200, times: Infinity },
		body: { withdrawals: [], pagination },
		when: ({ url }) => before.has(url),
	});
	bench.clock.advance(MINUTE);
	strike('ours', { kind: 'dropAfter', times: 5 });
	const rows = [{ amount: 70, pixKey: EMAIL, name: 'ours' }];
	const failed = await bench.run(payNamed(), rows, begun());
	edit(failed, { amount: 71 });

	const early = await bench.retry(failed);
	const { error } = await bench.retryAsTold(early);

	expect(error?.message).toContain(IN_DOUBT);
	expect(namesPaid()).toEqual(['other', 'ours']);
});

describe('Duplicate Guard', () => {
	const guarded = payNamed({ duplicateGuard: 'always', maxConcurrency: 1 });

	it('does not say that every item is paid where the withdrawals are those of others', async () => {
		for (const pixKey of [CPF, EMAIL]) bench.sandbox.seed.withdrawal({ pixKey, amountCents: 5000 });

		const rows = [...alike('one'), { amount: 50, pixKey: EMAIL, name: 'two' }];
		const { error } = await bench.run(guarded, rows, begun());

		expect(error?.description).not.toContain('Every row is paid');
		expect(error?.description).not.toContain('had been paid before');
	});
});

it('what an own key shows again within seconds is not said to be paid now', async () => {
	const own = payNamed({ idempotencyKey: '={{ "key-" + $json.name }}' });
	await bench.run(own, alike('A'), begun());
	strike('B', { kind: 'error', code: 'INSUFFICIENT_BALANCE' });

	const { error } = await bench.run(own, alike('A', 'B'), begun());

	expect(error?.description).not.toContain('1 of 2 rows were paid now');
});
