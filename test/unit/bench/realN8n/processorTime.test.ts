import { processorTime, readProcessorTime } from '../../../../bench/realN8n/processorTime';

const AFTER_NAME = 'S 1 10 10 0 -1 4194304 500 0 0 0 1234 66 7 8 20 0 11 0 5';

test('is that of user and system together, without that of ended children', () => {
	expect(readProcessorTime(`10 (node) ${AFTER_NAME}`)).toBe(13);
});

test.each(['n8n) 1 (x', 'a b c', ') S 9 9'])('is found behind the name %p', (name) => {
	expect(readProcessorTime(`10 (${name}) ${AFTER_NAME}`)).toBe(13);
});

test.each(['', '10 (node) S 1', `10 (node) ${AFTER_NAME.replace('66', 'x')}`])(
	'is not guessed from %p',
	(stat) => {
		expect(() => readProcessorTime(stat)).toThrow(/unknown form/);
	},
);

test('of a process that is not there is unknown', async () => {
	expect(await processorTime(2 ** 30)).toBeNull();
});
