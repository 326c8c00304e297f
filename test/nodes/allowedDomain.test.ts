/** Tests the node Allowed Domain, on a stand-in that behaves like a live deployment. */
import { toIdLocator, toListLocator } from '../cases/customerFixture';
import { getJson, requireValue } from '../n8n-core/nodeFixture';
import { createDeployedFixture, getFailureMessage } from './deployedFixture';

const { fixture, run } = createDeployedFixture();
afterEach(() => fixture.standIn.setOptions({ areTxtRecordsInDns: true, transformEnvelope: undefined }));

const TXT_RECORD = 'POST /api/allow-list/txt-record';
const CREATE = 'POST /api/allow-list';
const SEARCH = 'POST /api/allow-list/search';
const MARK_AS_VERIFIED = 'PUT /api/allow-list/mark-as-verified/{resourceId}';

const runForCustomer = (operation: string, parameters = {}) =>
	run('AllowedDomain', operation, { ...fixture.customer.companyParameters, ...parameters });

/** Creates a domain. @returns the JSON of the output item */
async function createDomain(domain = 'harbour.example') {
	const { items } = await runForCustomer('create', { domain });
	return requireValue(getJson(items)[0]);
}

const getStatuses = () =>
	fixture.customer.companyData.allowedDomains.map(({ domain, status }) => `${domain}: ${status}`);

test('a domain is added, verified once its TXT record is in DNS, listed and deleted, each with the IDs of the step before', async () => {
	fixture.standIn.setOptions({ areTxtRecordsInDns: false });
	const { resourceId, txtRecord } = await createDomain();
	expect(txtRecord).toMatch(/^domain-verification/);
	const allowedDomain = toIdLocator(String(resourceId));
	const verify = async () => getJson((await runForCustomer('verify', { allowedDomain })).items);
	expect(await verify()).toMatchObject([{ domain: 'harbour.example', txtRecord, verifyTime: null }]);
	fixture.standIn.setOptions({ areTxtRecordsInDns: true });
	expect(await verify()).toMatchObject([{ domain: 'harbour.example', verifyTime: expect.any(String) as string }]);

	const { items } = await runForCustomer('getMany', { returnAll: true });
	const listedDomain = requireValue(getJson(items).find(({ domain }) => domain === 'harbour.example'));
	expect(listedDomain).toMatchObject({ allowListResourceId: resourceId, txtRecord, status: 'Verified' });
	await runForCustomer('delete', { allowedDomain: toIdLocator(String(listedDomain.allowListResourceId)) });
	expect(getStatuses()).toEqual([expect.stringMatching(/^harbour-bakery/)]);
});

test('an entered TXT record is used, and no other is requested', async () => {
	await runForCustomer('create', { domain: ' harbour.example ', txtRecord: ' domain-verification=7 ' });
	expect(fixture.standIn.getRequests(TXT_RECORD)).toEqual([]);
	expect(fixture.customer.companyData.allowedDomains.at(-1)).toMatchObject({
		domain: 'harbour.example',
		txtRecord: 'domain-verification=7',
	});
});

test('if the platform sends no TXT record, no domain is added', async () => {
	fixture.standIn.setOptions({
		transformEnvelope: (envelope, { route }) => (route === TXT_RECORD ? { data: null, status: 'SUCCESS' } : envelope),
	});
	const message = await getFailureMessage(createDomain());
	expect(message).toContain('the platform sent no TXT record');
	expect(message).toContain('No domain was created.');
	expect(fixture.standIn.getRequests(CREATE)).toEqual([]);
});

test.each([
	'nathan@harbour.example',
	'https://harbour.example',
	'harbour',
	'harbour.example/mail',
	'.example',
	'a b.example',
	'one.example,two.example',
	'a_b.example?x=1',
	'*.harbour.example',
	'-harbour.example',
	'<b>harbour.example',
	'192.0.2.1',
])("'%s' is not accepted as a domain", async (domain) => {
	expect(await getFailureMessage(createDomain(domain))).toContain(
		"'Domain' must be a domain such as example.com, but is",
	);
	expect(fixture.requests).toEqual([]);
});

test.each([
	['harbour.example', ' Harbour.EXAMPLE '],
	['Bäckerei.example', 'xn--bckerei-5wa.example'],
	['xn--bckerei-5wa.example', 'bäckerei.example'],
])("a domain that the customer already has isn't added again: %s, %s", async (listedDomain, domain) => {
	await createDomain(listedDomain);
	fixture.standIn.clearLog();
	const message = await getFailureMessage(createDomain(domain));
	expect(message).toContain(`'Domain' is already in the customer's list of allowed domains, as '${listedDomain}'`);
	expect(message).toContain('Nothing was created.');
	expect(fixture.requests.map(({ route }) => route)).toEqual([SEARCH]);
});

