/** Tests lists that may be incomplete: nothing that depends on such a list is written, and the error names the list. */
import type { IDataObject } from 'n8n-workflow';
import { toIdLocator } from '../cases';
import { getCampaignKeys } from '../cases/campaigns';
import { prepareNewCampaign } from '../cases/launch';
import { findRunningJob } from '../cases/resend';
import { requireValue } from '../n8n-core/nodeFixture';
import type { LoggedRequest } from '../stand-in';
import { createDeployedFixture, getFailureMessage } from './deployedFixture';
import { createDistortion, DISTORTIONS, shiftRecords, type Distortion, type ListPage } from './listDistortions';

const { fixture, run, runPrepared } = createDeployedFixture();
afterEach(() => fixture.standIn.setOptions({ transformEnvelope: undefined }));

const LIST_PEOPLE = 'POST /api/target-users/search';
const LIST_GROUPS = 'POST /api/target-groups/search/current-company';
const LIST_MEMBERS = 'POST /api/target-groups/{resourceId}/users';
const LIST_GROUP_COMPANIES = 'POST /api/company-groups/{resourceId}/companies/search';
const LIST_SYSTEM_USERS = 'POST /api/system-users/search';
const LIST_CAMPAIGNS = 'POST /api/phishing-simulator/phishing-campaign/search';

const UPDATE_PERSON = 'PUT /api/target-users/{resourceId}';
const ADD_PERSON = 'POST /api/target-users';
const SET_PARTICIPANTS = 'PUT /api/company-groups/{resourceId}/participants';
const UPDATE_GROUP = 'PUT /api/company-groups/{resourceId}';
const UPDATE_SYSTEM_USER = 'PUT /api/system-users/{resourceId}';
const CREATE_CAMPAIGN = 'POST /api/phishing-simulator/phishing-campaign';

/**
 * Distorts the pages of a list that the platform returns.
 * @param list the route of the list
 * @param times how many reads of the list are distorted; the default is all of them
 */
function distortList(list: string, distortion: Distortion, times = Infinity): void {
	fixture.standIn.setOptions({ transformEnvelope: createDistortion(list, distortion, times) });
}

/** Finds a person of the customer who is in at least one group. */
function findGroupMember() {
	const { users, targetGroups } = fixture.customer.companyData;
	return requireValue(
		users.find(({ resourceId }) => targetGroups.some((group) => group.userResourceIds.includes(resourceId))),
	);
}
/** Finds a company group with at least two companies. */
const findCompanyGroup = () =>
	requireValue(fixture.customer.world.companyGroups.find((group) => group.companyResourceIdArray.length > 1));
/** Finds a company that is not in the company group. Returns its ID. */
const findNewCompanyId = () => {
	const { companyResourceIdArray } = findCompanyGroup();
	const companyIds = fixture.customer.world.companies.map(({ companyResourceId }) => companyResourceId);
	return requireValue(companyIds.find((id) => !companyResourceIdArray.includes(id)));
};
/** Returns the IDs of each group's members, sorted, because the stand-in may change their order when it saves a person. */
const listGroupMembers = () =>
	fixture.customer.companyData.targetGroups.map(({ userResourceIds }) => [...userResourceIds].sort());
/** Copies all data of the platform that the tested operations could change. */
const readPlatformData = () => {
	const { users, targetGroups, systemUsers } = fixture.customer.companyData;
	const campaigns = fixture.customer.companyData.getCampaigns('phishing');
	return structuredClone([users, targetGroups, systemUsers, campaigns, fixture.customer.world.companyGroups]);
};
const departmentUpdate = { additionalFields: { department: 'Bakery' } };

/** An operation that reads a list before it writes. */
interface ListDependentOperation {
	node: string;
	operation: string;
	/** The routes of the lists that the operation reads before it writes. */
	lists: string[];
	/** The routes of the write requests. */
	writes: string[];
	/** Creates the parameters of the operation, and any data that it needs. */
	buildParameters: () => IDataObject | Promise<IDataObject>;
}

