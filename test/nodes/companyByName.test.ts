/** A company that is entered by its name: who is meant, and what a person is told when that is not certain. */
import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { SecurityAwarenessEnrollment } from '../../nodes/Enrollment/SecurityAwarenessEnrollment.node';
import { SecurityAwarenessEnrollmentTrigger } from '../../nodes/EnrollmentTrigger/SecurityAwarenessEnrollmentTrigger.node';
import { SecurityAwarenessScimIntegration } from '../../nodes/ScimIntegration/SecurityAwarenessScimIntegration.node';
import { SecurityAwarenessTargetGroup } from '../../nodes/TargetGroup/SecurityAwarenessTargetGroup.node';
import { callListSearch, callLoadOptions, runTool } from '../n8n-core';
import { Active } from '../polling/pollingFixture';
import { itemsOf, failureOf, hintsOf, jsonOf, nodeFixture, textOf, the, type NodeClass } from '../n8n-core/nodeFixture';
import { deployment, type Given } from '../stand-in/deployment';

const COMPANIES = 'POST /api/companies/search';
const GROUPS = 'POST /api/target-groups/search/current-company';
const CUSTOMER = 'Golden Crust Bakery';
const TWINS = 'Twin Peaks Consulting';

const b = nodeFixture({ companies: 60 });
const byName = (value: string) => ({ __rl: true, mode: 'name', value });
const groupsOf = (name: string): IDataObject => ({ operation: 'getMany', companyScope: 'one', company: byName(name) });
const named = (name: string) => b.service.state.companies.filter(({ companyName }) => companyName === name);
const idOf = (name: string) => the(named(name)[0]).companyResourceId;

test.each([CUSTOMER, 'golden crust BAKERY', '  Golden  Crust\u00a0Bakery '])("'%s' is one company", async (name) => {
	await b.run(SecurityAwarenessTargetGroup, groupsOf(name));
	expect(b.service.requests(GROUPS).map(({ companyId }) => companyId)).toEqual([idOf(CUSTOMER)]);
});

test('the encoding of letters makes no difference, and a child company is found', async () => {
	const special = b.service.state.companies.find(({ companyName }) => /[^\u0000-\u007f]/.test(companyName ?? ''));
	const { companyName, companyResourceId } = the(special);
	for (const form of ['NFC', 'NFD'] as const)
		await b.run(SecurityAwarenessTargetGroup, groupsOf(textOf(companyName).normalize(form)));
	expect(b.service.requests(GROUPS).map(({ companyId }) => companyId)).toEqual([companyResourceId, companyResourceId]);
	const { items } = await b.run(SecurityAwarenessCompany, { operation: 'getMany', returnAll: true, simplify: false });
	const child = the(jsonOf(items).find(({ parentCompanyResourceId }) => parentCompanyResourceId));
	await b.run(SecurityAwarenessTargetGroup, groupsOf(textOf(child.companyName)));
	expect(b.service.requests(GROUPS).at(-1)?.companyId).toBe(child.companyResourceId);
});

test('the list of companies is read once for all items, and each item has its own', async () => {
	const names = b.service.state.companies.flatMap(({ companyName }) =>
		companyName && named(companyName).length === 1 ? [companyName] : [],
	);
	const some = names.slice(3, 9);
	await b.run(
		SecurityAwarenessTargetGroup,
		{ ...groupsOf(''), company: byName('={{ $json.name }}') },
		{ items: itemsOf(...some.map((name) => ({ name }))) },
	);
	expect(new Set(b.service.requests(GROUPS).map(({ companyId }) => companyId))).toEqual(new Set(some.map(idOf)));
	expect(b.service.requests(COMPANIES)).toHaveLength(1);
});

test('Get Company reads the company of the name', async () => {
	const { items } = await b.run(SecurityAwarenessCompany, { operation: 'get', company: byName(CUSTOMER) });
	expect(items).toHaveLength(1);
	const [request] = b.service.requests('GET /api/companies/{resourceId}');
	expect(request?.path).toContain(idOf(CUSTOMER));
});

test('several of one name are all named, with what tells them apart, and nothing is asked for any of them', async () => {
	const error = await failureOf(b.run(SecurityAwarenessTargetGroup, groupsOf(TWINS.toLowerCase())));
	expect(error.message).toBe("'Company' is 'twin peaks consulting', the name of 2 companies");
	const twins = named(TWINS);
	expect(twins).toHaveLength(2);
	for (const { companyResourceId, targetUserCount } of twins) {
		expect(error.description).toContain(`${TWINS} (${targetUserCount} users, `);
		expect(error.description).toContain(`ID ${companyResourceId})`);
	}
	expect(b.asked.map(({ route }) => route)).toEqual([COMPANIES]);
});

