import { GroupCommit } from '../../../../../nodes/shared/concurrency/sharedCalls';

/** Calls that a test lets through one by one. */
class Calls {
	readonly questions: Array<readonly number[]> = [];
	private readonly open: Array<{
		resolve: (answers: readonly number[]) => void;
		reject: (reason: Error) => void;
	}> = [];
	readonly commit = new GroupCommit<number, number>(
		async (questions) =>
			await new Promise((resolve, reject) => {
				this.questions.push(questions);
				this.open.push({ resolve, reject });
			}),
	);

	answer(): void {
		const call = this.open.shift();
		call?.resolve(this.questions.at(-1)!.map((question) => question * 10));
	}

	fail(): void {
		this.open.shift()?.reject(new Error('the store is gone'));
	}
}

const turn = async () => await new Promise(setImmediate);

test('lets those who ask during a call share the next one', async () => {
	const calls = new Calls();
	const first = calls.commit.ask(1);
	await turn();
	const others = Promise.all([2, 3].map(async (each) => await calls.commit.ask(each)));
	await turn();
	expect(calls.questions).toEqual([[1]]);
	calls.answer();
	expect(await first).toBe(10);
	await turn();
	calls.answer();

	expect(await others).toEqual([20, 30]);
	expect(calls.questions).toEqual([[1], [2, 3]]);
});

test('lets those who ask during the rest after a call share the next one', async () => {
	const asked: Array<readonly number[]> = [];
	const commit = async (questions: readonly number[]) => {
		asked.push(questions);
		return await Promise.resolve(questions);
	};
	let wake = () => {};
	const rest = async () => await new Promise<void>((resolve) => (wake = resolve));
	const group = new GroupCommit<number, number>(commit, rest);
	expect(await group.ask(1)).toBe(1);
	const others = Promise.all([2, 3].map(async (each) => await group.ask(each)));
	await turn();
	expect(asked).toEqual([[1]]);
	wake();

	expect(await others).toEqual([2, 3]);
	expect(asked).toEqual([[1], [2, 3]]);
});

test('fails only those who share the call that fails', async () => {
	const calls = new Calls();
	const failed = [1, 2].map(async (each) => await calls.commit.ask(each));
	await turn();
	const later = calls.commit.ask(3);
	calls.fail();
	await expect(Promise.all(failed)).rejects.toThrow('the store is gone');
	await expect(failed[1]).rejects.toThrow('the store is gone');
	await turn();
	calls.answer();

	expect(await later).toBe(30);
});