const LIST_DEPENDENT_OPERATIONS: ListDependentOperation[] = [
	{
		node: 'TargetUser',
		operation: 'update',
		lists: [LIST_GROUPS, LIST_MEMBERS],
		writes: [UPDATE_PERSON],
		buildParameters: () => ({
			...fixture.customer.companyParameters,
			targetUser: toIdLocator(findGroupMember().resourceId),
			...departmentUpdate,
		}),
	},
	{
		node: 'TargetUser',
		operation: 'createOrUpdate',
		lists: [LIST_PEOPLE, LIST_GROUPS, LIST_MEMBERS],
		writes: [UPDATE_PERSON, ADD_PERSON],
		buildParameters: () => ({
			...fixture.customer.companyParameters,
			email: findGroupMember().email,
			phoneNumber: '+4930123',
			...departmentUpdate,
		}),
	},
	{
		node: 'CompanyGroup',
		operation: 'member.add',
		lists: [LIST_GROUP_COMPANIES],
		writes: [SET_PARTICIPANTS],
		buildParameters: () => ({
			companyGroup: toIdLocator(findCompanyGroup().resourceId),
			companies: [findNewCompanyId()],
		}),
	},
	{
		node: 'CompanyGroup',
		operation: 'update',
		lists: [LIST_GROUP_COMPANIES],
		writes: [UPDATE_GROUP],
		buildParameters: () => ({
			companyGroup: toIdLocator(findCompanyGroup().resourceId),
			name: 'Renamed',
			membersFrom: 'keep',
		}),
	},
	{
		node: 'SystemUser',
		operation: 'update',
		lists: [LIST_SYSTEM_USERS],
		writes: [UPDATE_SYSTEM_USER],
		buildParameters: async () => {
			const [role] = await fixture.customer.fetchList('GET /api/roles');
			const roles = [String(role?.resourceId)];
			const ada = { firstName: 'Ada', lastName: 'Byron', email: 'ada@x.example', phoneNumber: '+4930123', statusId: 2 };
			await fixture.customer.fetchData('POST /api/system-users', { ...ada, roleResourceIdList: roles });
			const user = requireValue(fixture.customer.companyData.systemUsers.at(-1));
			const additionalFields = { lastName: 'King' };
			return {
				...fixture.customer.companyParameters,
				systemUser: toIdLocator(user.resourceId),
				roles,
				additionalFields,
			};
		},
	},
	...['create', 'createAndStart'].map((operation) => ({
		node: 'PhishingCampaign',
		operation,
		lists: [LIST_CAMPAIGNS],
		writes: [CREATE_CAMPAIGN],
		buildParameters: () => prepareNewCampaign(fixture.customer, 'phishing').parameters,
	})),
];

const listCases = LIST_DEPENDENT_OPERATIONS.flatMap((operationCase) =>
	operationCase.lists.map((list) => ({
		...operationCase,
		list,
		title: `${operationCase.node} ${operationCase.operation}, ${list}`,
	})),
);

describe.each(listCases)('$title', ({ node, operation, list, writes, buildParameters }) => {
	const listWrites = () => writes.flatMap((route) => fixture.standIn.getRequests(route));

	test.each(DISTORTIONS)('nothing is written if the list %s', async (_description, distortion, reason) => {
		const parameters = await buildParameters();
		const dataBefore = readPlatformData();
		distortList(list, distortion);
		const message = await getFailureMessage(run(node, operation, parameters));
		if (list === LIST_GROUP_COMPANIES)
			expect(message).toContain("has members that the platform doesn't list completely");
		else expect(message).toContain(`is incomplete: ${reason}`);
		expect(message).toMatch(/Nothing was changed.+ role /);
		expect(listWrites()).toEqual([]);
		expect(readPlatformData()).toEqual(dataBefore);
	});

	test('a list that changed while it was read is read again before the write', async () => {
		const parameters = await buildParameters();
		const groupsBefore = listGroupMembers();
		const companiesBefore = findCompanyGroup().companyResourceIdArray;
		distortList(list, shiftRecords, 1);
		await run(node, operation, parameters);
		expect(listWrites()).toHaveLength(1);
		expect(listGroupMembers()).toEqual(groupsBefore);
		expect(findCompanyGroup().companyResourceIdArray).toEqual(expect.arrayContaining(companiesBefore));
	});
});

