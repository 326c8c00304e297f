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

describe('company group', () => {
	const fixture = createNodeFixture({ companyCount: 60 });
	const run = async (operation: string, parameters: IDataObject = {}, more?: FixtureRunOptions) =>
		fixture.run(SecurityAwarenessCompanyGroup, { operation, ...parameters }, more);
	const json = async (...parameters: Parameters<typeof run>) => getJson((await run(...parameters)).items);
	const companyIds = (from: number, to: number) =>
		fixture.standIn.world.companies.slice(from, to).map(({ companyResourceId }) => companyResourceId);
	const group = (index: number) => requireValue(fixture.standIn.world.companyGroups[index]);
	const chosen = (index: number) => ({ mode: 'list', value: group(index).resourceId });
	const members = (index: number) => group(index).companyResourceIdArray;
	const PARTICIPANTS = 'PUT /api/company-groups/{resourceId}/participants';

	test('get all: every group, none twice', async () => {
		expect((await json('getAllGroups')).map(({ name }) => name)).toEqual(
			fixture.standIn.world.companyGroups.map(({ name }) => name),
		);
	});

	test('get many: searched, sorted, limited; all of them over several pages', async () => {
		const byName = fixture.standIn.world.companyGroups.map(({ name }) => name).sort();
		const sort = { fields: { by: 'Name' } };
		expect(
			(await json('getMany', { returnAll: true, sort, options: { pageSize: 7 } })).map(({ name }) => name),
		).toEqual(byName);
		expect(fixture.requests.map(parsePageNumber)).toEqual([1, 2, 3, 4, 5]);
		expect((await json('getMany', { limit: 9, sort })).map(({ name }) => name)).toEqual(byName.slice(0, 9));
		expect((await json('getMany', { filters: { searchText: 'größte' } })).map(({ name }) => name)).toEqual([
			'Größte Kunden',
		]);
	});

	test.each([
		['csv', 'Csv'],
		['excel', 'Excel'],
	])('export as %s: all groups, in the spelling of this operation', async (format, exportType) => {
		const { items } = await run('export', { format });
		const content = await readBinary(items[0]);
		const [sheet] = format === 'excel' ? await readXlsxFile(content) : [];
		const rows = sheet ? sheet.data.length : content.toString().trim().split('\r\n').length;
		expect(rows).toBe(fixture.standIn.world.companyGroups.length + 1);
		expect(fixture.requests[0]?.body).toMatchObject({ exportType, reportAllPages: true, pageNumber: 1 });
		expect(items[0]?.json.fileName).toBe(`company-groups.${format === 'excel' ? 'xlsx' : 'csv'}`);
	});

	test('export: one page', async () => {
		const { items } = await run('export', { allPages: false, pageNumber: 2, pageSize: 20 });
		expect((await readBinary(items[0])).toString().trim().split('\r\n')).toHaveLength(
			1 + fixture.standIn.world.companyGroups.length - 20,
		);
	});

	test('create → get → update → replace participants', async () => {
		const [made] = await json('create', {
			name: 'Gold',
			participantList: companyIds(0, 3),
			additionalFields: { additionalFieldsJson: '{ "note": "n" }' },
		});
		expect(fixture.requests.at(-1)?.body).toEqual({ name: 'Gold', companyResourceIdArray: companyIds(0, 3), note: 'n' });
		const at = fixture.standIn.world.companyGroups.length - 1;
		expect(group(at)).toMatchObject({
			resourceId: made?.resourceId,
			name: 'Gold',
			companyResourceIdArray: companyIds(0, 3),
		});

		const [read] = await json('get', { companyGroup: { mode: 'id', value: made?.resourceId } });
		expect(read).toEqual(made);

		await json('update', {
			companyGroup: chosen(at),
			name: 'Silver',
			participantsFrom: 'list',
			participantList: companyIds(4, 6).join(' ,\n'),
		});
		expect(group(at)).toMatchObject({ name: 'Silver', companyResourceIdArray: companyIds(4, 6) });

		await json('replaceParticipants', { companyGroup: chosen(at), participantList: companyIds(7, 9) });
		expect(members(at)).toEqual(companyIds(7, 9));
		expect(fixture.requests.find(({ route }) => route === PARTICIPANTS)?.body).toEqual({
			companyResourceIdArray: companyIds(7, 9),
		});
	});

	test.each<[string, (ids: string[]) => string]>([
		['a list', (ids) => `={{ ${JSON.stringify(ids)} }}`],
		['a list as text', (ids) => JSON.stringify(ids)],
		['text with commas, one of them twice', (ids) => [...ids, ids[0]].join(', ')],
		['numbers from a sheet would be text too: one ID', (ids) => `={{ ${JSON.stringify(ids)}.join(",") }}`],
	])('replace participants: IDs given as %s', async (_name, ids) => {
		await run('replaceParticipants', {
			companyGroup: chosen(0),
			participantList: ids(companyIds(1, 4)),
		});
		expect(members(0)).toEqual(companyIds(1, 4));
	});

	test('replace participants: several items, each its own group, in order', async () => {
		const items = toItems(
			...[0, 1, 2].map((index) => ({ group: group(index).resourceId, ids: companyIds(index, index + 2) })),
		);
		const parameters = {
			companyGroup: { mode: 'id', value: '={{ $json.group }}' },
			participantList: '={{ $json.ids }}',
		};
		const result = await run('replaceParticipants', parameters, { items });
		expect([0, 1, 2].map(members)).toEqual([0, 1, 2].map((index) => companyIds(index, index + 2)));
		expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
	});

	test("'No Companies' empties a group", async () => {
		expect(members(0).length).toBeGreaterThan(0);
		await run('replaceParticipants', { companyGroup: chosen(0), participantsFrom: 'none' });
		expect(members(0)).toEqual([]);
		expect(fixture.requests.find(({ route }) => route === PARTICIPANTS)).toMatchObject({ body: { companyResourceIdArray: [] } });
	});

	test.each(['={{ $json.missing }}', '={{ [] }}', '={{ [null, ""] }}', ' , '])(
		'an empty list (%j) never empties a group',
		async (participantList) => {
			for (const operation of ['replaceParticipants', 'update']) {
				const given = { companyGroup: chosen(0), name: 'N', participantsFrom: 'list', participantList };
				const error = await catchNodeError(run(operation, given));
				expect(error.message).toBe("'Company Names or IDs' must name at least one company");
				expect(error.description).toContain("'No Companies'");
			}
			expect(fixture.requests).toEqual([]);
		},
	);

	test('get: an unknown group is named', async () => {
		const error = await catchNodeError(run('get', { companyGroup: { mode: 'id', value: 'gone' } }));
		expect(error.message).toBe("Could not get company group: nothing was found with the ID 'gone' (404)");
	});
});

