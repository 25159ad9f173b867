import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ModuleKind, ScriptTarget, transpileModule } from 'typescript';

const root = join(__dirname, '../../../../..');
const entries = [
	'nodes/BrlPayments/BrlPayments.node',
	'nodes/BrlPaymentsTrigger/BrlPaymentsTrigger.node',
	'credentials/BrlPaymentsApi.credentials',
	'credentials/BrlPaymentsWebhookApi.credentials',
];
const codexes = entries.slice(0, 2).map((entry) => `${entry}.json`);

/** What both linters and the scanner look at: the sources of nodes and credentials, and package.json. */
export function writeSources(folder: string): void {
	for (const entry of entries) cpSync(join(root, `${entry}.ts`), join(folder, `${entry}.ts`));
	for (const codex of codexes) cpSync(join(root, codex), join(folder, codex));
	cpSync(join(root, 'icons'), join(folder, 'icons'), { recursive: true });
	cpSync(join(root, 'package.json'), join(folder, 'package.json'));
}

/** The same as it is published. */
export function writePackage(folder: string): void {
	for (const entry of entries) {
		const { outputText } = transpileModule(readFileSync(join(root, `${entry}.ts`), 'utf8'), {
			compilerOptions: { module: ModuleKind.CommonJS, target: ScriptTarget.ES2022 },
		});
		const path = join(folder, 'dist', `${entry}.js`);
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, outputText);
	}
	for (const codex of codexes) cpSync(join(root, codex), join(folder, 'dist', codex));
	cpSync(join(root, 'icons'), join(folder, 'dist/icons'), { recursive: true });
	cpSync(join(root, 'package.json'), join(folder, 'package.json'));
}

/** Replaces a text in a file, which must be there. */
export function edit(path: string, text: string, replacement: string): void {
	const before = readFileSync(path, 'utf8');
	if (!before.includes(text)) throw new Error(`${path} does not hold ${text}`);
	writeFileSync(path, before.replace(text, replacement));
}
