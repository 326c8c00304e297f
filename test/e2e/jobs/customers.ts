/** Customers: lists, licenses, groups, sign-ins. */
import assert from 'node:assert/strict';

import { at, pick, sortBy, sumBy } from 'lodash';
import { byId, type Item } from '../../cases';
import { the } from '../../cases/case';
import { groupIs } from '../../cases/companies';
import { node } from '../../real-n8n/workflow';
import type { State } from '../../stand-in';
import { CUSTOM_FIELDS, customFieldId as customFieldIdOf } from '../../stand-in/deployed/lists';
import type { Company } from '../../stand-in/seed';
import { find, from, FIND, ITS, once, ROWS, rows, type Jobs, type Scene } from './job';

const BAKERIES = { filters: { searchText: 'Bakery' }, returnAll: true };
const bakeriesIn = ({ companies }: State) => companies.filter(({ companyName }) => companyName?.includes('Bakery'));

/** Each item, or row of a file, is one of the companies, and each company is there once. */
function areCompanies(items: Item[], companies: Company[], ...fields: Array<keyof Company>): void {
	assert.ok(companies.length > 0, 'The service has no such company');
	const told = (records: object[]) =>
		records.map((each) => Object.values(pick(each, ['companyResourceId', ...fields])).join()).sort();
	assert.deepEqual(told(items.map(({ json }) => json)), told(companies));
}

/** A Filter node that keeps the items with this value, named after it. */
const only = (field: string, value: string) => {
	const operator = { type: 'string', operation: 'equals' };
	const conditions = [{ leftValue: `={{ $json.${field} }}`, rightValue: value, operator }];
	const options = { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 };
	const parameters = { conditions: { options, conditions, combinator: 'and' }, options: {} };
	return node(`Only ${value}`, 'filter', parameters, { typeVersion: 2.2 });
};

const ID = '={{ $json.resourceId }}';
const idsIn = (name: string) => `={{ $('${name}').all().map(({ json }) => json.companyResourceId) }}`;
const idsOf = (items: Item[]) => items.map(({ json }) => json.companyResourceId);
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

/** Makes a company like Harbour Bakery, whose record has the IDs that the form asks for. */
const NEW_NAME = 'Neue Bäckerei';
const createAlike = (scene: Scene) => {
	const alike = (field: string) => from('Company get', field);
	return [
		find(scene),
		scene.step('Company', 'get', { company: from(FIND, 'companyResourceId'), output: 'raw' }),
		scene.step('Company', 'create', {
			name: NEW_NAME,
			numberOfUsers: 25,
			country: alike('countryResourceId'),
			industry: alike('industryResourceId'),
			licenseType: alike('licenseTypeResourceId'),
			licensePeriodType: alike('licensePeriodTypeResourceId'),
			timeZone: alike('timeZoneId'),
			dateFormat: alike('dateFormat'),
			timeFormat: alike('timeFormat'),
		}),
	];
};
const NEW = from('Company create', 'companyResourceId');
const newIn = ({ customer: { state } }: Scene) =>
	the(state.companies.find(({ companyName }) => companyName === NEW_NAME));

