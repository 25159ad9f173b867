/** What an agent gets of a record that has more than ten fields. */
import { agentWorkflow, getAnswers } from '../support/agent';
import { useBench } from '../support/harness';
import { operation, type Parameters } from '../support/workflow';

const bench = useBench();

const getPayment = (more: Parameters): Parameters =>
	operation('payment.get', { paymentId: "={{ $fromAI('id', '', 'string') }}", ...more });

/** Asks for two payments; returns what the agent was shown, as records. */
async function told(more: Parameters): Promise<Array<Record<string, unknown>>> {
	const ids = [1, 2].map(() => bench.sandbox.seed.payment({ environment: 'SANDBOX' }).id);
	const rounds = ids.map((id) => [{ id }]);
	const execution = await bench.start(agentWorkflow('inside', getPayment(more)), [{ rounds }]);
	return getAnswers(execution).map((answer) => {
		const answered: unknown = JSON.parse(answer);
		const records = (Array.isArray(answered) ? answered : [answered]) as [Record<string, unknown>];
		expect([records.length, ids]).toEqual([1, expect.arrayContaining([records[0].id])]);
		return records[0];
	});
}

it('gets the fields that are named, in their order, and what is not there is left out', async () => {
	const records = await told({ output: 'fields', fields: ' status, id,noSuchField,' });
	expect(records.map(Object.keys)).toEqual([
		['status', 'id'],
		['status', 'id'],
	]);
});

it('gets all fields as Raw, and fewer as Simplified, which is the default', async () => {
	const [raw] = await told({ output: 'raw' });
	const [simple] = await told({ output: 'simple' });
	const [byDefault] = await told({});
	expect(raw).toHaveProperty('currency');
	expect(simple).not.toHaveProperty('currency');
	expect(Object.keys(byDefault!)).toEqual(Object.keys(simple!));
});

it('is asked to name a field where none is named', async () => {
	const { id } = bench.sandbox.seed.payment({ environment: 'SANDBOX' });
	const parameters = getPayment({ output: 'fields', fields: ' , ' });
	const workflow = agentWorkflow('inside', parameters);
	const execution = await bench.start(workflow, [{ rounds: [[{ id }], [{ id }]] }]);
	for (const answer of getAnswers(execution)) expect(answer).toContain('No field is listed');
});
