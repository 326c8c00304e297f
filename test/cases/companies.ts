import assert from 'node:assert/strict';
import { z } from 'zod';
import type { Company } from '../stand-in/seed';
import { toIdLocator, toListLocator, type CustomerFixture } from './customerFixture';
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

/** The logo that cases upload. */
export const LOGO_FILE: InputFile = {
	fileName: 'logo.png',
	mimeType: 'image/png',
	content: Buffer.from('89504e470d0a1a0a00', 'hex'),
};

/** Converts a tree of companies to the expected items. The item of a child contains the ID of its parent. */
const flattenCompanies = (companies: readonly Company[], parent: object = {}): JsonObject[] =>
	companies.flatMap(({ children, ...fields }) => [
		{ ...fields, ...parent },
		...flattenCompanies(children, { parentCompanyResourceId: fields.companyResourceId }),
	]);

/** Converts the expected item of a company to the fields that live deployments return for the caller's own company. */
function toDeployedCompany({
	companyName,
	companyResourceId,
	privacyDurationId,
	licenceExpired,
	createTime,
	licenseEndDate,
	parentCompanyResourceId,
}: JsonObject): JsonObject {
	const company: JsonObject = {
		name: companyName,
		resourceId: companyResourceId,
		logoUrl: `https://cdn.awareness.example/logos/${String(companyResourceId)}.png`,
		privacyDurationId,
		licenceExpired,
		privacyDurationStartTime: createTime,
		privacyDurationEndTime: licenseEndDate,
	};
	if (parentCompanyResourceId !== undefined) company.parentCompanyResourceId = parentCompanyResourceId;
	return company;
}

/** Builds those parameters of the operation "create" whose values users select from a list. */
const buildCompanyChoices = ({ company, isDeployed }: CustomerFixture) => ({
	industry: toIdLocator(company.industryResourceId),
	licenseType: toIdLocator(company.licenseTypeResourceId),
	timeZone: toIdLocator('Europe/Berlin'),
	dateFormat: isDeployed ? 'dd/MM/yyyy' : 'dd.MM.yyyy',
	timeFormat: isDeployed ? '24h' : 'HH:mm',
});

