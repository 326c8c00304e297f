/** The published jobs about customers: lists, licenses, and creating, changing and deleting a company. */
import assert from 'node:assert/strict';

import { at, pick, sortBy, sumBy } from 'lodash';
import { toIdLocator, type Item } from '../../cases';
import { requireValue } from '../../cases/case';
import { expectGroup } from '../../cases/companies';
import { buildNode } from '../../real-n8n/workflow';
import type { World } from '../../stand-in';
import type { Company } from '../../stand-in/seed';
import {
	buildFindCustomerStep,
	readFromNode,
	FIND_CUSTOMER,
	runOnce,
	ROWS_NODE,
	buildRowsNode,
	type Jobs,
	type JobContext,
} from './job';

/** Parameters that find all companies with this word in their names. */
export const SEARCH_BAKERIES = { filters: { searchText: 'Bakery' }, returnAll: true };
export const filterBakeries = ({ companies }: World) =>
	companies.filter(({ companyName }) => companyName?.includes('Bakery'));

/** Asserts that the items, which may be a file's rows, are exactly the companies, with the same values in these fields. */
export function assertSameCompanies(items: Item[], companies: Company[], ...fields: Array<keyof Company>): void {
	assert.ok(companies.length > 0, 'The service has no such company');
	const listValues = (records: object[]) =>
		records.map((record) => Object.values(pick(record, ['companyResourceId', ...fields])).join()).sort();
	assert.deepEqual(listValues(items.map(({ json }) => json)), listValues(companies));
}

/** Builds a Filter node that keeps the items with this value. Its name is `Only <value>`. */
export const buildFilterNode = (field: string, value: string) => {
	const operator = { type: 'string', operation: 'equals' };
	const conditions = [{ leftValue: `={{ $json.${field} }}`, rightValue: value, operator }];
	const options = { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 };
	const parameters = { conditions: { options, conditions, combinator: 'and' }, options: {} };
	return buildNode(`Only ${value}`, 'filter', parameters, { typeVersion: 2.2 });
};

/** An expression for the ID of a node's input item. */
export const RESOURCE_ID = '={{ $json.resourceId }}';
const getCompanyIds = (items: Item[]) => items.map(({ json }) => json.companyResourceId);
const getIsoTimeInDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

const NEW_COMPANY_NAME = 'Neue Bäckerei';
/** Builds the nodes that create a company with the same settings as the customer. They copy IDs from the customer's raw record. */
const buildCreateCompanySteps = (context: JobContext) => {
	const copyField = (field: string) => readFromNode('Company get', field);
	return [
		buildFindCustomerStep(context),
		context.buildStep('Company', 'get', { company: readFromNode(FIND_CUSTOMER, 'companyResourceId'), output: 'raw' }),
		context.buildStep('Company', 'create', {
			name: NEW_COMPANY_NAME,
			numberOfUsers: 25,
			country: copyField('countryResourceId'),
			industry: copyField('industryResourceId'),
			licenseType: copyField('licenseTypeResourceId'),
			licensePeriodType: copyField('licensePeriodTypeResourceId'),
			timeZone: copyField('timeZoneId'),
			dateFormat: copyField('dateFormat'),
			timeFormat: copyField('timeFormat'),
		}),
	];
};
const NEW_COMPANY = readFromNode('Company create', 'companyResourceId');
const findNewCompany = ({ customer: { world } }: JobContext) =>
	requireValue(world.companies.find(({ companyName }) => companyName === NEW_COMPANY_NAME));

