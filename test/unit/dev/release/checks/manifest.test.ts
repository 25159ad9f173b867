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

test.each([
	['maintainers@pix.com.br', 0],
	['maintainers@package.example', 1],
	['me@package.TEST', 1],
	['me@example.com', 1],
])('the author %s: %i findings before a release', (email, count) => {
	expect(checkReleasable({ author: { email } })).toHaveLength(count);
});
