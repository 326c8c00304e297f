/** Triggers with a credential that is limited. */
import { HOUR, idsOf, type Active } from './pollingFixture';
import { ENROLLMENTS, PHISHING, triggerFixture } from './triggerFixture';

const t = triggerFixture();

/** Limits a trigger's credential to these companies. */
function limit(active: Active, ...companies: number[]): Active {
	const companyIds = companies.map((index) => t.fixture.company(index).id).join(', ');
	active.store.data = { ...active.store.data, onlyTheseCompanies: true, companyIds };
	return active;
}

const asked = (route: string) => t.service.requests(route).map(({ companyId }) => companyId);

test.each([
	['campaigns', PHISHING, 'phishing', () => t.phishing({ options: { askEachEvery: 0 } })],
	[
		'enrollments',
		ENROLLMENTS,
		'enrollment',
		() => t.enrollments({ options: { askEachEvery: 0, includeDetails: true } }),
	],
] as const)('each allowed company is asked for %s, and nobody else', async (_name, route, list, made) => {
	const active = limit(made(), 1, 2);
	expect(await active.poll()).toBeNull();
	t.fixture.create(list, 0);
	const ids = [t.fixture.create(list, 1), t.fixture.create(list, 2)];
	t.fixture.pass(HOUR);
	expect(idsOf(await active.poll()).sort()).toEqual(ids.sort());
	t.fixture.create(list, 3);
	t.fixture.pass(HOUR);
	expect(await active.poll()).toBeNull();
	expect(new Set(asked(route))).toEqual(new Set([1, 2].map((index) => t.fixture.company(index).id)));
});

test('a trigger that has run without limits goes on with the allowed companies', async () => {
	const active = t.phishing({ options: { askEachEvery: 0 } });
	await active.poll();
	limit(active, 2);
	t.service.clearLog();
	t.fixture.create('phishing', 0);
	const id = t.fixture.create('phishing', 2);
	t.fixture.pass(HOUR);
	expect(idsOf(await active.poll())).toEqual([id]);
	expect(new Set(asked(PHISHING))).toEqual(new Set([t.fixture.company(2).id]));
});

test('a test event is of an allowed company', async () => {
	const active = limit(t.phishing(), 1);
	t.fixture.create('phishing', 0);
	const id = t.fixture.create('phishing', 1);
	expect(idsOf(await active.poll('manual'))).toEqual([id]);
	expect(new Set(asked(PHISHING))).toEqual(new Set([t.fixture.company(1).id]));
});

test('with a list of companies that is empty, or for a company that is not in it, it says so and asks nothing', async () => {
	const active = t.phishing();
	active.store.data = { ...active.store.data, onlyTheseCompanies: true, companyIds: '' };
	await expect(active.poll()).rejects.toThrow(/names no company that it may be used for/);
	const company = { __rl: true, mode: 'id', value: t.fixture.company(0).id };
	await expect(limit(t.phishing({ companyScope: 'one', company }), 1).poll()).rejects.toThrow(/may not be used for/);
	await expect(limit(t.phishing({ companyScope: 'own' }), 1).poll()).rejects.toThrow(/it names no company/);
	expect(t.service.log.filter(({ route }) => route !== 'POST /connect/token')).toEqual([]);
});

test('reading only is enough for a trigger', async () => {
	const active = t.phishing();
	active.store.data = { ...active.store.data, whatItMayDo: 'readOnly', agents: 'nothing' };
	await active.poll();
	const id = t.fixture.create('phishing', 0);
	expect(idsOf(await active.poll())).toEqual([id]);
});
