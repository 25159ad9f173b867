import type { INodeTypeDescription } from 'n8n-workflow';
import { unless, type Finding } from '../../finding';
import { checkIcon } from './icon';
import { hasForeignLetters, isSentence, isTitleCase } from './text';

/** The file next to a node by which users find it. */
export interface Codex {
	readonly node?: string;
	readonly categories?: readonly string[];
	readonly resources?: { readonly primaryDocumentation?: ReadonlyArray<{ readonly url?: string }> };
}

export function checkNode(
	node: {
		readonly description: INodeTypeDescription;
		readonly codex: Codex;
		readonly folder: string;
	},
	packageName: string,
	credentialNames: readonly string[],
	files: ReadonlyMap<string, string>,
): Finding[] {
	const { description, codex, folder } = node;
	const { name: place, displayName, subtitle, credentials = [] } = description;
	const isTrigger = description.group.includes('trigger');
	return [
		...unless(isTitleCase(displayName), place, `the name "${displayName}" is not in Title Case`),
		...unless(isSentence(description.description), place, 'has no description'),
		...unless(!hasForeignLetters(description.description), place, 'is not described in English'),
		...unless(Boolean(subtitle), place, 'has no subtitle'),
		...unless(isTrigger || description.usableAsTool === true, place, 'is not usable as a tool'),
		...unless(
			isTrigger === displayName.endsWith(' Trigger'),
			place,
			'is called Trigger and is none, or the other way round',
		),
		...checkIcon(place, description.icon, folder, files),
		...credentials
			.filter(({ name }) => !credentialNames.includes(name))
			.map(({ name }) => ({ place, text: `asks for the credential ${name}, which is not there` })),
		...unless(codex.node === `${packageName}.${place}`, place, 'has a codex for another node'),
		...unless((codex.categories ?? []).length > 0, place, 'has no category'),
		...unless(
			codex.resources?.primaryDocumentation?.[0]?.url?.startsWith('https://') === true,
			place,
			'names no documentation',
		),
	];
}
