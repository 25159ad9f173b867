import { Endings } from '../../../../dev/n8n/cleanupStack';

/** Three things to end, of which the second can fail. */
function open(second: () => Promise<void> = async () => {}) {
	const ended: string[] = [];
	const endings = new Endings();
	endings.push(async () => void ended.push('first'));
	endings.push(async () => {
		ended.push('second');
		await second();
	});
	endings.push(async () => void ended.push('third'));
	return { endings, ended };
}

it('ends the latest first', async () => {
	const { endings, ended } = open();
	await endings.run();
	expect(ended).toEqual(['third', 'second', 'first']);
});

it('ends each thing once, however often it is called', async () => {
	const { endings, ended } = open();
	await endings.run();
	await endings.run();
	expect(ended).toHaveLength(3);
});

it('ends the others when one fails, and reports it', async () => {
	const { endings, ended } = open(async () => await Promise.reject(new Error('It hangs.')));
	await expect(endings.run()).rejects.toThrow('It hangs.');
	expect(ended).toEqual(['third', 'second', 'first']);
});
