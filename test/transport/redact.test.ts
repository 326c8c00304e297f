/** Secrets are taken out of whatever a person is shown, however they are written there. */
import { redact, shortened } from '../../nodes/shared/transport/redact';

const SECRET = 'p"ä s/+&';

test.each([
	['as it is', SECRET],
	['trimmed', ` ${SECRET} `.trim()],
	['inside quotes', JSON.stringify(SECRET)],
	['in an address', `https://x.example/?a=${encodeURIComponent(SECRET)}`],
	['in a form', new URLSearchParams({ a: SECRET }).toString()],
	['in a form that writes blanks as %20', new URLSearchParams({ a: SECRET }).toString().replaceAll('+', '%20')],
])('%s', (_how, text) => {
	const clean = redact(`Before ${text} after, and ${text} again`, [SECRET]);
	expect(clean).not.toContain('ä');
	expect(clean).not.toMatch(/%C3%A4/i);
	expect(clean).toMatch(/^Before .*••• ?.*after, and .*•••/);
});

test('a secret that has blanks around it is found without them', () => {
	expect(redact('a secret-word b', ['  secret-word '])).toBe('a ••• b');
});

test('half a letter in a secret does not matter', () => {
	expect(redact('a x%EF%BF%BDyz b', ['x\ud800yz'])).toBe('a ••• b');
});

test('the longer of two secrets goes first, and nothing of it stays', () => {
	expect(redact('abcdefgh abcd', ['abcd', 'abcdefgh'])).toBe('••• •••');
});

test('what is shorter than four characters is no secret: it would take harmless words along', () => {
	expect(redact('the abc', ['abc', ' a ', ''])).toBe('the abc');
	expect(redact('the abcd', ['abcd'])).toBe('the •••');
});

describe('a text that is cut', () => {
	test('stays whole up to the length', () => {
		expect(shortened('abcde', [], 5)).toBe('abcde');
		expect(shortened('abcdef', [], 5)).toBe('abcde…');
	});

	test('has its secrets taken out before it is cut', () => {
		expect(shortened(`${'x'.repeat(8)}top-secret and on`, ['top-secret'], 12)).toBe('xxxxxxxx••• …');
		expect(shortened('top-secret', ['top-secret'], 5)).toBe('•••');
	});

	test('keeps what there is room for, however long the text is', () => {
		for (const secrets of [[], ['top-secret']])
			expect(shortened('abcdefgh'.repeat(1000), secrets, 20)).toBe('abcdefghabcdefghabcd…');
	});

	test('shows no beginning of a secret, also where what stands before it was all secret', () => {
		expect(shortened('abcdefghij'.repeat(30), ['abcdefghij'.repeat(10)], 5)).not.toMatch(/[a-j]/);
	});

	test('shows nothing of a secret that stands where the looking ends', () => {
		for (let at = 80; at <= 125; at++)
			expect(
				shortened(`${'top-secret'.repeat(9)}${'x'.repeat(at)}top-secret${'y'.repeat(900)}`, ['top-secret'], 5),
			).not.toMatch(/t|s/);
		const seen = shortened(`${'top-secret'.repeat(12)}top-s${'z'.repeat(9000)}`, ['top-secret'], 5);
		expect(seen).not.toMatch(/top/);
	});
});
