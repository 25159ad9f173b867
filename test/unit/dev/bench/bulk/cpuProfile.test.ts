import { timeByOwner, type CpuProfile } from '../../../../../dev/bench/bulk/cpuProfile';

const MODULES = '/cache/n8n/node_modules';
const frame = (functionName: string, url = '') => ({ functionName, url });

/** A request that this package makes, and what Node.js does besides. Ids as V8 counts them, from 1. */
const PROFILE: CpuProfile = {
	nodes: [
		{ id: 1, callFrame: frame('(root)'), children: [2, 3, 4, 9] },
		{ id: 2, callFrame: frame('(idle)') },
		{ id: 3, callFrame: frame('(garbage collector)') },
		{
			id: 4,
			callFrame: frame('execute', '/x/node_modules/n8n-nodes-brl-payments/dist/api.js'),
			children: [5, 8],
		},
		{ id: 5, callFrame: frame('axios', `${MODULES}/axios/lib/axios.js`), children: [6, 7] },
		{ id: 6, callFrame: frame('connect', 'node:net') },
		{ id: 7, callFrame: frame('emit', 'node:events') },
		{ id: 8, callFrame: frame('stringify') },
		{ id: 9, callFrame: frame('processTicks', 'node:internal/process/task_queues') },
	],
	samples: [2, 3, 4, 5, 6, 7, 8, 9, 6],
	timeDeltas: [9_000, 1_000, 2_000, 3_000, 4_000, 5_000, 6_000, 7_000, 500],
};

test('a sample belongs to the innermost function whose file has an owner', () => {
	expect(Object.fromEntries(timeByOwner(PROFILE))).toEqual({
		'collecting garbage': 1,
		'the node itself': 2 + 6,
		"n8n's request helper, axios": 3 + 5,
		'opening connections': 4.5,
		'the rest of Node.js': 7,
	});
});

test.each([
	[
		'the credential',
		`${MODULES}/n8n/dist/credentials-helper.js`,
		'credential: database, decryption',
	],
	['the database', `${MODULES}/@n8n/typeorm/query.js`, 'credential: database, decryption'],
	['an expression', `${MODULES}/n8n-workflow/dist/expression.js`, 'parameters and expressions'],
	['HTTP', 'node:_http_client', 'HTTP of Node.js'],
	['the pool of sockets', 'node:_http_agent', 'opening connections'],
	['n8n', `${MODULES}/n8n/dist/executions/save.js`, 'n8n: execution and what it saves'],
])('%s is recognized by its file', (_name, url, owner) => {
	const profile: CpuProfile = {
		nodes: [
			{ id: 1, callFrame: frame('(root)'), children: [2] },
			{ id: 2, callFrame: frame('work', url) },
		],
		samples: [2],
		timeDeltas: [1_000],
	};

	expect([...timeByOwner(profile).keys()]).toEqual([owner]);
});

test('an empty profile says nothing', () => {
	expect(timeByOwner({ nodes: [], samples: [], timeDeltas: [] }).size).toBe(0);
});
