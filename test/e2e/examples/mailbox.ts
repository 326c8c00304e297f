import { once } from 'node:events';
import { createServer } from 'node:net';

import { z } from 'zod';

import type { N8nClient } from '../../real-n8n/client';

/**
 * Starts an SMTP server that keeps all emails that it accepts. It can be told to refuse addresses or the next emails.
 * @param onEmail is called with each accepted email as it arrived, with its headers
 */
export async function startMailbox(onEmail: (source: string) => void = () => undefined) {
	const emails: string[] = [];
	const refusedAddresses = new Set<string>();
	let remainingRefusals = 0;
	const server = createServer((socket) => {
		let buffer = '';
		let isReadingEmail = false;
		socket.setEncoding('utf8');
		socket.on('error', () => undefined);
		socket.write('220 stand-in\r\n');
		socket.on('data', (chunk: string) => {
			buffer += chunk;
			for (;;) {
				const end = isReadingEmail ? buffer.indexOf('\r\n.\r\n') : buffer.indexOf('\r\n');
				if (end < 0) return;
				const text = buffer.slice(0, end);
				buffer = buffer.slice(end + (isReadingEmail ? 5 : 2));
				if (isReadingEmail) {
					// SMTP doubles a dot at the beginning of a line.
					const email = text.replace(/^\.\./gm, '.');
					emails.push(email);
					onEmail(email);
				}
				const isRefused = /^MAIL/i.test(text) && !isReadingEmail && remainingRefusals > 0;
				if (isRefused) remainingRefusals--;
				const isDataCommand = !isReadingEmail && /^DATA/i.test(text);
				const isUnknownMailbox =
					!isReadingEmail && refusedAddresses.has((/^RCPT TO:<(.*)>/i.exec(text)?.[1] ?? '').toLowerCase());
				isReadingEmail = isDataCommand;
				let response = '250 OK';
				if (isUnknownMailbox) response = '550 there is no such mailbox';
				else if (isRefused) response = '451 not now';
				else if (isDataCommand) response = '354 go on';
				else if (/^QUIT/i.test(text)) response = '221 bye';
				socket.write(`${response}\r\n`);
			}
		});
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = z.object({ port: z.number() }).parse(server.address());
	return {
		port,
		/** Returns all emails in the order of their arrival, with soft line breaks and encoded characters decoded. */
		readEmails: () =>
			emails.map((email) =>
				email
					.replace(/=\r\n/g, '')
					.replace(/=([0-9A-F]{2})/g, (_all, code: string) => String.fromCharCode(parseInt(code, 16))),
			),
		/** From now on, refuses emails to these addresses, and accepts emails to all others. */
		refuseAddresses: (...addresses: string[]) => {
			refusedAddresses.clear();
			for (const address of addresses) refusedAddresses.add(address.toLowerCase());
		},
		/** Refuses the next emails. @param count the number of emails to refuse */
		refuseNextEmails: (count: number) => {
			remainingRefusals = count;
		},
		close: () => {
			server.close();
		},
	};
}

export type Mailbox = Awaited<ReturnType<typeof startMailbox>>;

/** Saves the credential with which the examples send emails to the mailbox. */
export const createMailCredential = (client: N8nClient, { port }: Mailbox) =>
	client.createCredential('SMTP account', 'smtp', {
		host: '127.0.0.1',
		port,
		secure: false,
		disableStartTls: true,
		user: '',
		password: '',
	});

/** Parses an email with a review. @returns the recipient, and the text of the attached file */
export const parseReviewEmail = (email: string): { to: string; file: string } => ({
	to: /^To: (.*)$/m.exec(email)?.[1]?.trim() ?? '',
	file: Buffer.from(
		/Content-Disposition: attachment[^]*?\r\n\r\n([A-Za-z0-9+/=\r\n]+)/.exec(email)?.[1] ?? '',
		'base64',
	).toString(),
});

/** Parses the files that are attached to an email. */
export const parseAttachments = (email: string): Array<{ name: string; content: Buffer }> =>
	[
		...email.matchAll(/Content-Disposition: attachment;\s*filename="?([^"\r\n]+)"?[^]*?\r\n\r\n([A-Za-z0-9+/=\r\n]+)/g),
	].map(([, name = '', text = '']) => ({ name, content: Buffer.from(text, 'base64') }));

/** Opens the link to approve or to decline in an email that asks for approval, as a browser does. @returns the HTTP status */
export async function answerApproval(email: string, isApproved: boolean): Promise<number> {
	const links = [...email.matchAll(/href="([^"]+)"/g)].map(([, link = '']) => link.replaceAll('&amp;', '&'));
	const link = links.find((url) => url.includes(`approved=${isApproved}`));
	if (!link) throw new Error(`The mail has no such link: ${email}`);
	const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x64) Firefox/140.0' };
	return (await fetch(link, { headers })).status;
}