const lists: Jobs = {
	'Scope of customers': async ({ customer: { state }, step, run }) => {
		const list = step('Company', 'getMany', { returnAll: true });
		const items = await run([list, once(step('Company', 'export')), rows()]);
		for (const name of [FIND, ROWS]) areCompanies(items(name), state.companies, 'companyName', 'licenseEndDate');
	},
	'License details': async ({ customer: { state }, step, run }) => {
		const items = await run([
			step('Company', 'getMany', { ...BAKERIES, output: 'raw' }),
			step('Company', 'checkLicense', { company: from(FIND, 'companyResourceId') }),
		]);
		areCompanies(
			items(FIND),
			bakeriesIn(state),
			'licenseTypeName',
			'licenseEndDate',
			'numberOfUsers',
			'targetUserCount',
		);
		const told = (name: string, ...fields: string[]) => items(name).map(({ json }) => at(json, fields));
		assert.deepEqual(
			told('Company checkLicense', 'companyResourceId', 'licenseLimit', 'activeUserCount'),
			told(FIND, 'companyResourceId', 'numberOfUsers', 'targetUserCount'),
		);
	},
	'Cross-sell': async ({ customer: { state }, step, run }) => {
		const list = step('Company', 'getMany', { returnAll: true, output: 'raw' });
		const items = await run([list, only('licenseTypeName', 'Trial')]);
		const onTrial = state.companies.filter(({ licenseTypeName }) => licenseTypeName === 'Trial');
		areCompanies(items('Only Trial'), onTrial, 'companyName', 'industryName', 'targetUserCount', 'tags');
	},
	'Exceeding limit': async ({ customer: { company, state }, step, run }) => {
		company.numberOfUsers = String(company.targetUserCount - 1);
		const exported = step('Company', 'export', { filters: { isTargetUserCountExceededLimit: true } });
		const list = step('Company', 'getMany', { show: 'overLimit', returnAll: true });
		const items = await run([list, once(exported), rows()]);
		const limited = state.companies.filter(({ isNumberOfUsersLimited }) => isNumberOfUsersLimited);
		const over = limited.filter(({ numberOfUsers, targetUserCount }) => targetUserCount > Number(numberOfUsers));
		for (const name of [FIND, ROWS]) areCompanies(items(name), over, 'numberOfUsers', 'targetUserCount');
	},
	'Expired licenses': async ({ customer: { state }, step, run }) => {
		const items = await run([step('Company', 'getMany', { show: 'expired', returnAll: true })]);
		const expired = state.companies.filter(({ licenceExpired }) => licenceExpired);
		areCompanies(items(FIND), expired, 'companyName', 'licenseEndDate');
	},
	Renewals: async ({ customer: { state }, step, run }) => {
		for (const company of state.companies) company.licenseEndDate = '2090-01-01T00:00:00.000Z';
		const due = state.companies.slice(0, 4);
		for (const [index, company] of due.entries()) company.licenseEndDate = inDays(5 + 7 * index);
		const list = step('Company', 'getMany', { show: 'renewal', renewalWithinDays: 21, returnAll: true });
		const items = await run([list]);
		assert.deepEqual(
			idsOf(items(FIND)),
			due.slice(0, 3).map(({ companyResourceId: id }) => id),
		);
	},
	'Recently created': async ({ customer: { state }, step, run }) => {
		const list = step('Company', 'getMany', { show: 'recent', createdWithinDays: 3, returnAll: true });
		const items = await run([list]);
		const created = state.companies.filter(({ createTime }) => createTime > inDays(-3));
		areCompanies(items(FIND), created, 'companyName', 'createTime');
		const newest = sortBy(created, 'createTime').reverse();
		assert.deepEqual(
			idsOf(items(FIND)),
			newest.map(({ companyResourceId: id }) => id),
		);
	},
	'Monthly total': async ({ customer: { state }, step, run }) => {
		const items = await run([step('Company', 'getTotalActiveUsers'), step('Company', 'export'), rows()]);
		const total = sumBy(state.companies, 'monthlyActiveUserCount');
		assert.ok(total > 0);
		assert.equal(items('Company getTotalActiveUsers')[0]?.json.totalMonthlyActiveUserCount, total);
		areCompanies(items(ROWS), state.companies, 'monthlyActiveUserCount');
	},
	'Export for billing': async ({ customer: { state }, step, run }) => {
		const items = await run([step('Company', 'export', { format: 'excel' }), rows(ROWS, 'xlsx')]);
		areCompanies(items(ROWS), state.companies, 'companyName', 'licenseEndDate', 'monthlyActiveUserCount');
	},
};

