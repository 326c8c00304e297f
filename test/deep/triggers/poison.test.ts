/** Lists of which one page cannot be read, for example because of one record. */
import type { Answer } from './answers';
import { DAY, HOUR } from './deployment';
import { all, none, triggerFixtures } from './fixture';

const fixture = triggerFixtures({ companies: 3, isDirect: true, deployment: { pageCap: 20 } });
type Fixture = ReturnType<typeof fixture>;
const EACH = ['company-0', 'company-1', 'company-2'];
/** Three in each of the last 22 hours: more than three pages. */
const existing = (it: Fixture) =>
	Array.from({ length: 66 }, (_, index) =>
		it.create(1, { owner: EACH[index % 3] ?? '', created: it.clock.now() - (index / 3 + 0.5) * HOUR }),
	).flat();

interface Fault extends Partial<Answer> {
	/** After so many ms it fails. */
	afterMs?: number;
}

const pageOf = (body: unknown) =>
	typeof body === 'object' && body !== null && 'pageNumber' in body ? Number(body.pageNumber) : 0;
/** Each page of any list from this one on fails, until that is ended. */
function failFrom(it: Fixture, page: number, { afterMs = 0, ...fault }: Fault): () => void {
	let isFailing = true;
	it.instead(({ path, body }) => {
		if (!isFailing || !path.includes('phishing') || pageOf(body) < page) return undefined;
		it.clock.pass(afterMs);
		return { status: 500, data: null, ...fault };
	});
	return () => (isFailing = false);
}

describe.each<[string, Fault]>([
	['answers 500', {}],
	['answers 500 after ten seconds', { afterMs: 10_000 }],
	['does not answer', { broken: 'hang' }],
	['ends the connection after 29 seconds', { broken: 'reset', afterMs: 29_000 }],
	['is refused', { status: 403 }],
])('a second page that %s', (_what, fault) => {
	const isSlow = fault.broken !== undefined || fault.afterMs !== undefined;
	test.each([
		['new', {}],
		['first seen', { triggerOn: 'statusChanged', alsoFirstSeen: true }],
	])('holds back none of the first page, and nothing is lost or repeated: %s', async (_which, more) => {
		const it = fixture({ parameters: more });
		const old = existing(it);
		await it.poll(12);
		const heal = failFrom(it, 2, fault);
		const created = [];
		for (let poll = 0; poll < 8; poll++) {
			created.push(...it.create(2, { owner: EACH[poll % 3] ?? '' }));
			await it.poll();
			// Where a page takes all the time that a poll has, the next one goes on with it, and the one after that with the first.
			if (!isSlow) expect(it.fateOf(created)).toEqual(all(created.length));
		}
		await it.poll(3);
		expect(it.fateOf(created)).toEqual(all(16));
		// It stands on the second page.
		const late = it.create(1, { owner: 'company-1', created: it.clock.now() - 12 * HOUR });
		await it.poll(3);
		expect(it.fateOf(late)).toEqual(none(1));
		expect(it.log).toMatch(/the rest of phishing campaigns/);
		heal();
		await it.poll(6, 15);
		expect(it.fateOf(created)).toEqual(all(16));
		expect(it.fateOf(late)).toEqual(all(1));
		expect(it.fateOf(old)).toEqual(none(66));
	});

	test('at the activation holds back no new ones either, and existing ones stay untold', async () => {
		const it = fixture();
		const old = existing(it);
		const heal = failFrom(it, 2, fault);
		await it.poll(2);
		const created = it.create(2, { owner: 'company-1' });
		await it.poll(2);
		expect(it.fateOf(created)).toEqual(all(2));
		heal();
		created.push(...it.create(2, { owner: 'company-2' }));
		await it.poll(6, 15);
		expect(it.fateOf(created)).toEqual(all(4));
		expect(it.fateOf(old)).toEqual(none(66));
	});
});

describe.each(['every', 'own'] as const)('what Emit Existing Since asks for, scope %s,', (companyScope) => {
	test.each([1, 2])('is given once, however old, if page %i fails while it is published', async (page) => {
		const emitExistingSince = new Date(Date.UTC(2026, 2, 1) - 90 * DAY).toISOString();
		const deployment = { pageCap: 20, unscoped: companyScope === 'own' ? 'own' : 'all' } as const;
		const it = fixture({ parameters: { companyScope, options: { emitExistingSince } }, deployment });
		const old = Array.from({ length: 60 }, (_, days) => it.create(1, { created: it.clock.now() - days * DAY }));
		const heal = failFrom(it, page, { status: 503 });
		await it.poll(3);
		heal();
		await it.poll(5);
		const created = it.create(1);
		await it.poll(3, 60);
		expect(it.fateOf([...old.flat(), ...created])).toEqual(all(61));
	});
});
