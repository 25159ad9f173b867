import { isEmpty, isEqual } from 'lodash';
import { z } from 'zod';
import { unless, type Finding } from '../finding';

/** What is read of package.json elsewhere. Everything may be missing: the checks look for that. */
export interface Manifest {
	readonly version?: string;
	readonly author?: { readonly email?: string };
	readonly repository?: { readonly url?: string };
	readonly n8n?: { readonly nodes?: readonly string[]; readonly credentials?: readonly string[] };
}

/** Domains that belong to nobody (RFC 2606). */
const RESERVED_DOMAIN = /[@.](example(\.(com|net|org))?|invalid|localhost|test)$/i;

/**
 * What has to be filled in before a release: its version, and an author whom people can reach.
 * @param tag as Git names it, such as `v1.2.3`
 */
export function checkReleasable(tag: string, { author, version }: Manifest): Finding[] {
	return [
		...unless(tag === `v${version}`, `tag ${tag}`, `does not name the version ${version}`),
		...unless(
			!RESERVED_DOMAIN.test(author?.email?.trim() ?? ''),
			'package.json author',
			`has an address that belongs to nobody: ${author?.email}`,
		),
	];
}

const GITHUB = /^git\+(https:\/\/github\.com\/[\w.-]+\/[\w.-]+)\.git$/;

const none = (message: string) => z.custom((value) => isEmpty(value), message);
const exactly = (wanted: unknown, message: string) =>
	z.custom((value) => isEqual(value, wanted), message);

const manifestSchema = (repository: string) => {
	const inside = z.string().startsWith(repository, 'is not in the repository');
	return z.object({
		// Provenance names a public repository on GitHub, and n8n compares it with these.
		repository: z.object({
			type: z.literal('git'),
			url: z.string().regex(GITHUB, 'is not on GitHub'),
		}),
		homepage: inside,
		bugs: z.object({ url: inside }),
		private: z.custom((value) => value !== true, 'keeps npm from publishing'),
		optionalDependencies: none('a verified package has none'),
		bundleDependencies: none('a verified package has none'),
		bundledDependencies: none('a verified package has none'),
		bin: none('installs a command'),
		scripts: z.object({ dependencies: none('runs on installation') }),
		files: exactly(['dist'], 'publishes something besides dist'),
		n8n: z.object({ strict: exactly(true, 'is not true') }),
	});
};

/** What n8n and npm ask of package.json besides what the linters look at. */
export function checkManifest(manifest: Manifest): Finding[] {
	const [, repository = ''] = GITHUB.exec(manifest.repository?.url ?? '') ?? [];
	const { error } = manifestSchema(repository).safeParse(manifest);
	return (error?.issues ?? []).map(({ path, message }) => ({
		place: `package.json ${path.join('.')}`,
		text: message,
	}));
}