const companies: Jobs = {
	'Get company': async (scene) => {
		const { customer, step, run } = scene;
		const items = await run([find(scene), step('Company', 'get', { company: from(FIND, 'companyResourceId') })]);
		assert.equal(the(items('Company get')[0]).json.companyName, customer.company.companyName);
	},
	'Update company': async (scene) => {
		const { company } = scene.customer;
		const { numberOfUsers: before, ...others } = { ...company };
		const more = { numberOfUsers: '={{ $json.numberOfUsers + 20 }}' };
		const update = { company: from(FIND, 'companyResourceId'), additionalFields: more };
		await scene.run([find(scene), scene.step('Company', 'update', update)]);
		assert.deepEqual({ ...company }, { ...others, numberOfUsers: String(Number(before) + 20) });
	},
	'Delete company': async (scene) => {
		const { customer, step, run } = scene;
		const left = customer.state.companies.filter((each) => each !== customer.company);
		const parameters = { company: from(FIND, 'companyResourceId'), nameToDelete: '={{ $json.companyName }}' };
		await run([find(scene), step('Company', 'delete', parameters)]);
		assert.deepEqual(customer.state.companies, left);
	},
	'Create company': async (scene) => {
		const { customer, step, run } = scene;
		const { resourceId, name, companyResourceIdArray: before } = the(customer.state.groups[0]);
		const ofGroup = { companyGroup: from('CompanyGroup getMany', 'resourceId') };
		const members = `={{ [...$('CompanyGroup getMembers').all(), $('Company create').first()].map(({ json }) => json.companyResourceId) }}`;
		await run([
			...createAlike(scene),
			step('Company', 'update', { company: NEW, additionalFields: { tags: 'gold, pilot' } }),
			step('CompanyGroup', 'getMany', { filters: { searchText: name } }),
			step('CompanyGroup', 'getMembers', { ...ofGroup, returnAll: true }),
			once(step('CompanyGroup', 'replaceParticipants', { ...ofGroup, participantList: members })),
		]);
		const { companyResourceId, ...made } = newIn(scene);
		const { industryName, licenseTypeName } = customer.company;
		const wanted = { numberOfUsers: '25', tags: ['gold', 'pilot'], industryName, licenseTypeName };
		assert.deepEqual(pick(made, Object.keys(wanted)), wanted);
		groupIs(customer, resourceId, name, [...before, companyResourceId]);
	},
	'Create with SCIM and direct email': async (scene) => {
		const { customer, step, run } = scene;
		const its = { companyScope: 'one', company: NEW };
		const mail = {
			...its,
			tenantId: 'tenant-1',
			directEmailSettingId: from('DirectEmailSetting create', 'resourceId'),
		};
		const domains = { tenantId: 'tenant-1', allowedDomains: 'neu.example' };
		const letter = { from: 'info@neu.example', fromName: 'Info', to: 'it@neu.example', message: 'A test' };
		const items = await run([
			...createAlike(scene),
			step('Role', 'getMany', its),
			only('name', 'Company Admin'),
			step('ApiClient', 'provision', { ...its, name: 'n8n', roles: [ID] }),
			step('ScimIntegration', 'getFields', its),
			only('name', 'department'),
			step('ScimIntegration', 'create', { ...its, name: 'Entra ID', additionalFields: { groupBy: byId(ID) } }),
			step('DirectEmailSetting', 'create', { ...its, ...domains, name: 'Direct' }),
			step('DirectEmailSetting', 'test', { ...mail, ...letter }),
			step('DirectEmailSetting', 'makeDefault', mail),
		]);
		const { clients, scim, emailSettings } = customer.state.of(newIn(scene));
		const idOf = (name: string) => items(name)[0]?.json.resourceId;
		const { name: client, roleResourceIdList: roles } = the(clients.at(-1));
		assert.deepEqual([client, roles], ['n8n', [idOf('Only Company Admin')]]);
		const { name: integration, asked } = the(scim.at(-1));
		assert.deepEqual([integration, asked.groupBySCIMFieldResourceId], ['Entra ID', idOf('Only department')]);
		assert.deepEqual(
			emailSettings.map(({ isDefault, testsSent }) => [isDefault, testsSent]),
			[[true, 1]],
		);
	},
};

