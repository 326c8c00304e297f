/** What live deployments can do to companies and to groups of them besides. */
import assert from 'node:assert/strict';
import { z } from 'zod';
import { byId, type CustomerFixture } from './customerFixture';
import { casesOf, lists, only, sha256, the, type Case } from './case';
import { aGroup, groupIs, LOGO, MEMBERS } from './companies';

const COMPANY = '/api/companies/{resourceId}';
const theCompany = ({ companyId, company }: CustomerFixture) => ({
	company: { __rl: true, mode: 'list', value: companyId, cachedResultName: company.companyName },
});

const ofCompanyBeside = casesOf(
	'Company',
	{
		update: (customer, asTool) => ({
			parameters: {
				...theCompany(customer),
				// An agent replaces no list, and has no file.
				additionalFields: { numberOfUsers: 77, ...(asTool ? {} : { tags: 'gold', logo: 'logo' }) },
			},
			files: { logo: LOGO },
			items: 1,
			requests: [`GET ${COMPANY}`, `PUT ${COMPANY}`, `GET ${COMPANY}`],
			expect: (items) => {
				const { company, companyId, state } = customer;
				only(items, { companyResourceId: z.literal(companyId), companyName: z.literal(company.companyName) });
				assert.equal(company.numberOfUsers, '77');
				if (!asTool) assert.deepEqual(company.tags, ['gold']);
				assert.equal(state.logos[companyId]?.sha256, asTool ? undefined : sha256(LOGO.content));
			},
		}),
		delete: (customer) => {
			const { companyId, company } = customer;
			return {
				parameters: { ...theCompany(customer), nameToDelete: company.companyName },
				items: 1,
				requests: [`GET ${COMPANY}`, `DELETE ${COMPANY}`],
				expect: (items) => {
					only(items, { deleted: z.literal(true) });
					assert.ok(!customer.state.companies.some(({ companyResourceId }) => companyResourceId === companyId));
				},
			};
		},
		checkLicense: (customer) => ({
			parameters: theCompany(customer),
			items: 1,
			expect: (items) => {
				const { companyResourceId, companyName, numberOfUsers, targetUserCount } = customer.company;
				only(items, {
					companyResourceId: z.literal(companyResourceId),
					companyName: z.literal(companyName),
					licenseLimit: z.literal(Number(numberOfUsers)),
					activeUserCount: z.literal(targetUserCount),
				});
			},
		}),
	},
	{ isBeside: true },
);

const ofCompanyGroupBeside = casesOf(
	'CompanyGroup',
	{
		delete: (customer) => {
			const { resourceId } = aGroup(customer);
			return {
				parameters: { companyGroup: byId(resourceId) },
				items: 1,
				expect: (items) => {
					only(items, { deleted: z.literal(true) });
					assert.ok(!customer.state.groups.some((group) => group.resourceId === resourceId));
				},
			};
		},
		getMembers: async (customer) => {
			const { resourceId } = aGroup(customer);
			return await lists(customer, MEMBERS.replace('{resourceId}', resourceId), {
				companyScope: undefined,
				company: undefined,
				companyGroup: byId(resourceId),
			});
		},
		addParticipants: (customer) => {
			const { resourceId, name, companyResourceIdArray: before } = aGroup(customer);
			const newcomer = the(customer.state.companies.find((each) => !before.includes(each.companyResourceId)));
			const wanted = [...before, newcomer.companyResourceId];
			const group = '/api/company-groups/{resourceId}';
			return {
				parameters: { companyGroup: byId(resourceId), participantList: newcomer.companyResourceId },
				items: 1,
				requests: [`GET ${group}`, MEMBERS, `PUT ${group}/participants`, MEMBERS],
				again: [MEMBERS],
				expect: (items) => {
					only(items, { resourceId: z.literal(resourceId), added: z.literal(1) });
					groupIs(customer, resourceId, name, wanted);
				},
			};
		},
		removeParticipants: (customer) => {
			const { resourceId, name, companyResourceIdArray } = aGroup(customer);
			const [first, ...others] = companyResourceIdArray;
			return {
				parameters: { companyGroup: byId(resourceId), participantList: the(first) },
				items: 1,
				expect: (items) => {
					only(items, { success: z.literal(true), resourceId: z.literal(resourceId) });
					groupIs(customer, resourceId, name, others);
				},
			};
		},
	},
	{ isBeside: true },
);

export const companyChangeCases: Case[] = [...ofCompanyBeside, ...ofCompanyGroupBeside];
