import type { ICredentialType, INodeTypeDescription } from 'n8n-workflow';
import type { Finding } from '../../finding';
import { checkCredential } from './credential';
import { checkField } from './field';
import { getFields } from './fields';
import { checkNode, type Codex } from './node';
import { checkOperations } from './operations';

/** What n8n loads from the package. */
export interface Loaded {
	readonly packageName: string;
	readonly nodes: ReadonlyArray<{
		readonly description: INodeTypeDescription;
		readonly codex: Codex;
		/** Folder of the node in the package. */
		readonly folder: string;
	}>;
	readonly credentials: ReadonlyArray<{
		readonly credential: ICredentialType;
		readonly folder: string;
	}>;
	/** Text by path. */
	readonly files: ReadonlyMap<string, string>;
}

/**
 * What a machine can check of n8n's UX guidelines, on the nodes as n8n loads them: the linters see
 * only what is written out in the sources, not what a function puts together.
 */
export function checkInterface(loaded: Loaded): Finding[] {
	const names = loaded.credentials.map(({ credential }) => credential.name);
	return [
		...loaded.nodes.flatMap((node) => [
			...checkNode(node, loaded.packageName, names, loaded.files),
			...checkOperations(node.description),
			...getFields(node.description.name, node.description.properties).flatMap(checkField),
		]),
		...loaded.credentials.flatMap(({ credential, folder }) => [
			...checkCredential(credential, folder, loaded.files),
			...getFields(credential.name, credential.properties).flatMap(checkField),
		]),
	];
}
