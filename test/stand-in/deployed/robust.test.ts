import { CustomerFixture } from '../../cases/customerFixture';
import { isRow } from '../http';
import { page } from '../apiClient';
import { personality } from '../personality';
import { allRoutes } from '../routes';
import { expectNoCrash } from '../testing';
import { requestsFor } from './requests';
import { body, Deployed, type Request } from './testing';

let d: Deployed;
let requests: Map<string, Request>;

beforeAll(async () => {
	d = await Deployed.start();
	requests = await requestsFor(d);
});
afterAll(async () => await d.service.close());

test('the fixture of the operations’ tests gets everything that each list has', async () => {
	const customer = await CustomerFixture.at(d.service, 'deployed');
	const isSearch = new Set(allRoutes(personality('deployed')).flatMap(({ key, sorts }) => (sorts ? [key] : [])));
	const searches = [...requests].filter(([key]) => isSearch.has(key));
	expect(searches.length).toBeGreaterThan(30);
	for (const [key, { path, body: sent }] of searches) {
		const listed = await customer.list(`POST ${path}`);
		const whole = await d.customer.data(`POST ${path}`, { ...sent, pageSize: 10_000 });
		const expected = isRow(whole) ? whole.results : whole;
		expect([key, listed.length]).toEqual([key, Array.isArray(expected) ? expected.length : 0]);
	}
	expect(await customer.list('GET /api/roles')).toHaveLength(3);
	expect(await customer.askFor('name', `GET /api/companies/${customer.companyId}`)).toBe('Harbour Bakery');
});

test('hostile input never breaks the service', async () => {
	await expectNoCrash(d.service, d.customer, { ...body('Name'), ...page() });
	expect((await d.reseller.ask('GET /api/companies/my')).status).toBe(200);
}, 20_000);

test('starts with no company and with one', async () => {
	for (const companies of [0, 1]) {
		const small = await Deployed.start({ companies });
		expect(await small.reseller.list('GET /api/companies/my')).toHaveLength(1);
		expect(small.service.state.companies).toHaveLength(companies);
		await small.service.close();
	}
});
