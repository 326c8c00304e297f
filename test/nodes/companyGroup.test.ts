/** Tests the operations of Company Group. */
import type { IDataObject } from 'n8n-workflow';
import readXlsxFile from 'read-excel-file/node';
import { SecurityAwarenessCompanyGroup } from '../../nodes/CompanyGroup/SecurityAwarenessCompanyGroup.node';
import { readBinary, runNode } from '../n8n-core';
import {
	startFakeServer,
	closeFakeServers,
	type RouteReply,
	createNodeFixture,
	catchNodeError,
	getHintMessages,
	toItems,
	getJson,
	parsePageNumber,
	requireValue,
	type FixtureRunOptions,
} from '../n8n-core/nodeFixture';
import { parseOperationKey } from '../contract/operationKeys';

describe('company group', () => {
	const fixture = createNodeFixture({ companyCount: 60 });
	const run = async (operation: string, parameters: IDataObject = {}, options?: FixtureRunOptions) =>
		fixture.run(
			SecurityAwarenessCompanyGroup,
			{ ...parseOperationKey('CompanyGroup', operation), ...parameters },
			options,
		);
	const getOutput = async (...parameters: Parameters<typeof run>) => getJson((await run(...parameters)).items);
	const listCompanyIds = (from: number, to: number) =>
		fixture.standIn.world.companies.slice(from, to).map(({ companyResourceId }) => companyResourceId);
	const getGroup = (index: number) => requireValue(fixture.standIn.world.companyGroups[index]);
	const createLocator = (index: number) => ({ mode: 'list', value: getGroup(index).resourceId });
	const getMemberIds = (index: number) => getGroup(index).companyResourceIdArray;
	const SET_PARTICIPANTS = 'PUT /api/company-groups/{resourceId}/participants';

	test('get all: every group once', async () => {
		expect((await getOutput('listAll')).map(({ name }) => name)).toEqual(
			fixture.standIn.world.companyGroups.map(({ name }) => name),
		);
	});

	test('get many: search, sort order and limit; Return All reads several pages', async () => {
		const sortedNames = fixture.standIn.world.companyGroups.map(({ name }) => name).sort();
		const sort = { fields: { by: 'Name' } };
		expect(
			(await getOutput('getMany', { returnAll: true, sort, options: { pageSize: 7 } })).map(({ name }) => name),
		).toEqual(sortedNames);
		expect(fixture.requests.map(parsePageNumber)).toEqual([1, 2, 3, 4, 5]);
		expect((await getOutput('getMany', { limit: 9, sort })).map(({ name }) => name)).toEqual(sortedNames.slice(0, 9));
		expect((await getOutput('getMany', { filters: { searchText: 'größte' } })).map(({ name }) => name)).toEqual([
			'Größte Kunden',
		]);
	});

	test.each([
		['csv', 'Csv'],
		['excel', 'Excel'],
	])('export as %s: all groups, with the export type as this operation spells it', async (format, exportType) => {
		const { items } = await run('export', { format });
		const content = await readBinary(items[0]);
		const [sheet] = format === 'excel' ? await readXlsxFile(content) : [];
		const rowCount = sheet ? sheet.data.length : content.toString().trim().split('\r\n').length;
		expect(rowCount).toBe(fixture.standIn.world.companyGroups.length + 1);
		expect(fixture.requests[0]?.body).toMatchObject({ exportType, reportAllPages: true, pageNumber: 1 });
		expect(items[0]?.json.fileName).toBe(`company-groups.${format === 'excel' ? 'xlsx' : 'csv'}`);
	});

	test('export: one page', async () => {
		const { items } = await run('export', { allPages: false, pageNumber: 2, pageSize: 20 });
		expect((await readBinary(items[0])).toString().trim().split('\r\n')).toHaveLength(
			1 + fixture.standIn.world.companyGroups.length - 20,
		);
	});

	test('create → get → update → replace members', async () => {
		const [createdGroup] = await getOutput('create', {
			name: 'Gold',
			companies: listCompanyIds(0, 3),
			additionalFields: { additionalFieldsJson: '{ "note": "n" }' },
		});
		expect(fixture.requests.at(-1)?.body).toEqual({
			name: 'Gold',
			companyResourceIdArray: listCompanyIds(0, 3),
			note: 'n',
		});
		const newIndex = fixture.standIn.world.companyGroups.length - 1;
		expect(getGroup(newIndex)).toMatchObject({
			resourceId: createdGroup?.resourceId,
			name: 'Gold',
			companyResourceIdArray: listCompanyIds(0, 3),
		});

		const [groupRecord] = await getOutput('get', { companyGroup: { mode: 'id', value: createdGroup?.resourceId } });
		expect(groupRecord).toEqual(createdGroup);

		await getOutput('update', {
			companyGroup: createLocator(newIndex),
			name: 'Silver',
			membersFrom: 'list',
			companies: listCompanyIds(4, 6).join(' ,\n'),
		});
		expect(getGroup(newIndex)).toMatchObject({ name: 'Silver', companyResourceIdArray: listCompanyIds(4, 6) });

		await getOutput('member.replace', {
			companyGroup: createLocator(newIndex),
			companies: listCompanyIds(7, 9),
		});
		expect(getMemberIds(newIndex)).toEqual(listCompanyIds(7, 9));
		expect(fixture.requests.find(({ route }) => route === SET_PARTICIPANTS)?.body).toEqual({
			companyResourceIdArray: listCompanyIds(7, 9),
		});
	});

	test.each<[string, (ids: string[]) => string]>([
		['a list', (ids) => `={{ ${JSON.stringify(ids)} }}`],
		['a list as text', (ids) => JSON.stringify(ids)],
		['text with commas, with one ID twice', (ids) => [...ids, ids[0]].join(', ')],
		['text from an expression', (ids) => `={{ ${JSON.stringify(ids)}.join(",") }}`],
	])('replace members: IDs as %s', async (_name, formatIds) => {
		await run('member.replace', {
			companyGroup: createLocator(0),
			companies: formatIds(listCompanyIds(1, 4)),
		});
		expect(getMemberIds(0)).toEqual(listCompanyIds(1, 4));
	});

	test('replace members: each item changes its own group, in the order of the items', async () => {
		const items = toItems(
			...[0, 1, 2].map((index) => ({ group: getGroup(index).resourceId, ids: listCompanyIds(index, index + 2) })),
		);
		const parameters = {
			companyGroup: { mode: 'id', value: '={{ $json.group }}' },
			companies: '={{ $json.ids }}',
		};
		const result = await run('member.replace', parameters, { items });
		expect([0, 1, 2].map(getMemberIds)).toEqual([0, 1, 2].map((index) => listCompanyIds(index, index + 2)));
		expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
	});

	test.each(['member.replace', 'update'])("%s: 'No Companies' empties a group", async (operation) => {
		expect(getMemberIds(0).length).toBeGreaterThan(0);
		await run(operation, { companyGroup: createLocator(0), name: 'N', membersFrom: 'none' });
		expect(getMemberIds(0)).toEqual([]);
		const [write] = fixture.requests.filter(({ route }) => route.startsWith('PUT '));
		expect(write).toMatchObject({ body: { companyResourceIdArray: [] } });
	});

	test.each(['={{ $json.missing }}', '={{ [] }}', '={{ [null, ""] }}', ' , '])(
		'an empty list (%j) never empties a group',
		async (companies) => {
			for (const operation of ['member.replace', 'update']) {
				const parameters = { companyGroup: createLocator(0), name: 'N', membersFrom: 'list', companies };
				const error = await catchNodeError(run(operation, parameters));
				expect(error.message).toBe("'Company Names or IDs' must name at least one company");
				expect(error.description).toContain("'No Companies'");
			}
			expect(fixture.requests).toEqual([]);
		},
	);

	test('get: the error names the ID of an unknown group', async () => {
		const error = await catchNodeError(run('get', { companyGroup: { mode: 'id', value: 'gone' } }));
		expect(error.message).toBe("Could not get company group: the platform has no record with the ID 'gone' (404)");
	});
});

