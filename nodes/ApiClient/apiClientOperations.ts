import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import type { FieldValues } from '../core/fields/field';
import { listResponse } from '../core/response/listResponse';
import { emptyResponse, recordResponse } from '../core/response/recordResponse';
import { defineComposite, defineOperation, type OperationHelpers } from '../core/operation/defineOperation';
import { updateRecord } from '../core/operation/updateRecord';
import { API_CLIENT_ID_FIELDS, API_CLIENT_NAME_FIELDS, resourcePicker } from '../domain/pickers/resourcePickers';
import { toError, RequestError } from '../core/http/errors';
import {
	apiClientUpdateFields,
	buildApiClientBody,
	apiClientFields,
	clientCredentialFields,
	buildNewClientBody,
} from './apiClientFields';
import { readId, toItemJson } from '../core/values';

const createOperation = defineOperation({
	value: 'create',
	name: 'Create',
	action: 'Create API client',
	description: "Create a REST API client with a client ID and secret from 'Generate API client credentials'",
	endpoint: 'POST /api/companies/clients',
	scope: 'company',
	fields: { ...clientCredentialFields, ...apiClientFields },
	request: ({ clientId, clientSecret, ...client }) => ({
		body: buildNewClientBody(client, { clientId, clientSecret }),
		secrets: [clientSecret],
	}),
	response: recordResponse({ valueField: 'resourceId' }),
});

const deleteOperation = defineOperation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete API client',
	description: 'Delete a REST API client so that it can no longer sign in',
	endpoint: 'DELETE /api/companies/clients/{resourceId}',
	scope: 'company',
	fields: { apiClient: resourcePicker('apiClients') },
	request: ({ apiClient }) => ({ path: { resourceId: apiClient.id } }),
	response: emptyResponse({ deleted: true }),
});

const NOTHING_CREATED_ADVICE =
	'No client was created, and the generated credentials are not used, so you can run the node again.';

const NO_CREDENTIALS_DETAILS = {
	reason: 'the platform generated no credentials',
	advice: NOTHING_CREATED_ADVICE,
};

const generateCredentialsOperation = defineOperation({
	value: 'generateCredentials',
	name: 'Generate Credentials',
	action: 'Generate API client credentials',
	description: 'Generate a client ID and secret for a new REST API client',
	outputNote:
		"The platform shows the client secret only once, so save it. To generate credentials and create the client in one step, use 'Provision API client'.",
	hasSecretOutput: true,
	// This GET request isn't read-only, because every call generates a new secret.
	endpoint: 'GET /api/companies/clients/generate-client-credentials',
	scope: 'company',
	response: recordResponse({ requiredValue: { fieldPattern: /^clientSecret$/, ...NO_CREDENTIALS_DETAILS } }),
});

const getOperation = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get API client',
	description: 'Get a REST API client with its roles, status and IP addresses',
	endpoint: 'GET /api/companies/clients/{resourceId}',
	scope: 'company',
	fields: { apiClient: resourcePicker('apiClients') },
	request: ({ apiClient }) => ({ path: { resourceId: apiClient.id } }),
	response: recordResponse(),
});

const getManyOperation = defineOperation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many API clients',
	description: 'List the REST API clients of one customer or all customers',
	endpoint: 'POST /api/companies/clients/search',
	scope: 'companies',
	response: listResponse({ identity: API_CLIENT_ID_FIELDS }),
});

const credentialsShape = z.object({ clientId: z.string().min(1), clientSecret: z.string().min(1) });
type ClientCredentials = z.infer<typeof credentialsShape>;

/**
 * Searches the list of clients for a client whose creation seemed to fail. The platform may have created it even if no response arrived.
 * If the client is found, the operation succeeds, so that its secret isn't lost.
 * @param error the error that the request for the creation caused
 * @returns an object with the client's ID in the field `resourceId`
 * @throws RequestError if the client isn't in the list. The error's advice says whether the client may exist anyway.
 */
