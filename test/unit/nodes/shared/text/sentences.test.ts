import { sentence } from '../../../../../nodes/shared/text/sentences';

test.each([
	['What?', 'What?'],
	['Done.', 'Done.'],
	['Stop!', 'Stop!'],
	['And so on…', 'And so on…'],
	['Validation failed', 'Validation failed.'],
	['x'.repeat(500), `${'x'.repeat(500)}.`],
	['x'.repeat(501), `${'x'.repeat(500)}…`],
])('the sentence of %j is %j', (text, ended) => {
	expect(sentence(text)).toBe(ended);
});
