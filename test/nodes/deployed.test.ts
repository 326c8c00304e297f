/** Tests what the nodes return if the responses of a live deployment differ from the contract. */
import type { FaultKind } from '../stand-in';
import { toIdLocator } from '../cases';
import { fetchPeopleByAction, findJob, NODE_FOLDERS, getCampaignKeys } from '../cases/campaigns';
import { readMembers } from '../cases/companies';
import { runCase } from '../cases/operationFixture';
import { createEmailSetting } from '../cases/settings';
import { readBinary } from '../n8n-core';
import { closeFakeServers, sendJson, startFakeServer } from '../n8n-core/nodeFixture';
import { listPageSchema } from '../run/changeListRows';
import { findCase, createDeployedFixture, getFailureMessage } from './deployedFixture';

const { fixture, run, runPrepared } = createDeployedFixture();

/** Returns a function that makes all requests of a route fail. */
const createFaultSetter = (route: string, kind: FaultKind) => () =>
	fixture.standIn.addFault({ route, kind, times: Infinity });
/** Removes all endpoints from the stand-in that are not in the contract. */
const removeExtraRoutes = () => fixture.standIn.setOptions({ hasExtraRoutes: false });
/** Lists the ways in which an endpoint outside the contract can fail, each with a function that makes the stand-in fail that way. */
const listEndpointFailures = (route: string): Array<[failure: string, changePlatform: () => void]> => [
	['switched off', removeExtraRoutes],
	['not allowed', createFaultSetter(route, 'forbidden-company')],
	['broken', createFaultSetter(route, 'status-500')],
];

describe('lists of jobs, which cannot be sorted by the time of creation', () => {
	const { jobs: jobsRoute } = getCampaignKeys('phishing');
	const buildParameters = () => ({ ...fixture.customer.companyParameters, returnAll: true });

	test('are sorted by name, which every deployment accepts', async () => {
		const parameters = { companyScope: 'every', onlyCompanies: { licenceNotExpired: false }, returnAll: true };
		const { items } = await run(NODE_FOLDERS.phishing, 'campaignJob.getMany', parameters);
		expect(new Set(items.map(({ json }) => json.companyResourceId)).size).toBe(fixture.customer.world.companies.length);
		expect(fixture.standIn.getRequests(jobsRoute).filter(({ status }) => status !== 200)).toEqual([]);
	});

	test("a sort field that the user selected is not replaced, so the platform's error is shown", async () => {
		expect(
			await getFailureMessage(
				run(NODE_FOLDERS.phishing, 'campaignJob.getMany', {
					...buildParameters(),
					sort: { fields: { by: 'other', fieldName: 'CreateTime', direction: 'descending' } },
				}),
			),
		).toMatch(/did not accept the input \(400\).*The OrderBy field is not valid: CreateTime/);
		const { items } = await run(NODE_FOLDERS.phishing, 'campaignJob.getMany', {
			...buildParameters(),
			sort: { fields: { by: 'Name' } },
		});
		const names = items.map(({ json }) => String(json.name));
		expect(names).toEqual([...names].sort());
		expect(names.length).toBeGreaterThan(1);
	});

	test('if every request variant is rejected, the first rejection is shown, after at most two more requests', async () => {
		const filterGroups = JSON.stringify([
			{ Condition: 'AND', FilterItems: [{ FieldName: 'Name', Operator: 'eq', Value: '1' }], FilterGroups: [] },
		]);
		fixture.standIn.setOptions({ conditionSupport: 'refused' });
		const message = await getFailureMessage(
			run(NODE_FOLDERS.phishing, 'getMany', { ...buildParameters(), filters: { filterGroups } }),
		);
		expect(message).toContain("The filter operator 'eq' is not known.");
		expect(fixture.requests.length).toBeLessThanOrEqual(3);
	});
});

