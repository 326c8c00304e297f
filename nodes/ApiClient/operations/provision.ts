import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { identityOf } from '../../shared/answer/paging';
import { searchFilter } from '../../shared/form/search';
import { defineComposite } from '../../shared/operation/composite';
import { CLIENT_ID, CLIENT_NAME } from '../../shared/pickers/apiClient';
import { toJson } from '../../shared/transport/envelope';
import { rethrow, ServiceError } from '../../shared/transport/errors';
import { clientBody, clientFields } from '../fields';
import { create } from './create';
import { generateCredentials } from './generateCredentials';
import { getMany } from './getMany';

const generated = z.object({ clientId: z.string().min(1), clientSecret: z.string().min(1) });

const NEWEST_CLIENTS = {
	orderBy: 'CreateTime',
	ascending: false,
	filter: searchFilter(),
};

const NOTHING_DONE =
	'No client was created, and the generated credentials are not in use, so you can run the node again.';

const NO_CREDENTIALS = {
	reason: 'the service generated no credentials',
	advice: NOTHING_DONE,
	cause: 'refused',
	mayHaveBeenApplied: false,
	transient: false,
} as const;

export const provision = defineComposite({
	value: 'provision',
	name: 'Provision API Client',
	action: 'Provision API client',
	description: 'Generate credentials and create a REST API client with them in one step; the secret is shown only here',
	outputsSecret: true,
	scope: 'company',
	fields: clientFields,
	reads: false,
	steps: [generateCredentials, create, getMany],
	run: async (client, { ask, list }) => {
		// Checked before credentials are generated, so that invalid input sends no request.
		clientBody(client, { clientId: 'x', clientSecret: 'x' });
		const { data } = await ask(generateCredentials, {});
		const credentials = generated.safeParse(data);
		if (!credentials.success) throw new ServiceError(NO_CREDENTIALS);
		const { clientId, clientSecret } = credentials.data;

		/** If the creation was not answered, the list shows whether the client exists. Otherwise its secret would be lost. */
		const findCreated = async ({ details }: ServiceError): Promise<IDataObject> => {
			const failed = (advice: string) => new ServiceError({ ...details, advice });
			if (!details.mayHaveBeenApplied) throw failed(`${details.advice} ${NOTHING_DONE}`);
			const clients = await list(getMany, { body: NEWEST_CLIENTS }, { identity: CLIENT_ID }).catch(() => undefined);
			const existing = clients?.find((each) => each.clientId === clientId);
			if (existing) return { resourceId: identityOf(existing, CLIENT_ID) };
			if (clients?.every((each) => each.clientId !== undefined || identityOf(each, CLIENT_NAME) !== client.name))
				throw failed(`It is not in the list of clients. ${NOTHING_DONE}`);
			throw failed(
				`The client may have been created anyway. Look for '${client.name}' among the clients and delete it before you run the node again, since its secret is lost.`,
			);
		};
		const created = await ask(create, {
			body: clientBody(client, { clientId, clientSecret }),
			secrets: [clientSecret],
		}).then(
			({ data: answer }) => toJson(answer, 'resourceId'),
			async (error: unknown) => (error instanceof ServiceError ? await findCreated(error) : await rethrow(error)),
		);
		return [{ json: { ...created, name: client.name, clientId, clientSecret } }];
	},
});
