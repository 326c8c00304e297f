/** What a sample leaves out today is in it on another day. */
import { isDeep, sample, share } from './depth';

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
const union = (parts: number[][]) => [...new Set(parts.flat())].sort((one, other) => one - other);

test.each([
	[1, 1],
	[6, 2],
	[9, 2],
	[15, 4],
	[104, 12],
])('of %d, %d a day: so many, in their order, and each of them within as many days as there are', (length, count) => {
	const all = numbers(length);
	// A day adds one to the seed, as an offset does.
	const days = all.map((day) => sample(all, count, day));
	for (const day of days) {
		expect(day).toHaveLength(isDeep ? length : count);
		expect(day).toEqual(union([day]));
	}
	expect(union(days)).toEqual(all);
});

test('more than there are: all of them', () => {
	expect(sample(numbers(3), 5, 1)).toEqual(numbers(3));
});

test('what is shared among several places is tried in one of them, and in each of them on one day in so many', () => {
	const all = numbers(20);
	const today = numbers(3).map((place) => share(all, place, 3));
	expect(union(today)).toEqual(all);
	expect(today.flat()).toHaveLength(isDeep ? 60 : 20);
	expect(
		union(
			numbers(3)
				.map((day) => share(all, 0, 3, day))
				.filter((each) => each.length > 0),
		),
	).toEqual(all);
});
