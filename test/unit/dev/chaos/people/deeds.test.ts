import {
	chooseDeeds,
	EDIT_NAMES,
	isRestless,
	RESTLESS_STEPS,
	START_NAMES,
	type Situation,
} from '../../../../../dev/chaos/people/deeds';

const restless: Situation = {
	step: 2,
	status: 'error',
	open: EDIT_NAMES,
	isProductionSafe: true,
};

/** What is chosen for many lists in the same situation. */
const choices = (situation: Situation) =>
	Array.from({ length: 400 }, (_value, list) => chooseDeeds(7, ['example', list], situation));
const startsIn = (situation: Situation) => new Set(choices(situation).map(({ start }) => start));

it('chooses the same for the same seed and list, and not the same for all', () => {
	expect(choices(restless)).toEqual(choices(restless));
	expect(new Set(choices(restless).map((deeds) => JSON.stringify(deeds))).size).toBeGreaterThan(50);
});

it('does everything at some time', () => {
	expect(startsIn(restless)).toEqual(new Set(START_NAMES));
	expect(new Set(choices(restless).flatMap(({ edits }) => edits))).toEqual(new Set(EDIT_NAMES));
});

it('sometimes presses again without having changed anything', () => {
	expect(choices(restless).some(({ edits }) => edits.length === 0)).toBe(true);
});

it('changes nothing before the first start', () => {
	expect(choices({ ...restless, step: 0 }).every(({ edits }) => edits.length === 0)).toBe(true);
});

it('changes only what is open', () => {
	const open = ['fixRows', 'reorderRows'] as const;
	const edits = choices({ ...restless, open }).flatMap((deeds) => deeds.edits);
	expect(new Set(edits)).toEqual(new Set(open));
});

it('puts the list right in the end, and then leaves it alone', () => {
	const [first] = choices({ ...restless, step: RESTLESS_STEPS });
	expect(first!.edits).toEqual([
		...['fixRows', 'fillInDocument', 'insertRow', 'putRowsBack'],
		...['showEachError', 'settle', 'renameReference', 'payTheRest'],
	]);
	const open = ['changeDescription', 'replaceNode'] as const;
	expect(
		choices({ ...restless, step: RESTLESS_STEPS, open }).flatMap(({ edits }) => edits),
	).toEqual([]);
});

it.each(['success', 'canceled'] as const)('never retries an execution that is %s', (status) => {
	expect(startsIn({ ...restless, status })).toEqual(new Set(['execute', 'runInProduction']));
});

it('starts nothing but a new execution where only what is left is to be paid', () => {
	for (const status of ['error', 'crashed', 'success'] as const) {
		expect(startsIn({ ...restless, status, isRestOnly: true })).toEqual(new Set(['execute']));
	}
});

it('retries what crashed', () => {
	expect(startsIn({ ...restless, status: 'crashed' })).toEqual(new Set(START_NAMES));
});

it('starts a new list by hand or in production', () => {
	const first = { ...restless, step: 0, status: undefined, isProductionSafe: false };
	expect(startsIn(first)).toEqual(new Set(['execute', 'runInProduction']));
});

it('repeats in production less often where that is a new order, and not at the end', () => {
	const count = (situation: Situation) =>
		choices(situation).filter(({ start }) => start === 'runInProduction').length;
	const unsafe = { ...restless, isProductionSafe: false };
	expect(count(unsafe)).toBeGreaterThan(0);
	expect(count(unsafe)).toBeLessThan(count(restless) / 2);
	expect(count({ ...unsafe, step: RESTLESS_STEPS })).toBe(0);
	expect(count({ ...restless, step: RESTLESS_STEPS })).toBeGreaterThan(0);
});

it('is restless for some steps, and as long as the list is not what it has to be', () => {
	expect(isRestless({ step: RESTLESS_STEPS - 1, open: [] })).toBe(true);
	expect(isRestless({ step: RESTLESS_STEPS, open: [] })).toBe(false);
	expect(isRestless({ step: RESTLESS_STEPS, open: ['changeDescription'] })).toBe(false);
	expect(isRestless({ step: RESTLESS_STEPS, open: ['putRowsBack'] })).toBe(true);
});
