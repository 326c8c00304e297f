import { once } from 'node:events';
import { createServer } from 'node:net';

import { z } from 'zod';

/** A mail server that takes every mail and keeps it, unless it is told to refuse some. */
export async function startMailbox() {
	const mails: string[] = [];
	const refusedAddresses = new Set<string>();
	let remainingRefusals = 0;
	const server = createServer((socket) => {
		let buffer = '';
		let isData = false;
		socket.setEncoding('utf8');
		socket.on('error', () => undefined);
		socket.write('220 stand-in\r\n');
		socket.on('data', (chunk: string) => {
			buffer += chunk;
			for (;;) {
				const end = isData ? buffer.indexOf('\r\n.\r\n') : buffer.indexOf('\r\n');
				if (end < 0) return;
				const text = buffer.slice(0, end);
				buffer = buffer.slice(end + (isData ? 5 : 2));
				if (isData) mails.push(text);
				const isRefused = /^MAIL/i.test(text) && !isData && remainingRefusals > 0;
				if (isRefused) remainingRefusals--;
				const isBeginning = !isData && /^DATA/i.test(text);
				const isUnknownMailbox = !isData && refusedAddresses.has((/^RCPT TO:<(.*)>/i.exec(text)?.[1] ?? '').toLowerCase());
				isData = isBeginning;
				const acceptance = isBeginning ? '354 go on' : /^QUIT/i.test(text) ? '221 bye' : '250 OK';
				socket.write(`${isUnknownMailbox ? '550 there is no such mailbox' : isRefused ? '451 not now' : acceptance}\r\n`);
			}
		});
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = z.object({ port: z.number() }).parse(server.address());
	return {
		port,
		/** As they came, with soft line breaks and encoded characters resolved. */
		read: () =>
			mails.map((mail) =>
				mail
					.replace(/=\r\n/g, '')
					.replace(/=([0-9A-F]{2})/g, (_all, code: string) => String.fromCharCode(parseInt(code, 16))),
			),
		/** The addresses that are refused from now on. */
		refuse: (...addresses: string[]) => {
			refusedAddresses.clear();
			for (const address of addresses) refusedAddresses.add(address.toLowerCase());
		},
		/** Refuses the next mails, this many. */
		refuseNext: (times: number) => void (remainingRefusals = times),
		close: () => void server.close(),
	};
}

export type Mailbox = Awaited<ReturnType<typeof startMailbox>>;

/** Who a mail is for, and the text of the file that is attached to it. */
export const parseLetter = (mail: string): { to: string; file: string } => ({
	to: /^To: (.*)$/m.exec(mail)?.[1]?.trim() ?? '',
	file: Buffer.from(
		/Content-Disposition: attachment[^]*?\r\n\r\n([A-Za-z0-9+/=\r\n]+)/.exec(mail)?.[1] ?? '',
		'base64',
	).toString(),
});

/** Presses a button of a mail that asks for approval, as a browser does. @returns the status of the answer */
export async function answerApproval(mail: string, isApproved: boolean): Promise<number> {
	const links = [...mail.matchAll(/href="([^"]+)"/g)].map(([, link = '']) => link.replaceAll('&amp;', '&'));
	const link = links.find((each) => each.includes(`approved=${isApproved}`));
	if (!link) throw new Error(`The mail has no such link: ${mail}`);
	const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x64) Firefox/140.0' };
	return (await fetch(link, { headers })).status;
}
