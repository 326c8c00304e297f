/**
 * The answers of a live deployment that differ from the contract, and the results that the nodes must give
 * nevertheless.
 */
import type { FaultKind } from '../stand-in';
import { cases } from '../cases';
import { NODE_FOLDERS, getCampaignKeys } from '../cases/campaigns';
import { readMembers } from '../cases/companies';
import { findCase, createDeployedFixture, getFailureMessage } from './deployed';

const { fixture, run, runPrepared } = createDeployedFixture();

const refuse = (route: string, kind: FaultKind) => () => fixture.standIn.addFault({ route, kind, times: Infinity });
const switchOff = () => fixture.standIn.setOptions({ hasExtraRoutes: false });
/** The ways in which a request that the contract does not have can fail. */
const WITHOUT = (route: string): Array<[named: string, spoil: () => void]> => [
	['switched off', switchOff],
	['not allowed', refuse(route, 'forbidden-company')],
	['broken', refuse(route, 'status-500')],
];

describe('lists of jobs, which cannot be sorted by the time they were created', () => {
	const { jobs } = getCampaignKeys('phishing');
	const more = () => ({ ...fixture.customer.companyParameters, returnAll: true });

	test('are read by name, which every deployment accepts', async () => {
		const every = { companyScope: 'every', onlyCompanies: { licenceNotExpired: false }, returnAll: true };
		const { items } = await run(NODE_FOLDERS.phishing, 'getManyJobs', every);
		expect(new Set(items.map(({ json }) => json.companyResourceId)).size).toBe(fixture.customer.world.companies.length);
		expect(fixture.standIn.getRequests(jobs).filter(({ status }) => status !== 200)).toEqual([]);
	});

	test('an order that a person chose stays their error', async () => {
		expect(
			await getFailureMessage(
				run(NODE_FOLDERS.phishing, 'getManyJobs', {
					...more(),
					sort: { fields: { by: 'other', fieldName: 'CreateTime', direction: 'descending' } },
				}),
			),
		).toMatch(/did not accept the input \(400\).*The OrderBy field is not valid: CreateTime/);
		const { items } = await run(NODE_FOLDERS.phishing, 'getManyJobs', { ...more(), sort: { fields: { by: 'Name' } } });
		const names = items.map(({ json }) => String(json.name));
		expect(names).toEqual([...names].sort());
		expect(names.length).toBeGreaterThan(1);
	});

	test("a person's own mistake is not hidden by what is tried instead: the first refusal is told, after two further tries at most", async () => {
		const filterGroups = JSON.stringify([
			{ Condition: 'AND', FilterItems: [{ FieldName: 'Name', Operator: 'eq', Value: '1' }], FilterGroups: [] },
		]);
		fixture.standIn.setOptions({ conditionSupport: 'refused' });
		const said = await getFailureMessage(
			run(NODE_FOLDERS.phishing, 'getMany', { ...more(), filters: { filterGroups } }),
		);
		expect(said).toContain("The filter operator 'eq' is not known.");
		expect(fixture.requests.length).toBeLessThanOrEqual(3);
	});
});

describe('SCIM: a token, and nothing else', () => {
	const made = () => fixture.customer.companyData.scimIntegrations.find(({ name }) => name === 'Entra ID');

	test.each<[string, FaultKind]>([
		['broken', 'status-500'],
		['not allowed', 'forbidden-company'],
		['no list', 'wrong-shape'],
	])('creation, and the search for its ID is %s: the token is not lost', async (_named, kind) => {
		const { items } = await runPrepared('ScimIntegration', 'create', refuse('POST /api/scim/search', kind));
		expect(items.map(({ json }) => json.token)).toEqual([made()?.token]);
		expect(fixture.customer.companyData.scimIntegrations).toHaveLength(2);
	});

	test('creation among many: the ID is of the one with that name', async () => {
		const [seeded] = fixture.customer.companyData.scimIntegrations;
		if (!seeded) throw new Error('The customer has no SCIM integration');
		for (let at = 0; at < 150; at++)
			fixture.customer.companyData.scimIntegrations.push({
				...seeded,
				resourceId: `other${at}`,
				name: `Entra ID ${at}`,
			});
		const { items } = await runPrepared('ScimIntegration', 'create');
		expect(items.map(({ json }) => json.resourceId)).toEqual([made()?.resourceId]);
	});

	test('a renewed token stands at the top of the item', async () => {
		const { items } = await runPrepared('ScimIntegration', 'revokeToken');
		expect(items.map(({ json }) => [json.token, 'results' in json])).toEqual([
			[fixture.customer.companyData.scimIntegrations[0]?.token, false],
		]);
	});
});