test.each(['GoldenCrust Bakery', 'Golden CrustBakery'])("'%s' is another name: spaces count", async (name) => {
	const error = await failureOf(b.run(SecurityAwarenessTargetGroup, groupsOf(name)));
	expect(error.message).toContain('manages no company of that name');
	expect(b.service.requests(GROUPS)).toEqual([]);
});

test('a name of nobody: similar ones are named, the most similar first', async () => {
	const error = await failureOf(b.run(SecurityAwarenessTargetGroup, groupsOf('Golden Crst Bakry')));
	expect(error.message).toBe(
		`'Company' is 'Golden Crst Bakry', but the credential manages no company of that name (${b.service.state.companies.length} companies in all)`,
	);
	expect(error.description).toMatch(new RegExp(`Similar names: ${CUSTOMER} \\(\\d+ users?, \\d{4}-\\d\\d-\\d\\d, ID `));
	const nobody = await failureOf(b.run(SecurityAwarenessTargetGroup, groupsOf('☃')));
	expect(nobody.description).toContain("Enter the company's whole name as the platform shows it");
	expect(b.service.requests(GROUPS)).toEqual([]);
});

test('a part of a name is no name, but leads to it', async () => {
	const error = await failureOf(b.run(SecurityAwarenessTargetGroup, groupsOf('Golden Crust')));
	expect(error.description).toContain(CUSTOMER);
});

test.each(['  ', '={{ "" }}', '={{ null }}'])("'%s' is no name, and nothing is asked", async (name) => {
	const error = await failureOf(b.run(SecurityAwarenessTargetGroup, groupsOf(name)));
	expect(error.message).toBe("'Company' must not be empty");
	expect(b.asked).toEqual([]);
});

test('other mistakes in the form are told before the companies are read', async () => {
	const form = { ...groupsOf(CUSTOMER), returnAll: false, limit: 0 };
	expect((await failureOf(b.run(SecurityAwarenessTargetGroup, form))).message).toContain("'Limit'");
	expect(b.asked).toEqual([]);
});

test("a Company Admin's credential cannot list companies, and is told what to do instead", async () => {
	const error = await failureOf(b.run(SecurityAwarenessTargetGroup, groupsOf(CUSTOMER), { as: 'companyAdmin' }));
	expect(error.description).toContain("Only a Reseller's credential can list companies.");
	expect(b.service.requests(GROUPS)).toEqual([]);
});

test('lists in the form are those of the company of the name', async () => {
	const options = { credential: b.credential(), parameters: groupsOf(CUSTOMER) };
	const open = async (company: IDataObject) =>
		await callLoadOptions({
			...{ ...options, node: new SecurityAwarenessEnrollment(), method: 'loadTargetGroups' },
			parameters: { ...options.parameters, operation: 'create', company },
		});
	expect((await open(byName(CUSTOMER))).length).toBeGreaterThan(0);
	expect(b.service.requests(GROUPS).at(-1)?.companyId).toBe(idOf(CUSTOMER));
	expect(await open(byName(TWINS))).toEqual([{ name: `'Company' is '${TWINS}', the name of 2 companies`, value: '' }]);
	const enrollments = callListSearch({
		...{ ...options, node: new SecurityAwarenessEnrollment(), method: 'searchEnrollments' },
		parameters: { ...options.parameters, operation: 'get', company: byName('Nobody at All') },
	});
	expect((await failureOf(enrollments)).message).toContain("'Company' is 'Nobody at All'");
});

