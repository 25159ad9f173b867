import { idOfAnswer } from '../../../../../nodes/shared/validation/answerId';

const ID = '3fa85f64-5717-4562-b3fc-2c963f66afa6';

test('the ID of a response is a UUID', () => {
	expect(idOfAnswer({ id: ID, status: 'PENDING' })).toBe(ID);
});

test.each([
	['another text', { id: 'w1' }],
	['personal data', { id: 'maria@customer.example' }],
	['text around a UUID', { id: ` ${ID}` }],
	['a number', { id: 7 }],
	['nothing', {}],
	['an ID of another name', { txId: ID }],
])('%s is none', (_, body) => {
	expect(idOfAnswer(body)).toBeUndefined();
});

test.each([null, undefined, ID, 7])('%o has none', (body) => {
	expect(idOfAnswer(body)).toBeUndefined();
});
