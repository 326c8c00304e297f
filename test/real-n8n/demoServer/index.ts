import fastify from 'fastify';

import type { ReceivedRequest } from '../inbox';
import { registerInboxPage } from './inboxPage';
import { parseEmail, parseRequest, type Message } from './messages';

/** The web server of the demo. Its page shows what the workflows send. */
export interface DemoServer {
	url: string;
	/** Shows an email on the page. @param source the email as it arrived, with its headers */
	addEmail: (source: string) => void;
	/** Shows a request on the page. */
	addRequest: (request: ReceivedRequest) => void;
	close: () => Promise<void>;
}

/** Starts the server on a free port of this machine. */
export async function startDemoServer(): Promise<DemoServer> {
	const messages: Message[] = [];
	const app = fastify({ forceCloseConnections: true });
	registerInboxPage(app, messages);
	const url = await app.listen({ port: 0, host: '127.0.0.1' });
	return {
		url,
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
