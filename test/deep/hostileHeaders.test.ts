/** Hostile input: what the service could say in the head of an answer. */
import fc from 'fast-check';
import { z } from 'zod';
import { fileNameOf } from '../../nodes/shared/answer/fileName';
import { MAX_RETRY_AFTER_MS, retryAfterMs } from '../../nodes/shared/transport/responseError';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { SecurityAwarenessLeaderboard } from '../../nodes/Leaderboard/SecurityAwarenessLeaderboard.node';
import { answering, nodeFixture, failureOf } from '../n8n-core/nodeFixture';
import { deepOr, sample } from '../setup/depth';
import { runs, awkward, expectUnpolluted, ownCompany } from './hostile';
import { turnClock } from '../setup/turnedClock';

const b = nodeFixture({ companies: 40 });
turnClock();
afterEach(expectUnpolluted);

describe('what the service answers', () => {
	test('a wish to wait: never longer than two minutes, never into the past', () => {
		const header = fc.oneof(
			awkward,
			fc.integer().map(String),
			fc.double().map(String),
			fc.date().map((date) => (Number.isNaN(date.getTime()) ? 'Invalid Date' : date.toUTCString())),
		);
		fc.assert(
			fc.property(header, (text) => {
				const ms = retryAfterMs(text);
				if (ms === undefined) return;
				expect(ms).toBeGreaterThanOrEqual(0);
				expect(ms).toBeLessThanOrEqual(MAX_RETRY_AFTER_MS);
			}),
			{ ...runs(1000), examples: [['315360000'], ['-5'], ['NaN'], ['1e99'], ['Infinity'], ['9'.repeat(400)]] },
		);
		expect(retryAfterMs('315360000')).toBe(MAX_RETRY_AFTER_MS);
	});

	test.each(sample(['-5', 'NaN', 'soon', '', '0x10', 'Thu, 01 Jan 1970 00:00:00 GMT', 'Invalid Date'], 3))(
		'a wish to wait for %j is no wait',
		async (retryAfter) => {
			b.service.fault({ kind: 'status-429', retryAfter });
			const at = Date.now();
			await b.run(SecurityAwarenessCompany, { operation: 'getOwn' });
			expect(Date.now() - at).toBeLessThan(5000);
			expect(b.asked.map(({ status }) => status)).toEqual([429, 200]);
		},
	);

	const REFUSALS = deepOr(5, 2);
	test(`a wish to wait ten years, with ${REFUSALS} refusals: two minutes each at most, in pieces of a second`, async () => {
		const real = setTimeout;
		const waited: number[] = [];
		jest.spyOn(globalThis, 'setTimeout').mockImplementation((work: () => void, ms = 0) => {
			// Only n8n's sleep is asked for a second at a time.
			if (ms === 1000) waited.push(ms);
			return real(work, ms === 1000 ? 0 : ms);
		});
		b.service.fault({ kind: 'status-429', retryAfter: String(10 * 365 * 86_400), times: REFUSALS });
		const asked = b.run(SecurityAwarenessCompany, { operation: 'getOwn' });
		// The fifth refusal is the last one.
		if (REFUSALS === 5) expect((await failureOf(asked)).message).toContain('(429)');
		else await asked;
		expect(waited.length).toBeGreaterThan(0);
		expect(waited.length * 1000).toBeLessThanOrEqual(Math.min(4, REFUSALS) * MAX_RETRY_AFTER_MS);
	});

	test('a name for a file is a name and no more, and none that Windows keeps for itself', () => {
		const devices = ['CON', 'nul.csv', 'Com1.x.csv', 'LPT9', 'aux', 'PRN .csv', 'com¹.csv'];
		fc.assert(
			fc.property(
				fc.oneof(
					awkward,
					fc.constantFrom(...devices),
					awkward.map((text) => `../${text}`),
				),
				fc.option(awkward, { nil: undefined }),
				(text, company) => {
					for (const header of [
						`attachment; filename="${text}"`,
						`attachment; filename*=UTF-8''${encodeURIComponent(text.replace(/\p{Surrogate}/gu, ''))}`,
						text,
					]) {
						const name = fileNameOf(
							{ status: 200, headers: { 'content-disposition': header }, body: undefined },
							'leaderboard',
							'csv',
							company === undefined ? undefined : 'Company',
						);
						expect(name).toMatch(
							/^[^/\\<>:"|?*\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+\.[A-Za-z0-9]{1,8}$/,
						);
						expect(name).not.toMatch(/^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])\s*\./i);
						expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
					}
				},
			),
			{ ...runs(500), examples: devices.map((name): [string, undefined] => [name, undefined]) },
		);
	});

	test.each([
		'../../../evil.csv',
		'..%2F..%2Fevil.csv',
		'a%00.csv',
		'x%0d%0aSet-Cookie: a=b.csv',
		'%E2%80%AEcod.csv',
		'CON.csv',
		`${'x'.repeat(10_000)}.csv`,
	])('a file called %s is stored under a harmless name', async (given) => {
		const odd = await answering((_request, response) =>
			response
				.writeHead(200, {
					'content-type': 'text/csv',
					'content-disposition': given.includes('%')
						? `attachment; filename*=UTF-8''${given}`
						: `attachment; filename="${given}"`,
				})
				.end('a,b'),
		);
		const { items } = await b.run(
			SecurityAwarenessLeaderboard,
			{ operation: 'export', ...ownCompany },
			{ store: odd.store },
		);
		const name = z.string().parse(items[0]?.json.fileName);
		expect(items[0]?.binary?.data?.fileName).toBe(name);
		expect(name).not.toMatch(/[/\\\u0000-\u001f\u202e]|^\.|^CON\./);
		expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
		// n8n's own place for it, below its own folder.
		expect(items[0]?.binary?.data?.directory ?? '').toBe('');
	});
});