test('get: an answer that has its participants stays as it is, and nothing more is asked', async () => {
	const data = { resourceId: 'g', participants: [{ companyName: 'Bakery' }] };
	const { credentialStore: store, requests: asked } = await startFakeServer({
		'GET /api/company-groups/g': { data },
		'POST /api/company-groups/g/companies/search': { data: [{ companyResourceId: 'c', companyName: 'Other' }] },
	});
	const companyGroup = { __rl: true, mode: 'id', value: 'g' };
	const node = new SecurityAwarenessCompanyGroup();
	const { items } = await runNode({ node, parameters: { operation: 'get', companyGroup }, credential: store });
	closeFakeServers();
	expect(getJson(items)).toEqual([data]);
	expect(asked).toHaveLength(1);
});

test('replace participants: who was given and is not in the group afterwards is named', async () => {
	const { credentialStore: store } = await startFakeServer({
		'PUT /api/company-groups/g/participants': { data: { resourceId: 'g' } },
		'POST /api/company-groups/g/companies/search': { data: [{ companyResourceId: 'c1', companyName: 'Bakery' }] },
	});
	const companyGroup = { __rl: true, mode: 'id', value: 'g' };
	const parameters = { operation: 'replaceParticipants', companyGroup, participantList: 'c1,c2' };
	const result = await runNode({ node: new SecurityAwarenessCompanyGroup(), parameters, credential: store });
	closeFakeServers();
	expect(getHintMessages(result)).toEqual(['Not all of the given companies are in the group afterwards. This is so for c2.']);
});

describe('companies that a group has already', () => {
	const GROUP = 'GET /api/company-groups/g';
	const LISTED = 'POST /api/company-groups/g/companies/search';
	const ADD = { operation: 'addParticipants', participantList: 'c2' };
	const RENAME = { operation: 'update', name: 'N', participantsFrom: 'keep' };
	const data = { resourceId: 'g', companyCount: 1 };

	const run = async (parameters: IDataObject, list: RouteReply) => {
		const { credentialStore: store, requests: asked } = await startFakeServer({
			[GROUP]: { data },
			[LISTED]: list,
			'PUT /api/company-groups/g': { data },
			'PUT /api/company-groups/g/participants': { data },
		});
		const companyGroup = { __rl: true, mode: 'id', value: 'g' };
		const node = new SecurityAwarenessCompanyGroup();
		const done = runNode({ node, parameters: { companyGroup, ...parameters }, credential: store });
		return { done, sent: () => asked.filter(({ route }) => route.startsWith('PUT ')).map(({ body }) => body) };
	};

	test.each([
		['add participants', ADD, ['c1', 'c2']],
		['update', RENAME, ['c1']],
	])('%s: they are sent with the others', async (_name, parameters, companyResourceIdArray) => {
		const { done, sent } = await run(parameters, { data: [{ companyResourceId: 'c1', companyName: 'Bakery' }] });
		await done;
		closeFakeServers();
		expect(sent()).toEqual([expect.objectContaining({ companyResourceIdArray })]);
	});

	test.each([
		['there is no such list', { status: 404 }],
		[
			'the list is not whole',
			{ data: { totalNumberOfRecords: 5, totalNumberOfPages: 1, results: [{ companyResourceId: 'c1' }] } },
		],
	])('nothing is changed where they are not known: %s', async (_why, list) => {
		for (const parameters of [ADD, RENAME]) {
			const { done, sent } = await run(parameters, list);
			const error = await catchNodeError(done);
			expect(error.message).toBe("'Company Group' has companies that the platform does not list, or not all of them");
			expect(error.description).toContain('Nothing was changed');
			expect(sent()).toEqual([]);
		}
		closeFakeServers();
	});
});
