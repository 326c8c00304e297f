/** Tests of lists that may lack records: nothing that depends on such a list is written, and the error names the list. */
import type { IDataObject } from 'n8n-workflow';
import { toIdLocator } from '../cases';
import { getCampaignKeys } from '../cases/campaigns';
import { prepareNewCampaign } from '../cases/launch';
import { findRunningJob } from '../cases/resend';
import { parseBody, requireValue } from '../n8n-core/nodeFixture';
import type { LoggedRequest } from '../stand-in';
import { createDeployedFixture, getFailureMessage } from './deployed';

const { fixture, run, runPrepared } = createDeployedFixture();
afterEach(() => fixture.standIn.setOptions({ transformEnvelope: undefined }));

const PEOPLE = 'POST /api/target-users/search';
const GROUPS = 'POST /api/target-groups/search/current-company';
const MEMBERS = 'POST /api/target-groups/{resourceId}/users';
const COMPANIES = 'POST /api/company-groups/{resourceId}/companies/search';
const SYSTEM_USERS = 'POST /api/system-users/search';
const CAMPAIGNS = 'POST /api/phishing-simulator/phishing-campaign/search';

const UPDATE_PERSON = 'PUT /api/target-users/{resourceId}';
const ADD_PERSON = 'POST /api/target-users';
const SET_PARTICIPANTS = 'PUT /api/company-groups/{resourceId}/participants';
const UPDATE_GROUP = 'PUT /api/company-groups/{resourceId}';
const UPDATE_ADMIN = 'PUT /api/system-users/{resourceId}';
const CREATE_CAMPAIGN = 'POST /api/phishing-simulator/phishing-campaign';

interface Page {
	results: IDataObject[];
	totalNumberOfRecords: number;
	totalNumberOfPages: number;
}

/** Changes a page of a list before it is answered. @param page the real page @param pageNumber from 1 */
type Distortion = (page: Page, pageNumber: number) => unknown;

const others = [1, 2].map((number) => ({
	resourceId: `other${number}`,
	name: `Other ${number}`,
	email: 'o@x.example',
}));

/** Changes the pages as if a record was added at the front after page 1 was read: page 1's last record comes twice, the new one never. */
function shift({ results }: Page, pageNumber: number): Page {
	const rows = [...results, ...others];
	const half = Math.ceil(rows.length / 2);
	const isFirst = pageNumber === 1;
	return {
		results: isFirst ? rows.slice(0, half) : rows.slice(half - 1),
		totalNumberOfRecords: isFirst ? rows.length : rows.length + 1,
		totalNumberOfPages: 2,
	};
}

const DISTORTIONS: Array<[string, Distortion, string]> = [
	[
		'counts 500 and shows none',
		(page) => ({ ...page, results: [], totalNumberOfRecords: 500, totalNumberOfPages: 5 }),
		'the platform counts 500 records that it does not show',
	],
	['has null as its results', (page) => ({ ...page, results: null }), 'the platform answered without a list'],
	['is null', () => null, 'the platform answered without a list'],
	[
		'has a record without an ID',
		(page) => ({
			results: [...page.results, { name: 'No ID', email: 'no-id@x.example' }],
			totalNumberOfRecords: page.results.length + 1,
			totalNumberOfPages: 1,
		}),
		'1 record came without an ID',
	],
	['changes each time that it is read', shift, 'it changed while it was read'],
];

/** Lets the platform answer a list with distorted pages. @param times the number of readings; by default all */
function distort(list: string, distortion: Distortion, times = Infinity): void {
	fixture.standIn.setOptions({ transformEnvelope: createDistortion(list, distortion, times) });
}

function createDistortion(list: string, distortion: Distortion, times = Infinity) {
	// The lists of several groups are read at the same time.
	const reads = new Map<string, { count: number; firstPage: Page }>();
	return (envelope: unknown, request: LoggedRequest) => {
		if (request.route !== list) return envelope;
		const answer = envelope as { data: Page };
		const pageNumber = Number(parseBody(request).pageNumber);
		const { path } = request;
		if (pageNumber === 1) reads.set(path, { count: (reads.get(path)?.count ?? 0) + 1, firstPage: answer.data });
		const { count, firstPage } = requireValue(reads.get(path));
		return count > times ? envelope : { ...answer, data: distortion(firstPage, pageNumber) };
	};
}

