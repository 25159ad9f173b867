import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
	checkManifest,
	checkReleasable,
	type Manifest,
} from '../../../../../dev/release/checks/manifest';

const valid = JSON.parse(
	readFileSync(join(__dirname, '../../../../../package.json'), 'utf8'),
) as Required<Manifest>;

test('nothing is found in the package.json of this package', () => {
	expect(checkManifest(valid)).toEqual([]);
});

const ELSEWHERE = 'https://git.example.com/a/b';

test.each<[place: string, broken: object, text: string]>([
	['repository.url', { repository: { type: 'git', url: `git+${ELSEWHERE}.git` } }, 'GitHub'],
	['homepage', { homepage: ELSEWHERE }, 'not in'],
	['bugs.url', { bugs: { url: ELSEWHERE } }, 'not in'],
	['private', { private: true }, 'keeps npm'],
	['optionalDependencies', { optionalDependencies: { axios: '1.0.0' } }, 'none'],
	['bundleDependencies', { bundleDependencies: ['axios'] }, 'none'],
	['bundledDependencies', { bundledDependencies: ['axios'] }, 'none'],
	['bin', { bin: './dist/cli.js' }, 'command'],
	['scripts.dependencies', { scripts: { dependencies: 'x' } }, 'runs'],
	['files', { files: ['dist', 'test'] }, 'besides dist'],
	['n8n.strict', { n8n: { ...valid.n8n, strict: false } }, 'true'],
])('%s does not pass as %j', (place, broken, text) => {
	expect(checkManifest({ ...valid, ...broken })).toEqual([
		{ place: `package.json ${place}`, text: expect.stringContaining(text) },
	]);
});

test('an author whom a release may name can be reached', () => {
	const check = (email: string) => checkReleasable({ author: { email } });

	expect(check('maintainers@pix.com.br')).toEqual([]);
	for (const email of ['maintainers@package.example', 'me@package.TEST', 'me@example.com']) {
		expect(check(email)).toEqual([
			{ place: 'package.json author', text: expect.stringContaining(email) },
		]);
	}
});
