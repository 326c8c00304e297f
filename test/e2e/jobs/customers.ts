/** Customers: lists, licenses, groups, sign-ins. */
import assert from 'node:assert/strict';

import { at, pick, sortBy, sumBy } from 'lodash';
import { toIdLocator, type Item } from '../../cases';
import { requireValue } from '../../cases/case';
import { expectGroup } from '../../cases/companies';
import { buildNode } from '../../real-n8n/workflow';
import type { World } from '../../stand-in';
import { CUSTOM_FIELDS, getCustomFieldId as customFieldIdOf } from '../../stand-in/deployed/lists';
import type { Company } from '../../stand-in/seed';
import { buildFindCustomerStep, fromNode, FIND_CUSTOMER, FOR_CUSTOMER, runOnce, ROWS_NODE, buildRowsNode, type Jobs, type JobContext } from './job';

const SEARCH_BAKERIES = { filters: { searchText: 'Bakery' }, returnAll: true };
const filterBakeries = ({ companies }: World) => companies.filter(({ companyName }) => companyName?.includes('Bakery'));

/** Each item, or row of a file, is one of the companies, and each company is there once. */
function assertSameCompanies(items: Item[], companies: Company[], ...fields: Array<keyof Company>): void {
	assert.ok(companies.length > 0, 'The service has no such company');
	const told = (records: object[]) =>
		records.map((each) => Object.values(pick(each, ['companyResourceId', ...fields])).join()).sort();
	assert.deepEqual(told(items.map(({ json }) => json)), told(companies));
}

/** A Filter node that keeps the items with this value, named after it. */
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
const addDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