/** An ID as the platform writes it. Other texts are first looked up as names. */
const GROUP_ID = 'grp1a2b3c4d5';

test('get: a response that contains the members is not changed, and no second request is sent', async () => {
	const data = { resourceId: GROUP_ID, participants: [{ companyName: 'Bakery' }] };
	const { credentialStore, requests } = await startFakeServer({
		[`GET /api/company-groups/${GROUP_ID}`]: { data },
		[`POST /api/company-groups/${GROUP_ID}/companies/search`]: {
			data: [{ companyResourceId: 'c', companyName: 'Other' }],
		},
	});
	const companyGroup = { __rl: true, mode: 'id', value: GROUP_ID };
	const node = new SecurityAwarenessCompanyGroup();
	const { items } = await runNode({
		node,
		parameters: { operation: 'get', companyGroup },
		credential: credentialStore,
	});
	closeFakeServers();
	expect(getJson(items)).toEqual([data]);
	expect(requests).toHaveLength(1);
});

test('replace members: a hint names the companies that are not in the group afterwards', async () => {
	const { credentialStore } = await startFakeServer({
		'PUT /api/company-groups/g/participants': { data: { resourceId: 'g' } },
		'POST /api/company-groups/g/companies/search': { data: [{ companyResourceId: 'c1', companyName: 'Bakery' }] },
	});
	const companyGroup = { __rl: true, mode: 'id', value: 'g' };
	const parameters = { resource: 'member', operation: 'replace', companyGroup, companies: 'c1,c2' };
	const result = await runNode({ node: new SecurityAwarenessCompanyGroup(), parameters, credential: credentialStore });
	closeFakeServers();
	expect(getHintMessages(result)).toEqual([
		'Some companies are missing from the group after the change. Check the group on the platform. This applies to c2.',
	]);
});

