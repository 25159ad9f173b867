// Evaluates expressions as n8n does, in the engine that n8n starts with. Runs on n8n's own Node.js.
// Arguments: the folder of n8n-workflow. Standard input: a list of { raw, json }. Output: a list of
// { value }, or {} where the evaluation failed or its result is no JSON.
const [, , folder] = process.argv;
const { Expression, Workflow } = require(folder);

const workflow = new Workflow({
	id: 'example',
	active: false,
	connections: {},
	nodes: [{ id: '1', name: 'Pay', type: 'pay', typeVersion: 1, position: [0, 0], parameters: {} }],
	nodeTypes: { getByNameAndVersion: () => ({ description: { properties: [] } }) },
});

function evaluate({ raw, json }) {
	const items = [{ json: { other: 'item' } }, { json }];
	try {
		const { expression } = workflow;
		return { value: expression.getParameterValue(raw, null, 0, 1, 'Pay', items, 'manual', {}) };
	} catch {
		return {};
	}
}

async function main() {
	const input = [];
	for await (const chunk of process.stdin) input.push(chunk);
	const cases = JSON.parse(Buffer.concat(input).toString());
	const limits = { bridgeTimeout: 5_000, bridgeMemoryLimit: 128, maxCodeCacheSize: 100 };
	await Expression.initExpressionEngine({ engine: 'vm', poolSize: 1, ...limits });
	await workflow.expression.acquireIsolate();
	const isInVm = Expression.shouldUseVm();
	const output = JSON.stringify({ isInVm, results: cases.map(evaluate) });
	process.stdout.write(output, () => process.exit());
}

void main();
