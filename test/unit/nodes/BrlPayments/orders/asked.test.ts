import type { IContextObject } from 'n8n-workflow';
import { AskedNames } from '../../../../../nodes/BrlPayments/orders/asked';

const NOW = Date.parse('2026-11-27T12:00:00Z');
const PAY = { id: 'node-1', name: 'Pay' };
const OTHER = { id: 'node-2', name: 'Pay Suppliers' };

/** What n8n keeps with the execution; each run begins with what was stored. */
let flow: IContextObject;
beforeEach(() => {
	flow = {};
});
const open = (node = PAY, run = 'run-1', now = NOW) => {
	flow = JSON.parse(JSON.stringify(flow)) as IContextObject;
	return new AskedNames(flow, node, run, now);
};

test('the first run of an execution knows of no others', () => {
	const asked = open();

	expect(asked).toMatchObject({ wasMadeBefore: false, madeAt: NOW });
	expect([asked.elsewhere, asked.openElsewhere]).toEqual([new Set(), new Set()]);
});

test('a run that ended before it asked for anything is nothing to others', () => {
	open();
	const asked = open(OTHER);
	expect([asked.elsewhere, asked.openElsewhere]).toEqual([new Set(), new Set()]);
});

describe('what one run has asked for', () => {
	beforeEach(() => {
		const asked = open();
		asked.set(['a', 'b']);
		asked.leaveOpen('content-b');
	});

	test.each([
		['the next round of a loop', PAY, 'run-2'],
		['another node', OTHER, 'run-1'],
	])('is seen by %s', (_, node, run) => {
		const asked = open(node, run);

		expect(asked.wasMadeBefore).toBe(false);
		expect(asked.elsewhere).toEqual(new Set(['a', 'b']));
		expect(asked.openElsewhere).toEqual(new Set(['content-b']));
	});

	test.each([
		['as it was', PAY],
		['under another name', { id: PAY.id, name: 'Pay Salaries' }],
		['as a node that replaces it', { id: 'node-9', name: PAY.name }],
	])('is its own when it is made again %s, and so no second one', (_, node) => {
		const asked = open(node, 'run-1', NOW + 60_000);

		expect(asked).toMatchObject({ wasMadeBefore: true, madeAt: NOW });
		expect([asked.elsewhere, asked.openElsewhere]).toEqual([new Set(), new Set()]);
		asked.set(['b']);
		// What the earlier attempt of this run asked for no longer counts.
		expect(open(PAY, 'run-2').elsewhere).toEqual(new Set(['b']));
		expect(open(PAY, 'run-2').openElsewhere).toEqual(new Set());
	});

	test('of a node that was renamed, and replaced then, is found by its last name', () => {
		open({ id: PAY.id, name: 'Pay Salaries' });
		expect(open({ id: 'node-9', name: 'Pay Salaries' }).wasMadeBefore).toBe(true);
	});

	test('of two nodes that swapped their names is found by the ID', () => {
		open(OTHER).set(['c']);

		expect(open({ id: PAY.id, name: OTHER.name }).elsewhere).toEqual(new Set(['c']));
		expect(open({ id: OTHER.id, name: PAY.name }).elsewhere).toEqual(new Set(['a', 'b']));
	});
});

test('counts what earlier runs have asked for, also when a run in between is made again', () => {
	for (const [node, run] of [
		[PAY, 'run-1'],
		[OTHER, 'run-1'],
		[PAY, 'run-2'],
	] as const) {
		const asked = open(node, run);
		asked.set(['a']);
		asked.add(['b', 'b']);
	}

	expect([...open(PAY, 'run-3').countEarlier()]).toEqual([
		['a', 3],
		['b', 6],
	]);
	expect([...open(OTHER, 'run-1').countEarlier()]).toEqual([
		['a', 1],
		['b', 2],
	]);
	expect(open(PAY, 'run-1').countEarlier().size).toBe(0);
});
