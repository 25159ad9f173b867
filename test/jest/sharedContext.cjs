const { createRequire } = require('node:module');
const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');

/** Stands for the context of the worker process, for which Node.js has no object. */
const OWN_CONTEXT = {};

const { compileFunction } = vm;
vm.compileFunction = (code, parameters, options) =>
	compileFunction(
		code,
		parameters,
		options?.parsingContext === OWN_CONTEXT ? { ...options, parsingContext: undefined } : options,
	);

/**
 * Files of tests one after the other in the context of the worker process. Each file gets modules of
 * the project of its own, as always in jest, but the packages in `once/` are loaded once for each
 * worker: in a new context, loading n8n-workflow and n8n-core takes longer than most files of tests.
 */
module.exports = class SharedContext extends TestEnvironment {
	constructor(config, context) {
		super(config, context);
		this.global = globalThis;
		this.context = OWN_CONTEXT;
		const { projectConfig } = config;
		this.moduleMocker = new this.moduleMocker.constructor(globalThis);
		this.fakeTimersModern = new this.fakeTimersModern.constructor({
			config: projectConfig,
			global: globalThis,
		});
		this.globals = projectConfig.globals;
		// jest replaces these for each file.
		this.replaced = { console: globalThis.console, exit: process.exit };
		Object.assign(globalThis, this.globals, {
			loadOnce: createRequire(`${projectConfig.rootDir}/package.json`),
		});
	}

	async teardown() {
		await super.teardown();
		for (const name of Object.keys(this.globals)) delete globalThis[name];
		globalThis.console = this.replaced.console;
		process.exit = this.replaced.exit;
	}
};
