import { readReport } from '../../../../../dev/release/checks/scanner';

test('nothing is found in a package that passed', () => {
	expect(readReport({ passed: true }, '/package')).toEqual([]);
});

test('every line of the report is a finding, with its file', () => {
	const details = `
/package/dist/one.js
  12:5  error    Unexpected console statement  no-console
   3:1  warning  Something else                another-rule

/package/package.json
  1:1  error  Not allowed  @n8n/community-nodes/no-overrides-field

✖ 3 problems (2 errors, 1 warning)`;
	expect(readReport({ passed: false, message: 'Violations', details }, '/package')).toEqual([
		{ place: 'dist/one.js:12:5', text: 'Unexpected console statement  no-console' },
		{ place: 'dist/one.js:3:1', text: 'Something else  another-rule' },
		{ place: 'package.json:1:1', text: 'Not allowed  @n8n/community-nodes/no-overrides-field' },
	]);
});

test.each([
	['that looked at no file', { passed: true, message: 'No files found to analyze' }],
	['that broke down', { passed: false, message: 'Analysis failed: no parser' }],
	['whose report has another form', { passed: false, message: 'Violations', details: '?' }],
])('a scan %s is a finding', (_what, result) => {
	expect(readReport(result, '/package')).toEqual([{ place: '/package', text: result.message }]);
});
