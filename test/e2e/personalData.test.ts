/**
 * Documents and e-mail addresses of payers after operations and deliveries: nothing of them is in n8n's
 * log at its most talkative, and with the option nothing of a delivery is in its database.
 */
import { readFile } from 'node:fs/promises';
import { deliver, paymentPaid } from './support/deliveries';
import { Listener } from './support/listener';
import { findInFiles } from './support/search';
import { brlPayments, manualStart, payEachItem, buildWorkflow } from '../../dev/n8n/rest/workflow';
import { useWorld } from './support/n8nTestEnv';

const world = useWorld({ N8N_LOG_LEVEL: 'debug' });

it('is not logged, and with the option not stored', async () => {
	const items = [
		{ amount: '100,00', pixKey: '52998224725', description: 'one' },
		{ amount: '101,00', pixKey: 'maria.silva@recipient.example', description: 'two' },
		{ amount: '102,00', pixKey: '52998224726', description: 'mistyped' },
	];
	const pay = (name: string, extras = {}) =>
		buildWorkflow(name, [...manualStart(items), payEachItem(extras, { maskPersonalData: true })]);
	await world.run(pay('Continued', { onError: 'continueRegularOutput' }));
	expect((await world.run(pay('Failed'))).status).toBe('error');
	world.sandbox.seed.customer({ externalId: 'payer', environment: 'PRODUCTION' });
	const customer = brlPayments('Customer', 'customer', 'getByExternalId', { externalId: 'payer' });
	expect(
		(await world.run(buildWorkflow('Customer', [...manualStart([{}]), customer]))).status,
	).toBe('success');

	const payer = (document: string, name: string) => ({
		payer: { name, document, documentType: 'CPF' },
	});
	const masking = await Listener.open(world, {
		name: 'Masked',
		options: { maskPersonalData: true },
	});
	const plain = await Listener.open(world, { name: 'Plain' });
	const masked = paymentPaid(payer('11144477735', 'Masked Payer'));
	await deliver(masking.url, masked);
	await deliver(plain.url, paymentPaid(payer('12345678909', 'Plain Payer')));
	await masking.executions();
	await plain.executions();

	await world.n8n.stop();
	const { userFolder, logFile } = world.n8n;
	const log = await readFile(logFile, 'utf8');
	expect(log).toContain('debug');
	for (const personal of [
		...['52998224725', '52998224726', 'maria.silva@', 'maria@customer.example'],
		...['11144477735', '12345678909', 'Masked Payer', 'Plain Payer'],
	]) {
		expect(log).not.toContain(personal);
	}
	// The search can find: without the option the payer is stored, with it all but the document.
	expect(await findInFiles(userFolder, '12345678909')).not.toEqual([]);
	expect(await findInFiles(userFolder, 'Masked Payer')).not.toEqual([]);
	expect(await findInFiles(userFolder, '11144477735')).toEqual([]);
	await world.startN8n();
});