describe('SCIM: the response only contains the token', () => {
	const findCreatedIntegration = () =>
		fixture.customer.companyData.scimIntegrations.find(({ name }) => name === 'Entra ID');

	test.each<[string, FaultKind]>([
		['broken', 'status-500'],
		['not allowed', 'forbidden-company'],
		['no list', 'wrong-shape'],
	])('creation: the token is returned if the search for the ID is %s', async (_failure, kind) => {
		const { items } = await runPrepared('ScimIntegration', 'create', createFaultSetter('POST /api/scim/search', kind));
		expect(items.map(({ json }) => json.token)).toEqual([findCreatedIntegration()?.token]);
		expect(fixture.customer.companyData.scimIntegrations).toHaveLength(2);
	});

	test('creation: among many integrations, the one with the same name is found', async () => {
		const [seeded] = fixture.customer.companyData.scimIntegrations;
		if (!seeded) throw new Error('The customer has no SCIM integration');
		for (let index = 0; index < 150; index++)
			fixture.customer.companyData.scimIntegrations.push({
				...seeded,
				resourceId: `other${index}`,
				name: `Entra ID ${index}`,
			});
		const { items } = await runPrepared('ScimIntegration', 'create');
		expect(items.map(({ json }) => json.resourceId)).toEqual([findCreatedIntegration()?.resourceId]);
	});

	test('creation: if the response has the ID, the ID is returned without a search', async () => {
		const { items } = await runPrepared('ScimIntegration', 'create', () =>
			fixture.standIn.setOptions({
				transformEnvelope: (envelope, { route }) =>
					route === 'POST /api/scim'
						? { ...(envelope as object), data: { token: 'abc', resourceId: 'own' } }
						: envelope,
			}),
		).finally(() => fixture.standIn.setOptions({ transformEnvelope: undefined }));
		expect(items.map(({ json }) => [json.token, json.resourceId])).toEqual([['abc', 'own']]);
		expect(fixture.standIn.getRequests('POST /api/scim/search')).toEqual([]);
	});

	test('a renewed token is a field of the item itself', async () => {
		const { items } = await runPrepared('ScimIntegration', 'revokeToken');
		expect(items.map(({ json }) => [json.token, 'results' in json])).toEqual([
			[fixture.customer.companyData.scimIntegrations[0]?.token, false],
		]);
	});
});

describe('company groups: the number of companies, and a list of them outside the contract', () => {
	const LIST_MEMBERS = 'POST /api/company-groups/{resourceId}/companies/search';
	const getGroup = () => fixture.customer.world.companyGroups[1];

	test.each(listEndpointFailures(LIST_MEMBERS))(
		'get: the group is returned even if the list is %s',
		async (_failure, changePlatform) => {
			const { items } = await runPrepared('CompanyGroup', 'get', changePlatform);
			expect(items.map(({ json }) => [json.resourceId, json.name, json.companyCount])).toEqual([
				[getGroup()?.resourceId, getGroup()?.name, getGroup()?.companyResourceIdArray.length],
			]);
		},
	);

	test.each(listEndpointFailures(LIST_MEMBERS))(
		'replace members: the write is not repeated if the list is %s',
		async (_failure, changePlatform) => {
			const { items } = await runPrepared('CompanyGroup', 'member.replace', changePlatform);
			expect(items).toHaveLength(1);
			expect(fixture.standIn.getRequests('PUT /api/company-groups/{resourceId}/participants')).toHaveLength(1);
		},
	);

	/** Returns the items and hints of a run as text. */
	const formatResult = ({ items, hints }: Awaited<ReturnType<typeof runPrepared>>) =>
		JSON.stringify([items.map(({ json }) => json), hints]);

	test('replace members: if the platform only adds companies, the result names the companies that were kept', async () => {
		const idsBefore = getGroup()?.companyResourceIdArray ?? [];
		const result = await runPrepared('CompanyGroup', 'member.replace');
		const newIds = String(result.prepared.parameters.companies).split(',');
		const keptCompanies = fixture.customer.world.companies.filter(
			({ companyResourceId }) => idsBefore.includes(companyResourceId) && !newIds.includes(companyResourceId),
		);
		expect(keptCompanies.length).toBeGreaterThan(1);
		for (const { companyName, companyResourceId } of keptCompanies)
			expect(
				[companyName, companyResourceId].filter((text) =>
					formatResult(result).includes(JSON.stringify(text).slice(1, -1)),
				),
			).not.toEqual([]);
		expect(formatResult(result)).toMatch(/stay|still|remain|not removed|added/i);
	});

	test('replace members: if the platform replaces companies, no company is reported as kept', async () => {
		fixture.standIn.setOptions({ participantsMode: 'replace' });
		const result = await runPrepared('CompanyGroup', 'member.replace');
		expect(formatResult(result)).not.toMatch(/stay|still|remain|not removed/i);
		expect(
			readMembers(result.items)
				.map(({ companyResourceId }) => companyResourceId)
				.sort(),
		).toEqual([...(getGroup()?.companyResourceIdArray ?? [])].sort());
	});
});

