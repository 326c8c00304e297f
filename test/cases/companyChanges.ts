/** The cases for changing companies and company groups, which only live deployments can do. */
import assert from 'node:assert/strict';
import { z } from 'zod';
import { toIdLocator, toListLocator, type CustomerFixture } from './customerFixture';
import { defineCases, createListRun, expectOnlyItem, hashSha256, requireValue, type Case } from './case';
import { findCompanyGroup, expectGroup, LOGO_FILE, MEMBER_SEARCH } from './companies';

const COMPANY_PATH = '/api/companies/{resourceId}';
const buildCompanySelection = ({ companyId, company }: CustomerFixture) => ({
	company: toListLocator(companyId, requireValue(company.companyName)),
});

const companyUpdateCases = defineCases(
	'Company',
	{
		update: (customer, isTool) => ({
			parameters: {
				...buildCompanySelection(customer),
				// AI agents cannot replace lists or upload files.
				additionalFields: isTool ? { numberOfUsers: 77 } : { numberOfUsers: 77, tags: 'gold', logo: 'logo' },
			},
			inputFiles: { logo: LOGO_FILE },
			itemCount: 1,
			requiredRequests: [`GET ${COMPANY_PATH}`, `PUT ${COMPANY_PATH}`, `GET ${COMPANY_PATH}`],
			checkItems: (items) => {
				const { company, companyId, world } = customer;
				expectOnlyItem(items, { companyResourceId: z.literal(companyId), companyName: z.literal(company.companyName) });
				assert.equal(company.numberOfUsers, '77');
				if (!isTool) assert.deepEqual(company.tags, ['gold']);
				assert.equal(world.logos[companyId]?.sha256, isTool ? undefined : hashSha256(LOGO_FILE.content));
			},
		}),
		delete: (customer) => {
			const { companyId, company } = customer;
			return {
				parameters: { ...buildCompanySelection(customer), nameToDelete: company.companyName },
				itemCount: 1,
				requiredRequests: [`GET ${COMPANY_PATH}`, `DELETE ${COMPANY_PATH}`],
				checkItems: (items) => {
					expectOnlyItem(items, { deleted: z.literal(true) });
					assert.ok(!customer.world.companies.some(({ companyResourceId }) => companyResourceId === companyId));
				},
			};
		},
		getAccessWindow: (customer) => ({
			parameters: customer.companyParameters,
			itemCount: 1,
			requiredRequests: ['GET /api/companies/my'],
			checkItems: (items) => {
				const { companyName, privacyDurationId, createTime, licenseEndDate } = customer.company;
				expectOnlyItem(items, {
					companyName: z.literal(companyName),
					privacyDurationId: z.literal(privacyDurationId),
					privacyDurationStartTime: z.literal(createTime),
					privacyDurationEndTime: z.literal(licenseEndDate),
				});
			},
		}),
		checkLicense: (customer) => ({
			parameters: buildCompanySelection(customer),
			itemCount: 1,
			checkItems: (items) => {
				const { companyResourceId, companyName, numberOfUsers, targetUserCount } = customer.company;
				expectOnlyItem(items, {
					companyResourceId: z.literal(companyResourceId),
					companyName: z.literal(companyName),
					licenseLimit: z.literal(Number(numberOfUsers)),
					activeUserCount: z.literal(targetUserCount),
				});
			},
		}),
	},
	{ isOutsideContract: true },
);

const companyGroupUpdateCases = defineCases(
	'CompanyGroup',
	{
		delete: (customer) => {
			const { resourceId, name } = findCompanyGroup(customer);
			return {
				parameters: { companyGroup: toListLocator(resourceId, name) },
				itemCount: 1,
				checkItems: (items) => {
					expectOnlyItem(items, { deleted: z.literal(true), name: z.literal(name) });
					assert.ok(!customer.world.companyGroups.some((group) => group.resourceId === resourceId));
				},
			};
		},
		'member.getMany': async (customer) => {
			const { resourceId } = findCompanyGroup(customer);
			return await createListRun(customer, MEMBER_SEARCH.replace('{resourceId}', resourceId), {
				companyScope: undefined,
				company: undefined,
				companyGroup: toIdLocator(resourceId),
			});
		},
		'member.add': (customer) => {
			const { resourceId, name, companyResourceIdArray: oldMembers } = findCompanyGroup(customer);
			const newMember = requireValue(
				customer.world.companies.find(({ companyResourceId }) => !oldMembers.includes(companyResourceId)),
			);
			const expectedMembers = [...oldMembers, newMember.companyResourceId];
			const groupPath = '/api/company-groups/{resourceId}';
			return {
				parameters: { companyGroup: toListLocator(resourceId, name), companies: newMember.companyResourceId },
				itemCount: 1,
				requiredRequests: [`GET ${groupPath}`, MEMBER_SEARCH, `PUT ${groupPath}/participants`, MEMBER_SEARCH],
				rejectedRequests: [MEMBER_SEARCH],
				checkItems: (items) => {
					expectOnlyItem(items, { resourceId: z.literal(resourceId), name: z.literal(name), added: z.literal(1) });
					expectGroup(customer, resourceId, name, expectedMembers);
				},
			};
		},
		'member.remove': (customer) => {
			const { resourceId, name, companyResourceIdArray } = findCompanyGroup(customer);
			const [removedId, ...remainingIds] = companyResourceIdArray;
			return {
				parameters: { companyGroup: toListLocator(resourceId, name), companies: requireValue(removedId) },
				itemCount: 1,
				checkItems: (items) => {
					expectOnlyItem(items, { success: z.literal(true), name: z.literal(name), resourceId: z.literal(resourceId) });
					expectGroup(customer, resourceId, name, remainingIds);
				},
			};
		},
	},
	{ isOutsideContract: true },
);

export const companyChangeCases: Case[] = [...companyUpdateCases, ...companyGroupUpdateCases];