/** Makes a company like Harbour Bakery, whose record has the IDs that the form asks for. */
const NEW_COMPANY_NAME = 'Neue Bäckerei';
const buildCreateCompanySteps = (context: JobContext) => {
	const copyField = (field: string) => fromNode('Company get', field);
	return [
		buildFindCustomerStep(context),
		context.buildStep('Company', 'get', { company: fromNode(FIND_CUSTOMER, 'companyResourceId'), output: 'raw' }),
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
const NEW_COMPANY = fromNode('Company create', 'companyResourceId');
const findNewCompany = ({ customer: { state } }: JobContext) =>
	requireValue(state.companies.find(({ companyName }) => companyName === NEW_COMPANY_NAME));

const lists: Jobs = {
	'Scope of customers': async ({ customer: { state }, buildStep: step, runNodes: run }) => {
		const list = step('Company', 'getMany', { returnAll: true });
		const items = await run([list, runOnce(step('Company', 'export')), buildRowsNode()]);
		for (const name of [FIND_CUSTOMER, ROWS_NODE]) assertSameCompanies(items(name), state.companies, 'companyName', 'licenseEndDate');
	},
	'License details': async ({ customer: { state }, buildStep: step, runNodes: run }) => {
		const items = await run([
			step('Company', 'getMany', { ...SEARCH_BAKERIES, output: 'raw' }),
			step('Company', 'checkLicense', { company: fromNode(FIND_CUSTOMER, 'companyResourceId') }),
		]);
		assertSameCompanies(
			items(FIND_CUSTOMER),
			filterBakeries(state),
			'licenseTypeName',
			'licenseEndDate',
			'numberOfUsers',
			'targetUserCount',
		);
		const told = (name: string, ...fields: string[]) => items(name).map(({ json }) => at(json, fields));
		assert.deepEqual(
			told('Company checkLicense', 'companyResourceId', 'licenseLimit', 'activeUserCount'),
			told(FIND_CUSTOMER, 'companyResourceId', 'numberOfUsers', 'targetUserCount'),
		);
	},
	'Cross-sell': async ({ customer: { state }, buildStep: step, runNodes: run }) => {
		const list = step('Company', 'getMany', { returnAll: true, output: 'raw' });
		const items = await run([list, buildFilterNode('licenseTypeName', 'Trial')]);
		const onTrial = state.companies.filter(({ licenseTypeName }) => licenseTypeName === 'Trial');
		assertSameCompanies(items('Only Trial'), onTrial, 'companyName', 'industryName', 'targetUserCount', 'tags');
	},
	'Exceeding limit': async ({ customer: { company, state }, buildStep: step, runNodes: run }) => {
		company.numberOfUsers = String(company.targetUserCount - 1);
		const exported = step('Company', 'export', { filters: { isTargetUserCountExceededLimit: true } });
		const list = step('Company', 'getMany', { show: 'overLimit', returnAll: true });
		const items = await run([list, runOnce(exported), buildRowsNode()]);
		const limited = state.companies.filter(({ isNumberOfUsersLimited }) => isNumberOfUsersLimited);
		const over = limited.filter(({ numberOfUsers, targetUserCount }) => targetUserCount > Number(numberOfUsers));
		for (const name of [FIND_CUSTOMER, ROWS_NODE]) assertSameCompanies(items(name), over, 'numberOfUsers', 'targetUserCount');
	},
	'Expired licenses': async ({ customer: { state }, buildStep: step, runNodes: run }) => {
		const items = await run([step('Company', 'getMany', { show: 'expired', returnAll: true })]);
		const expired = state.companies.filter(({ licenceExpired }) => licenceExpired);
		assertSameCompanies(items(FIND_CUSTOMER), expired, 'companyName', 'licenseEndDate');
	},
	Renewals: async ({ customer: { state }, buildStep: step, runNodes: run }) => {
		for (const company of state.companies) company.licenseEndDate = '2090-01-01T00:00:00.000Z';
		const due = state.companies.slice(0, 4);
		for (const [index, company] of due.entries()) company.licenseEndDate = addDays(5 + 7 * index);
		const list = step('Company', 'getMany', { show: 'renewal', renewalWithinDays: 21, returnAll: true });
		const items = await run([list]);
		assert.deepEqual(
			getCompanyIds(items(FIND_CUSTOMER)),
			due.slice(0, 3).map(({ companyResourceId: id }) => id),
		);
	},
	'Recently created': async ({ customer: { state }, buildStep: step, runNodes: run }) => {
		const list = step('Company', 'getMany', { show: 'recent', createdWithinDays: 3, returnAll: true });
		const items = await run([list]);
		const created = state.companies.filter(({ createTime }) => createTime > addDays(-3));
		assertSameCompanies(items(FIND_CUSTOMER), created, 'companyName', 'createTime');
		const newest = sortBy(created, 'createTime').reverse();
		assert.deepEqual(
			getCompanyIds(items(FIND_CUSTOMER)),
			newest.map(({ companyResourceId: id }) => id),
		);
	},
	'Monthly total': async ({ customer: { state }, buildStep: step, runNodes: run }) => {
		const items = await run([step('Company', 'getTotalActiveUsers'), step('Company', 'export'), buildRowsNode()]);
		const total = sumBy(state.companies, 'monthlyActiveUserCount');
		assert.ok(total > 0);
		assert.equal(items('Company getTotalActiveUsers')[0]?.json.totalMonthlyActiveUserCount, total);
		assertSameCompanies(items(ROWS_NODE), state.companies, 'monthlyActiveUserCount');
	},
	'Export for billing': async ({ customer: { state }, buildStep: step, runNodes: run }) => {
		const items = await run([step('Company', 'export', { format: 'excel' }), buildRowsNode(ROWS_NODE, 'xlsx')]);
		assertSameCompanies(items(ROWS_NODE), state.companies, 'companyName', 'licenseEndDate', 'monthlyActiveUserCount');
	},
};

const companies: Jobs = {
	'Get company': async (context) => {
		const { customer, buildStep: step, runNodes: run } = context;
		const items = await run([buildFindCustomerStep(context), step('Company', 'get', { company: fromNode(FIND_CUSTOMER, 'companyResourceId') })]);
		assert.equal(requireValue(items('Company get')[0]).json.companyName, customer.company.companyName);
	},
	'Update company': async (context) => {
		const { company } = context.customer;
		const { numberOfUsers: before, ...others } = { ...company };
		const more = { numberOfUsers: '={{ $json.numberOfUsers + 20 }}' };
		const update = { company: fromNode(FIND_CUSTOMER, 'companyResourceId'), additionalFields: more };
		await context.runNodes([buildFindCustomerStep(context), context.buildStep('Company', 'update', update)]);
		assert.deepEqual({ ...company }, { ...others, numberOfUsers: String(Number(before) + 20) });
	},
	'Delete company': async (context) => {
		const { customer, buildStep: step, runNodes: run } = context;
		const left = customer.state.companies.filter((each) => each !== customer.company);
		const parameters = { company: fromNode(FIND_CUSTOMER, 'companyResourceId'), nameToDelete: '={{ $json.companyName }}' };
		await run([buildFindCustomerStep(context), step('Company', 'delete', parameters)]);
		assert.deepEqual(customer.state.companies, left);
	},
	'Create company': async (context) => {
		const { customer, buildStep: step, runNodes: run } = context;
		const { resourceId, name, companyResourceIdArray: before } = requireValue(customer.state.companyGroups[0]);
		const ofGroup = { companyGroup: fromNode('CompanyGroup getMany', 'resourceId') };
		const members = `={{ [...$('CompanyGroup getMembers').all(), $('Company create').first()].map(({ json }) => json.companyResourceId) }}`;
		await run([
			...buildCreateCompanySteps(context),
			step('Company', 'update', { company: NEW_COMPANY, additionalFields: { tags: 'gold, pilot' } }),
			step('CompanyGroup', 'getMany', { filters: { searchText: name } }),
			step('CompanyGroup', 'getMembers', { ...ofGroup, returnAll: true }),
			runOnce(step('CompanyGroup', 'replaceParticipants', { ...ofGroup, participantList: members })),
		]);
		const { companyResourceId, ...made } = findNewCompany(context);
		const { industryName, licenseTypeName } = customer.company;
		const wanted = { numberOfUsers: '25', tags: ['gold', 'pilot'], industryName, licenseTypeName };
		assert.deepEqual(pick(made, Object.keys(wanted)), wanted);
		expectGroup(customer, resourceId, name, [...before, companyResourceId]);
	},
	'Create with SCIM and direct email': async (context) => {
		const { customer, buildStep: step, runNodes: run } = context;
		const forNewCompany = { companyScope: 'one', company: NEW_COMPANY };
		const emailSetting = {
			...forNewCompany,
			tenantId: 'tenant-1',
			directEmailSettingId: fromNode('DirectEmailSetting create', 'resourceId'),
		};
		const domains = { tenantId: 'tenant-1', allowedDomains: 'neu.example' };
		const testEmail = { from: 'info@neu.example', fromName: 'Info', to: 'it@neu.example', message: 'A test' };
		const items = await run([
			...buildCreateCompanySteps(context),
			step('Role', 'getMany', forNewCompany),
			buildFilterNode('name', 'Company Admin'),
			step('ApiClient', 'provision', { ...forNewCompany, name: 'n8n', roles: [RESOURCE_ID] }),
			step('ScimIntegration', 'getFields', forNewCompany),
			buildFilterNode('name', 'department'),
			step('ScimIntegration', 'create', { ...forNewCompany, name: 'Entra ID', additionalFields: { groupBy: toIdLocator(RESOURCE_ID) } }),
			step('DirectEmailSetting', 'create', { ...forNewCompany, ...domains, name: 'Direct' }),
			step('DirectEmailSetting', 'test', { ...emailSetting, ...testEmail }),
			step('DirectEmailSetting', 'makeDefault', emailSetting),
		]);
		const { clients, scimIntegrations: scim, emailSettings } = customer.state.getCompanyData(findNewCompany(context));
		const getResourceId = (name: string) => items(name)[0]?.json.resourceId;
		const { name: client, roleResourceIdList: roles } = requireValue(clients.at(-1));
		assert.deepEqual([client, roles], ['n8n', [getResourceId('Only Company Admin')]]);
		const { name: integration, requestBody: asked } = requireValue(scim.at(-1));
		assert.deepEqual([integration, asked.groupBySCIMFieldResourceId], ['Entra ID', getResourceId('Only department')]);
		assert.deepEqual(
			emailSettings.map(({ isDefault, testsSent }) => [isDefault, testsSent]),
			[[true, 1]],
		);
	},
};

const administration: Jobs = {
	'Company groups': async ({ customer, buildStep: step, runNodes: run }) => {
		const companyGroup = fromNode('CompanyGroup create', 'resourceId');
		const read = '={{ $json.participants.map(({ companyResourceId }) => companyResourceId) }}';
		const items = await run([
			step('Company', 'getMany', SEARCH_BAKERIES),
			runOnce(step('CompanyGroup', 'create', { name: 'Bakers', participantList: listCompanyIdsOfNode(FIND_CUSTOMER) })),
			step('CompanyGroup', 'get', { companyGroup }),
			step('CompanyGroup', 'update', {
				companyGroup,
				name: 'All Bakers',
				participantsFrom: 'list',
				participantList: read,
			}),
			step('CompanyGroup', 'export', { filters: { searchText: 'All Bakers' } }),
			buildRowsNode(),
		]);
		assertSameCompanies(items(FIND_CUSTOMER), filterBakeries(customer.state));
		const ids = items(FIND_CUSTOMER).map(({ json }) => String(json.companyResourceId));
		expectGroup(customer, items('CompanyGroup create')[0]?.json.resourceId, 'All Bakers', ids);
		assert.deepEqual(
			items(ROWS_NODE).map(({ json }) => [json.name, json.companyCount]),
			[['All Bakers', String(ids.length)]],
		);
	},
	'REST client': async (context) => {
		const { customer, buildStep: step, runNodes: run } = context;
		const generated = (field: string) => `={{ $('ApiClient generateCredentials').item.json.${field} }}`;
		const credentials = { clientId: generated('clientId'), clientSecret: generated('clientSecret') };
		const client = { ...FOR_CUSTOMER, ...credentials, roles: [`={{ $('Only Company Admin').item.json.resourceId }}`] };
		const apiClient = fromNode('ApiClient create', 'resourceId');
		const items = await run([
			buildFindCustomerStep(context),
			step('Role', 'getMany', FOR_CUSTOMER),
			buildFilterNode('name', 'Company Admin'),
			step('ApiClient', 'generateCredentials', FOR_CUSTOMER),
			step('ApiClient', 'create', { ...client, name: 'n8n' }),
			step('ApiClient', 'get', { ...FOR_CUSTOMER, apiClient }),
			step('ApiClient', 'update', { ...client, apiClient, name: 'n8n, billing' }),
			step('ApiClient', 'getMany', { ...FOR_CUSTOMER, filters: { searchText: 'Reporting' } }),
			step('ApiClient', 'delete', { ...FOR_CUSTOMER, apiClient: toIdLocator(RESOURCE_ID) }),
		]);
		const { clientSecret } = requireValue(items('ApiClient generateCredentials')[0]).json;
		const left = customer.companyData.clients.map((each) => [each.name, each.clientSecret]);
		assert.deepEqual(left, [['n8n, billing', clientSecret]]);
	},
	'System user': async (context) => {
		const { customer, buildStep: step, runNodes: run } = context;
		const person = { firstName: 'Zoë', lastName: "O'Neill", email: 'zoe@harbour.example', phoneNumber: '+15551234567' };
		const items = await run([
			buildFindCustomerStep(context),
			step('Role', 'getMany', FOR_CUSTOMER),
			buildFilterNode('name', 'Company Admin'),
			step('SystemUser', 'create', { ...FOR_CUSTOMER, ...person, roles: [RESOURCE_ID] }),
			step('SystemUser', 'getMany', FOR_CUSTOMER),
		]);
		const [{ json } = { json: {} }] = items('SystemUser getMany');
		assert.deepEqual([json.email, json.roles], [person.email, 'Company Admin']);
		assert.equal(requireValue(customer.companyData.systemUsers[0]).email, person.email);
	},
	'Set up SCIM': async (context) => {
		const { customer, buildStep: step, runNodes: run } = context;
		const one = { ...FOR_CUSTOMER, scimIntegration: fromNode('ScimIntegration create', 'resourceId') };
		const [customFieldName] = CUSTOM_FIELDS;
		const customFieldId = toIdLocator(customFieldIdOf(customFieldName));
		const fieldMappings = { rows: [{ scimField: fromNode('Only department', 'resourceId'), customFieldId }] };
		const additionalFields = { targetGroup: toIdLocator(RESOURCE_ID) };
		const group = requireValue(customer.companyData.targetGroups.at(-1));
		const items = await run([
			buildFindCustomerStep(context),
			step('ScimIntegration', 'getFields', FOR_CUSTOMER),
			buildFilterNode('name', 'department'),
			step('TargetGroup', 'getMany', { ...FOR_CUSTOMER, filters: { searchText: group.name } }),
			step('ScimIntegration', 'create', { ...FOR_CUSTOMER, name: 'Entra', fieldMappings, additionalFields }),
			step('ScimIntegration', 'getMany', { ...FOR_CUSTOMER, filters: { searchText: 'Entra' } }),
			step('ScimIntegration', 'get', one),
			step('ScimIntegration', 'update', { ...one, name: 'Entra ID' }),
			step('ScimIntegration', 'revokeToken', one),
		]);
		const { mappingDetails } = requireValue(items('ScimIntegration get')[0]).json;
		assert.deepEqual(mappingDetails, [{ scimPath: 'department', customFieldName }]);
		const made = pick(requireValue(customer.companyData.scimIntegrations.at(-1)), ['name', 'groupResourceId', 'token']);
		const { token } = requireValue(items('ScimIntegration revokeToken')[0]).json;
		assert.deepEqual(made, { name: 'Entra ID', groupResourceId: group.resourceId, token });
	},
};

export const customers: Jobs = { ...lists, ...companies, ...administration };
