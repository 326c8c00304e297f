/** The published jobs about administration: company groups, API clients, system users and SCIM. */
import assert from 'node:assert/strict';

import { pick } from 'lodash';
import { toIdLocator } from '../../cases';
import { requireValue } from '../../cases/case';
import { expectGroup } from '../../cases/companies';
import { CUSTOM_FIELD_NAMES, getCustomFieldId } from '../../stand-in/deployed/lists';
import {
	assertSameCompanies,
	buildFilterNode,
	filterBakeries,
	RESOURCE_ID_EXPRESSION,
	BAKERY_SEARCH_PARAMETERS,
} from './customers';
import {
	buildFindCustomerStep,
	buildLocatorFromNode,
	FIND_CUSTOMER_NODE,
	CUSTOMER_PARAMETERS,
	turnOnExecuteOnce,
	ROWS_NODE_NAME,
	buildRowsNode,
	type Jobs,
} from './job';

const buildCompanyIdsExpression = (name: string) =>
	`={{ $('${name}').all().map(({ json }) => json.companyResourceId) }}`;

export const administration: Jobs = {
	'Company groups': async ({ customer, buildStep, runNodes }) => {
		const companyGroup = buildLocatorFromNode('CompanyGroup create', 'resourceId');
		const memberIds = '={{ $json.members.map(({ companyResourceId }) => companyResourceId) }}';
		const getItems = await runNodes([
			buildStep('Company', 'getMany', BAKERY_SEARCH_PARAMETERS),
			turnOnExecuteOnce(
				buildStep('CompanyGroup', 'create', {
					name: 'Bakers',
					companies: buildCompanyIdsExpression(FIND_CUSTOMER_NODE),
				}),
			),
			buildStep('CompanyGroup', 'get', { companyGroup }),
			buildStep('CompanyGroup', 'update', {
				companyGroup,
				name: 'All Bakers',
				membersFrom: 'list',
				companies: memberIds,
			}),
			buildStep('CompanyGroup', 'export', { filters: { searchText: 'All Bakers' } }),
			buildRowsNode(),
		]);
		assertSameCompanies(getItems(FIND_CUSTOMER_NODE), filterBakeries(customer.world));
		const ids = getItems(FIND_CUSTOMER_NODE).map(({ json }) => String(json.companyResourceId));
		expectGroup(customer, getItems('CompanyGroup create')[0]?.json.resourceId, 'All Bakers', ids);
		assert.deepEqual(
			getItems(ROWS_NODE_NAME).map(({ json }) => [json.name, json.companyCount]),
			[['All Bakers', String(ids.length)]],
		);
	},
	'REST client': async (context) => {
		const { customer, buildStep, runNodes } = context;
		const buildGeneratedFieldExpression = (field: string) =>
			`={{ $('ApiClient generateCredentials').item.json.${field} }}`;
		const credentials = {
			clientId: buildGeneratedFieldExpression('clientId'),
			clientSecret: buildGeneratedFieldExpression('clientSecret'),
		};
		const clientParameters = {
			...CUSTOMER_PARAMETERS,
			...credentials,
			roles: [`={{ $('Only Company Admin').item.json.resourceId }}`],
		};
		const apiClient = buildLocatorFromNode('ApiClient create', 'resourceId');
		const getItems = await runNodes([
			buildFindCustomerStep(context),
			buildStep('Role', 'getMany', CUSTOMER_PARAMETERS),
			buildFilterNode('name', 'Company Admin'),
			buildStep('ApiClient', 'generateCredentials', CUSTOMER_PARAMETERS),
			buildStep('ApiClient', 'create', { ...clientParameters, name: 'n8n' }),
			buildStep('ApiClient', 'get', { ...CUSTOMER_PARAMETERS, apiClient }),
			buildStep('ApiClient', 'update', { ...clientParameters, apiClient, name: 'n8n, billing' }),
			buildStep('ApiClient', 'getMany', { ...CUSTOMER_PARAMETERS, filters: { searchText: 'Reporting' } }),
			buildStep('ApiClient', 'delete', { ...CUSTOMER_PARAMETERS, apiClient: toIdLocator(RESOURCE_ID_EXPRESSION) }),
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
			buildStep('Role', 'getMany', CUSTOMER_PARAMETERS),
			buildFilterNode('name', 'Company Admin'),
			buildStep('SystemUser', 'create', { ...CUSTOMER_PARAMETERS, ...person, roles: [RESOURCE_ID_EXPRESSION] }),
			buildStep('SystemUser', 'getMany', CUSTOMER_PARAMETERS),
		]);
		const [{ json } = { json: {} }] = getItems('SystemUser getMany');
		assert.deepEqual([json.email, json.roles], [person.email, 'Company Admin']);
		assert.equal(requireValue(customer.companyData.systemUsers[0]).email, person.email);
	},
	'Set up SCIM': async (context) => {
		const { customer, buildStep, runNodes } = context;
		const integrationSelection = {
			...CUSTOMER_PARAMETERS,
			scimIntegration: buildLocatorFromNode('ScimIntegration create', 'resourceId'),
		};
		const [customFieldName] = CUSTOM_FIELD_NAMES;
		const customFieldId = toIdLocator(getCustomFieldId(customFieldName));
		const fieldMappings = {
			rows: [{ scimField: buildLocatorFromNode('Only department', 'resourceId'), customFieldId }],
		};
		const additionalFields = { targetGroup: toIdLocator(RESOURCE_ID_EXPRESSION) };
		const targetGroup = requireValue(customer.companyData.targetGroups.at(-1));
		const getItems = await runNodes([
			buildFindCustomerStep(context),
			buildStep('ScimIntegration', 'getFields', CUSTOMER_PARAMETERS),
			buildFilterNode('name', 'department'),
			buildStep('TargetGroup', 'getMany', { ...CUSTOMER_PARAMETERS, filters: { searchText: targetGroup.name } }),
			buildStep('ScimIntegration', 'create', {
				...CUSTOMER_PARAMETERS,
				name: 'Entra',
				fieldMappings,
				additionalFields,
			}),
			buildStep('ScimIntegration', 'getMany', { ...CUSTOMER_PARAMETERS, filters: { searchText: 'Entra' } }),
			buildStep('ScimIntegration', 'get', integrationSelection),
			buildStep('ScimIntegration', 'update', { ...integrationSelection, name: 'Entra ID' }),
			buildStep('ScimIntegration', 'revokeToken', integrationSelection),
		]);
		const { mappingDetails } = requireValue(getItems('ScimIntegration get')[0]).json;
		assert.deepEqual(mappingDetails, [{ scimPath: 'department', customFieldName }]);
		const integration = pick(requireValue(customer.companyData.scimIntegrations.at(-1)), [
			'name',
			'groupResourceId',
			'token',
		]);
		const { token } = requireValue(getItems('ScimIntegration revokeToken')[0]).json;
		assert.deepEqual(integration, { name: 'Entra ID', groupResourceId: targetGroup.resourceId, token });
	},
};
