/** Wiring nodes in n8n's real editor before any of them has run. */
import {
	brlPayments,
	manualStart,
	payEachItem,
	buildWorkflow,
} from '../../../dev/n8n/rest/workflow';
import { useWorld } from '../support/n8nTestEnv';
import { useScreen } from './support';

const world = useWorld();
const screen = useScreen(world);

const NEXT = 'Look It Up';

beforeAll(async () => {
	const nodes = [
		...manualStart([{}]),
		payEachItem(),
		brlPayments(NEXT, 'withdrawal', 'get', { withdrawalId: '' }),
	];
	const { id } = await world.client.createWorkflow(buildWorkflow('Never run', nodes));
	await screen.editor.openWorkflow(id);
	await screen.editor.openNode(NEXT);
});

it('offers what the node before will put out', async () => {
	const input = screen.editor.part('ndv-input-panel');
	for (const field of ['netAmount', 'status', 'createdAt']) {
		await input.getByText(field, { exact: true }).waitFor();
	}
	// What a withdrawal has only later is not promised of a new one.
	expect(await input.getByText('errorMessage', { exact: true }).count()).toBe(0);
});

it('takes a field that is dragged there', async () => {
	const { editor } = screen;
	const field = editor.part('ndv-input-panel').getByText('id', { exact: true });
	const from = (await field.boundingBox())!;
	const to = (await editor.field('withdrawalId').boundingBox())!;
	const { mouse } = editor.page;
	await mouse.move(from.x + from.width / 2, from.y + from.height / 2);
	await mouse.down();
	await mouse.move(from.x + 40, from.y + 20, { steps: 5 });
	await mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 20 });
	await mouse.up();
	await editor.field('withdrawalId').getByText('{{ $json.id }}').first().waitFor();
});

it('shows the scope that the key needs', async () => {
	await screen.editor
		.part('output-panel')
		.getByText('The API key needs the scope withdrawals:read.')
		.waitFor();
});
