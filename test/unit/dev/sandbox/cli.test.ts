import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const root = join(__dirname, '../../../..');

function start(...args: string[]) {
	return spawn(process.execPath, ['--import', 'tsx', 'dev/sandbox/cli.ts', ...args], {
		cwd: root,
		stdio: ['ignore', 'pipe', 'pipe'],
	});
}

test('prints address and keys, says that no money is real, serves, and stops on SIGTERM', async () => {
	const child = start('--port', '0', '--speed', '100', '--dialect', 'listOrder=byId');
	const exited = once(child, 'exit');
	let output = '';
	for await (const chunk of child.stdout) {
		output += String(chunk);
		if (output.includes('Ctrl+C')) break;
	}
	expect(output).toMatch(/emulator for development: no real money/);
	expect(output).toMatch(/Dialect +listOrder=byId\n/);
	const url = /Service\s+(http:\/\/127\.0\.0\.1:\d+)/.exec(output)?.[1];
	const key = /Test key\s+(\S+)/.exec(output)?.[1];
	const answer = await fetch(`${url}/v1/auth/self`, {
		headers: { authorization: `Bearer ${key}` },
	});
	expect(answer.status).toBe(200);
	child.kill('SIGTERM');
	expect(await exited).toEqual([0, null]);
}, 60_000);