describe('a search whose response is one record (deployment shapes, "How to read this file")', () => {
	/** Replaces the pages of a list with their first record. */
	const sendFirstRecord = (routePattern: RegExp) =>
		fixture.standIn.setOptions({
			transformEnvelope: (envelope, { route }) => {
				const page = routePattern.test(route) ? listPageSchema.safeParse(envelope).data : undefined;
				return page ? { ...page, data: page.data.results[0] } : envelope;
			},
		});
	afterEach(() => fixture.standIn.setOptions({ transformEnvelope: undefined }));

	test('the direct email setting is returned, and found by its name', async () => {
		const resourceId = await createEmailSetting(fixture.customer, 'Only one');
		sendFirstRecord(/direct-email-settings\/search/);
		const { companyParameters } = fixture.customer;
		const list = await run('DirectEmailSetting', 'getMany', companyParameters);
		expect(list.items.map(({ json }) => json)).toMatchObject([{ resourceId, name: 'Only one' }]);
		const directEmailSettingId = { __rl: true, mode: 'name', value: 'Only one' };
		const setting = await run('DirectEmailSetting', 'get', { ...companyParameters, directEmailSettingId });
		expect(setting.items.map(({ json }) => json)).toMatchObject([{ resourceId, name: 'Only one' }]);
		await run('DirectEmailSetting', 'makeDefault', { ...companyParameters, directEmailSettingId });
		expect(fixture.customer.companyData.emailSettings).toMatchObject([{ resourceId, isDefault: true }]);
	});

	test.each(['phishing', 'smishing'] as const)('%s: the only click of a person is returned', async (simulator) => {
		const { id, group, parameters } = findJob(fixture.customer, simulator);
		const [person] = await fetchPeopleByAction(fixture.customer, simulator, 'clicked', { id, group });
		sendFirstRecord(/job-report\/search-[^/]+\/\{resourceId\}/);
		const filters = { person: toIdLocator(String(person?.resourceId)) };
		const { items } = await run(NODE_FOLDERS[simulator], 'result.getClicked', { ...parameters, filters });
		expect(items.map(({ json }) => json)).toEqual([expect.objectContaining({ clickedTime: expect.any(String) })]);
	});
});