test('the error names the list, the customer and what to do', async () => {
	distortList(LIST_MEMBERS, ({ results }) => ({ results, totalNumberOfRecords: 99, totalNumberOfPages: 1 }));
	const parameters = {
		...fixture.customer.companyParameters,
		targetUser: toIdLocator(findGroupMember().resourceId),
		...departmentUpdate,
	};
	expect(await getFailureMessage(run('TargetUser', 'update', parameters))).toMatch(
		/^Could not update target user for '.+': the list of the members of the target group '.+' is incomplete: the platform counts \d+ records that it does not list: Nothing was changed for this item, .+ Then use a credential whose role may see the whole list\.$/,
	);
});

describe('a company group whose record counts more companies than the list has', () => {
	const emptyPage = { results: [], totalNumberOfRecords: 0, totalNumberOfPages: 0 };

	test.each(listCases.filter(({ list }) => list === LIST_GROUP_COMPANIES))(
		'$operation: nothing is written',
		async ({ node, operation, writes, buildParameters }) => {
			const parameters = await buildParameters();
			distortList(LIST_GROUP_COMPANIES, () => emptyPage);
			expect(await getFailureMessage(run(node, operation, parameters))).toContain(
				"'Company Group' has members that the platform doesn't list completely",
			);
			expect(writes.flatMap((route) => fixture.standIn.getRequests(route))).toEqual([]);
		},
	);
});

