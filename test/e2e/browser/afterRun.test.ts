/** What n8n's real editor says next to the output when a node has run. */
import { brlPayments, manualStart, buildWorkflow } from '../../../dev/n8n/rest/workflow';
import { useWorld } from '../support/n8nTestEnv';
import { useScreen, waitForText } from './support';

const world = useWorld();
const screen = useScreen(world);

const LIST = 'List Paid Payments';

beforeEach(async () => {
	const list = brlPayments(LIST, 'payment', 'getAll', {
		returnAll: true,
		filters: { status: 'PAID' },
		options: {},
	});
	const { id } = await world.client.createWorkflow(
		buildWorkflow(LIST, [...manualStart([{}]), list]),
	);
	await screen.editor.openWorkflow(id);
	await screen.editor.openNode(LIST);
});

const output = () => screen.editor.part('output-panel');

async function execute(): Promise<void> {
	await screen.editor.part('node-execute-button').click();
}

function seedPaidAndOpen(): void {
	const { seed } = world.sandbox;
	for (const status of ['PAID', 'NEW'] as const)
		seed.payment({ environment: 'PRODUCTION', status });
}

it('says that the server did not apply a filter, and shows what passes it', async () => {
	seedPaidAndOpen();
	world.sandbox.dialect.listFilters.names = 'ignoredNames';
	await execute();
	await output().getByText('The server did not apply all filters.').waitFor();
	await waitForText(screen.editor.part('ndv-items-count', output()), '1 item');
});

it('says nothing of filters that the server applied', async () => {
	seedPaidAndOpen();
	await execute();
	await screen.editor.part('ndv-items-count', output()).waitFor();
	expect(await output().innerText()).not.toContain('did not apply');
});

it('names the scope that the key lacks', async () => {
	const key = world.sandbox.createKey({ environment: 'PRODUCTION', scopes: ['balance:read'] });
	await world.useKey(key);
	await execute();
	await output().getByText('The API key is not allowed to do this').first().waitFor();
	await output().getByText('Give the key the scope payments:read').first().waitFor();
	await world.useKey(world.sandbox.keys.live);
});