test('replace members: a hint names the companies that the platform kept, by their ID if they have no name', async () => {
	const { credentialStore } = await startFakeServer({
		'PUT /api/company-groups/g/participants': { data: { resourceId: 'g' } },
		'POST /api/company-groups/g/companies/search': {
			data: [
				{ companyResourceId: 'c1', companyName: 'Bakery' },
				{ companyResourceId: 'c2', companyName: 'Mill' },
				{ companyResourceId: 'c3' },
			],
		},
	});
	const companyGroup = { __rl: true, mode: 'id', value: 'g' };
	const parameters = { resource: 'member', operation: 'replace', companyGroup, companies: 'c2' };
	const result = await runNode({ node: new SecurityAwarenessCompanyGroup(), parameters, credential: credentialStore });
	closeFakeServers();
	expect(getHintMessages(result)).toEqual([
		"The platform added the selected companies but kept other members. Remove them with 'Remove company group members'. This applies to Bakery, c3.",
	]);
});

test("replace members with 'No Companies': the output lists no member, and no hint doubts the result", async () => {
	const { credentialStore } = await startFakeServer({
		'PUT /api/company-groups/g/participants': { data: { resourceId: 'g' } },
		'POST /api/company-groups/g/companies/search': {
			data: { results: [], totalNumberOfRecords: 0, totalNumberOfPages: 0 },
		},
	});
	const companyGroup = { __rl: true, mode: 'id', value: 'g' };
	const parameters = { resource: 'member', operation: 'replace', companyGroup, membersFrom: 'none' };
	const result = await runNode({ node: new SecurityAwarenessCompanyGroup(), parameters, credential: credentialStore });
	closeFakeServers();
	expect(getJson(result.items)).toEqual([{ resourceId: 'g', members: [], notRemoved: [] }]);
	expect(getHintMessages(result)).toEqual([]);
});