/** Finds a person of the customer who is in at least one group. */
function findGroupMember() {
	const { users, targetGroups } = fixture.customer.companyData;
	return requireValue(
		users.find(({ resourceId }) => targetGroups.some((group) => group.userResourceIds.includes(resourceId))),
	);
}
const companyGroup = () =>
	requireValue(fixture.customer.world.companyGroups.find((group) => group.companyResourceIdArray.length > 1));
const newCompany = () => {
	const { companyResourceIdArray } = companyGroup();
	const all = fixture.customer.world.companies.map(({ companyResourceId }) => companyResourceId);
	return requireValue(all.find((id) => !companyResourceIdArray.includes(id)));
};
/** Returns the sorted members of each group, because a new member is added at the end. */
const memberships = () =>
	fixture.customer.companyData.targetGroups.map(({ userResourceIds }) => [...userResourceIds].sort());
const readPlatformData = () => {
	const { users, targetGroups, systemUsers } = fixture.customer.companyData;
	const campaigns = fixture.customer.companyData.getCampaigns('phishing');
	return structuredClone([users, targetGroups, systemUsers, campaigns, fixture.customer.world.companyGroups]);
};
const department = { additionalFields: { department: 'Bakery' } };

interface Composite {
	node: string;
	operation: string;
	/** The list that the operation reads before it writes. */
	lists: string[];
	/** The requests that must not be sent. */
	writes: string[];
	parameters: () => IDataObject | Promise<IDataObject>;
}

const COMPOSITES: Composite[] = [
	{
		node: 'TargetUser',
		operation: 'update',
		lists: [GROUPS, MEMBERS],
		writes: [UPDATE_PERSON],
		parameters: () => ({
			...fixture.customer.companyParameters,
			targetUser: toIdLocator(findGroupMember().resourceId),
			...department,
		}),
	},
	{
		node: 'TargetUser',
		operation: 'createOrUpdate',
		lists: [PEOPLE, GROUPS, MEMBERS],
		writes: [UPDATE_PERSON, ADD_PERSON],
		parameters: () => ({
			...fixture.customer.companyParameters,
			email: findGroupMember().email,
			phoneNumber: '+4930123',
			...department,
		}),
	},
	{
		node: 'CompanyGroup',
		operation: 'addParticipants',
		lists: [COMPANIES],
		writes: [SET_PARTICIPANTS],
		parameters: () => ({ companyGroup: toIdLocator(companyGroup().resourceId), participantList: [newCompany()] }),
	},
	{
		node: 'CompanyGroup',
		operation: 'update',
		lists: [COMPANIES],
		writes: [UPDATE_GROUP],
		parameters: () => ({
			companyGroup: toIdLocator(companyGroup().resourceId),
			name: 'Renamed',
			participantsFrom: 'keep',
		}),
	},
	{
		node: 'SystemUser',
		operation: 'update',
		lists: [SYSTEM_USERS],
		writes: [UPDATE_ADMIN],
		parameters: async () => {
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
		lists: [CAMPAIGNS],
		writes: [CREATE_CAMPAIGN],
		parameters: () => prepareNewCampaign(fixture.customer, 'phishing').parameters,
	})),
];

const rows = COMPOSITES.flatMap((composite) =>
	composite.lists.map((list) => ({ ...composite, list, title: `${composite.node} ${composite.operation}, ${list}` })),
);