const administration: Jobs = {
	'Company groups': async ({ customer, step, run }) => {
		const companyGroup = from('CompanyGroup create', 'resourceId');
		const read = '={{ $json.participants.map(({ companyResourceId }) => companyResourceId) }}';
		const items = await run([
			step('Company', 'getMany', BAKERIES),
			once(step('CompanyGroup', 'create', { name: 'Bakers', participantList: idsIn(FIND) })),
			step('CompanyGroup', 'get', { companyGroup }),
			step('CompanyGroup', 'update', {
				companyGroup,
				name: 'All Bakers',
				participantsFrom: 'list',
				participantList: read,
			}),
			step('CompanyGroup', 'export', { filters: { searchText: 'All Bakers' } }),
			rows(),
		]);
		areCompanies(items(FIND), bakeriesIn(customer.state));
		const ids = items(FIND).map(({ json }) => String(json.companyResourceId));
		groupIs(customer, items('CompanyGroup create')[0]?.json.resourceId, 'All Bakers', ids);
		assert.deepEqual(
			items(ROWS).map(({ json }) => [json.name, json.companyCount]),
			[['All Bakers', String(ids.length)]],
		);
	},
	'REST client': async (scene) => {
		const { customer, step, run } = scene;
		const generated = (field: string) => `={{ $('ApiClient generateCredentials').item.json.${field} }}`;
		const credentials = { clientId: generated('clientId'), clientSecret: generated('clientSecret') };
		const client = { ...ITS, ...credentials, roles: [`={{ $('Only Company Admin').item.json.resourceId }}`] };
		const apiClient = from('ApiClient create', 'resourceId');
		const items = await run([
			find(scene),
			step('Role', 'getMany', ITS),
			only('name', 'Company Admin'),
			step('ApiClient', 'generateCredentials', ITS),
			step('ApiClient', 'create', { ...client, name: 'n8n' }),
			step('ApiClient', 'get', { ...ITS, apiClient }),
			step('ApiClient', 'update', { ...client, apiClient, name: 'n8n, billing' }),
			step('ApiClient', 'getMany', { ...ITS, filters: { searchText: 'Reporting' } }),
			step('ApiClient', 'delete', { ...ITS, apiClient: byId(ID) }),
		]);
		const { clientSecret } = the(items('ApiClient generateCredentials')[0]).json;
		const left = customer.holdings.clients.map((each) => [each.name, each.clientSecret]);
		assert.deepEqual(left, [['n8n, billing', clientSecret]]);
	},
	'System user': async (scene) => {
		const { customer, step, run } = scene;
		const person = { firstName: 'Zoë', lastName: "O'Neill", email: 'zoe@harbour.example', phoneNumber: '+15551234567' };
		const items = await run([
			find(scene),
			step('Role', 'getMany', ITS),
			only('name', 'Company Admin'),
			step('SystemUser', 'create', { ...ITS, ...person, roles: [ID] }),
			step('SystemUser', 'getMany', ITS),
		]);
		const [{ json } = { json: {} }] = items('SystemUser getMany');
		assert.deepEqual([json.email, json.roles], [person.email, 'Company Admin']);
		assert.equal(the(customer.holdings.systemUsers[0]).email, person.email);
	},
	'Set up SCIM': async (scene) => {
		const { customer, step, run } = scene;
		const one = { ...ITS, scimIntegration: from('ScimIntegration create', 'resourceId') };
		const [customFieldName] = CUSTOM_FIELDS;
		const customFieldId = byId(customFieldIdOf(customFieldName));
		const fieldMappings = { rows: [{ scimField: from('Only department', 'resourceId'), customFieldId }] };
		const additionalFields = { targetGroup: byId(ID) };
		const group = the(customer.holdings.targetGroups.at(-1));
		const items = await run([
			find(scene),
			step('ScimIntegration', 'getFields', ITS),
			only('name', 'department'),
			step('TargetGroup', 'getMany', { ...ITS, filters: { searchText: group.name } }),
			step('ScimIntegration', 'create', { ...ITS, name: 'Entra', fieldMappings, additionalFields }),
			step('ScimIntegration', 'getMany', { ...ITS, filters: { searchText: 'Entra' } }),
			step('ScimIntegration', 'get', one),
			step('ScimIntegration', 'update', { ...one, name: 'Entra ID' }),
			step('ScimIntegration', 'revokeToken', one),
		]);
		const { mappingDetails } = the(items('ScimIntegration get')[0]).json;
		assert.deepEqual(mappingDetails, [{ scimPath: 'department', customFieldName }]);
		const made = pick(the(customer.holdings.scim.at(-1)), ['name', 'groupResourceId', 'token']);
		const { token } = the(items('ScimIntegration revokeToken')[0]).json;
		assert.deepEqual(made, { name: 'Entra ID', groupResourceId: group.resourceId, token });
	},
};

export const customers: Jobs = { ...lists, ...companies, ...administration };
