import { z } from 'zod';

import { defineComposite } from '../../shared/operation/define';
import { keepsOutput } from '../../shared/operation/words';
import { toJson } from '../../shared/transport/envelope';
import { ServiceProblem } from '../../shared/transport/problem';
import { clientBody, clientFields } from './client';
import { create } from './create';
import { generateCredentials } from './generateCredentials';

const generated = z.object({ clientId: z.string().min(1), clientSecret: z.string().min(1) });

export const provision = defineComposite({
	value: 'provision',
	name: 'Provision API Client',
	action: 'Provision API client',
	description: keepsOutput('Generate credentials and create a REST API client with them in one step. The secret is shown only here'),
	scope: 'company',
	fields: clientFields,
	reads: false,
	steps: [generateCredentials, create],
	run: async (client, { ask }) => {
		// Checked before credentials are generated, so that bad input asks for nothing.
		clientBody(client, { clientId: 'x', clientSecret: 'x' });
		const { data } = await ask(generateCredentials, {});
		const credentials = generated.safeParse(data);
		if (!credentials.success)
			throw new ServiceProblem({
				reason: 'the service generated no credentials',
				advice: 'Nothing was created, so you can run the node again.',
				cause: 'refused',
				mayHaveLanded: false,
				transient: false,
			});
		const { clientId, clientSecret } = credentials.data;
		const created = await ask(create, {
			body: clientBody(client, { clientId, clientSecret }),
			secrets: [clientSecret],
		});
		return [{ json: { ...toJson(created.data, 'resourceId'), name: client.name, clientId, clientSecret } }];
	},
});
