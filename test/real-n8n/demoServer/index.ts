import { join } from 'node:path';

import fastify from 'fastify';
import { once } from 'lodash';

import type { N8nClient } from '../client';
import type { TrialOptions } from '../examples';
import type { ReceivedRequest } from '../inbox';
import { registerInboxPage } from './inboxPage';
import { readLibrary, type TemplateLibrary } from './library';
import { parseEmail, parseRequest, type Message } from './messages';
import { registerTemplates } from './templates';

/** The web server of the demo. Its page shows what the workflows send. n8n's editor gets its templates from it. */
export interface DemoServer {
	url: string;
	/** The environment variables with which n8n's editor shows the examples as templates. */
	n8nSettings: Record<string, string>;
	/** Offers the examples as templates. n8n's icons of nodes come from the client. */
	offerTemplates: (client: N8nClient, trialOptions: TrialOptions) => void;
	/** Shows an email on the page. @param source the email as it arrived, with its headers */
	addEmail: (source: string) => void;
	/** Shows a request on the page. */
	addRequest: (request: ReceivedRequest) => void;
	close: () => Promise<void>;
}

const EMPTY_LIBRARY: TemplateLibrary = { templates: [], categories: [], collections: [] };

/** Starts the server on a free port of this machine. n8n needs its URL when it starts, so this comes first. */
export async function startDemoServer(): Promise<DemoServer> {
	const messages: Message[] = [];
	let getLibrary = async () => Promise.resolve(EMPTY_LIBRARY);
	const app = fastify({ forceCloseConnections: true });
	registerInboxPage(app, messages);
	await app.register(async (scope) => registerTemplates(scope, () => getLibrary()));
	const url = await app.listen({ port: 0, host: '127.0.0.1' });
	return {
		url,
		n8nSettings: {
			N8N_TEMPLATES_ENABLED: 'true',
			N8N_TEMPLATES_HOST: url,
			EXTERNAL_HOOK_FILES: join(__dirname, 'keepTemplateSettings.cjs'),
			// By default, a colon separates the paths, but Windows has colons in paths.
			EXTERNAL_HOOK_FILES_SEPARATOR: '|',
		},
		offerTemplates: (client, trialOptions) => {
			getLibrary = once(() => readLibrary(client, trialOptions));
		},
		addEmail: (source) => {
			parseEmail(source).then(
				(message) => messages.push(message),
				(error: Error) => console.error(`An email could not be read: ${error.message}`),
			);
		},
		addRequest: (request) => {
			messages.push(parseRequest(request));
		},
		close: () => app.close(),
	};
}