test.each([403, 404])('a domain is added although the list of domains can not be read (%d)', async (status) => {
	fixture.standIn.addFault({ route: SEARCH, kind: 'status', status, times: Infinity });
	expect(await createDomain()).toMatchObject({ domain: 'harbour.example' });
});

test('a TXT record with several lines is refused', async () => {
	const result = runForCustomer('create', { domain: 'harbour.example', txtRecord: 'domain-verification=7\nsecond' });
	expect(await getFailureMessage(result)).toContain("'TXT Record' must not contain line breaks");
	expect(fixture.requests).toEqual([]);
});

test('a TXT record in JSON is used, and no other is requested', async () => {
	const additionalFields = { additionalFieldsJson: '{ "txtRecord": "domain-verification=7" }' };
	const { items } = await runForCustomer('create', { domain: 'harbour.example', additionalFields });
	expect(getJson(items)).toMatchObject([{ txtRecord: 'domain-verification=7' }]);
	expect(fixture.standIn.getRequests(TXT_RECORD)).toEqual([]);
	expect(fixture.customer.companyData.allowedDomains.at(-1)).toMatchObject({ txtRecord: 'domain-verification=7' });
});

test('the output of a deletion by ID has the domain', async () => {
	const { resourceId } = await createDomain();
	const { items } = await runForCustomer('delete', { allowedDomain: toIdLocator(String(resourceId)) });
	expect(getJson(items)).toMatchObject([{ domain: 'harbour.example', deleted: true, resourceId }]);
});

test('the output of a deletion by ID has no domain if the list of domains can not be read', async () => {
	const { resourceId } = await createDomain();
	fixture.standIn.addFault({ route: SEARCH, kind: 'status', status: 403, times: Infinity });
	const { items } = await runForCustomer('delete', { allowedDomain: toIdLocator(String(resourceId)) });
	expect(getJson(items)).toMatchObject([{ domain: null, deleted: true, resourceId }]);
});

test.each(['delete', 'verify'])(
	"%s: the error for another customer's domain names the ID, not the license",
	async (operation) => {
		const id = 'u3ZLStEnh1we';
		const message = await getFailureMessage(runForCustomer(operation, { allowedDomain: toIdLocator(id) }));
		expect(message).toContain(`the platform has no record with the ID '${id}'`);
		expect(message).toContain('It may have been deleted, or belong to another company than the selected one.');
		expect(message).not.toContain('license');
		expect(message).not.toContain('Base URL');
	},
);

describe('Mark as Verified', () => {
	async function markAsVerified(domainToMark: string) {
		const { resourceId } = await createDomain();
		return await runForCustomer('markAsVerified', {
			allowedDomain: toListLocator(String(resourceId), 'harbour.example'),
			domainToMark,
		});
	}

	test('needs the name of the selected domain, in any case, and outputs it as the list spells it', async () => {
		const { items } = await markAsVerified('Harbour.Example');
		expect(getJson(items)).toMatchObject([{ domain: 'harbour.example' }]);
		expect(getStatuses()).toContain('harbour.example: Verified');
	});

	test.each(['harbor.example', 'mail.harbour.example', 'harbour-bakery.example'])(
		"rejects '%s', and changes nothing",
		async (domainToMark) => {
			const message = await getFailureMessage(markAsVerified(domainToMark));
			expect(message).toContain("'Confirm Domain' is not the name of the selected domain");
			expect(message).toContain('Nothing was changed.');
			expect(fixture.standIn.getRequests(MARK_AS_VERIFIED)).toEqual([]);
			expect(getStatuses()).toContain('harbour.example: Unverified');
		},
	);

	test("rejects another customer's domain, and changes nothing", async () => {
		const { companyData } = fixture.customer.switchToCompany(requireValue(fixture.customer.world.companies[3]));
		const { resourceId, domain } = requireValue(companyData.allowedDomains[0]);
		const parameters = { allowedDomain: toIdLocator(resourceId), domainToMark: domain };
		expect(await getFailureMessage(runForCustomer('markAsVerified', parameters))).toContain(
			"'Allowed Domain' is not an allowed domain of the selected company",
		);
		expect(fixture.standIn.getRequests(MARK_AS_VERIFIED)).toEqual([]);
	});
});

test("the domain of a company's first administrator is verified without a TXT record", async () => {
	const [role] = await fixture.customer.fetchList('GET /api/roles');
	const user = { firstName: 'Ada', lastName: 'Ling', phoneNumber: '+4930123456', roles: [String(role?.resourceId)] };
	await run('SystemUser', 'create', { ...fixture.customer.companyParameters, ...user, email: 'ada@first.example' });
	expect(getStatuses()).toContain('first.example: Verified');
});
