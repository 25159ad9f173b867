import { onlyDocumented, shapeOf, withTypesOf } from './shape';

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
	expect(shapeOf([SAMPLE])).toEqual(SHAPE);
});

test('differs when a field is missing, or of another type', () => {
	expect(shapeOf([{ ...SAMPLE, id: undefined }])).not.toEqual(SHAPE);
	expect(shapeOf([{ ...SAMPLE, amount: '10' }])).not.toEqual(SHAPE);
});

test('takes from other samples what one leaves open', () => {
	expect(shapeOf([{ ...SAMPLE, payer: null, tags: [] }, SAMPLE])).toEqual(SHAPE);
});

test('calls null what was never anything else', () => {
	expect(shapeOf([{ id: null }, { id: null }])).toEqual({
		type: 'object',
		properties: { id: { type: 'null' } },
	});
});

test('refuses a field of two types', () => {
	expect(() => shapeOf([SAMPLE, { ...SAMPLE, id: 7 }])).toThrow('string and number');
});

test('leaves out what is not documented', () => {
	const shape = shapeOf([{ id: 'p-1', methodData: { type: 'PIX', emulated: true } }]);
	expect(onlyDocumented(shape, { methodData: ['type'] })).toEqual({
		type: 'object',
		properties: {
			id: { type: 'string' },
			methodData: { type: 'object', properties: { type: { type: 'string' } } },
		},
	});
});

test('takes the type of what was null from the schema, and nothing else', () => {
	const known = shapeOf([SAMPLE]);
	expect(withTypesOf(shapeOf([{ ...SAMPLE, payer: null, tags: [] }]), known)).toEqual(SHAPE);
	const rest = Object.fromEntries(Object.entries(SAMPLE).filter(([name]) => name !== 'id'));
	expect(withTypesOf(shapeOf([rest]), known)).not.toEqual(SHAPE);
	expect(withTypesOf(shapeOf([{ ...SAMPLE, id: 7 }]), known)).not.toEqual(SHAPE);
	expect(withTypesOf(shapeOf([{ ...SAMPLE, more: 1 }]), known)).not.toEqual(SHAPE);
});
