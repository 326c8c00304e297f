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
	buildLocatorFromNode,
	FIND_CUSTOMER_NODE,
	turnOnExecuteOnce,
	ROWS_NODE_NAME,
	buildRowsNode,
	type Jobs,
	type JobContext,
} from './job';

/** Parameters that find all companies with "Bakery" in their names. */
export const BAKERY_SEARCH_PARAMETERS = { filters: { searchText: 'Bakery' }, returnAll: true };
export const filterBakeries = ({ companies }: World) =>
	companies.filter(({ companyName }) => companyName?.includes('Bakery'));

/** Asserts that the items, in any order, have the IDs and the field values of exactly these companies. The items may be rows of a file. */
export function assertSameCompanies(items: Item[], companies: Company[], ...fields: Array<keyof Company>): void {
	assert.ok(companies.length > 0, 'The service has no such company');
	const listValues = (records: object[]) =>
		records.map((record) => Object.values(pick(record, ['companyResourceId', ...fields])).join()).sort();
	assert.deepEqual(listValues(items.map(({ json }) => json)), listValues(companies));
}

/** Builds a Filter node that keeps the items whose field has this value. The node's name is `Only <value>`. */
export const buildFilterNode = (field: string, value: string) => {
	const operator = { type: 'string', operation: 'equals' };
	const conditions = [{ leftValue: `={{ $json.${field} }}`, rightValue: value, operator }];
	const options = { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 };
	const parameters = { conditions: { options, conditions, combinator: 'and' }, options: {} };
	return buildNode(`Only ${value}`, 'filter', parameters, { typeVersion: 2.2 });
};

/** An expression for the `resourceId` of a node's input item. */
export const RESOURCE_ID_EXPRESSION = '={{ $json.resourceId }}';
const getCompanyIds = (items: Item[]) => items.map(({ json }) => json.companyResourceId);
const getIsoTimeInDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

const NEW_COMPANY_NAME = 'Neue Bäckerei';
/** Builds the nodes that create a company with the settings of the customer, such as country and license type. */
const buildCreateCompanySteps = (context: JobContext) => {
	const copyCustomerField = (field: string) => buildLocatorFromNode('Company get', field);
	return [
		buildFindCustomerStep(context),
		context.buildStep('Company', 'get', {
			company: buildLocatorFromNode(FIND_CUSTOMER_NODE, 'companyResourceId'),
			output: 'raw',
		}),
		context.buildStep('Company', 'create', {
			name: NEW_COMPANY_NAME,
			numberOfUsers: 25,
			country: copyCustomerField('countryResourceId'),
			industry: copyCustomerField('industryResourceId'),
			licenseType: copyCustomerField('licenseTypeResourceId'),
			licensePeriodType: copyCustomerField('licensePeriodTypeResourceId'),
			timeZone: copyCustomerField('timeZoneId'),
			dateFormat: copyCustomerField('dateFormat'),
			timeFormat: copyCustomerField('timeFormat'),
		}),
	];
};
const NEW_COMPANY_LOCATOR = buildLocatorFromNode('Company create', 'companyResourceId');
const findNewCompany = ({ customer: { world } }: JobContext) =>
	requireValue(world.companies.find(({ companyName }) => companyName === NEW_COMPANY_NAME));