describe.each(rows)('$title', ({ node, operation, list, writes, parameters }) => {
	const sent = () => writes.flatMap((route) => fixture.standIn.getRequests(route));

	test.each(DISTORTIONS)('nothing is written where the list %s', async (_what, distortion, gap) => {
		const parametersHere = await parameters();
		const before = readPlatformData();
		distort(list, distortion);
		const message = await getFailureMessage(run(node, operation, parametersHere));
		if (list === COMPANIES) expect(message).toContain('has companies that the platform does not list');
		else expect(message).toContain(`could not be read completely: ${gap}`);
		expect(message).toMatch(/Nothing was changed.+ role /);
		expect(sent()).toEqual([]);
		expect(readPlatformData()).toEqual(before);
	});

	test('a list that changed while it was read is read once more before the write', async () => {
		const parametersHere = await parameters();
		const groupsBefore = memberships();
		const companiesBefore = companyGroup().companyResourceIdArray;
		distort(list, shift, 1);
		await run(node, operation, parametersHere);
		expect(sent()).toHaveLength(1);
		expect(memberships()).toEqual(groupsBefore);
		expect(companyGroup().companyResourceIdArray).toEqual(expect.arrayContaining(companiesBefore));
	});
});

test('the error names the list, the customer and what to do', async () => {
	distort(MEMBERS, ({ results }) => ({ results, totalNumberOfRecords: 99, totalNumberOfPages: 1 }));
	const parameters = {
		...fixture.customer.companyParameters,
		targetUser: toIdLocator(findGroupMember().resourceId),
		...department,
	};
	expect(await getFailureMessage(run('TargetUser', 'update', parameters))).toMatch(
		/^Could not update target user for '.+': the list of the members of the target group '.+' could not be read completely: the platform counts \d+ records that it does not show: Nothing was changed for this item, .+ Such a role can't run this operation: use a credential whose role may see the whole list\.$/,
	);
});

describe('a group of companies whose record counts more than are listed', () => {
	const lists = { results: [], totalNumberOfRecords: 0, totalNumberOfPages: 0 };

	test.each(rows.filter(({ list }) => list === COMPANIES))(
		'$operation: nothing is written',
		async ({ node, operation, writes, parameters }) => {
			const parametersHere = await parameters();
			distort(COMPANIES, () => lists);
			expect(await getFailureMessage(run(node, operation, parametersHere))).toContain(
				"'Company Group' has companies that the platform does not list, or not all of them",
			);
			expect(writes.flatMap((route) => fixture.standIn.getRequests(route))).toEqual([]);
		},
	);
});

test('a custom field that the record shows without its ID is not lost when something else is changed', async () => {
	const [field] = await fixture.customer.fetchList('GET /api/custom-fields/company');
	const customFields = { rows: [{ customField: toIdLocator(String(field?.resourceId)), value: 'Kiel' }] };
	const parameters = { ...fixture.customer.companyParameters, targetUser: toIdLocator(findGroupMember().resourceId) };
	const garble = (envelope: unknown, { route }: LoggedRequest) => {
		if (route !== 'GET /api/target-users/{resourceId}') return envelope;
		const answer = envelope as { data: IDataObject };
		return { ...answer, data: { ...answer.data, customFieldValues: [{ resourceId: '', value: 'Blue' }] } };
	};
	fixture.standIn.setOptions({ transformEnvelope: garble });
	expect(
		await getFailureMessage(run('TargetUser', 'update', { ...parameters, additionalFields: { customFields } })),
	).toMatch(/'Custom Fields' in '.+' cannot be changed, because .+ without its ID: Nothing was changed/);
	expect(await getFailureMessage(run('TargetUser', 'update', { ...parameters, ...department }))).toMatch(
		/^'Update Fields' cannot be changed, because .+ without its ID: Nothing was changed/,
	);
	expect(fixture.standIn.getRequests(UPDATE_PERSON)).toEqual([]);
});

test('Count Only returns no number if the list may be incomplete', async () => {
	const { parameters } = findRunningJob(fixture.customer, 'phishing');
	distort(getCampaignKeys('phishing').people, (page) => ({ ...page, results: null }));
	const { items, hints } = await run('PhishingCampaign', 'resendJob', {
		...parameters,
		sendTo: ['2'],
		countOnly: true,
	});
	expect(items.map(({ json }) => json.peopleCount)).toEqual([null]);
	expect(hints).toHaveLength(1);
});

