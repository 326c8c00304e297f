/** Two pages that show the messages of the demo's workflows: a list, and each message. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { escape } from 'lodash';
import { DateTime } from 'luxon';
import { z } from 'zod';

import type { Message } from './messages';

const REFRESH_SECONDS = 3;

/** Keeps pages from loading anything from elsewhere, and emails from running scripts. A frame with an email inherits it. */
const CONTENT_SECURITY_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

const STYLE = `
	body { font: 15px/1.5 system-ui, sans-serif; max-width: 1100px; margin: 32px auto; padding: 0 16px; color: #222 }
	h1 { font-size: 22px }
	table { border-collapse: collapse; width: 100% }
	th, td { text-align: left; padding: 6px 12px 6px 0; border-bottom: 1px solid #ddd; vertical-align: top }
	.details th { width: 1px; white-space: nowrap }
	.list td:nth-child(4) { width: 60% }
	pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; background: #f5f5f7; padding: 16px; border-radius: 8px }
	iframe { width: 100%; height: 60vh; border: 1px solid #ddd; border-radius: 8px; background: #fff }`;

/** Adds the pages to a server. @param messages all messages in the order in which they arrived; more may arrive later */
export function registerInboxPage(app: FastifyInstance, messages: Message[]): void {
	app.get('/', async (_request, reply) => {
		const head = `<meta http-equiv="refresh" content="${REFRESH_SECONDS}">`;
		return await sendPage(reply, 'Inbox', renderList(messages), head);
	});
	app.get('/messages/:index', async ({ params }, reply) => {
		const index = readNumber(params, 'index');
		const message = messages[index];
		return message === undefined
			? await sendNotFound(reply)
			: await sendPage(reply, message.subject, renderMessage(message, index));
	});
	app.get('/messages/:index/attachments/:position', async ({ params }, reply) => {
		const attachment = messages[readNumber(params, 'index')]?.attachments[readNumber(params, 'position')];
		if (attachment === undefined) return await sendNotFound(reply);
		return await reply
			.header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(attachment.name)}`)
			.header('x-content-type-options', 'nosniff')
			.type(attachment.mimeType)
			.send(attachment.content);
	});
}

const readNumber = (params: unknown, name: string): number => z.record(z.coerce.number()).parse(params)[name] ?? -1;

/** Sends a page. @param content the HTML below the heading. @param head more HTML for the head */
async function sendPage(reply: FastifyReply, title: string, content: string, head = ''): Promise<unknown> {
	const escapedTitle = escape(title);
	return await reply
		.header('content-security-policy', CONTENT_SECURITY_POLICY)
		.type('text/html; charset=utf-8')
		.send(
			`<!doctype html><html lang="en"><head><meta charset="utf-8">${head}<title>${escapedTitle}</title><style>${STYLE}</style></head><body><h1>${escapedTitle}</h1>${content}</body></html>`,
		);
}

const sendNotFound = (reply: FastifyReply): Promise<unknown> =>
	sendPage(reply.code(404), 'There is no such message', '<p><a href="/">All messages</a></p>');

const formatTime = (date: Date): string => DateTime.fromJSDate(date).toFormat('HH:mm:ss');

function renderList(messages: Message[]): string {
	if (messages.length === 0)
		return '<p>No workflow has sent anything yet. Emails and chat messages appear here when a workflow sends them.</p>';
	const rows = messages.map((message, index) => {
		const files = message.attachments.length === 0 ? '' : String(message.attachments.length);
		const link = `<a href="/messages/${index}">${escape(message.subject)}</a>`;
		const cells = [formatTime(message.receivedAt), message.kind, escape(message.to), link, files];
		return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
	});
	const headings = ['Time', 'Kind', 'To', 'Subject', 'Files'].map((heading) => `<th>${heading}</th>`);
	return `<table class="list"><thead><tr>${headings.join('')}</tr></thead><tbody>${rows.reverse().join('')}</tbody></table>`;
}

function renderMessage(message: Message, index: number): string {
	const files = message.attachments.map(
		({ name, content }, position) =>
			`<a href="/messages/${index}/attachments/${position}" download>${escape(name)}</a> (${content.length} bytes)`,
	);
	const details = [
		['From', escape(message.from)],
		['To', escape(message.to)],
		['Time', formatTime(message.receivedAt)],
		['Files', files.join('<br>')],
	];
	const rows = details
		.filter(([, value]) => value !== '')
		.map(([name, value]) => `<tr><th>${name}</th><td>${value}</td></tr>`);
	const source = message.kind === 'Chat' ? renderSource(message.sentBody ?? '') : '';
	return `<p><a href="/">All messages</a></p><table class="details">${rows.join('')}</table>${renderBody(message)}${source}`;
}

const renderSource = (sentBody: string): string =>
	`<details><summary>As the workflow sent it</summary><pre>${escape(sentBody)}</pre></details>`;

/** Renders the text of a message. The HTML of an email is in a sandboxed frame, whose links open in a new tab. */
function renderBody({ html, text }: Message): string {
	if (html === undefined) return `<pre>${escape(text)}</pre>`;
	const frameContent = escape(`<!doctype html><base target="_blank">${html}`);
	return `<p></p><iframe title="Email" sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="${frameContent}"></iframe>`;
}
