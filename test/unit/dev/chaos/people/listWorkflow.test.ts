import { correctRow } from '../../../../../dev/chaos/people/intent';
import { planLists, SHAPES, type Shape } from '../../../../../dev/chaos/people/lists';
import { listWorkflow, type WorkflowState } from '../../../../../dev/chaos/people/listWorkflow';
import {
	HTTP_REQUEST,
	idInDescription,
	WITHOUT_REFERENCES,
	WITH_REFERENCES,
	type Strategy,
} from '../../../../../dev/chaos/people/strategies';

const [list] = planLists(7, 'example', 40);
const rows = list!.intent.list;

const state: WorkflowState = {
	nodeId: 'node-1',
	credential: 'Example credential',
	wording: 1,
	isDocumentFilledIn: false,
	isGuardOff: false,
	rows,
	path: 'example-path',
	webhookNodeId: 'webhook-1',
	isErrorWiredBack: false,
	isEachErrorShown: false,
};

const build = (
	changes: Partial<WorkflowState> = {},
	{
		strategy = WITH_REFERENCES,
		shape = 'stop',
		retry = false,
	}: {
		strategy?: Strategy;
		shape?: Shape;
		retry?: boolean;
	} = {},
) => listWorkflow(strategy, shape, retry, { ...state, ...changes }, 'http://127.0.0.1:1');
const getNode = (workflow: ReturnType<typeof build>, name: string) =>
	workflow.nodes.find((each) => each.name === name);
const targets = (workflow: ReturnType<typeof build>, name: string) =>
	workflow.connections[name]?.main?.map((output) => output?.map(({ node }) => node));

it('is started by hand and in production, with its rows', () => {
	const workflow = build();
	expect(targets(workflow, 'Start')).toEqual([['List']]);
	expect(targets(workflow, 'Webhook')).toEqual([['List']]);
	expect(getNode(workflow, 'Webhook')).toMatchObject({
		webhookId: 'webhook-1',
		parameters: { path: 'example-path' },
	});
	const { items } = JSON.parse(getNode(workflow, 'List')!.parameters.jsonOutput as string) as {
		items: unknown[];
	};
	expect(items).toHaveLength(rows.length);
	expect(items[1]).toEqual({
		id: rows[1]!.payout.id,
		pixKey: rows[1]!.pixKey,
		amount: rows[1]!.amount,
		document: rows[1]!.payout.document,
		reference: rows[1]!.payout.reference,
	});
});

it('writes the row as it is, not as it should be', () => {
	const wrong = { ...correctRow(rows[0]!.payout), pixKey: 'former@example.com', amount: '1.234' };
	const text = getNode(build({ rows: [wrong] }), 'List')!.parameters.jsonOutput as string;
	expect(text).toContain('"pixKey":"former@example.com","amount":"1.234"');
});

it.each([WITH_REFERENCES, WITHOUT_REFERENCES, HTTP_REQUEST])(
	'$title: shows what the person changed about the paying node',
	(strategy) => {
		const before = getNode(build({}, { strategy }), 'Pay')!;
		expect(before.id).toBe('node-1');
		expect(before.credentials).toEqual({
			brlPaymentsApi: { id: null, name: 'Example credential' },
		});
		expect(JSON.stringify(before.parameters)).toContain('wording 1');
		expect(JSON.stringify(before.parameters)).not.toContain('recipientDocument');
		const changed = { nodeId: 'node-2', credential: 'Other', wording: 2, isDocumentFilledIn: true };
		const after = getNode(build(changed, { strategy }), 'Pay')!;
		expect(after.id).toBe('node-2');
		expect(after.credentials).toEqual({ brlPaymentsApi: { id: null, name: 'Other' } });
		expect(JSON.stringify(after.parameters)).toContain('wording 2');
		expect(JSON.stringify(after.parameters)).toContain('recipientDocument');
	},
);

it('gives references where the strategy has them', () => {
	expect(getNode(build(), 'Pay')!.parameters.reference).toBe('={{ $json.reference }}');
	const without = getNode(build({}, { strategy: WITHOUT_REFERENCES }), 'Pay')!;
	expect(without.parameters).not.toHaveProperty('reference');
});

it.each(SHAPES)('hands the list to the paying node: %s', (shape) => {
	const workflow = build({}, { shape });
	if (shape === 'loop') {
		expect(targets(workflow, 'Items')).toEqual([['Loop']]);
		expect(targets(workflow, 'Loop')).toEqual([['Done'], ['Pay']]);
		expect(targets(workflow, 'Pay')).toEqual([['Loop']]);
	} else {
		expect(targets(workflow, 'Items')).toEqual([['Pay']]);
	}
	const onError = shape === 'continue' ? 'continueRegularOutput' : undefined;
	expect(getNode(workflow, 'Pay')!.onError).toBe(onError);
});

it('has Retry On Fail where asked for', () => {
	expect(getNode(build(), 'Pay')!.retryOnFail).toBeUndefined();
	expect(getNode(build({}, { retry: true }), 'Pay')!.retryOnFail).toBe(true);
});

it('shows the error of each row where asked for', () => {
	const pay = getNode(build({ isEachErrorShown: true }), 'Pay')!;
	expect(pay.onError).toBe('continueRegularOutput');
});

it('turns the guard off for what was looked up', () => {
	const getOptions = (isGuardOff: boolean) =>
		getNode(build({ isGuardOff }, { strategy: WITHOUT_REFERENCES }), 'Pay')!.parameters.options;
	expect(getOptions(false)).not.toHaveProperty('duplicateGuard');
	expect(getOptions(true)).toHaveProperty('duplicateGuard', 'never');
});

it('reads the payout off its description', () => {
	expect(idInDescription('reference-00007, wording 2')).toBe('reference-00007');
	expect(idInDescription('Other tool, 3')).toBeUndefined();
	expect(idInDescription(undefined)).toBeUndefined();
});

it.each(['stop', 'continue'] as const)('wires the error output back: %s', (shape) => {
	const workflow = build({ isErrorWiredBack: true }, { shape });
	expect(getNode(workflow, 'Pay')!.onError).toBe('continueErrorOutput');
	expect(targets(workflow, 'Pay')).toEqual([['Paid'], ['Again']]);
	expect(targets(workflow, 'Again')).toEqual([['Pay']]);
});
