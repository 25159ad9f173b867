import type { IContextObject } from 'n8n-workflow';
import { OperationMemory } from '../../../../../nodes/api/idempotency/memory';
import { savedAndLoaded } from '../../../support/nodeContext';

const open = (nodeContext: IContextObject, runIndex = 0, root = 'root-1') =>
	new OperationMemory(nodeContext, runIndex, (stored) => stored ?? root);

test('finds a record again after n8n has saved and loaded the execution', () => {
	const nodeContext: IContextObject = {};
	const before = open(nodeContext);
	before.store('key-1', { generation: 2, firstUsedAt: 1795262400000, unclear: true, owner: '101' });
	before.store('key-2', { generation: 0 });

	const after = open(savedAndLoaded(nodeContext), 0, 'root-2');

	expect(after.root).toBe('root-1');
	expect(after.find('key-1')).toEqual({
		generation: 2,
		firstUsedAt: 1795262400000,
		unclear: true,
		owner: '101',
	});
	expect(after.find('key-2')).toEqual({ generation: 0 });
	expect(after.find('key-3')).toBeUndefined();
});

test('a doubt that was cleared up is gone after saving as well', () => {
	const nodeContext: IContextObject = {};
	const memory = open(nodeContext);
	memory.store('key-1', { generation: 0, unclear: true });
	memory.store('key-1', { generation: 0, unclear: undefined });

	expect(open(savedAndLoaded(nodeContext)).find('key-1')).toEqual({ generation: 0 });
});

test('leaves alone what else the node context holds', () => {
	const nodeContext: IContextObject = { other: { kept: true } };
	open(nodeContext).store('key-1', { generation: 0 });

	expect(nodeContext.other).toEqual({ kept: true });
});

test('stores the root at once, so that a second run of the node finds it', () => {
	const nodeContext: IContextObject = {};
	open(nodeContext, 0, 'root-1');

	expect(open(savedAndLoaded(nodeContext), 1, 'root-2').root).toBe('root-1');
});

test('knows the run that it has seen last, and takes no other run for it', () => {
	const nodeContext: IContextObject = {};
	expect(open(nodeContext, 2).isSameRunAgain).toBe(false);
	expect(open(savedAndLoaded(nodeContext), 2).isSameRunAgain).toBe(true);
	expect(open(nodeContext, 3).isSameRunAgain).toBe(false);
	expect(open(nodeContext, 3).isSameRunAgain).toBe(true);
});

test('tells hundreds of operations apart in little space', () => {
	const nodeContext: IContextObject = {};
	const memory = open(nodeContext);
	const before = JSON.stringify(nodeContext).length;
	for (let index = 0; index < 500; index += 1) memory.store(`key-${index}`, { generation: index });

	for (let index = 0; index < 500; index += 1) {
		expect(memory.find(`key-${index}`)).toEqual({ generation: index });
	}
	expect((JSON.stringify(nodeContext).length - before) / 500).toBeLessThan(50);
});

describe('the run index', () => {
	test('counts from the first run that the context has seen', () => {
		const nodeContext: IContextObject = {};

		expect(open(nodeContext, 3).relativeRunIndex(3)).toBe(0);
		expect(open(nodeContext, 4).relativeRunIndex(4)).toBe(1);
		expect(open(savedAndLoaded(nodeContext), 5).relativeRunIndex(5)).toBe(2);
	});

	test('begins anew with an empty context, as after kill -9', () => {
		expect(open({}, 1).relativeRunIndex(1)).toBe(0);
		expect(open({}, 0).relativeRunIndex(0)).toBe(0);
	});
});