const customerListJobs: Jobs = {
	'Scope of customers': async ({ customer: { world }, buildStep, runNodes }) => {
		const listStep = buildStep('Company', 'getMany', { returnAll: true });
		const getItems = await runNodes([listStep, turnOnExecuteOnce(buildStep('Company', 'export')), buildRowsNode()]);
		for (const name of [FIND_CUSTOMER_NODE, ROWS_NODE_NAME])
			assertSameCompanies(getItems(name), world.companies, 'companyName', 'licenseEndDate');
	},
	'License details': async ({ customer: { world }, buildStep, runNodes }) => {
		const getItems = await runNodes([
			buildStep('Company', 'getMany', { ...BAKERY_SEARCH_PARAMETERS, output: 'raw' }),
			buildStep('Company', 'checkLicense', { company: buildLocatorFromNode(FIND_CUSTOMER_NODE, 'companyResourceId') }),
		]);
		assertSameCompanies(
			getItems(FIND_CUSTOMER_NODE),
			filterBakeries(world),
			'licenseTypeName',
			'licenseEndDate',
			'numberOfUsers',
			'targetUserCount',
		);
		const readFields = (name: string, ...fields: string[]) => getItems(name).map(({ json }) => at(json, fields));
		assert.deepEqual(
			readFields('Company checkLicense', 'companyResourceId', 'licenseLimit', 'activeUserCount'),
			readFields(FIND_CUSTOMER_NODE, 'companyResourceId', 'numberOfUsers', 'targetUserCount'),
		);
	},
	'Cross-sell': async ({ customer: { world }, buildStep, runNodes }) => {
		const listStep = buildStep('Company', 'getMany', { returnAll: true, output: 'raw' });
		const getItems = await runNodes([listStep, buildFilterNode('licenseTypeName', 'Trial')]);
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
		const listStep = buildStep('Company', 'getMany', { show: 'overLimit', returnAll: true });
		const getItems = await runNodes([listStep, turnOnExecuteOnce(exportStep), buildRowsNode()]);
		const companiesWithUserLimit = world.companies.filter(({ isNumberOfUsersLimited }) => isNumberOfUsersLimited);
		const companiesOverLimit = companiesWithUserLimit.filter(
			({ numberOfUsers, targetUserCount }) => targetUserCount > Number(numberOfUsers),
		);
		for (const name of [FIND_CUSTOMER_NODE, ROWS_NODE_NAME])
			assertSameCompanies(getItems(name), companiesOverLimit, 'numberOfUsers', 'targetUserCount');
	},
	'Expired licenses': async ({ customer: { world }, buildStep, runNodes }) => {
		const getItems = await runNodes([buildStep('Company', 'getMany', { show: 'expired', returnAll: true })]);
		const expiredCompanies = world.companies.filter(({ licenceExpired }) => licenceExpired);
		assertSameCompanies(getItems(FIND_CUSTOMER_NODE), expiredCompanies, 'companyName', 'licenseEndDate');
	},
	Renewals: async ({ customer: { world }, buildStep, runNodes }) => {
		for (const company of world.companies) company.licenseEndDate = '2090-01-01T00:00:00.000Z';
		const dueCompanies = world.companies.slice(0, 4);
		for (const [index, company] of dueCompanies.entries()) company.licenseEndDate = getIsoTimeInDays(5 + 7 * index);
		const parameters = { show: 'renewal', renewalWithinDays: 21, returnAll: true };
		const getItems = await runNodes([buildStep('Company', 'getMany', parameters)]);
		assert.deepEqual(
			getCompanyIds(getItems(FIND_CUSTOMER_NODE)),
			dueCompanies.slice(0, 3).map(({ companyResourceId: id }) => id),
		);
	},
	'Recently created': async ({ customer: { world }, buildStep, runNodes }) => {
		const listStep = buildStep('Company', 'getMany', { show: 'recent', createdWithinDays: 3, returnAll: true });
		const getItems = await runNodes([listStep]);
		const recentCompanies = world.companies.filter(({ createTime }) => createTime > getIsoTimeInDays(-3));
		assertSameCompanies(getItems(FIND_CUSTOMER_NODE), recentCompanies, 'companyName', 'createTime');
		const newestIds = sortBy(recentCompanies, 'createTime').map(({ companyResourceId: id }) => id);
		assert.deepEqual(getCompanyIds(getItems(FIND_CUSTOMER_NODE)), newestIds.reverse());
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
		assertSameCompanies(getItems(ROWS_NODE_NAME), world.companies, 'monthlyActiveUserCount');
	},
	'Export for billing': async ({ customer: { world }, buildStep, runNodes }) => {
		const getItems = await runNodes([
			buildStep('Company', 'export', { format: 'excel' }),
			buildRowsNode(ROWS_NODE_NAME, 'xlsx'),
		]);
		assertSameCompanies(
			getItems(ROWS_NODE_NAME),
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
			buildStep('Company', 'get', { company: buildLocatorFromNode(FIND_CUSTOMER_NODE, 'companyResourceId') }),
		]);
		assert.equal(requireValue(getItems('Company get')[0]).json.companyName, customer.company.companyName);
	},
	'Update company': async (context) => {
		const { company } = context.customer;
		const companyBefore = { ...company };
		const additionalFields = { numberOfUsers: '={{ $json.numberOfUsers + 20 }}' };
		const updateParameters = {
			company: buildLocatorFromNode(FIND_CUSTOMER_NODE, 'companyResourceId'),
			additionalFields,
		};
		await context.runNodes([buildFindCustomerStep(context), context.buildStep('Company', 'update', updateParameters)]);
		assert.deepEqual(
			{ ...company },
			{ ...companyBefore, numberOfUsers: String(Number(companyBefore.numberOfUsers) + 20) },
		);
	},
	'Delete company': async (context) => {
		const { customer, buildStep, runNodes } = context;
		const remainingCompanies = customer.world.companies.filter((company) => company !== customer.company);
		const parameters = {
			company: buildLocatorFromNode(FIND_CUSTOMER_NODE, 'companyResourceId'),
			nameToDelete: '={{ $json.companyName }}',
		};
		await runNodes([buildFindCustomerStep(context), buildStep('Company', 'delete', parameters)]);
		assert.deepEqual(customer.world.companies, remainingCompanies);
	},
	'Create company': async (context) => {
		const { customer, buildStep, runNodes } = context;
		const { resourceId, name, companyResourceIdArray: initialMembers } = requireValue(customer.world.companyGroups[0]);
		const groupSelection = { companyGroup: buildLocatorFromNode('CompanyGroup getMany', 'resourceId') };
		const memberIds = `={{ [...$('CompanyGroup member.getMany').all(), $('Company create').first()].map(({ json }) => json.companyResourceId) }}`;
		await runNodes([
			...buildCreateCompanySteps(context),
			buildStep('Company', 'update', { company: NEW_COMPANY_LOCATOR, additionalFields: { tags: 'gold, pilot' } }),
			buildStep('CompanyGroup', 'getMany', { filters: { searchText: name } }),
			buildStep('CompanyGroup', 'member.getMany', { ...groupSelection, returnAll: true }),
			turnOnExecuteOnce(buildStep('CompanyGroup', 'member.replace', { ...groupSelection, companies: memberIds })),
		]);
		const { companyResourceId, ...newCompany } = findNewCompany(context);
		const { industryName, licenseTypeName } = customer.company;
		const expectedFields = { numberOfUsers: '25', tags: ['gold', 'pilot'], industryName, licenseTypeName };
		assert.deepEqual(pick(newCompany, Object.keys(expectedFields)), expectedFields);
		expectGroup(customer, resourceId, name, [...initialMembers, companyResourceId]);
	},
	'Create with SCIM and direct email': async (context) => {
		const { customer, buildStep, runNodes } = context;
		const newCompanyParameters = { companyScope: 'one', company: NEW_COMPANY_LOCATOR };
		const emailSettingParameters = {
			...newCompanyParameters,
			tenantId: 'tenant-1',
			directEmailSettingId: buildLocatorFromNode('DirectEmailSetting create', 'resourceId'),
		};
		const domainParameters = { tenantId: 'tenant-1', allowedDomains: 'neu.example' };
		const testEmailParameters = { from: 'info@neu.example', fromName: 'Info', to: 'it@neu.example', message: 'A test' };
		const getItems = await runNodes([
			...buildCreateCompanySteps(context),
			buildStep('Role', 'getMany', newCompanyParameters),
			buildFilterNode('name', 'Company Admin'),
			buildStep('ApiClient', 'provision', { ...newCompanyParameters, name: 'n8n', roles: [RESOURCE_ID_EXPRESSION] }),
			buildStep('ScimIntegration', 'getFields', newCompanyParameters),
			buildFilterNode('name', 'department'),
			buildStep('ScimIntegration', 'create', {
				...newCompanyParameters,
				name: 'Entra ID',
				additionalFields: { groupBy: toIdLocator(RESOURCE_ID_EXPRESSION) },
			}),
			buildStep('DirectEmailSetting', 'create', { ...newCompanyParameters, ...domainParameters, name: 'Direct' }),
			buildStep('DirectEmailSetting', 'test', { ...emailSettingParameters, ...testEmailParameters }),
			buildStep('DirectEmailSetting', 'makeDefault', emailSettingParameters),
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

export const customers: Jobs = { ...customerListJobs, ...companyJobs };