describe('lists that are read after a write', () => {
	test.each(DISTORTIONS)(
		'Provision API Client: no client is said to be missing where the list %s',
		async (_what, distortion) => {
			const provision = runPrepared('ApiClient', 'provision', () => {
				fixture.standIn.addFault({ route: 'POST /api/companies/clients', kind: 'reset-after' });
				// The client itself is not in the list.
				const lists = (page: Page, number: number) => distortion({ ...page, results: [] }, number);
				distort('POST /api/companies/clients/search', lists);
			});
			const message = await getFailureMessage(provision);
			expect(message).toContain("The client may have been created anyway. Look for 'Provisioned'");
			expect(message).not.toContain('No client was created');
		},
	);

	test("Create SCIM Integration doesn't take the ID from a list that may be incomplete", async () => {
		const create = await runPrepared('ScimIntegration', 'create', () => {
			const partial = createDistortion('POST /api/scim/search', (page) => ({ ...page, totalNumberOfRecords: 9 }));
			const garble = (envelope: unknown, request: LoggedRequest) =>
				request.route === 'POST /api/scim'
					? { ...(envelope as object), data: { token: 'abc' } }
					: partial(envelope, request);
			fixture.standIn.setOptions({ transformEnvelope: garble });
		});
		expect(create.items.map(({ json }) => [json.token, json.resourceId])).toEqual([['abc', undefined]]);
		expect(create.hints.map(({ message }) => message)).toEqual([
			expect.stringMatching(/^The list of SCIM integrations could not be read completely: .+ was not used\./),
			expect.stringContaining('the service did not return its ID'),
		]);
	});

	test("Add Participants doesn't report missing companies by a list that may be incomplete", async () => {
		const parametersHere = { companyGroup: toIdLocator(companyGroup().resourceId), participantList: [newCompany()] };
		let isWritten = false;
		fixture.standIn.setOptions({
			transformEnvelope: (envelope, { route }) => {
				isWritten ||= route === SET_PARTICIPANTS;
				return isWritten && route === COMPANIES ? { ...(envelope as object), data: null } : envelope;
			},
		});
		const { items, hints } = await run('CompanyGroup', 'addParticipants', parametersHere);
		expect(items.map(({ json }) => json)).toEqual([{ resourceId: companyGroup().resourceId, added: 1 }]);
		expect(hints.map(({ message }) => message)).toEqual([
			expect.stringMatching(/^The list of the companies in the group could not be read completely: .+ was not used\./),
		]);
	});
});

test('a group whose record counts more members than are listed: the person is not taken out of it', async () => {
	const group = requireValue(
		fixture.customer.companyData.targetGroups.find(({ userResourceIds }) => userResourceIds.length > 1),
	);
	const [person = ''] = group.userResourceIds;
	distort(MEMBERS, () => ({ results: [], totalNumberOfRecords: 0, totalNumberOfPages: 0 }));
	const update = { ...fixture.customer.companyParameters, targetUser: toIdLocator(person), ...department };
	const message = await getFailureMessage(run('TargetUser', 'update', update));
	expect(message).toMatch(
		/members of the target group '.+' could not be read completely: the platform counts \d+ records/,
	);
	expect(fixture.standIn.getRequests(UPDATE_PERSON)).toEqual([]);
});

test.each<[string, Distortion]>([
	['a count as text', () => ({ results: [], totalNumberOfRecords: '500', totalNumberOfPages: '5' })],
	['no records on three pages', () => ({ results: [], totalNumberOfRecords: 0, totalNumberOfPages: 3 })],
])('%s: nobody is added a second time', async (_what, distortion) => {
	const { email } = findGroupMember();
	distort(PEOPLE, distortion);
	const upsert = { ...fixture.customer.companyParameters, email, phoneNumber: '+4930123', ...department };
	expect(await getFailureMessage(run('TargetUser', 'createOrUpdate', upsert))).toContain(
		'could not be read completely',
	);
	expect([UPDATE_PERSON, ADD_PERSON].flatMap((route) => fixture.standIn.getRequests(route))).toEqual([]);
});