const customerListJobs: Jobs = {
	'Scope of customers': async ({ customer: { world }, buildStep, runNodes }) => {
		const list = buildStep('Company', 'getMany', { returnAll: true });
		const getItems = await runNodes([list, runOnce(buildStep('Company', 'export')), buildRowsNode()]);
		for (const name of [FIND_CUSTOMER, ROWS_NODE])
			assertSameCompanies(getItems(name), world.companies, 'companyName', 'licenseEndDate');
	},
	'License details': async ({ customer: { world }, buildStep, runNodes }) => {
		const getItems = await runNodes([
			buildStep('Company', 'getMany', { ...SEARCH_BAKERIES, output: 'raw' }),
			buildStep('Company', 'checkLicense', { company: readFromNode(FIND_CUSTOMER, 'companyResourceId') }),
		]);
		assertSameCompanies(
			getItems(FIND_CUSTOMER),
			filterBakeries(world),
			'licenseTypeName',
			'licenseEndDate',
			'numberOfUsers',
			'targetUserCount',
		);
		const readFields = (name: string, ...fields: string[]) => getItems(name).map(({ json }) => at(json, fields));
		assert.deepEqual(
			readFields('Company checkLicense', 'companyResourceId', 'licenseLimit', 'activeUserCount'),
			readFields(FIND_CUSTOMER, 'companyResourceId', 'numberOfUsers', 'targetUserCount'),
		);
	},
	'Cross-sell': async ({ customer: { world }, buildStep, runNodes }) => {
		const list = buildStep('Company', 'getMany', { returnAll: true, output: 'raw' });
		const getItems = await runNodes([list, buildFilterNode('licenseTypeName', 'Trial')]);
		const trialCompanies = world.companies.filter(({ licenseTypeName }) => licenseTypeName === 'Trial');
		assertSameCompanies(
			getItems('Only Trial'),
			trialCompanies,
			'companyName',
			'industryName',
			'targetUserCount',
			'tags',
		);
	},
	'Exceeding limit': async ({ customer: { company, world }, buildStep, runNodes }) => {
		company.numberOfUsers = String(company.targetUserCount - 1);
		const exportStep = buildStep('Company', 'export', { filters: { isTargetUserCountExceededLimit: true } });
		const list = buildStep('Company', 'getMany', { show: 'overLimit', returnAll: true });
		const getItems = await runNodes([list, runOnce(exportStep), buildRowsNode()]);
		const limitedCompanies = world.companies.filter(({ isNumberOfUsersLimited }) => isNumberOfUsersLimited);
		const companiesOverLimit = limitedCompanies.filter(
			({ numberOfUsers, targetUserCount }) => targetUserCount > Number(numberOfUsers),
		);
		for (const name of [FIND_CUSTOMER, ROWS_NODE])
			assertSameCompanies(getItems(name), companiesOverLimit, 'numberOfUsers', 'targetUserCount');
	},
	'Expired licenses': async ({ customer: { world }, buildStep, runNodes }) => {
		const getItems = await runNodes([buildStep('Company', 'getMany', { show: 'expired', returnAll: true })]);
		const expiredCompanies = world.companies.filter(({ licenceExpired }) => licenceExpired);
		assertSameCompanies(getItems(FIND_CUSTOMER), expiredCompanies, 'companyName', 'licenseEndDate');
	},
	Renewals: async ({ customer: { world }, buildStep, runNodes }) => {
		for (const company of world.companies) company.licenseEndDate = '2090-01-01T00:00:00.000Z';
		const dueCompanies = world.companies.slice(0, 4);
		for (const [index, company] of dueCompanies.entries()) company.licenseEndDate = getIsoTimeInDays(5 + 7 * index);
		const filters = { show: 'renewal', renewalWithinDays: 21, returnAll: true };
		const getItems = await runNodes([buildStep('Company', 'getMany', filters)]);
		assert.deepEqual(
			getCompanyIds(getItems(FIND_CUSTOMER)),
			dueCompanies.slice(0, 3).map(({ companyResourceId: id }) => id),
		);
	},
	'Recently created': async ({ customer: { world }, buildStep, runNodes }) => {
		const list = buildStep('Company', 'getMany', { show: 'recent', createdWithinDays: 3, returnAll: true });
		const getItems = await runNodes([list]);
		const recentCompanies = world.companies.filter(({ createTime }) => createTime > getIsoTimeInDays(-3));
		assertSameCompanies(getItems(FIND_CUSTOMER), recentCompanies, 'companyName', 'createTime');
		const newestIds = sortBy(recentCompanies, 'createTime').map(({ companyResourceId: id }) => id);
		assert.deepEqual(getCompanyIds(getItems(FIND_CUSTOMER)), newestIds.reverse());
	},
	'Monthly total': async ({ customer: { world }, buildStep, runNodes }) => {
		const getItems = await runNodes([
			buildStep('Company', 'getTotalActiveUsers'),
			buildStep('Company', 'export'),
			buildRowsNode(),
		]);
		const total = sumBy(world.companies, 'monthlyActiveUserCount');
		assert.ok(total > 0);
		assert.equal(getItems('Company getTotalActiveUsers')[0]?.json.totalMonthlyActiveUserCount, total);
		assertSameCompanies(getItems(ROWS_NODE), world.companies, 'monthlyActiveUserCount');
	},
	'Export for billing': async ({ customer: { world }, buildStep, runNodes }) => {
		const getItems = await runNodes([
			buildStep('Company', 'export', { format: 'excel' }),
			buildRowsNode(ROWS_NODE, 'xlsx'),
		]);
		assertSameCompanies(
			getItems(ROWS_NODE),
			world.companies,
			'companyName',
			'licenseEndDate',
			'monthlyActiveUserCount',
		);
	},
};

