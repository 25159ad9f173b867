import { tmpdir } from 'node:os';
import { runSideBySide, type Command } from '../../../../dev/cli/sideBySide';

const node = (script: string): Command => [process.execPath, '-e', script];

let printed: string[];
beforeEach(() => (printed = []));

const run = async (...commands: Command[]) =>
	await runSideBySide(commands, tmpdir(), (text) => printed.push(text));

test('passes when all commands pass, and does not show what they print', async () => {
	expect(await run(node('console.log(6 * 7)'), node('console.log(7 * 8)'))).toBe(true);

	expect(printed).toHaveLength(2);
	expect(printed.join('\n')).not.toMatch(/42|56/);
});

test.each([0, 1])(
	'fails when command %i fails, and shows what that one prints',
	async (failing) => {
		const commands = [node('console.log(6 * 7)'), node('console.log(7 * 8)')];
		commands[failing] = node('console.error("12" + "34"); process.exitCode = 3');

		expect(await run(...commands)).toBe(false);

		const about = printed.filter((text) => text.startsWith('failed'));
		expect(about).toEqual([expect.stringMatching(/\n1234\n/)]);
		expect(printed).toHaveLength(2);
	},
);

test('ends the commands when it is interrupted', async () => {
	const controller = new AbortController();
	const forever = node('setInterval(() => undefined, 1_000)');
	const running = runSideBySide([forever, forever], tmpdir(), () => undefined, controller.signal);
	controller.abort(new Error('Interrupted.'));

	await expect(running).rejects.toThrow('Interrupted.');
});
