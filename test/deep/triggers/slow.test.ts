/** The short time that n8n's durable poller has for a poll, with services that are slow or do not answer. */
import { HOUR } from './deployment';
import { all, triggerFixtures } from './fixture';

const fixture = triggerFixtures({ trigger: 'Enrollment', isDurable: true, budgetMs: 36_000, isDirect: true });

test('a company that does not answer holds back no record of another one', async () => {
	const it = await fixture({ companies: 12, deployment: { latencyMs: 20 } }).learn();
	it.instead(({ company }) => (company === 'company-1' ? { status: 200, data: null, broken: 'hang' } : undefined));
	const created = [...it.platform.companies.keys()]
		.filter((owner) => owner !== 'company-1')
		.flatMap((owner) => it.create(18, { owner }));
	await it.poll();
	expect(it.fateOf(created)).toEqual(all(198));
	expect(it.log).not.toMatch(/details/);
	expect(it.polls.flatMap(({ items }) => items).every(({ json }) => Boolean(json.companyResourceId))).toBe(true);
});

test('with details, it leaves time for some of them', async () => {
	const parameters = { options: { includeDetails: true } };
	const it = await fixture({ companies: 12, deployment: { latencyMs: 20 }, parameters }).learn();
	it.instead(({ company }) => (company === 'company-1' ? { status: 200, data: null, broken: 'hang' } : undefined));
	const created = it.create(100);
	await it.poll(2);
	expect(it.fateOf(created)).toEqual(all(100));
});

test('500 companies that cannot be asked in one poll: each record comes with its company', async () => {
	const it = fixture({ companies: 500, deployment: { latencyMs: 1500 } });
	for (const owner of it.platform.companies.keys()) it.create(1, { owner, created: it.clock.now() - 5 * HOUR });
	await it.poll(30, 1);
	const created = Array.from({ length: 20 }, (_, index) => it.create(1, { owner: `company-${index * 24}` })).flat();
	await it.poll(12, 1);
	expect(it.fateOf(created)).toEqual(all(20));
	for (const { json } of it.polls.flatMap(({ items }) => items)) expect(json.companyResourceId).toMatch(/^company-/);
});
