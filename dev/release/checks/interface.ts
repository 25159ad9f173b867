import { createRequire } from 'node:module';
import { basename, join, posix } from 'node:path';
import type {
	ICredentialType,
	INodeProperties,
	INodePropertyOptions,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import type { Finding } from '../finding';
import type { Manifest } from './manifest';

/** The file next to a node by which users find it. */
export interface Codex {
	readonly node?: string;
	readonly categories?: readonly string[];
	readonly resources?: { readonly primaryDocumentation?: ReadonlyArray<{ readonly url?: string }> };
}

interface LoadedNode {
	readonly description: INodeTypeDescription;
	readonly codex: Codex;
	/** Folder of the node in the package. */
	readonly folder: string;
}

/** What n8n loads from the package. */
export interface Loaded {
	readonly packageName: string;
	readonly nodes: readonly LoadedNode[];
	readonly credentials: ReadonlyArray<{
		readonly credential: ICredentialType;
		readonly folder: string;
	}>;
	/** Text by path. */
	readonly files: ReadonlyMap<string, string>;
}

/** Loads nodes and credentials from an unpacked package the way n8n does: by their class names. */
export function load(
	packageFolder: string,
	{ name = '', n8n: { nodes = [], credentials = [] } = {} }: Manifest,
	files: ReadonlyMap<string, string>,
): Loaded {
	const requireFromPackage = createRequire(join(packageFolder, 'package.json'));
	const create = <T>(entry: string): T => {
		const [className = ''] = basename(entry).split('.');
		const exported = requireFromPackage(`./${entry}`) as Record<string, new () => T>;
		const Type = exported[className];
		if (!Type) throw new Error(`${entry} does not export ${className}.`);
		return new Type();
	};
	return {
		packageName: name,
		nodes: nodes.map((entry) => ({
			description: create<INodeType>(entry).description,
			codex: requireFromPackage(`./${entry.replace(/\.js$/, '.json')}`) as Codex,
			folder: posix.dirname(entry),
		})),
		credentials: credentials.map((entry) => ({
			credential: create<ICredentialType>(entry),
			folder: posix.dirname(entry),
		})),
		files,
	};
}

/** What has to hold, and what is found if it does not. */
type Rule = readonly [holds: boolean | undefined, text: string];

function check(place: string, rules: readonly Rule[]): Finding[] {
	return rules.flatMap(([holds, text]) => (holds ? [] : [{ place, text }]));
}

/**
 * What a machine can check of n8n's UX guidelines, on the nodes as n8n loads them: the linters see
 * only what is written out in the sources, not what a function puts together.
 */
export function checkInterface(loaded: Loaded): Finding[] {
	return [
		...loaded.nodes.flatMap((node) => [
			...checkNode(node, loaded),
			...checkOperations(node.description),
			...getFields(node.description).flatMap(checkField),
		]),
		...loaded.credentials.flatMap(({ credential, folder }) => [
			...checkCredential(credential),
			...checkIcon(credential.name, credential.icon, folder, loaded.files),
			...getFields(credential).flatMap(checkField),
		]),
	];
}

function checkNode({ description, codex, folder }: LoadedNode, loaded: Loaded): Finding[] {
	const { name, displayName, credentials = [] } = description;
	const isTrigger = description.group.includes('trigger');
	const known = loaded.credentials.map(({ credential }) => credential.name);
	const [documentation] = codex.resources?.primaryDocumentation ?? [];
	return [
		...check(name, [
			[isTitleCase(displayName), `the name "${displayName}" is not in Title Case`],
			[isSentence(description.description), 'has no description'],
			[isEnglish(description.description), 'is not described in English'],
			[Boolean(description.subtitle), 'has no subtitle'],
			[isTrigger || description.usableAsTool === true, 'is not usable as a tool'],
			[
				isTrigger === displayName.endsWith(' Trigger'),
				'is called Trigger and is none, or the other way round',
			],
			[codex.node === `${loaded.packageName}.${name}`, 'has a codex for another node'],
			[(codex.categories ?? []).length > 0, 'has no category'],
			[documentation?.url?.startsWith('https://'), 'names no documentation'],
			...credentials.map((each): Rule => [
				known.includes(each.name),
				`asks for the credential ${each.name}, which is not there`,
			]),
		]),
		...checkIcon(name, description.icon, folder, loaded.files),
	];
}

/** An SVG for light and another one for dark screens. @param folder that the paths are relative to */
function checkIcon(
	place: string,
	icon: unknown,
	folder: string,
	files: ReadonlyMap<string, string>,
): Finding[] {
	const addresses = (icon ?? {}) as { light?: unknown; dark?: unknown };
	const [light, dark] = [addresses.light, addresses.dark].map((address) => {
		const [, path] = /^file:(.+\.svg)$/.exec(String(address)) ?? [];
		return path === undefined ? undefined : files.get(posix.join(folder, path));
	});
	return check(place, [
		[light !== undefined, 'has no icon for light screens in the package'],
		[dark !== undefined, 'has no icon for dark screens in the package'],
		[light === undefined || light !== dark, 'has the same icon for light and dark screens'],
	]);
}

/** Names of fields that contain what no one else may see. */
const SECRET = /key|secret|token|password/i;

function checkCredential({ name, displayName, documentationUrl, properties }: ICredentialType) {
	const shown = properties.filter(
		(field) => SECRET.test(field.name) && field.typeOptions?.password !== true,
	);
	return [
		...check(name, [
			[/^[a-z]\w*Api$/.test(name), 'is not named like a credential'],
			[
				isTitleCase(displayName) && / API$/.test(displayName),
				`the name "${displayName}" is not in Title Case with API at the end`,
			],
			[documentationUrl?.startsWith('https://'), 'names no documentation'],
		]),
		...shown.map((field) => ({
			place: `${name}.${field.name}`,
			text: 'shows a secret while it is typed',
		})),
	];
}

/** The lists of resources and operations, and what goes with some operations. */
function checkOperations({ name, properties }: INodeTypeDescription): Finding[] {
	const lists = properties.filter((field) => ['resource', 'operation'].includes(field.name));
	return lists.flatMap((list) => {
		const resource = list.displayOptions?.show?.resource?.[0] as string | undefined;
		return [
			...check(`${name}.${list.name}`, [[list.noDataExpression, 'takes an expression']]),
			...(list.options as INodePropertyOptions[]).flatMap((option) => {
				const place = [name, resource, option.value].filter(Boolean).join('.');
				return check(place, [
					[isTitleCase(option.name), `"${option.name}" is not in Title Case`],
					...(resource === undefined ? [] : operationRules(option)),
					...(resource !== undefined && option.value === 'getAll'
						? listRules(option.name, resource, properties)
						: []),
				]);
			}),
		];
	});
}

function operationRules({ action = '', description = '' }: INodePropertyOptions): Rule[] {
	return [
		[isSentenceCase(action), 'has no action, or not one in sentence case'],
		[!/\b(a|an|the)\b/i.test(action), `the action "${action}" holds an article`],
		[isSentence(description), 'has no description'],
		[[action, description].every(isEnglish), 'is not described in English'],
	];
}

function listRules(name: string, resource: string, all: readonly INodeProperties[]): Rule[] {
	const field = (wanted: string) =>
		all.find(
			({ name: found, displayOptions: { show = {} } = {} }) =>
				found === wanted && show.operation?.includes('getAll') && show.resource?.includes(resource),
		);
	const limit = field('limit');
	return [
		[name === 'Get Many', `is called "${name}", not "Get Many"`],
		[field('returnAll')?.default === false, 'lacks Return All, or returns all by default'],
		[
			limit?.default === 50 && limit.typeOptions?.minValue === 1,
			'lacks Limit, from 1 and with 50 as the default',
		],
	];
}

/** A field of the editor and where it is, such as `brlPayments.customer.email`. */
interface Field {
	readonly place: string;
	readonly field: INodeProperties;
}

/** All fields, those inside collections included. */
export function getFields({
	name,
	properties,
}: {
	readonly name: string;
	readonly properties: readonly INodeProperties[];
}): Field[] {
	return properties.flatMap((field) => {
		const place = `${name}.${field.name}`;
		const inner = (field.options ?? []).flatMap((option) => {
			if ('values' in option) return option.values;
			return 'type' in option ? [option] : [];
		});
		return [{ place, field }, ...getFields({ name: place, properties: inner })];
	});
}

/** Their placeholder is the label of a button, such as `Add Field`. */
const WITH_A_BUTTON = ['collection', 'fixedCollection', 'multiOptions', 'resourceLocator'];

function checkField({ place, field }: Field): Finding[] {
	const { type, displayName, description, modes = [] } = field;
	const placeholders = [
		...(WITH_A_BUTTON.includes(type) ? [] : [field.placeholder]),
		...modes.filter((mode) => mode.type !== 'list').map((mode) => mode.placeholder),
	];
	const [first] = modes;
	const chosen = (field.default as { mode?: string } | undefined)?.mode;
	return check(place, [
		// A notice is a separate text.
		[
			type === 'notice' || isTitleCase(displayName),
			`the label "${displayName}" is not in Title Case`,
		],
		[
			description === undefined || isSentence(description),
			'the description does not begin like a sentence',
		],
		[
			type !== 'boolean' || description?.startsWith('Whether '),
			'the description of a switch does not begin with "Whether"',
		],
		[
			placeholders.every((text = '') => text === '' || text.startsWith('e.g. ')),
			'a placeholder does not begin with "e.g."',
		],
		[
			type !== 'resourceLocator' || (first?.type === 'list' && chosen === first.name),
			'does not offer a list first',
		],
		...getTexts(field).map((text): Rule => [isEnglish(text), `"${text}" is not English`]),
	]);
}

/** Every text of a field that the editor shows. */
function getTexts({ displayName, description, hint, placeholder, ...field }: INodeProperties) {
	const entries = (field.options ?? []).flatMap((option) => [
		'displayName' in option ? option.displayName : option.name,
		...('description' in option ? [option.description] : []),
		...('action' in option ? [option.action] : []),
	]);
	const modes = (field.modes ?? []).flatMap((mode) => [
		...[mode.displayName, mode.hint, mode.placeholder],
	]);
	return [displayName, description, hint, placeholder, ...entries, ...modes].filter(
		(text) => text !== undefined,
	);
}

/** Words that Title Case leaves in lower case. */
const SMALL_WORDS = new Set(
	'a an and as at but by for from if in into nor of on or per the to with'.split(' '),
);

/** `Get by External ID`, not `Get By external ID`. A word in code style, such as `v1`, passes. */
export function isTitleCase(text: string): boolean {
	const words = text.split(/[\s(/]+/).filter((word) => /^\p{L}+$/u.test(word));
	return words.every((word, index) => (SMALL_WORDS.has(word) ? index > 0 : /^\p{Lu}/u.test(word)));
}

/** Begins like a sentence. Whether names in it are written with capitals is not looked at. */
function isSentence(text: string): boolean {
	return /^[^\p{Ll}]/u.test(text);
}

/** `Get payment by ID`, not `Get Payment`: only abbreviations keep their capitals. */
export function isSentenceCase(text: string): boolean {
	return isSentence(text) && !/\s\p{Lu}\p{Ll}/u.test(text);
}

/** n8n asks for English only. Portuguese, of all languages, is what would slip in here. */
function isEnglish(text: string): boolean {
	return !/(?![A-Za-z])\p{L}/u.test(text);
}
