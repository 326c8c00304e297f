/** The published jobs about customers: lists, licenses, groups and sign-ins. */
import assert from 'node:assert/strict';

import { at, pick, sortBy, sumBy } from 'lodash';
import { toIdLocator, type Item } from '../../cases';
import { requireValue } from '../../cases/case';
import { expectGroup } from '../../cases/companies';
import { buildNode } from '../../real-n8n/workflow';
import type { World } from '../../stand-in';
import { CUSTOM_FIELDS, getCustomFieldId } from '../../stand-in/deployed/lists';
import type { Company } from '../../stand-in/seed';
import {
	buildFindCustomerStep,
	readFromNode,
	FIND_CUSTOMER,
	FOR_CUSTOMER,
	runOnce,
	ROWS_NODE,
	buildRowsNode,
	type Jobs,
	type JobContext,
} from './job';

const SEARCH_BAKERIES = { filters: { searchText: 'Bakery' }, returnAll: true };
const filterBakeries = ({ companies }: World) => companies.filter(({ companyName }) => companyName?.includes('Bakery'));

/** Asserts that the items, which may be a file's rows, are exactly the companies, with the same values in these fields. */
function assertSameCompanies(items: Item[], companies: Company[], ...fields: Array<keyof Company>): void {
	assert.ok(companies.length > 0, 'The service has no such company');
	const listValues = (records: object[]) =>
		records.map((record) => Object.values(pick(record, ['companyResourceId', ...fields])).join()).sort();
	assert.deepEqual(listValues(items.map(({ json }) => json)), listValues(companies));
}

/** Builds a Filter node that keeps the items with this value. Its name is `Only <value>`. */
const buildFilterNode = (field: string, value: string) => {
	const operator = { type: 'string', operation: 'equals' };
	const conditions = [{ leftValue: `={{ $json.${field} }}`, rightValue: value, operator }];
	const options = { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 };
	const parameters = { conditions: { options, conditions, combinator: 'and' }, options: {} };
	return buildNode(`Only ${value}`, 'filter', parameters, { typeVersion: 2.2 });
};

const RESOURCE_ID = '={{ $json.resourceId }}';
const listCompanyIdsOfNode = (name: string) => `={{ $('${name}').all().map(({ json }) => json.companyResourceId) }}`;
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

const lists: Jobs = {
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
		const onTrial = world.companies.filter(({ licenseTypeName }) => licenseTypeName === 'Trial');
		assertSameCompanies(getItems('Only Trial'), onTrial, 'companyName', 'industryName', 'targetUserCount', 'tags');
	},
	'Exceeding limit': async ({ customer: { company, world }, buildStep, runNodes }) => {
		company.numberOfUsers = String(company.targetUserCount - 1);
		const exported = buildStep('Company', 'export', { filters: { isTargetUserCountExceededLimit: true } });
		const list = buildStep('Company', 'getMany', { show: 'overLimit', returnAll: true });
		const getItems = await runNodes([list, runOnce(exported), buildRowsNode()]);
		const limited = world.companies.filter(({ isNumberOfUsersLimited }) => isNumberOfUsersLimited);
		const over = limited.filter(({ numberOfUsers, targetUserCount }) => targetUserCount > Number(numberOfUsers));
		for (const name of [FIND_CUSTOMER, ROWS_NODE])
			assertSameCompanies(getItems(name), over, 'numberOfUsers', 'targetUserCount');
	},
	'Expired licenses': async ({ customer: { world }, buildStep, runNodes }) => {
		const getItems = await runNodes([buildStep('Company', 'getMany', { show: 'expired', returnAll: true })]);
		const expired = world.companies.filter(({ licenceExpired }) => licenceExpired);
		assertSameCompanies(getItems(FIND_CUSTOMER), expired, 'companyName', 'licenseEndDate');
	},
	Renewals: async ({ customer: { world }, buildStep, runNodes }) => {
		for (const company of world.companies) company.licenseEndDate = '2090-01-01T00:00:00.000Z';
		const due = world.companies.slice(0, 4);
		for (const [index, company] of due.entries()) company.licenseEndDate = getIsoTimeInDays(5 + 7 * index);
		const filters = { show: 'renewal', renewalWithinDays: 21, returnAll: true };
		const getItems = await runNodes([buildStep('Company', 'getMany', filters)]);
		assert.deepEqual(
			getCompanyIds(getItems(FIND_CUSTOMER)),
			due.slice(0, 3).map(({ companyResourceId: id }) => id),
		);
	},
	'Recently created': async ({ customer: { world }, buildStep, runNodes }) => {
		const list = buildStep('Company', 'getMany', { show: 'recent', createdWithinDays: 3, returnAll: true });
		const getItems = await runNodes([list]);
		const created = world.companies.filter(({ createTime }) => createTime > getIsoTimeInDays(-3));
		assertSameCompanies(getItems(FIND_CUSTOMER), created, 'companyName', 'createTime');
		const newestIds = sortBy(created, 'createTime').map(({ companyResourceId: id }) => id);
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

const companies: Jobs = {
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
			emailSettings.map(({ isDefault, testsSent }) => [isDefault, testsSent]),
			[[true, 1]],
		);
	},
};

