/** The messages that workflows sent, in a form that a page can show. */
import PostalMime, { type Address, type Attachment as EmailAttachment } from 'postal-mime';
import { z } from 'zod';

import type { ReceivedRequest } from '../inbox';

/** A file that was sent with an email. */
export interface Attachment {
	name: string;
	mimeType: string;
	content: Buffer;
}

/** An email, a chat message, or another request that a workflow sent. */
export interface Message {
	kind: 'Email' | 'Chat' | 'Request';
	receivedAt: Date;
	from: string;
	to: string;
	subject: string;
	/** The text. It is empty if an email has only HTML. */
	text: string;
	/** The HTML of an email. */
	html?: string | undefined;
	/** The body of a request as the workflow sent it. */
	sentBody?: string;
	attachments: Attachment[];
}

const SUBJECT_LENGTH = 100;

/** Reads an email. @param source the email as it arrived, with its headers */
export async function parseEmail(source: string): Promise<Message> {
	const email = await PostalMime.parse(source, { attachmentEncoding: 'arraybuffer' });
	return {
		kind: 'Email',
		receivedAt: new Date(),
		from: formatAddresses(email.from === undefined ? [] : [email.from]),
		to: formatAddresses([...(email.to ?? []), ...(email.cc ?? []), ...(email.bcc ?? [])]),
		subject: email.subject ?? '(no subject)',
		text: email.text ?? '',
		html: email.html,
		attachments: email.attachments.map(parseAttachment),
	};
}

const formatAddresses = (addresses: Address[]): string =>
	addresses.map(({ name, address }) => (name ? `${name} <${address ?? ''}>` : (address ?? ''))).join(', ');

function parseAttachment({ filename, mimeType, content }: EmailAttachment): Attachment {
	const bytes = typeof content === 'string' ? Buffer.from(content) : Buffer.from(new Uint8Array(content));
	return { name: filename ?? 'attachment', mimeType, content: bytes };
}

const textMessageSchema = z.object({ text: z.string() });
const cardMessageSchema = z.object({
	attachments: z.array(z.object({ content: z.object({ body: z.array(z.object({ text: z.string().optional() })) }) })),
});

/** Reads the text of a chat message: a plain text, or the text blocks of Adaptive Cards. @returns undefined for other bodies */
function readChatText(body: unknown): string | undefined {
	const textMessage = textMessageSchema.safeParse(body);
	if (textMessage.success) return textMessage.data.text;
	const cardMessage = cardMessageSchema.safeParse(body);
	if (!cardMessage.success) return undefined;
	const blocks = cardMessage.data.attachments.flatMap(({ content }) => content.body);
	return blocks.flatMap(({ text }) => text ?? []).join('\n\n');
}

/** Reads a request that a workflow sent to the inbox, such as a chat message. */
export function parseRequest({ method, path, body }: ReceivedRequest): Message {
	const sentBody = typeof body === 'string' ? body : (JSON.stringify(body, undefined, 2) ?? '');
	const chatText = path === '/chatUrl' ? readChatText(body) : undefined;
	const text = chatText ?? sentBody;
	const [firstLine = ''] = text.trim().split('\n');
	return {
		kind: chatText === undefined ? 'Request' : 'Chat',
		receivedAt: new Date(),
		from: '',
		to: chatText === undefined ? `${method} ${path}` : 'chat',
		subject: firstLine.slice(0, SUBJECT_LENGTH),
		text,
		sentBody,
		attachments: [],
	};
}