test('a custom field without an ID in the record is not lost when another field changes', async () => {
	const [field] = await fixture.customer.fetchList('GET /api/custom-fields/company');
	const customFields = { rows: [{ customField: toIdLocator(String(field?.resourceId)), value: 'Kiel' }] };
	const parameters = { ...fixture.customer.companyParameters, targetUser: toIdLocator(findGroupMember().resourceId) };
	const removeFieldId = (envelope: unknown, { route }: LoggedRequest) => {
		if (route !== 'GET /api/target-users/{resourceId}') return envelope;
		const response = envelope as { data: IDataObject };
		return { ...response, data: { ...response.data, customFieldValues: [{ resourceId: '', value: 'Blue' }] } };
	};
	fixture.standIn.setOptions({ transformEnvelope: removeFieldId });
	expect(
		await getFailureMessage(run('TargetUser', 'update', { ...parameters, additionalFields: { customFields } })),
	).toMatch(/'Custom Fields' in '.+' can't be changed, because .+ without its ID: Nothing was changed/);
	expect(await getFailureMessage(run('TargetUser', 'update', { ...parameters, ...departmentUpdate }))).toMatch(
		/^'Update Fields' can't be changed, because .+ without its ID: Nothing was changed/,
	);
	expect(fixture.standIn.getRequests(UPDATE_PERSON)).toEqual([]);
});

test('Count Only returns no number if the list may be incomplete', async () => {
	const { parameters } = findRunningJob(fixture.customer, 'phishing');
	distortList(getCampaignKeys('phishing').people, (page) => ({ ...page, results: null }));
	const { items, hints } = await run('PhishingCampaign', 'campaignJob.resend', {
		...parameters,
		sendTo: ['2'],
		countOnly: true,
	});
	expect(items.map(({ json }) => json.peopleCount)).toEqual([null]);
	expect(hints).toHaveLength(1);
});

describe('lists that are read after a write', () => {
	test.each(DISTORTIONS)(
		'Provision API Client: the error does not say that the client is missing if the list %s',
		async (_description, distortion) => {
			const provision = runPrepared('ApiClient', 'provision', () => {
				fixture.standIn.addFault({ route: 'POST /api/companies/clients', kind: 'reset-after' });
				// Without records, the list also lacks the created client.
				const distortWithoutClient = (page: ListPage, pageNumber: number) =>
					distortion({ ...page, results: [] }, pageNumber);
				distortList('POST /api/companies/clients/search', distortWithoutClient);
			});
			const message = await getFailureMessage(provision);
			expect(message).toContain("The client may have been created anyway. Look for 'Provisioned'");
			expect(message).not.toContain('No client was created');
		},
	);

	test("Create SCIM Integration doesn't use an ID from a list that may be incomplete", async () => {
		const result = await runPrepared('ScimIntegration', 'create', () => {
			const makeListIncomplete = createDistortion('POST /api/scim/search', (page) => ({
				...page,
				totalNumberOfRecords: 9,
			}));
			const removeNewId = (envelope: unknown, request: LoggedRequest) =>
				request.route === 'POST /api/scim'
					? { ...(envelope as object), data: { token: 'abc' } }
					: makeListIncomplete(envelope, request);
			fixture.standIn.setOptions({ transformEnvelope: removeNewId });
		});
		expect(result.items.map(({ json }) => [json.token, json.resourceId])).toEqual([['abc', undefined]]);
		expect(result.hints.map(({ message }) => message)).toEqual([
			expect.stringMatching(/^The list of SCIM integrations is incomplete: .+ did not use this list\./),
			expect.stringContaining("the platform didn't return its ID"),
		]);
	});

	test.each([
		{ otherName: 'Entra ID (old)', isFound: true },
		{ otherName: 'Entra ID', isFound: false },
	])(
		"Create SCIM Integration finds the ID by the name, unless another integration has the same: '$otherName'",
		async ({ otherName, isFound }) => {
			const { items, hints } = await runPrepared('ScimIntegration', 'create', () => {
				const addIntegration = createDistortion('POST /api/scim/search', ({ results }) => ({
					results: [{ resourceId: 'another', name: otherName }, ...results],
					totalNumberOfRecords: results.length + 1,
					totalNumberOfPages: 1,
				}));
				const removeNewId = (envelope: unknown, request: LoggedRequest) =>
					request.route === 'POST /api/scim'
						? { ...(envelope as object), data: { token: 'abc' } }
						: addIntegration(envelope, request);
				fixture.standIn.setOptions({ transformEnvelope: removeNewId });
			});
			const newId = requireValue(fixture.customer.companyData.scimIntegrations.at(-1)).resourceId;
			expect(items.map(({ json }) => [json.token, json.resourceId])).toEqual([['abc', isFound ? newId : undefined]]);
			expect(hints).toHaveLength(isFound ? 0 : 1);
		},
	);

	test("Add Participants doesn't report companies as missing if the list may be incomplete", async () => {
		const parameters = {
			companyGroup: toIdLocator(findCompanyGroup().resourceId),
			companies: [findNewCompanyId()],
		};
		let isWritten = false;
		fixture.standIn.setOptions({
			transformEnvelope: (envelope, { route }) => {
				isWritten ||= route === SET_PARTICIPANTS;
				return isWritten && route === LIST_GROUP_COMPANIES ? { ...(envelope as object), data: null } : envelope;
			},
		});
		const { items, hints } = await run('CompanyGroup', 'member.add', parameters);
		expect(items.map(({ json }) => json)).toEqual([
			{ name: findCompanyGroup().name, resourceId: findCompanyGroup().resourceId, added: 1 },
		]);
		expect(hints.map(({ message }) => message)).toEqual([
			expect.stringMatching(/^The list of the companies in the group is incomplete: .+ did not use this list\./),
		]);
	});
});

test('a person is not removed from a group whose record counts more members than the list has', async () => {
	const group = requireValue(
		fixture.customer.companyData.targetGroups.find(({ userResourceIds }) => userResourceIds.length > 1),
	);
	const [personId = ''] = group.userResourceIds;
	distortList(LIST_MEMBERS, () => ({ results: [], totalNumberOfRecords: 0, totalNumberOfPages: 0 }));
	const parameters = { ...fixture.customer.companyParameters, targetUser: toIdLocator(personId), ...departmentUpdate };
	const message = await getFailureMessage(run('TargetUser', 'update', parameters));
	expect(message).toMatch(/members of the target group '.+' is incomplete: the platform counts \d+ records/);
	expect(fixture.standIn.getRequests(UPDATE_PERSON)).toEqual([]);
});

test.each<[string, Distortion]>([
	['a list whose count is text', () => ({ results: [], totalNumberOfRecords: '500', totalNumberOfPages: '5' })],
	['a list with three pages but no records', () => ({ results: [], totalNumberOfRecords: 0, totalNumberOfPages: 3 })],
])('%s: nobody is added a second time', async (_description, distortion) => {
	const { email } = findGroupMember();
	distortList(LIST_PEOPLE, distortion);
	const parameters = { ...fixture.customer.companyParameters, email, phoneNumber: '+4930123', ...departmentUpdate };
	expect(await getFailureMessage(run('TargetUser', 'createOrUpdate', parameters))).toContain('is incomplete');
	expect([UPDATE_PERSON, ADD_PERSON].flatMap((route) => fixture.standIn.getRequests(route))).toEqual([]);
});