const companyRecordCases: Case[] = defineCases('Company', {
	getMany: ({ world }) => ({
		parameters: { returnAll: true },
		itemCount: world.companies.length,
		checkItems: (items) => expectRecords(items, flattenCompanies(world.companyTree)),
	}),
	get: async (customer) =>
		createRecordRun(customer, `GET /api/companies/${customer.companyId}`, {
			companyScope: undefined,
			company: toIdLocator(customer.companyId),
		}),
	getOwn: ({ world, profile, isDeployed }) => ({
		parameters: {},
		// The list contains the reseller's own company and all its customers.
		itemCount: profile.hasOwnCompanyAsList ? 1 + world.companies.length : 1,
		checkItems: (items) => {
			const ownCompanyId = world.resellerCompany.companyResourceId;
			assert.equal(items[0]?.json[isDeployed ? 'resourceId' : 'companyResourceId'], ownCompanyId);
			const customers = flattenCompanies(world.companyTree, { parentCompanyResourceId: ownCompanyId });
			if (isDeployed) {
				const ownCompany = flattenCompanies([{ ...world.resellerCompany, children: [] }]);
				expectRecords(items, [...ownCompany, ...customers].map(toDeployedCompany));
			} else if (profile.hasOwnCompanyAsList) expectRecords(items.slice(1), customers);
		},
	}),
	create: (customer, isTool) => ({
		parameters: {
			name: 'Neue Bäckerei',
			country: '0b5e3c1a-77f4-4c1e-9a53-0d9a4c6be111',
			licensePeriodType: '9c1d7f2e-12ab-4d0c-8e55-5b1f0a7c2d34',
			numberOfUsers: 25,
			...buildCompanyChoices(customer),
			additionalFields: isTool ? { tags: 'gold, pilot' } : { tags: 'gold, pilot', logo: 'logo' },
		},
		inputFiles: { logo: LOGO_FILE },
		itemCount: 1,
		checkItems: (items) => {
			const { world } = customer;
			const { resourceId } = expectOnlyItem(items, { resourceId: nonEmptyTextSchema });
			const createdCompany = requireValue(
				world.companies.find(({ companyResourceId }) => companyResourceId === resourceId),
			);
			assert.deepEqual(
				[createdCompany.companyName, createdCompany.numberOfUsers, createdCompany.tags],
				['Neue Bäckerei', '25', ['gold', 'pilot']],
			);
			assert.equal(world.logos[resourceId]?.sha256, isTool ? undefined : hashSha256(LOGO_FILE.content));
		},
	}),
	getTotalActiveUsers: (customer) =>
		allowRejection(customer, 'POST /api/companies/search', {
			parameters: {},
			itemCount: 1,
			requiredRequests: ['POST /api/companies/search'],
			checkItems: (items) =>
				assert.deepEqual(omitAddedFields(requireValue(items[0])), {
					totalMonthlyActiveUserCount: customer.world.companies.reduce(
						(sum, { monthlyActiveUserCount }) => sum + monthlyActiveUserCount,
						0,
					),
					companyCount: customer.world.companies.length,
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
				rowCount: customer.world.companies.length,
			}),
	},
	{ hasFileOutput: true },
);

/** Checks the name and the companies of a company group in the stand-in's data. */
export const expectGroup = ({ world }: CustomerFixture, id: unknown, name: string, companies: string[]) => {
	const group = requireValue(world.companyGroups.find(({ resourceId }) => resourceId === id));
	assert.deepEqual([group.name, group.companyResourceIdArray], [name, companies]);
};

const pickCompanyIds = ({ world }: CustomerFixture) =>
	world.companies.slice(0, 3).map(({ companyResourceId }) => companyResourceId);

/** Finds a seeded company group. */
export const findCompanyGroup = ({ world }: CustomerFixture) => requireValue(world.companyGroups[1]);

/** The search for the companies of a group. It is outside the contract. */
export const MEMBER_SEARCH = 'POST /api/company-groups/{resourceId}/companies/search';
const memberSchema = z.object({ companyResourceId: z.string(), companyName: z.string() });

/** Reads the companies of a group from an item, whatever the field with the list is called. */
export function readMembers(items: Item[]) {
	const members = Object.values(requireValue(items[0]).json).flatMap(
		(value) => z.array(memberSchema).nonempty().safeParse(value).data ?? [],
	);
	assert.ok(members.length > 0, 'The item does not contain the companies of the group');
	return members;
}

const companyGroupRecordCases = defineCases('CompanyGroup', {
	listAll: async (customer) => ({ ...(await createListRun(customer, 'GET /api/company-groups')), parameters: {} }),
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
		// On live deployments, the record contains only the number of companies. The companies are in a separate list. The
		// documents give no valid sort name for this list, so the first request to it can be rejected.
		return {
			...run,
			optionalRequests: [MEMBER_SEARCH],
			rejectedRequests: [MEMBER_SEARCH],
			checkItems: (items) => {
				expectOnlyItem(items, {
					resourceId: z.literal(resourceId),
					name: nonEmptyTextSchema,
					companyCount: z.literal(companyResourceIdArray.length),
				});
				assert.deepEqual(
					readMembers(items)
						.map((member) => member.companyResourceId)
						.sort(),
					[...companyResourceIdArray].sort(),
				);
			},
		};
	},
	create: (customer) => ({
		parameters: { name: 'Größte', membersFrom: 'list', companies: pickCompanyIds(customer) },
		itemCount: 1,
		checkItems: (items) => {
			const { resourceId } = expectOnlyItem(items, { resourceId: nonEmptyTextSchema });
			expectGroup(customer, resourceId, 'Größte', pickCompanyIds(customer));
		},
	}),
	update: (customer, isTool) => {
		const { resourceId, companyResourceIdArray: oldMembers } = findCompanyGroup(customer);
		// AI agents can't select members, because their selection would replace the members of the group.
		const members = isTool
			? { membersFrom: 'keep' }
			: { membersFrom: 'list', companies: pickCompanyIds(customer).join(', ') };
		return {
			parameters: { companyGroup: toIdLocator(resourceId), name: 'Renamed', ...members },
			itemCount: 1,
			rejectedRequests: isTool ? [MEMBER_SEARCH] : [],
			checkItems: () => expectGroup(customer, resourceId, 'Renamed', isTool ? oldMembers : pickCompanyIds(customer)),
		};
	},
	'member.replace': (customer) => {
		const { resourceId, name, companyResourceIdArray: oldMembers } = findCompanyGroup(customer);
		const newMembers = pickCompanyIds(customer);
		// Live deployments only add companies, so the output item contains the old members as well.
		const expectedMembers = customer.isDeployed ? [...new Set([...oldMembers, ...newMembers])] : newMembers;
		return {
			parameters: { companyGroup: toListLocator(resourceId, name), companies: newMembers.join(',') },
			itemCount: 1,
			// At the end, the node reads the companies of the group. The contract's platform does not have this list.
			requiredRequests: [
				'PUT /api/company-groups/{resourceId}/participants',
				customer.isDeployed ? MEMBER_SEARCH : 'unknown',
			],
			rejectedRequests: customer.isDeployed ? [MEMBER_SEARCH] : [],
			checkItems: () => expectGroup(customer, resourceId, name, expectedMembers),
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
				rowCount: customer.world.companyGroups.length,
			}),
	},
	{ hasFileOutput: true },
);

export const companyCases: Case[] = [
	...companyRecordCases,
	...companyExportCases,
	...companyGroupRecordCases,
	...companyGroupExportCases,
];
