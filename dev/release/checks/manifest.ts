import { unless, type Finding } from '../finding';

type Texts = Readonly<Record<string, string>>;

/** What is read of package.json. Everything may be missing: the checks look for that. */
export interface Manifest {
	readonly name?: string;
	readonly version?: string;
	readonly description?: string;
	readonly license?: string;
	readonly private?: boolean;
	readonly keywords?: readonly string[];
	readonly author?: { readonly name?: string; readonly email?: string };
	readonly repository?: { readonly type?: string; readonly url?: string };
	readonly homepage?: string;
	readonly bugs?: { readonly url?: string };
	readonly files?: readonly string[];
	readonly bin?: unknown;
	readonly scripts?: Texts;
	readonly overrides?: unknown;
	readonly resolutions?: unknown;
	readonly dependencies?: Texts;
	readonly optionalDependencies?: Texts;
	readonly bundleDependencies?: unknown;
	readonly bundledDependencies?: unknown;
	readonly peerDependencies?: Texts;
	readonly n8n?: {
		readonly n8nNodesApiVersion?: number;
		readonly strict?: boolean;
		readonly nodes?: readonly string[];
		readonly credentials?: readonly string[];
	};
}

/** npm runs these on the machine that installs the package, or where it is installed from Git. */
const RUN_ON_INSTALL = [
	'dependencies',
	'install',
	'postinstall',
	'postprepare',
	'preinstall',
	'prepare',
	'preprepare',
	'prepublish',
];

const GITHUB = /^git\+(https:\/\/github\.com\/[\w.-]+\/[\w.-]+)\.git$/;

/** Domains that belong to nobody (RFC 2606). */
const RESERVED_DOMAIN = /[@.](example(\.(com|net|org))?|invalid|localhost|test)$/i;

/** What has to be filled in before a release: an author whom nobody can reach. */
export function checkReleasable({ author }: Manifest): Finding[] {
	return unless(
		!RESERVED_DOMAIN.test(author?.email?.trim() ?? ''),
		'package.json author',
		`has an address that belongs to nobody: ${author?.email}`,
	);
}

/** What n8n asks of package.json, and what npm needs to prove where the package comes from. */
export function checkManifest(manifest: Manifest): Finding[] {
	return [
		...checkIdentity(manifest),
		...checkOrigin(manifest),
		...checkDependencies(manifest),
		...checkRegistration(manifest),
	].map(({ place, text }) => ({ place: `package.json ${place}`, text }));
}

function checkIdentity(manifest: Manifest): Finding[] {
	const { name = '', version = '', description = '', license, keywords, author } = manifest;
	return [
		...unless(
			/^(@[a-z0-9][\w.-]*\/)?n8n-nodes-[a-z0-9][\w.-]*$/.test(name),
			'name',
			'does not begin with n8n-nodes-',
		),
		...unless(/^\d+\.\d+\.\d+(-[\w.-]+)?$/.test(version), 'version', 'is none'),
		...unless(description.trim().length > 0, 'description', 'is empty'),
		...unless(license === 'MIT', 'license', 'is not MIT'),
		...unless(
			keywords?.includes('n8n-community-node-package') === true,
			'keywords',
			'lack n8n-community-node-package, by which n8n finds packages',
		),
		...unless(
			Boolean(author?.name?.trim() && author.email?.includes('@')),
			'author',
			'lacks name or email',
		),
	];
}

/** Provenance names a public repository on GitHub, and n8n compares it with these. */
function checkOrigin({ repository, homepage, bugs, private: isPrivate }: Manifest): Finding[] {
	const [, url] = GITHUB.exec(repository?.url ?? '') ?? [];
	const isInside = (address = '') => url === undefined || address.startsWith(url);
	return [
		...unless(url !== undefined && repository?.type === 'git', 'repository', 'is not on GitHub'),
		...unless(isInside(homepage), 'homepage', 'is not in the repository'),
		...unless(isInside(bugs?.url), 'bugs', 'are not in the repository'),
		...unless(isPrivate !== true, 'private', 'keeps npm from publishing'),
	];
}

function checkDependencies(manifest: Manifest): Finding[] {
	const { peerDependencies = {}, scripts = {} } = manifest;
	const installed = [
		'dependencies',
		'optionalDependencies',
		'bundleDependencies',
		'bundledDependencies',
	] as const;
	const [peer, ...otherPeers] = Object.keys(peerDependencies);
	return [
		...installed.flatMap((field) =>
			unless(isEmpty(manifest[field]), field, 'a verified package has none'),
		),
		...unless(
			peer === 'n8n-workflow' && otherPeers.length === 0,
			'peerDependencies',
			'are not n8n-workflow alone',
		),
		...unless(
			peerDependencies['n8n-workflow'] === '*',
			'peerDependencies',
			'name a version of n8n',
		),
		...unless(manifest.overrides === undefined, 'overrides', 'reach into the n8n of the user'),
		...unless(manifest.resolutions === undefined, 'resolutions', 'reach into the n8n of the user'),
		...unless(manifest.bin === undefined, 'bin', 'installs a command'),
		...RUN_ON_INSTALL.filter((script) => script in scripts).map((script) => ({
			place: `scripts.${script}`,
			text: 'runs on installation',
		})),
	];
}

function isEmpty(field: unknown): boolean {
	return (
		field === undefined || (typeof field === 'object' && Object.keys(field ?? {}).length === 0)
	);
}

function checkRegistration({ files, n8n = {} }: Manifest): Finding[] {
	const { nodes = [], credentials = [] } = n8n;
	const misplaced = (entries: readonly string[], pattern: RegExp) =>
		entries.filter((entry) => !pattern.test(entry));
	return [
		...unless(
			files?.length === 1 && files[0] === 'dist',
			'files',
			'publish something besides dist',
		),
		...unless(n8n.n8nNodesApiVersion === 1, 'n8n.n8nNodesApiVersion', 'is not 1'),
		...unless(n8n.strict === true, 'n8n.strict', 'is not true'),
		...unless(nodes.length > 0, 'n8n.nodes', 'names no node'),
		...unless(credentials.length > 0, 'n8n.credentials', 'names no credential'),
		...misplaced(nodes, /^dist\/nodes\/.+\.node\.js$/).map((entry) => ({
			place: 'n8n.nodes',
			text: `${entry} is not a compiled node`,
		})),
		...misplaced(credentials, /^dist\/credentials\/.+\.credentials\.js$/).map((entry) => ({
			place: 'n8n.credentials',
			text: `${entry} is not a compiled credential`,
		})),
	];
}