describe('companies that are already in a group', () => {
	const READ_GROUP = 'GET /api/company-groups/g';
	const LIST_COMPANIES = 'POST /api/company-groups/g/companies/search';
	const ADD_PARAMETERS = { resource: 'member', operation: 'add', companies: 'c2' };
	const RENAME_PARAMETERS = { operation: 'update', name: 'N', membersFrom: 'keep' };
	const data = { resourceId: 'g', companyCount: 1 };

	const run = async (parameters: IDataObject, listReply: RouteReply) => {
		const { credentialStore, requests } = await startFakeServer({
			[READ_GROUP]: { data },
			[LIST_COMPANIES]: listReply,
			'PUT /api/company-groups/g': { data },
			'PUT /api/company-groups/g/participants': { data },
		});
		const companyGroup = { __rl: true, mode: 'id', value: 'g' };
		const node = new SecurityAwarenessCompanyGroup();
		const promise = runNode({ node, parameters: { companyGroup, ...parameters }, credential: credentialStore });
		const listSentBodies = () => requests.filter(({ route }) => route.startsWith('PUT ')).map(({ body }) => body);
		return { promise, listSentBodies };
	};

	test.each([
		['add members', ADD_PARAMETERS, ['c1', 'c2']],
		['update', RENAME_PARAMETERS, ['c1']],
	])('%s: the companies in the group are sent, too', async (_name, parameters, companyResourceIdArray) => {
		const { promise, listSentBodies } = await run(parameters, {
			data: [{ companyResourceId: 'c1', companyName: 'Bakery' }],
		});
		await promise;
		closeFakeServers();
		expect(listSentBodies()).toEqual([expect.objectContaining({ companyResourceIdArray })]);
	});

	test('add members: the output has the name of the selected group, and a hint names a company that was not added', async () => {
		const companyGroup = { __rl: true, mode: 'list', value: 'g', cachedResultName: 'Gold' };
		const { promise } = await run({ ...ADD_PARAMETERS, companyGroup }, { data: [{ companyResourceId: 'c1' }] });
		const result = await promise;
		closeFakeServers();
		expect(getJson(result.items)).toMatchObject([{ added: 1, name: 'Gold', resourceId: 'g' }]);
		expect(getHintMessages(result)).toEqual([expect.stringContaining('missing from the group after the change')]);
	});

	test.each([
		['add members', ADD_PARAMETERS, ['c1', 'c2']],
		['update', RENAME_PARAMETERS, ['c1']],
	])(
		'%s: if a company was added to the group while the node read it, the node reads it again',
		async (_name, parameters, companyResourceIdArray) => {
			let readCount = 0;
			const { promise, listSentBodies } = await run(parameters, () => {
				readCount += 1;
				return readCount === 1 ? [] : [{ companyResourceId: 'c1', companyName: 'Bakery' }];
			});
			await promise;
			closeFakeServers();
			expect(listSentBodies()).toEqual([expect.objectContaining({ companyResourceIdArray })]);
		},
	);

	test.each([
		['there is no such list', { status: 404 }],
		[
			'the list is incomplete',
			{ data: { totalNumberOfRecords: 5, totalNumberOfPages: 1, results: [{ companyResourceId: 'c1' }] } },
		],
	])('nothing is changed if the companies in the group are unknown: %s', async (_reason, listReply) => {
		for (const parameters of [ADD_PARAMETERS, RENAME_PARAMETERS]) {
			const { promise, listSentBodies } = await run(parameters, listReply);
			const error = await catchNodeError(promise);
			expect(error.message).toBe("'Company Group' has members that the platform doesn't list completely");
			expect(error.description).toContain('Nothing was changed');
			expect(listSentBodies()).toEqual([]);
		}
		closeFakeServers();
	});
});