describe('company groups: a count of the companies, and a list of them beside the contract', () => {
	const MEMBERS = 'POST /api/company-groups/{resourceId}/companies/search';
	const group = () => fixture.customer.world.companyGroups[1];

	test.each(WITHOUT(MEMBERS))('get: the list is %s, and the group comes all the same', async (_named, spoil) => {
		const { items } = await runPrepared('CompanyGroup', 'get', spoil);
		expect(items.map(({ json }) => [json.resourceId, json.name, json.companyCount])).toEqual([
			[group()?.resourceId, group()?.name, group()?.companyResourceIdArray.length],
		]);
	});

	test.each(WITHOUT(MEMBERS))(
		'replace participants: the list is %s, and the write is not repeated',
		async (_named, spoil) => {
			const { items } = await runPrepared('CompanyGroup', 'replaceParticipants', spoil);
			expect(items).toHaveLength(1);
			expect(fixture.standIn.getRequests('PUT /api/company-groups/{resourceId}/participants')).toHaveLength(1);
		},
	);

	/** All that a person sees of a run. */
	const seen = ({ items, hints }: Awaited<ReturnType<typeof runPrepared>>) =>
		JSON.stringify([items.map(({ json }) => json), hints]);

	test('replace participants: where they are only added, it is said who stayed', async () => {
		const before = group()?.companyResourceIdArray ?? [];
		const result = await runPrepared('CompanyGroup', 'replaceParticipants');
		const wanted = String(result.prepared.parameters.participantList).split(',');
		const stayed = fixture.customer.world.companies.filter(
			({ companyResourceId }) => before.includes(companyResourceId) && !wanted.includes(companyResourceId),
		);
		expect(stayed.length).toBeGreaterThan(1);
		for (const { companyName, companyResourceId } of stayed)
			expect(
				[companyName, companyResourceId].filter((word) => seen(result).includes(JSON.stringify(word).slice(1, -1))),
			).not.toEqual([]);
		expect(seen(result)).toMatch(/stay|still|remain|not removed|added/i);
	});

	test('replace participants: where they are replaced, nobody stayed', async () => {
		fixture.standIn.setOptions({ participantsMode: 'replace' });
		const result = await runPrepared('CompanyGroup', 'replaceParticipants');
		expect(seen(result)).not.toMatch(/stay|still|remain|not removed/i);
		expect(
			readMembers(result.items)
				.map(({ companyResourceId }) => companyResourceId)
				.sort(),
		).toEqual([...(group()?.companyResourceIdArray ?? [])].sort());
	});
});

describe('words of the envelope', () => {
	test.each([400, 200])(
		'INPUT_ERROR in PascalCase with a %i is a refusal, in its own words, and nothing is made',
		async (status) => {
			fixture.standIn.setOptions({ reportsInputErrorsAs200: status === 200 });
			const { parameters } = await findCase('ApiClient', 'create').prepare(fixture.customer);
			const clients = fixture.customer.companyData.clients.length;
			expect(
				await getFailureMessage(
					run('ApiClient', 'create', { ...parameters, roles: ['ffffffff-0000-4000-8000-ffffffffffff'] }),
				),
			).toContain('Role is invalid');
			expect(fixture.customer.companyData.clients).toHaveLength(clients);
		},
	);

	test('a sort and a filter that are refused with a 200 are replaced as well', async () => {
		fixture.standIn.setOptions({ reportsInputErrorsAs200: true });
		const jobs = await run(NODE_FOLDERS.quishing, 'getManyJobs', {
			...fixture.customer.companyParameters,
			returnAll: true,
		});
		expect(jobs.items.length).toBeGreaterThan(1);
		const clients = await run('ApiClient', 'getMany', { ...fixture.customer.companyParameters, returnAll: true });
		expect(clients.items.length).toBeGreaterThan(0);
	});

	test('what broke in the service, told in PascalCase, is told on', async () => {
		fixture.standIn.addFault({ route: 'GET /api/roles', kind: 'status-500', times: Infinity });
		const said = await getFailureMessage(run('Role', 'getMany', fixture.customer.companyParameters));
		expect(said).toContain('(500)');
		expect(said).toContain('An unexpected error occurred.');
	});
});

describe('without anything that is beside the contract', () => {
	// What a group's companies are is told above.
	test.each(cases.filter(({ node }) => !['Account', 'CompanyGroup'].includes(node)))(
		'$node: $operation',
		async ({ node, operation }) => {
			if (fixture.getOperation(node, operation).isOptional) {
				expect(await getFailureMessage(runPrepared(node, operation, switchOff))).toContain(
					'There is no such operation.',
				);
				return;
			}
			const { items, prepared } = await runPrepared(node, operation, switchOff);
			// The contract's platform has no list of people, so it isn't known who is active.
			const isUntold = operation === 'progressOfPeriod';
			if (isUntold) expect(new Set(items.map(({ json }) => json.isActive))).toEqual(new Set([null]));
			prepared.checkItems(isUntold ? items.map(({ json }) => ({ json: { ...json, isActive: true } })) : items);
			expect(items).toHaveLength(prepared.itemCount);
		},
	);
});
