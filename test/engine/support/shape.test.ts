import { onlyDocumented, toShape, withTypesFrom } from './shape';

const SAMPLE = { id: 'w-1', amount: 10, isActive: true, tags: ['a'], payer: { name: 'Maria' } };
const SHAPE = {
	type: 'object',
	properties: {
		id: { type: 'string' },
		amount: { type: 'number' },
		isActive: { type: 'boolean' },
		tags: { type: 'array', items: { type: 'string' } },
		payer: { type: 'object', properties: { name: { type: 'string' } } },
	},
};

test('names every field with its type', () => {
	expect(toShape([SAMPLE])).toEqual(SHAPE);
});

test('differs when a field is missing, or of another type', () => {
	expect(toShape([{ ...SAMPLE, id: undefined }])).not.toEqual(SHAPE);
	expect(toShape([{ ...SAMPLE, amount: '10' }])).not.toEqual(SHAPE);
});

test('takes from other samples what one leaves open', () => {
	expect(toShape([{ ...SAMPLE, payer: null, tags: [] }, SAMPLE])).toEqual(SHAPE);
});

test('calls null what was never anything else', () => {
	expect(toShape([{ id: null }, { id: null }])).toEqual({
		type: 'object',
		properties: { id: { type: 'null' } },
	});
});

test('refuses a field of two types', () => {
	expect(() => toShape([SAMPLE, { ...SAMPLE, id: 7 }])).toThrow('string and number');
});

test('leaves out what is not documented', () => {
	const shape = toShape([{ id: 'p-1', methodData: { type: 'PIX', emulated: true } }]);
	expect(onlyDocumented(shape, { methodData: ['type'] })).toEqual({
		type: 'object',
		properties: {
			id: { type: 'string' },
			methodData: { type: 'object', properties: { type: { type: 'string' } } },
		},
	});
});

test('takes the type of what was null from the schema, and nothing else', () => {
	const known = toShape([SAMPLE]);
	expect(withTypesFrom(toShape([{ ...SAMPLE, payer: null, tags: [] }]), known)).toEqual(SHAPE);
	const rest = Object.fromEntries(Object.entries(SAMPLE).filter(([name]) => name !== 'id'));
	expect(withTypesFrom(toShape([rest]), known)).not.toEqual(SHAPE);
	expect(withTypesFrom(toShape([{ ...SAMPLE, id: 7 }]), known)).not.toEqual(SHAPE);
	expect(withTypesFrom(toShape([{ ...SAMPLE, more: 1 }]), known)).not.toEqual(SHAPE);
});
