/** Numbers that services send as text, so that people can compare them. */
import { withNumbers } from '../../nodes/shared/answer/numbers';

test('a number as text becomes one, where the field holds a number', () => {
	expect(
		withNumbers({ numberOfUsers: '25', scenarioCount: '1', instanceCount: '0', targetUsers: '19', duration: '2.5' }),
	).toEqual({ numberOfUsers: 25, scenarioCount: 1, instanceCount: 0, targetUsers: 19, duration: 2.5 });
	expect(withNumbers({ currentStep: '2', lastInteractedStep: ' 1 ' })).toEqual({
		currentStep: 2,
		lastInteractedStep: 1,
	});
});

test('what is inside it as well, such as child companies', () => {
	const child = { name: 'Child', numberOfUsers: '7', children: [{ numberOfUsers: '8' }] };
	expect(withNumbers({ numberOfUsers: '9', children: [child], tags: ['1'] })).toEqual({
		numberOfUsers: 9,
		children: [{ ...child, numberOfUsers: 7, children: [{ numberOfUsers: 8 }] }],
		tags: ['1'],
	});
});

test.each([
	['IDs and other text', { resourceId: '123', trainingTypeId: '1', priority: '1', name: '42' }],
	['text that is no number', { numberOfUsers: 'Unlimited', duration: '30 min', currentStep: '' }],
	['what would lose digits', { numberOfUsers: '12345678901234567890', duration: '1e5' }],
	['numbers, and nothing', { numberOfUsers: 5, targetUsers: null, duration: undefined }],
	['objects of the same name', { targetUsers: { randomlyUsersCount: 1 } }],
])('%s: the same object', (_what, record) => {
	expect(withNumbers(record)).toBe(record);
});

test('a record inside itself a thousand times is left alone from some depth on', () => {
	const deep = Array.from({ length: 1000 }).reduce<object>((inner) => ({ inner }), { numberOfUsers: '1' });
	expect(withNumbers({ ...deep })).toEqual(deep);
});