async function findCreatedClient(
	error: RequestError,
	name: string,
	clientId: string,
	helpers: OperationHelpers,
): Promise<IDataObject> {
	const { details } = error;
	const createError = (advice: string) => new RequestError({ ...details, advice });
	if (!details.mayHaveBeenApplied) throw createError(`${details.advice} ${NOTHING_CREATED_ADVICE}`);

	const listOptions = { identity: API_CLIENT_ID_FIELDS };
	const clients = await helpers.listRecords(getManyOperation, {}, listOptions).catch(() => undefined);
	const createdClient = clients?.find((client) => client.clientId === clientId);
	if (createdClient) return { resourceId: readId(createdClient, API_CLIENT_ID_FIELDS) };

	// Only a complete list proves that the client doesn't exist.
	const allClients =
		clients && (await helpers.listRecordsCompletely(getManyOperation, {}, listOptions).catch(() => undefined));
	const isOtherClient = (client: IDataObject) =>
		client.clientId !== undefined || readId(client, API_CLIENT_NAME_FIELDS) !== name;
	if (allClients?.every(isOtherClient))
		throw createError(`The client is not in the list of API clients. ${NOTHING_CREATED_ADVICE}`);
	throw createError(
		`The client may have been created anyway. Look for '${name}' with 'Get many API clients', and delete it before you run the node again, because its secret is lost.`,
	);
}

/**
 * Creates a client with generated credentials.
 * @returns the created client, or only its ID if the request failed but the client is in the list
 */
async function createClient(
	values: FieldValues<typeof apiClientFields>,
	credentials: ClientCredentials,
	helpers: OperationHelpers,
): Promise<IDataObject> {
	const body = buildNewClientBody(values, credentials);
	try {
		const { data } = await helpers.callOperation(createOperation, { body, secrets: [credentials.clientSecret] });
		return toItemJson(data, 'resourceId');
	} catch (error) {
		if (!(error instanceof RequestError)) throw toError(error);
		return await findCreatedClient(error, values.name, credentials.clientId, helpers);
	}
}

const provisionOperation = defineComposite({
	value: 'provision',
	name: 'Provision',
	action: 'Provision API client',
	description: 'Generate credentials and create a REST API client with them in one step',
	outputNote: 'The platform shows the client secret only once, in this output, so save it.',
	hasSecretOutput: true,
	scope: 'company',
	fields: apiClientFields,
	isReadOnly: false,
	dependencies: [generateCredentialsOperation, createOperation, getManyOperation],
	check: (values) => buildNewClientBody(values, { clientId: 'x', clientSecret: 'x' }),
	run: async (values, helpers) => {
		const { data } = await helpers.callOperation(generateCredentialsOperation, {});
		const credentials = credentialsShape.safeParse(data).data;
		if (!credentials) throw new RequestError(NO_CREDENTIALS_DETAILS);
		const client = await createClient(values, credentials, helpers);
		const { clientId, clientSecret } = credentials;
		return [{ json: { ...client, name: values.name, clientId, clientSecret } }];
	},
});

/**
 * The settings for `updateRecord`. Only the status is read from the client's current record, because the form requires all other values.
 */
const CLIENT_UPDATE_SETTINGS = {
	currentValueSources: { statusId: 'statusId' },
	requiredFields: { statusId: 'Status' },
};

const updateOperation = defineOperation({
	value: 'update',
	name: 'Update',
	action: 'Update API client',
	description: 'Replace the name, credentials, roles and IP addresses of a REST API client',
	endpoint: 'PUT /api/companies/clients/{resourceId}',
	scope: 'company',
	fields: { apiClient: resourcePicker('apiClients'), ...clientCredentialFields, ...apiClientUpdateFields },
	isUpdate: true,
	request: ({ apiClient, clientId, clientSecret, ...client }) => ({
		path: { resourceId: apiClient.id },
		body: buildApiClientBody(client, { clientId, clientSecret }, { isUpdate: true }),
		secrets: [clientSecret],
	}),
	response: recordResponse({ valueField: 'resourceId' }),
	perform: (_values, helpers) => updateRecord(getOperation, CLIENT_UPDATE_SETTINGS, helpers),
});

/** The operations of the API Client node. The node's properties list their forms in this order. */
export const apiClientOperations = [
	createOperation,
	deleteOperation,
	generateCredentialsOperation,
	getOperation,
	getManyOperation,
	provisionOperation,
	updateOperation,
];