const companyJobs: Jobs = {
	'Get company': async (context) => {
		const { customer, buildStep, runNodes } = context;
		const getItems = await runNodes([
			buildFindCustomerStep(context),
			buildStep('Company', 'get', { company: readFromNode(FIND_CUSTOMER, 'companyResourceId') }),
		]);
		assert.equal(requireValue(getItems('Company get')[0]).json.companyName, customer.company.companyName);
	},
	'Update company': async (context) => {
		const { company } = context.customer;
		const before = { ...company };
		const additionalFields = { numberOfUsers: '={{ $json.numberOfUsers + 20 }}' };
		const update = { company: readFromNode(FIND_CUSTOMER, 'companyResourceId'), additionalFields };
		await context.runNodes([buildFindCustomerStep(context), context.buildStep('Company', 'update', update)]);
		assert.deepEqual({ ...company }, { ...before, numberOfUsers: String(Number(before.numberOfUsers) + 20) });
	},
	'Delete company': async (context) => {
		const { customer, buildStep, runNodes } = context;
		const remainingCompanies = customer.world.companies.filter((company) => company !== customer.company);
		const parameters = {
			company: readFromNode(FIND_CUSTOMER, 'companyResourceId'),
			nameToDelete: '={{ $json.companyName }}',
		};
		await runNodes([buildFindCustomerStep(context), buildStep('Company', 'delete', parameters)]);
		assert.deepEqual(customer.world.companies, remainingCompanies);
	},
	'Create company': async (context) => {
		const { customer, buildStep, runNodes } = context;
		const { resourceId, name, companyResourceIdArray: initialMembers } = requireValue(customer.world.companyGroups[0]);
		const selectGroup = { companyGroup: readFromNode('CompanyGroup getMany', 'resourceId') };
		const members = `={{ [...$('CompanyGroup getMembers').all(), $('Company create').first()].map(({ json }) => json.companyResourceId) }}`;
		await runNodes([
			...buildCreateCompanySteps(context),
			buildStep('Company', 'update', { company: NEW_COMPANY, additionalFields: { tags: 'gold, pilot' } }),
			buildStep('CompanyGroup', 'getMany', { filters: { searchText: name } }),
			buildStep('CompanyGroup', 'getMembers', { ...selectGroup, returnAll: true }),
			runOnce(buildStep('CompanyGroup', 'replaceParticipants', { ...selectGroup, participantList: members })),
		]);
		const { companyResourceId, ...newCompany } = findNewCompany(context);
		const { industryName, licenseTypeName } = customer.company;
		const expected = { numberOfUsers: '25', tags: ['gold', 'pilot'], industryName, licenseTypeName };
		assert.deepEqual(pick(newCompany, Object.keys(expected)), expected);
		expectGroup(customer, resourceId, name, [...initialMembers, companyResourceId]);
	},
	'Create with SCIM and direct email': async (context) => {
		const { customer, buildStep, runNodes } = context;
		const forNewCompany = { companyScope: 'one', company: NEW_COMPANY };
		const emailSetting = {
			...forNewCompany,
			tenantId: 'tenant-1',
			directEmailSettingId: readFromNode('DirectEmailSetting create', 'resourceId'),
		};
		const domains = { tenantId: 'tenant-1', allowedDomains: 'neu.example' };
		const testEmail = { from: 'info@neu.example', fromName: 'Info', to: 'it@neu.example', message: 'A test' };
		const getItems = await runNodes([
			...buildCreateCompanySteps(context),
			buildStep('Role', 'getMany', forNewCompany),
			buildFilterNode('name', 'Company Admin'),
			buildStep('ApiClient', 'provision', { ...forNewCompany, name: 'n8n', roles: [RESOURCE_ID] }),
			buildStep('ScimIntegration', 'getFields', forNewCompany),
			buildFilterNode('name', 'department'),
			buildStep('ScimIntegration', 'create', {
				...forNewCompany,
				name: 'Entra ID',
				additionalFields: { groupBy: toIdLocator(RESOURCE_ID) },
			}),
			buildStep('DirectEmailSetting', 'create', { ...forNewCompany, ...domains, name: 'Direct' }),
			buildStep('DirectEmailSetting', 'test', { ...emailSetting, ...testEmail }),
			buildStep('DirectEmailSetting', 'makeDefault', emailSetting),
		]);
		const { clients, scimIntegrations, emailSettings } = customer.world.getCompanyData(findNewCompany(context));
		const getResourceId = (name: string) => getItems(name)[0]?.json.resourceId;
		const { name: client, roleResourceIdList: roles } = requireValue(clients.at(-1));
		assert.deepEqual([client, roles], ['n8n', [getResourceId('Only Company Admin')]]);
		const { name: integration, requestBody } = requireValue(scimIntegrations.at(-1));
		assert.deepEqual(
			[integration, requestBody.groupBySCIMFieldResourceId],
			['Entra ID', getResourceId('Only department')],
		);
		assert.deepEqual(
			emailSettings.map(({ isDefault, sentTestCount }) => [isDefault, sentTestCount]),
			[[true, 1]],
		);
	},
};

/** The jobs about customers. */
export const customers: Jobs = { ...customerListJobs, ...companyJobs };
