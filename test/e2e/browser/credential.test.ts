/** The credential of the trigger in n8n's real editor. */
import { webhookCredential } from '../../../dev/n8n/rest/credentials';
import { deliver, paymentPaid } from '../support/deliveries';
import { Listener } from '../support/listener';
import { useWorld } from '../support/n8nTestEnv';
import { useScreen } from './support';

const world = useWorld();
const screen = useScreen(world);

const FIRST = 'whsec_example_first_5a7c4e2f9b3d';
const SECOND = 'whsec_example_second_8e1d0f6b7a21';
const { name } = webhookCredential(FIRST);

const customFields = ['hash', 'layout', 'encoding', 'prefix'];

let listener: Listener;
beforeAll(async () => {
	await world.client.createCredential(webhookCredential(FIRST));
	listener = await Listener.open(world, { credential: name });
});

it('shows the fields of a custom scheme for a custom scheme only', async () => {
	const { editor } = screen;
	await editor.openCredential(name);
	const shown = async () =>
		await Promise.all(customFields.map(async (field) => await editor.field(field).isVisible()));
	await editor.field('signatureScheme').waitFor();
	expect(await shown()).toEqual([false, false, false, false]);
	await editor.choose('signatureScheme', 'Custom');
	await editor.field('prefix').waitFor();
	expect(await shown()).toEqual([true, true, true, true]);
	await editor.choose('signatureScheme', 'HMAC-SHA512 of {timestamp}.{body}');
	await editor.field('prefix').waitFor({ state: 'detached' });
	expect(await shown()).toEqual([false, false, false, false]);
});

it('tests what was entered, and says what is wrong', async () => {
	const { editor } = screen;
	const window = await editor.openCredential(name);
	await editor.choose('signatureScheme', 'Custom');
	await editor.paste('layout', '{body}');
	expect(await editor.saveCredential()).toContain('must contain {timestamp} and {body}');
	await window.getByText('More details').click();
	await window.getByText('must contain {timestamp} and {body}').waitFor();
	await screen.keep('what the test says of a layout without timestamp');

	await editor.paste('layout', '{timestamp}.{body}');
	expect(await editor.saveCredential()).toContain('A sample signed with the secret was verified');
	await editor.part('credentials-config-container-test-success').waitFor();
	await editor.choose('signatureScheme', 'Automatic');
	await editor.saveCredential();
});

it('keeps two secrets that are pasted, one per line, and shows neither', async () => {
	const { editor } = screen;
	await editor.openCredential(name);
	await editor.paste('signingSecrets', `${FIRST}\n${SECOND}\n`);
	expect(await editor.isMasked('signingSecrets')).toBe(true);
	expect(await editor.saveCredential()).toContain('each of the 2 secrets');

	for (const secret of [FIRST, SECOND]) {
		expect(await deliver(listener.url, paymentPaid(), secret)).toMatchObject({ status: 200 });
	}
	expect(await listener.emittedIds()).toHaveLength(2);

	// Saved, they do not even come back to the browser.
	await editor.openCredential(name);
	expect(await editor.text('signingSecrets').inputValue()).not.toMatch(/first|second/);
});

it('does not take the dots of a saved secret for a secret', async () => {
	const { editor } = screen;
	await editor.openCredential(name);
	const dots = await editor.text('signingSecrets').inputValue();
	expect(dots).not.toBe('');
	await editor.paste('signingSecrets', `${dots}\n${SECOND}`);
	expect(await editor.saveCredential()).toMatch(
		/Typing next to the masked value .* enter all secrets again/,
	);

	await screen.keep('a secret typed next to the masked value');

	// What the browser was shown instead of the secret is no secret at all.
	expect(await deliver(listener.url, paymentPaid(), dots)).toMatchObject({ status: 503 });
	expect(await listener.emittedIds()).toHaveLength(2);

	await editor.paste('signingSecrets', SECOND);
	await editor.saveCredential();
	expect(await deliver(listener.url, paymentPaid(), SECOND)).toMatchObject({ status: 200 });
});
