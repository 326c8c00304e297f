/** The published jobs about administration: company groups, API clients, system users and SCIM. */
import assert from 'node:assert/strict';

import { pick } from 'lodash';
import { toIdLocator } from '../../cases';
import { requireValue } from '../../cases/case';
import { expectGroup } from '../../cases/companies';
import { CUSTOM_FIELDS, getCustomFieldId } from '../../stand-in/deployed/lists';
import { assertSameCompanies, buildFilterNode, filterBakeries, RESOURCE_ID, SEARCH_BAKERIES } from './customers';
import {
	buildFindCustomerStep,
	readFromNode,
	FIND_CUSTOMER,
	FOR_CUSTOMER,
	runOnce,
	ROWS_NODE,
	buildRowsNode,
	type Jobs,
} from './job';

const listCompanyIdsOfNode = (name: string) => `={{ $('${name}').all().map(({ json }) => json.companyResourceId) }}`;

/** The jobs about administration. */
export const administration: Jobs = {
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