describe('in a list with gaps', () => {
	const listed = (...companies: IDataObject[]) => ({
		data: { results: companies, totalNumberOfRecords: companies.length, totalNumberOfPages: 1 },
	});
	const ACME = { companyResourceId: 'a', companyName: 'Acme' };
	const runOn = async (list: Given, parameters: IDataObject, node: NodeClass = SecurityAwarenessTargetGroup) => {
		const { store, asked } = await deployment({
			[COMPANIES]: list,
			[GROUPS]: listed({ resourceId: 'g', name: 'All' }),
		});
		const result = b.run(node, parameters, { store });
		const outcome = await result.then(hintsOf, async () => await failureOf(result));
		return { outcome, asked: asked.map(({ route }) => route) };
	};

	test('one of two of the name has no ID: neither is taken', async () => {
		const { outcome, asked } = await runOn(listed(ACME, { companyName: 'ACME' }), groupsOf('Acme'));
		expect(outcome).toMatchObject({
			message: "'Company' is 'Acme', the name of 2 companies",
			description: expect.stringContaining('Acme (ID a); ACME (no ID)') as string,
		});
		expect(asked).toEqual([COMPANIES]);
	});

	test('the only one of the name has no ID', async () => {
		const { outcome } = await runOn(listed({ companyName: 'Beta Inc' }), groupsOf('Beta Inc'));
		expect(outcome).toMatchObject({ message: "'Company' is 'Beta Inc', but the list of companies has no ID for it" });
		const near = (await runOn(listed({ companyName: 'Beta Inc' }), groupsOf('Beta In'))).outcome;
		expect(near).toMatchObject({ description: 'Similar names: Beta Inc (no ID).' });
	});

	test('the service counts more companies than it lists: a hint for what reads, a refusal for what writes', async () => {
		const short = { data: { ...listed(ACME).data, totalNumberOfRecords: 3 } };
		const read = await runOn(short, groupsOf('Acme'));
		expect(read.outcome).toEqual([
			expect.stringMatching(/is not complete: .+ another company of the name in 'Company'\.$/),
		]);
		expect(read.asked).toContain(GROUPS);
		const form = { operation: 'create', companyScope: 'one', company: byName('Acme'), name: 'x' };
		const write = await runOn(short, form, SecurityAwarenessScimIntegration);
		expect(write.outcome).toMatchObject({
			message: expect.stringMatching(/^'Company' cannot be found by its name: the list of companies is not/) as string,
		});
		expect(new Set(write.asked)).toEqual(new Set([COMPANIES]));
	});
});

test('an AI agent gives a name', async () => {
	const text = await runTool({
		node: new SecurityAwarenessTargetGroup(),
		parameters: { ...groupsOf(''), company: byName("={{ $fromAI('customer', 'Which customer', 'string') }}") },
		credential: b.credential(),
		toolArguments: { customer: CUSTOMER },
	});
	expect(text).toContain('resourceId');
	expect(b.service.requests(GROUPS).map(({ companyId }) => companyId)).toEqual([idOf(CUSTOMER)]);
});

test('what was saved by ID or from the list goes on without the list of companies', async () => {
	for (const company of [
		{ __rl: true, mode: 'id', value: idOf(CUSTOMER) },
		{ __rl: true, mode: 'list', value: idOf(CUSTOMER), cachedResultName: CUSTOMER },
		idOf(CUSTOMER),
	])
		await b.run(SecurityAwarenessTargetGroup, { ...groupsOf(''), company });
	expect(b.asked.map(({ route, companyId }) => [route, companyId])).toEqual(Array(3).fill([GROUPS, idOf(CUSTOMER)]));
});

describe('a trigger', () => {
	const active = (name: string) =>
		new Active(
			new SecurityAwarenessEnrollmentTrigger(),
			{ companyScope: 'one', company: byName(name), options: { emitExistingSince: '2000-01-01' } },
			b.service,
		);
	const LIST = 'POST /api/enrollments/search';

	test('watches the company of the name, and remembers what was there if it is chosen by ID later', async () => {
		const trigger = active(CUSTOMER);
		const items = the(await trigger.poll());
		expect(items.length).toBeGreaterThan(0);
		expect(items.map(({ companyResourceId }) => companyResourceId)).toEqual(items.map(() => idOf(CUSTOMER)));
		expect(new Set(b.service.requests(LIST).map(({ companyId }) => companyId))).toEqual(new Set([idOf(CUSTOMER)]));
		expect(await trigger.poll()).toBeNull();
		trigger.parameters.company = { __rl: true, mode: 'id', value: idOf(CUSTOMER) };
		expect(await trigger.poll()).toBeNull();
		expect((await trigger.poll('manual'))?.length).toBeGreaterThan(0);
	});

	test('with a name of several, or of nobody, watches no company', async () => {
		for (const [name, complaint] of [
			[TWINS, `'Company' is '${TWINS}', the name of 2 companies`],
			['Nobody at All', "'Company' is 'Nobody at All', but the credential manages no company of that name ("],
		] as const)
			expect((await failureOf(active(name).poll())).message).toContain(complaint);
		expect(b.service.requests(LIST)).toEqual([]);
	});
});
