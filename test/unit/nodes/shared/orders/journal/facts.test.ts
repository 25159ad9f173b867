import {
	COPIES,
	getEntries,
	getAllEntries,
	Inquiry,
	type Topic,
} from '../../../../../../nodes/shared/orders/journal/facts';

const topic: Topic = { name: 'color', facts: ['red', 'blue'] };
const other: Topic = { name: 'size', facts: ['large'] };

let row: Set<string>;
let calls: number;

beforeEach(() => {
	row = new Set(['bystander']);
	calls = 0;
});

const open = () =>
	new Inquiry(async (entries) => {
		calls += 1;
		const known = new Set(entries.filter((entry) => row.has(entry)));
		for (const entry of entries) row.add(entry);
		return await Promise.resolve(known);
	});

/** Asks, and removes what is left over unless it is cut off. */
async function ask(topics: readonly Topic[], { isCutOff = false } = {}) {
	const inquiry = open();
	const { answers } = await inquiry.ask(topics);
	if (!isCutOff) for (const entry of inquiry.leftovers.flat()) row.delete(entry);
	return Object.fromEntries(answers);
}

const state = (...facts: string[]) => {
	for (const entry of getEntries(facts)) row.add(entry);
};

test('a fact is known once it is stated, and asking changes nothing', async () => {
	state('red', 'large');
	const before = new Set(row);
	for (let time = 0; time < 3; time += 1) {
		expect(await ask([topic, other])).toEqual({ red: true, blue: false, large: true });
		expect(row).toEqual(before);
	}
});

test.each([true, false])(
	'after a question was interrupted the answer is the same: %o',
	async (isRed) => {
		if (isRed) state('red');
		const before = new Set(row);
		await ask([topic], { isCutOff: true });
		expect(await ask([topic, other])).toEqual({ red: isRed, blue: false, large: false });
		expect(row).toEqual(before);
	},
);

test('after as many interruptions in a row as there are copies, there is no answer', async () => {
	state('red', 'large');
	for (let time = 0; time < COPIES; time += 1) await ask([topic], { isCutOff: true });
	expect(await ask([topic, other])).toEqual({ large: true });
});

test('a fact with one copy counts as untrue after an interruption', async () => {
	for (const entry of getEntries(['large'], 1)) row.add(entry);
	expect(await ask([other])).toEqual({ large: true });
	await ask([other], { isCutOff: true });
	expect(await ask([other])).toEqual({ large: false });
});

test('a topic that is asked twice at once is asked once', async () => {
	expect(await ask([topic, topic])).toEqual({ red: false, blue: false });
});

test('one call is enough, however many topics; statements travel with it', async () => {
	state('red');
	const inquiry = open();
	const statements = ['bystander', 'statement'];
	const { answers, known } = await inquiry.ask([topic, other], statements);
	expect(calls).toBe(1);
	expect(answers.get('red')).toBe(true);
	expect(statements.filter((entry) => known.has(entry))).toEqual(['bystander']);
	expect(row).toContain('statement');
	expect(inquiry.leftovers.flat()).not.toContain('statement');
});

test('what has become true in the meantime stays, and what is dropped goes', async () => {
	state('large');
	const inquiry = open();
	await inquiry.ask([topic, other]);
	inquiry.drop(getAllEntries(other));
	inquiry.keep(getEntries(['blue']));
	state('blue');
	for (const entry of inquiry.leftovers.flat()) row.delete(entry);
	expect(await ask([topic, other])).toEqual({ red: false, blue: true, large: false });
	expect(row).toEqual(new Set(['bystander', ...getEntries(['blue'])]));
});

test('what a question leaves when it is cut off is not believed while it is evicted, oldest first', async () => {
	await ask([topic], { isCutOff: true });
	const before = [...row].filter((entry) => entry !== 'bystander');
	for (let evicted = 1; evicted < before.length; evicted += 1) {
		row = new Set(before.slice(evicted));
		expect(await ask([topic])).toEqual({ red: false, blue: false });
	}
});
