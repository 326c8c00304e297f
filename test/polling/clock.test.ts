/** What the time is, where n8n's clock and the service's differ. */
import { Clock } from '../../nodes/shared/polling/clock';
import { DAY, HOUR } from './pollingFixture';

const NOW = Date.parse('2026-06-10T12:34:56.000Z');
beforeEach(() => void jest.spyOn(Date, 'now').mockReturnValue(NOW));
afterEach(() => jest.restoreAllMocks());

const clockOf = (served: Array<number | undefined>, created: number[] = []): Clock => {
	const clock = new Clock();
	for (const each of served) clock.hear(each);
	for (const each of created) clock.see(each);
	return clock;
};

test.each([
	['n8n alone knows it', [], NOW],
	['an answer has no Date header', [undefined], NOW],
	["the service's clock is behind", [NOW - HOUR], NOW - HOUR],
	["the service's clock is ahead", [NOW + HOUR], NOW],
	['of several answers one is behind', [NOW, NOW - DAY, undefined, NOW + DAY], NOW - DAY],
])('the earlier one counts: %s', (_what, served, now) => {
	expect(clockOf(served).now).toBe(now);
});

test.each([
	['a record of an hour ago refutes a service that is ten days behind', 10 * DAY, [HOUR], 0],
	['an older record takes nothing back', 10 * DAY, [HOUR, 9 * DAY], 0],
	['a record of this moment counts', 10 * DAY, [0], 0],
	['one dated in the future refutes nothing', 10 * DAY, [-1], 10 * DAY],
	["one closer to the service's time than to n8n's refutes nothing", 10 * DAY, [6 * DAY], 10 * DAY],
	['nor does one in the middle', 10 * DAY, [5 * DAY], 10 * DAY],
	['a time zone ahead is no proof', 20 * HOUR, [6 * HOUR], 20 * HOUR],
	['more than any time zone is', 20 * HOUR, [6 * HOUR - 1], 0],
])('%s', (_what, behind, ages, late) => {
	const clock = clockOf(
		[NOW - behind],
		ages.map((age) => NOW - age),
	);
	expect(clock.now).toBe(NOW - late);
});

test.each([
	["a record closer to the service's time refutes n8n that is ten days behind", 10 * DAY, 9 * DAY, 10 * DAY],
	["one closer to n8n's refutes nothing", 10 * DAY, 4 * DAY, 0],
	["nor does one after the service's time", 10 * DAY, 11 * DAY, 0],
	['a time zone ahead is no proof', 20 * HOUR, 14 * HOUR, 0],
])('%s', (_what, ahead, created, now) => {
	expect(clockOf([NOW + ahead], [NOW + created]).now).toBe(NOW + now);
});

test('a window counts back from the newest record, or from two days ago in whole hours', () => {
	const twoDaysAgo = Date.parse('2026-06-08T12:00:00.000Z');
	expect(clockOf([NOW]).watermark(NOW - 30 * DAY)).toBe(twoDaysAgo);
	expect(clockOf([NOW]).watermark(NOW - DAY)).toBe(NOW - DAY);
	expect(clockOf([NOW - 40 * DAY]).watermark(NOW - 60 * DAY)).toBe(twoDaysAgo - 40 * DAY);
	// Without the service's time nobody knows how old the newest record is.
	expect(clockOf([undefined]).watermark(NOW - 30 * DAY)).toBe(NOW - 30 * DAY);
	expect(clockOf([undefined]).watermark(0)).toBe(twoDaysAgo);
});
