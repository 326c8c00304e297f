import assert from 'node:assert/strict';
import { z } from 'zod';
import type { Company } from '../stand-in/seed';
import { toIdLocator, type CustomerFixture } from './customerFixture';
import {
	expectRecords,
	defineCases,
	createExportRun,
	nonEmptyTextSchema,
	createListRun,
	expectOnlyItem,
	allowRejection,
	hashSha256,
	createRecordRun,
	requireValue,
	type Case,
	type InputFile,
	type Item,
	type JsonObject,
	omitAddedFields,
} from './case';

/** A logo of a company. */
export const LOGO_FILE: InputFile = {
	fileName: 'logo.png',
	mimeType: 'image/png',
	content: Buffer.from('89504e470d0a1a0a00', 'hex'),
};

/** Companies as items of their own: each names its parent. */
const flattenCompanies = (companies: readonly Company[], parent: object = {}): JsonObject[] =>
	companies.flatMap(({ children, ...own }) => [
		{ ...own, ...parent },
		...flattenCompanies(children, { parentCompanyResourceId: own.companyResourceId }),
	]);

/** The same as a live deployment's list of one's own shows them: by other names, and in part. */
const toDeployedCompany = ({
	companyName,
	companyResourceId,
	privacyDurationId,
	licenceExpired,
	createTime,
	licenseEndDate,
	parentCompanyResourceId,
}: JsonObject): JsonObject => ({
	name: companyName,
	resourceId: companyResourceId,
	logoUrl: `https://cdn.awareness.example/logos/${String(companyResourceId)}.png`,
	privacyDurationId,
	licenceExpired,
	privacyDurationStartTime: createTime,
	privacyDurationEndTime: licenseEndDate,
	...(parentCompanyResourceId === undefined ? {} : { parentCompanyResourceId }),
});

/** Of the IDs that the platform has for these, where it tells which there are. */
const buildCompanyChoices = ({ company, isDeployed }: CustomerFixture) => ({
	industry: toIdLocator(company.industryResourceId),
	licenseType: toIdLocator(company.licenseTypeResourceId),
	timeZone: toIdLocator('Europe/Berlin'),
	...(isDeployed ? { dateFormat: 'dd/MM/yyyy', timeFormat: '24h' } : { dateFormat: 'dd.MM.yyyy', timeFormat: 'HH:mm' }),
});

/** The customers of a reseller. */
const companyRecordCases: Case[] = defineCases('Company', {
	getMany: ({ state }) => ({
		parameters: { returnAll: true },
		itemCount: state.companies.length,
		checkItems: (items) => expectRecords(items, flattenCompanies(state.companyTree)),
	}),
	get: async (customer) =>
		createRecordRun(customer, `GET /api/companies/${customer.companyId}`, {
			companyScope: undefined,
			company: toIdLocator(customer.companyId),
		}),
	getOwn: ({ state, profile: names, isDeployed }) => ({
		parameters: {},
		// As a list it is the reseller's whole tree.
		itemCount: names.returnsOwnCompanyAsList ? 1 + state.companies.length : 1,
		checkItems: (items) => {
			const own = state.resellerCompany.companyResourceId;
			assert.equal(items[0]?.json[isDeployed ? 'resourceId' : 'companyResourceId'], own);
			const below = flattenCompanies(state.companyTree, { parentCompanyResourceId: own });
			if (isDeployed) expectRecords(items, [...flattenCompanies([{ ...state.resellerCompany, children: [] }]), ...below].map(toDeployedCompany));
			else if (names.returnsOwnCompanyAsList) expectRecords(items.slice(1), below);
		},
	}),
	create: (customer, asTool) => ({
		parameters: {
			name: 'Neue Bäckerei',
			country: 'de',
			licensePeriodType: 'year',
			numberOfUsers: 25,
			...buildCompanyChoices(customer),
			additionalFields: { tags: 'gold, pilot', ...(asTool ? {} : { logo: 'logo' }) },
		},
		inputFiles: { logo: LOGO_FILE },
		itemCount: 1,
		checkItems: (items) => {
			const { state } = customer;
			const { resourceId } = expectOnlyItem(items, { resourceId: nonEmptyTextSchema });
			const created = requireValue(state.companies.find(({ companyResourceId }) => companyResourceId === resourceId));
			assert.deepEqual(
				[created.companyName, created.numberOfUsers, created.tags],
				['Neue Bäckerei', '25', ['gold', 'pilot']],
			);
			assert.equal(state.logos[resourceId]?.sha256, asTool ? undefined : hashSha256(LOGO_FILE.content));
		},
	}),
	getTotalActiveUsers: (customer) =>
		allowRejection(customer, 'POST /api/companies/search', {
			parameters: {},
			itemCount: 1,
			requiredRequests: ['POST /api/companies/search'],
			checkItems: (items) =>
				assert.deepEqual(omitAddedFields(requireValue(items[0])), {
					totalMonthlyActiveUserCount: customer.state.companies.reduce(
						(sum, { monthlyActiveUserCount }) => sum + monthlyActiveUserCount,
						0,
					),
					companyCount: customer.state.companies.length,
					companiesWithoutCount: 0,
				}),
		}),
});

