import type { ICredentialType } from 'n8n-workflow';
import { unless, type Finding } from '../../finding';
import { checkIcon } from './icon';
import { isTitleCase } from './text';

/** Names of fields that contain what no one else may see. */
const SECRET = /key|secret|token|password/i;

export function checkCredential(
	credential: ICredentialType,
	folder: string,
	files: ReadonlyMap<string, string>,
): Finding[] {
	const { name: place, displayName, documentationUrl, properties } = credential;
	return [
		...unless(/^[a-z]\w*Api$/.test(place), place, 'is not named like a credential'),
		...unless(
			isTitleCase(displayName) && / API$/.test(displayName),
			place,
			`the name "${displayName}" is not in Title Case with API at the end`,
		),
		...unless(documentationUrl?.startsWith('https://') === true, place, 'names no documentation'),
		...checkIcon(place, credential.icon, folder, files),
		...properties
			.filter(({ name, typeOptions }) => SECRET.test(name) && typeOptions?.password !== true)
			.map(({ name }) => ({ place: `${place}.${name}`, text: 'shows a secret while it is typed' })),
	];
}
