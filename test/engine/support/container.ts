import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BinaryDataConfig, BinaryDataService, ErrorReporter, InstanceSettings } from 'n8n-core';
import { LoggerProxy } from 'n8n-workflow';

export type BinaryMode = 'filesystem' | 'memory';

/** What n8n wrote to its log, arguments included: secrets must not be in it. */
export const logged: unknown[] = [];

const write = (...parts: unknown[]): void => void logged.push(...parts);
const logger = {
	error: write,
	warn: write,
	info: write,
	debug: write,
	scoped: () => logger,
} as unknown as Logger;

/**
 * Fills n8n's service container with what its execution engine needs beyond its defaults: a log that
 * tests can read, an instance that writes nothing to the home folder. HTTP requests are real.
 */
export function prepareContainer(): void {
	Container.set(Logger, logger);
	LoggerProxy.init(logger);
	Container.set(InstanceSettings, {
		instanceId: 'example-instance',
		encryptionKey: 'example-encryption-key',
		hmacSignatureSecret: 'example-hmac-secret',
	} as unknown as InstanceSettings);
	const reporter = { error: write, warn: write, info: write } as unknown as ErrorReporter;
	Container.set(ErrorReporter, reporter);
}

let folder: string | undefined;

/** Where n8n keeps the files of the items from now on. */
export async function keepFilesIn(mode: BinaryMode): Promise<void> {
	removeFiles();
	folder = mkdtempSync(join(tmpdir(), 'brl-payments-engine-'));
	const config = {
		mode: mode === 'filesystem' ? 'filesystem' : 'default',
		localStoragePath: folder,
		signingSecret: 'example-signing-secret',
	} as unknown as BinaryDataConfig;
	Container.set(BinaryDataConfig, config);
	const service = new BinaryDataService(config, Container.get(ErrorReporter), logger);
	await service.init();
	Container.set(BinaryDataService, service);
}

export function removeFiles(): void {
	if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
	folder = undefined;
}