describe('status texts of the response envelope', () => {
	test.each([400, 200])(
		"INPUT_ERROR in PascalCase with status %i is an error with the platform's message, and nothing is created",
		async (status) => {
			fixture.standIn.setOptions({ shouldSendInputErrorsAs200: status === 200 });
			const { parameters } = await findCase('ApiClient', 'create').prepare(fixture.customer);
			const clientCount = fixture.customer.companyData.clients.length;
			expect(
				await getFailureMessage(
					run('ApiClient', 'create', { ...parameters, roles: ['ffffffff-0000-4000-8000-ffffffffffff'] }),
				),
			).toContain('Role is invalid');
			expect(fixture.customer.companyData.clients).toHaveLength(clientCount);
		},
	);

	test('a sort field and a filter that are rejected with status 200 are replaced, too', async () => {
		fixture.standIn.setOptions({ shouldSendInputErrorsAs200: true });
		const jobsResult = await run(NODE_FOLDERS.quishing, 'campaignJob.getMany', {
			...fixture.customer.companyParameters,
			returnAll: true,
		});
		expect(jobsResult.items.length).toBeGreaterThan(1);
		const clientsResult = await run('ApiClient', 'getMany', { ...fixture.customer.companyParameters, returnAll: true });
		expect(clientsResult.items.length).toBeGreaterThan(0);
	});

	test('an internal error in PascalCase is shown with its message', async () => {
		fixture.standIn.addFault({ route: 'GET /api/roles', kind: 'status-500', times: Infinity });
		const message = await getFailureMessage(run('Role', 'getMany', fixture.customer.companyParameters));
		expect(message).toContain('(500)');
		expect(message).toContain('An unexpected error occurred.');
	});
});

describe('an export that ignores reportAllPages, because only other exports are documented with it', () => {
	afterEach(closeFakeServers);
	const ENROLLMENT_ID = '0f0f0f0f-0f0f-0f0f-0f0f-0f0f0f0f0f0f';
	const SENDING_REPORT = `POST /api/training-reports/${ENROLLMENT_ID}/sending-report/search`;
	const { campaigns: CAMPAIGNS, jobs: JOBS } = getCampaignKeys('phishing');

	// Platforms accept page sizes up to 99999 (deployment activity 10).
	test.each([
		[1001, 1001, CAMPAIGNS, 'PhishingCampaign', 'export', {}],
		[2500, 2500, JOBS, 'PhishingCampaign', 'campaignJob.export', {}],
		[99_999, 99_999, SENDING_REPORT, 'TrainingReport', 'email.export', { enrollment: toIdLocator(ENROLLMENT_ID) }],
		[100_001, 99_999, CAMPAIGNS, 'PhishingCampaign', 'export', {}],
	])('of %d records, the file has %d: %s', async (recordCount, exportedCount, search, node, operation, parameters) => {
		const counts = { totalNumberOfPages: recordCount, totalNumberOfRecords: recordCount };
		const { credentialStore } = await startFakeServer(({ route, body }, response) => {
			if (route === search) return sendJson(response, 200, { data: { ...counts, results: [{}] } });
			const pageSize = Number(body.pageSize);
			if (route !== `${search}/export` || pageSize > 99_999) return sendJson(response, 400, {});
			const lines = ['name', ...Array<string>(Math.min(pageSize, recordCount)).fill('x')];
			response.writeHead(200, { 'content-type': 'text/csv' }).end(lines.join('\r\n'));
		});
		const caseRun = { parameters: { companyScope: 'own', ...parameters } };
		const { items } = await runCase(fixture, { node, operation }, caseRun, { credential: credentialStore });
		const [, ...records] = (await readBinary(items[0])).toString().split('\r\n');
		expect(records).toHaveLength(exportedCount);
	});
});

// everyOperation.test.ts runs every operation of the contract that sends a request to such an endpoint. All others fail in the same way,
// because the engine reports a missing endpoint: one operation each that reads, writes, and sends several requests is enough.
test.each([
	['Leaderboard', 'getMany'],
	['TargetGroup', 'create'],
	['TargetUser', 'importFile'],
])('without the endpoints outside the contract, %s: %s is an error', async (node, operation) => {
	expect(fixture.getOperation(node, operation).isOutsideContract).toBe(true);
	expect(await getFailureMessage(runPrepared(node, operation, removeExtraRoutes))).toContain(
		'There is no such operation.',
	);
});
