import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { Script } from 'node:vm';
import { transformSync } from '@swc/core';

type Factory = (
	module: { exports: unknown },
	exports: unknown,
	require: (name: string) => unknown,
	dirname: string,
	filename: string,
) => void;

const factories = new Map<string, Factory>();

/** Compiled once in a process, however often it is loaded. */
function loadFactory(path: string): Factory {
	const known = factories.get(path);
	if (known) return known;
	const { code } = transformSync(readFileSync(path, 'utf8'), {
		filename: path,
		jsc: { parser: { syntax: 'typescript', decorators: true }, target: 'es2022' },
		module: { type: 'commonjs' },
		sourceMaps: 'inline',
	});
	const wrapped = `(function (module, exports, require, __dirname, __filename) {${code}\n})`;
	const factory = new Script(wrapped, { filename: path }).runInThisContext() as Factory;
	factories.set(path, factory);
	return factory;
}

const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

function resolve(name: string, from: string): string {
	const path = join(from, name);
	const found = ['', '.ts', '.js', '/index.ts'].map((end) => path + end).find(isFile);
	if (found === undefined) throw new Error(`No module ${path}`);
	return found;
}

const resolved = new Map<string, string>();

function getPath(name: string, from: string): string {
	const id = `${from}\n${name}`;
	const path = resolved.get(id) ?? resolve(name, from);
	resolved.set(id, path);
	return path;
}

/**
 * The project's own modules, loaded anew as another process would. Those of `node_modules` are shared by all,
 * because they take most of the time.
 */
export class Modules {
	private readonly loaded = new Map<string, { exports: unknown }>();
	private readonly mocks = new Map<string, () => unknown>();

	load(path: string): unknown {
		const known = this.loaded.get(path);
		if (known) return known.exports;
		if (extname(path) === '.json') return JSON.parse(readFileSync(path, 'utf8')) as unknown;
		const module = { exports: {} as unknown };
		this.loaded.set(path, module);
		const folder = dirname(path);
		const outer = createRequire(path);
		const require = Object.assign((name: string) => this.require(name, folder, outer), outer);
		loadFactory(path)(module, module.exports, require, folder, path);
		return module.exports;
	}

	require(name: string, folder: string, outer: NodeJS.Require = createRequire(join(folder, '_'))) {
		const isOwn = name.startsWith('.');
		const mock = this.mocks.get(isOwn ? getPath(name, folder) : name);
		if (mock) return mock();
		return isOwn ? this.load(getPath(name, folder)) : (outer(name) as unknown);
	}

	mock(name: string, folder: string, factory: () => unknown): void {
		this.mocks.set(name.startsWith('.') ? getPath(name, folder) : name, factory);
	}
}