const companyExportCases = defineCases(
	'Company',
	{
		export: (customer) =>
			createExportRun(customer, {
				key: 'POST /api/companies/search/export',
				fileName: 'Companies – Überblick.csv',
				rowCount: customer.state.companies.length,
			}),
	},
	{ returnsFile: true },
);

/** A group's companies at the service. */
export const expectGroup = ({ state }: CustomerFixture, id: unknown, name: string, companies: string[]) => {
	const group = requireValue(state.companyGroups.find(({ resourceId }) => resourceId === id));
	assert.deepEqual([group.name, group.companyResourceIdArray], [name, companies]);
};
const pickCompanyIds = ({ state }: CustomerFixture) =>
	state.companies.slice(0, 3).map(({ companyResourceId }) => companyResourceId);
export const findCompanyGroup = ({ state }: CustomerFixture) => requireValue(state.companyGroups[1]);

/** Read beside the contract, where a platform has it: the companies of a group. */
export const MEMBER_SEARCH = 'POST /api/company-groups/{resourceId}/companies/search';
/** Nobody tells what it can be sorted by, so the first try may be refused. */
const MEMBER_SEARCH_RETRY = { also: [MEMBER_SEARCH], again: [MEMBER_SEARCH] };
const member = z.object({ companyResourceId: z.string(), companyName: z.string() });

/** Who is in a group by what an item tells: the only list of companies that it has. */
export function readMembers(items: Item[]) {
	const listed = Object.values(requireValue(items[0]).json).flatMap(
		(value) => z.array(member).nonempty().safeParse(value).data ?? [],
	);
	assert.ok(listed.length > 0, 'The item does not tell the companies of the group');
	return listed;
}

/** Groups of customers. */
const companyGroupRecordCases = defineCases('CompanyGroup', {
	getAllGroups: async (customer) => ({ ...(await createListRun(customer, 'GET /api/company-groups')), parameters: {} }),
	getMany: async (customer) => ({
		...(await createListRun(customer, 'POST /api/company-groups/search')),
		parameters: { returnAll: true },
	}),
	get: async (customer) => {
		const { resourceId, companyResourceIdArray } = findCompanyGroup(customer);
		const run = {
			...(await createRecordRun(customer, `GET /api/company-groups/${resourceId}`)),
			parameters: { companyGroup: toIdLocator(resourceId) },
		};
		if (!customer.isDeployed) return run;
		// There the record has only a count, and the companies are a list of their own.
		return {
			...run,
			...MEMBER_SEARCH_RETRY,
			checkItems: (items) => {
				expectOnlyItem(items, {
					resourceId: z.literal(resourceId),
					name: nonEmptyTextSchema,
					companyCount: z.literal(companyResourceIdArray.length),
				});
				assert.deepEqual(
					readMembers(items)
						.map((each) => each.companyResourceId)
						.sort(),
					[...companyResourceIdArray].sort(),
				);
			},
		};
	},
	create: (customer) => ({
		parameters: { name: 'Größte', participantsFrom: 'list', participantList: pickCompanyIds(customer) },
		itemCount: 1,
		checkItems: (items) => expectGroup(customer, expectOnlyItem(items, { resourceId: nonEmptyTextSchema }).resourceId, 'Größte', pickCompanyIds(customer)),
	}),
	update: (customer, asTool) => {
		const { resourceId, companyResourceIdArray: before } = findCompanyGroup(customer);
		// An AI agent can't choose participants, because that would replace those of the group.
		const others = { participantsFrom: 'list', participantList: pickCompanyIds(customer).join(', ') };
		return {
			parameters: {
				companyGroup: toIdLocator(resourceId),
				name: 'Renamed',
				...(asTool ? { participantsFrom: 'keep' } : others),
			},
			itemCount: 1,
			...(asTool ? { rejectedRequests: MEMBER_SEARCH_RETRY.again } : {}),
			checkItems: () => expectGroup(customer, resourceId, 'Renamed', asTool ? before : pickCompanyIds(customer)),
		};
	},
	replaceParticipants: (customer) => {
		const { resourceId, name, companyResourceIdArray: before } = findCompanyGroup(customer);
		const wanted = pickCompanyIds(customer);
		// A live deployment only adds: who was there stays, and the item tells it.
		const after = customer.isDeployed ? [...new Set([...before, ...wanted])] : wanted;
		return {
			parameters: { companyGroup: toIdLocator(resourceId), participantList: wanted.join(',') },
			itemCount: 1,
			// Afterwards it is read back who is in the group, where a platform tells that.
			requiredRequests: ['PUT /api/company-groups/{resourceId}/participants', customer.isDeployed ? MEMBER_SEARCH : 'unknown'],
			...(customer.isDeployed ? { rejectedRequests: MEMBER_SEARCH_RETRY.again } : {}),
			checkItems: () => expectGroup(customer, resourceId, name, after),
		};
	},
});

const companyGroupExportCases = defineCases(
	'CompanyGroup',
	{
		export: (customer) =>
			createExportRun(customer, {
				key: 'POST /api/company-groups/search/export',
				fileName: 'company-groups.csv',
				rowCount: customer.state.companyGroups.length,
			}),
	},
	{ returnsFile: true },
);

/** Companies and their groups. */
export const companyCases: Case[] = [...companyRecordCases, ...companyExportCases, ...companyGroupRecordCases, ...companyGroupExportCases];