const administration: Jobs = {
	'Company groups': async ({ customer, buildStep, runNodes }) => {
		const companyGroup = readFromNode('CompanyGroup create', 'resourceId');
		const sameParticipants = '={{ $json.participants.map(({ companyResourceId }) => companyResourceId) }}';
		const getItems = await runNodes([
			buildStep('Company', 'getMany', SEARCH_BAKERIES),
			runOnce(
				buildStep('CompanyGroup', 'create', { name: 'Bakers', participantList: listCompanyIdsOfNode(FIND_CUSTOMER) }),
			),
			buildStep('CompanyGroup', 'get', { companyGroup }),
			buildStep('CompanyGroup', 'update', {
				companyGroup,
				name: 'All Bakers',
				participantsFrom: 'list',
				participantList: sameParticipants,
			}),
			buildStep('CompanyGroup', 'export', { filters: { searchText: 'All Bakers' } }),
			buildRowsNode(),
		]);
		assertSameCompanies(getItems(FIND_CUSTOMER), filterBakeries(customer.world));
		const ids = getItems(FIND_CUSTOMER).map(({ json }) => String(json.companyResourceId));
		expectGroup(customer, getItems('CompanyGroup create')[0]?.json.resourceId, 'All Bakers', ids);
		assert.deepEqual(
			getItems(ROWS_NODE).map(({ json }) => [json.name, json.companyCount]),
			[['All Bakers', String(ids.length)]],
		);
	},
	'REST client': async (context) => {
		const { customer, buildStep, runNodes } = context;
		const readGeneratedField = (field: string) => `={{ $('ApiClient generateCredentials').item.json.${field} }}`;
		const credentials = { clientId: readGeneratedField('clientId'), clientSecret: readGeneratedField('clientSecret') };
		const client = { ...FOR_CUSTOMER, ...credentials, roles: [`={{ $('Only Company Admin').item.json.resourceId }}`] };
		const apiClient = readFromNode('ApiClient create', 'resourceId');
		const getItems = await runNodes([
			buildFindCustomerStep(context),
			buildStep('Role', 'getMany', FOR_CUSTOMER),
			buildFilterNode('name', 'Company Admin'),
			buildStep('ApiClient', 'generateCredentials', FOR_CUSTOMER),
			buildStep('ApiClient', 'create', { ...client, name: 'n8n' }),
			buildStep('ApiClient', 'get', { ...FOR_CUSTOMER, apiClient }),
			buildStep('ApiClient', 'update', { ...client, apiClient, name: 'n8n, billing' }),
			buildStep('ApiClient', 'getMany', { ...FOR_CUSTOMER, filters: { searchText: 'Reporting' } }),
			buildStep('ApiClient', 'delete', { ...FOR_CUSTOMER, apiClient: toIdLocator(RESOURCE_ID) }),
		]);
		const { clientSecret } = requireValue(getItems('ApiClient generateCredentials')[0]).json;
		const remainingClients = customer.companyData.clients.map((apiClient) => [apiClient.name, apiClient.clientSecret]);
		assert.deepEqual(remainingClients, [['n8n, billing', clientSecret]]);
	},
	'System user': async (context) => {
		const { customer, buildStep, runNodes } = context;
		const person = { firstName: 'Zoë', lastName: "O'Neill", email: 'zoe@harbour.example', phoneNumber: '+15551234567' };
		const getItems = await runNodes([
			buildFindCustomerStep(context),
			buildStep('Role', 'getMany', FOR_CUSTOMER),
			buildFilterNode('name', 'Company Admin'),
			buildStep('SystemUser', 'create', { ...FOR_CUSTOMER, ...person, roles: [RESOURCE_ID] }),
			buildStep('SystemUser', 'getMany', FOR_CUSTOMER),
		]);
		const [{ json } = { json: {} }] = getItems('SystemUser getMany');
		assert.deepEqual([json.email, json.roles], [person.email, 'Company Admin']);
		assert.equal(requireValue(customer.companyData.systemUsers[0]).email, person.email);
	},
	'Set up SCIM': async (context) => {
		const { customer, buildStep, runNodes } = context;
		const selectIntegration = {
			...FOR_CUSTOMER,
			scimIntegration: readFromNode('ScimIntegration create', 'resourceId'),
		};
		const [customFieldName] = CUSTOM_FIELDS;
		const customFieldId = toIdLocator(getCustomFieldId(customFieldName));
		const fieldMappings = { rows: [{ scimField: readFromNode('Only department', 'resourceId'), customFieldId }] };
		const additionalFields = { targetGroup: toIdLocator(RESOURCE_ID) };
		const group = requireValue(customer.companyData.targetGroups.at(-1));
		const getItems = await runNodes([
			buildFindCustomerStep(context),
			buildStep('ScimIntegration', 'getFields', FOR_CUSTOMER),
			buildFilterNode('name', 'department'),
			buildStep('TargetGroup', 'getMany', { ...FOR_CUSTOMER, filters: { searchText: group.name } }),
			buildStep('ScimIntegration', 'create', { ...FOR_CUSTOMER, name: 'Entra', fieldMappings, additionalFields }),
			buildStep('ScimIntegration', 'getMany', { ...FOR_CUSTOMER, filters: { searchText: 'Entra' } }),
			buildStep('ScimIntegration', 'get', selectIntegration),
			buildStep('ScimIntegration', 'update', { ...selectIntegration, name: 'Entra ID' }),
			buildStep('ScimIntegration', 'revokeToken', selectIntegration),
		]);
		const { mappingDetails } = requireValue(getItems('ScimIntegration get')[0]).json;
		assert.deepEqual(mappingDetails, [{ scimPath: 'department', customFieldName }]);
		const integration = pick(requireValue(customer.companyData.scimIntegrations.at(-1)), [
			'name',
			'groupResourceId',
			'token',
		]);
		const { token } = requireValue(getItems('ScimIntegration revokeToken')[0]).json;
		assert.deepEqual(integration, { name: 'Entra ID', groupResourceId: group.resourceId, token });
	},
};

export const customers: Jobs = { ...lists, ...companies, ...administration };
