import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { pages } from '../core/response/listResponse';
import { done, record } from '../core/response/recordResponse';
import { defineComposite, defineOperation } from '../core/operation/defineOperation';
import { updateWhole } from '../core/operation/updateRecord';
import { CLIENT_ID, CLIENT_NAME, pickerOf } from '../domain/pickers/resourcePickers';
import { rethrow, ServiceError } from '../core/http/errors';
import { changedFields, clientBody, clientFields, credentialFields, NEW_CLIENT } from './apiClientFields';
import { identityOf, toJson } from '../core/values';

const create = defineOperation({
	value: 'create',
	name: 'Create API Client',
	description:
		'Create a REST API client from credentials generated before, with a role; all in one: Provision API Client',
	endpoint: 'POST /api/companies/clients',
	scope: 'company',
	fields: { ...credentialFields, ...clientFields },
	request: ({ clientId, clientSecret, ...client }) => ({
		body: { ...NEW_CLIENT, ...clientBody(client, { clientId, clientSecret }) },
		secrets: [clientSecret],
	}),
	answer: record({ as: 'resourceId' }),
});

const deleteOne = defineOperation({
	value: 'delete',
	name: 'Delete API Client',
	description: 'Remove a REST API client; systems that use it can no longer sign in',
	endpoint: 'DELETE /api/companies/clients/{resourceId}',
	scope: 'company',
	fields: { apiClient: pickerOf('apiClients') },
	request: ({ apiClient }) => ({ path: { resourceId: apiClient.id } }),
	answer: done({ deleted: true }),
});

const NOTHING_DONE =
	'No client was created, and the generated credentials are not in use, so you can run the node again.';

const NO_CREDENTIALS = {
	reason: 'the service generated no credentials',
	advice: NOTHING_DONE,
};

const generateCredentials = defineOperation({
	value: 'generateCredentials',
	name: 'Generate Client Credentials',
	description: 'Get only a new client ID and secret, shown once; with the client in one step: Provision API Client',
	outputsSecret: true,
	// Each request makes another secret.
	endpoint: 'GET /api/companies/clients/generate-client-credentials',
	scope: 'company',
	answer: record({ onlyHere: { field: /^clientSecret$/, ...NO_CREDENTIALS } }),
});

const get = defineOperation({
	value: 'get',
	name: 'Get API Client',
	description: 'Get one REST API client: its roles, status and addresses, without its secret',
	endpoint: 'GET /api/companies/clients/{resourceId}',
	scope: 'company',
	fields: { apiClient: pickerOf('apiClients') },
	request: ({ apiClient }) => ({ path: { resourceId: apiClient.id } }),
	answer: record(),
});

const getMany = defineOperation({
	value: 'getMany',
	name: 'Get Many API Clients',
	description: 'List the REST API clients of one customer or of every one',
	endpoint: 'POST /api/companies/clients/search',
	scope: 'companies',
	answer: pages({ identity: CLIENT_ID }),
});

const generated = z.object({ clientId: z.string().min(1), clientSecret: z.string().min(1) });

const provision = defineComposite({
	value: 'provision',
	name: 'Provision API Client',
	description: 'Generate credentials and create a REST API client with them in one step; the secret is shown only here',
	outputsSecret: true,
	scope: 'company',
	fields: clientFields,
	reads: false,
	uses: [generateCredentials, create, getMany],
	check: (client) => clientBody(client, { clientId: 'x', clientSecret: 'x' }),
	run: async (client, { ask, list, listComplete }) => {
		const { data } = await ask(generateCredentials, {});
		const credentials = generated.safeParse(data);
		if (!credentials.success) throw new ServiceError(NO_CREDENTIALS);
		const { clientId, clientSecret } = credentials.data;

		/** If the creation was not answered, the list shows whether the client exists. Otherwise its secret would be lost. */
		const findCreated = async ({ details }: ServiceError): Promise<IDataObject> => {
			const failed = (advice: string) => new ServiceError({ ...details, advice });
			if (!details.mayHaveBeenApplied) throw failed(`${details.advice} ${NOTHING_DONE}`);
			const shape = { identity: CLIENT_ID };
			const listed = await list(getMany, {}, shape).catch(() => undefined);
			const existing = listed?.find((listedClient) => listedClient.clientId === clientId);
			if (existing) return { resourceId: identityOf(existing, CLIENT_ID) };
			// Only a complete list shows that the client does not exist.
			const clients = listed && (await listComplete(getMany, {}, shape).catch(() => undefined));
			if (clients?.every((each) => each.clientId !== undefined || identityOf(each, CLIENT_NAME) !== client.name))
				throw failed(`It is not in the list of clients. ${NOTHING_DONE}`);
			throw failed(
				`The client may have been created anyway. Look for '${client.name}' among the clients and delete it before you run the node again, since its secret is lost.`,
			);
		};
		const created = await ask(create, {
			body: { ...NEW_CLIENT, ...clientBody(client, { clientId, clientSecret }) },
			secrets: [clientSecret],
		}).then(
			({ data: answer }) => toJson(answer, 'resourceId'),
			async (error: unknown) => (error instanceof ServiceError ? await findCreated(error) : await rethrow(error)),
		);
		return [{ json: { ...created, name: client.name, clientId, clientSecret } }];
	},
});

const STATUS = {
	sources: { statusId: 'statusId' },
	required: { statusId: 'Status' },
};

const update = defineOperation({
	value: 'update',
	name: 'Update API Client',
	description: 'Change a REST API client; all its values are replaced, including its credentials',
	endpoint: 'PUT /api/companies/clients/{resourceId}',
	scope: 'company',
	fields: { apiClient: pickerOf('apiClients'), ...credentialFields, ...changedFields },
	isUpdate: true,
	request: ({ apiClient, clientId, clientSecret, ...client }) => ({
		path: { resourceId: apiClient.id },
		body: clientBody(client, { clientId, clientSecret }),
		secrets: [clientSecret],
	}),
	answer: record({ as: 'resourceId' }),
	// The form has all values but this one.
	perform: async (_values, tools) => updateWhole(get, STATUS, tools),
});

export const operations = [create, deleteOne, generateCredentials, get, getMany, provision, update];
