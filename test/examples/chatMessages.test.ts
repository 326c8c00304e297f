/** Tests that the messages of the examples arrive, in a Teams channel and in other chats. */
import { z } from 'zod';

import { MAX_TEAMS_BYTES, replyToChatMessage } from '../real-n8n/chatProducts';
import { listExamples, readExample } from '../real-n8n/examples';
import { startInbox } from '../real-n8n/inbox';
import { evaluateChatBody, hasChatMessageEnding, isTeamChatNode, listChatNodes } from './chatMessages';

const readChatNodes = async () =>
	(
		await Promise.all(
			(await listExamples()).map(async ({ name }) =>
				listChatNodes(await readExample(name)).map((node) => ({ label: `${name}: ${node.name}`, node })),
			),
		)
	).flat();

const listLabels = (nodes: Awaited<ReturnType<typeof readChatNodes>>) => nodes.map(({ label }) => label);

test('every message to a chat ends in the same way', async () => {
	const nodes = await readChatNodes();
	expect(nodes.length).toBeGreaterThan(25);
	expect(listLabels(nodes.filter(({ node }) => !hasChatMessageEnding(node)))).toEqual([]);
});

// Example 9 reports in the team's chat which messages a customer's chat has refused.
test("every message that the team's chat refuses is reported: the execution fails", async () => {
	const nodes = (await readChatNodes()).filter(({ node }) => isTeamChatNode(node));
	expect(nodes.length).toBeGreaterThan(25);
	const continuesSilently = nodes.filter(({ node }) => node.onError !== undefined || node.continueOnFail === true);
	expect(listLabels(continuesSilently)).toEqual([]);
});

test('every example with a chat has the setting chatFormat after chatUrl', async () => {
	const settingsSchema = z.object({ assignments: z.object({ assignments: z.array(z.object({ name: z.string() })) }) });
	const faults: string[] = [];
	for (const { name } of await listExamples()) {
		const workflow = await readExample(name);
		const { data } = settingsSchema.safeParse(workflow.nodes.find((node) => node.name === 'Settings')?.parameters);
		const names = (data?.assignments.assignments ?? []).map((assignment) => assignment.name);
		const isInOrder = names.indexOf('chatFormat') === names.indexOf('chatUrl') + 1;
		if (names.includes('chatUrl') ? !isInOrder : listChatNodes(workflow).length > 0) faults.push(name);
	}
	expect(faults).toEqual([]);
});

const bodySchema = z.object({ text: z.string() });
const cardSchema = z.object({
	attachments: z.array(z.object({ content: z.object({ body: z.array(z.object({ text: z.string() })) }) })),
});

const evaluateJson = (settings: Parameters<typeof evaluateChatBody>[0]): string => String(evaluateChatBody(settings));
const readCardText = (json: string) =>
	cardSchema
		.parse(JSON.parse(json))
		.attachments[0]?.content.body.map(({ text }) => text)
		.join();

test.each([
	['quotes and backslashes', 'Call "Anna" or \'Ben\' in C:\\new\\table, {{ 1 + 1 }} and `${x}`'],
	['line breaks and tabs', 'One\nTwo\r\n\tThree\u2028Four'],
	['emoji and other scripts', 'Fertig 👍🏽 – 完了 – \u0645\u0643\u062a\u0645\u0644'],
	['8,000 characters', 'x'.repeat(8000)],
])('%s arrive unchanged in both formats', (_, text) => {
	const plainBody = evaluateJson({ text, chatFormat: 'text' });
	const card = evaluateJson({ text, chatFormat: 'adaptive card' });
	expect(bodySchema.strict().parse(JSON.parse(plainBody)).text).toBe(text);
	expect(readCardText(card)).toBe(text);
	expect(replyToChatMessage('slack', plainBody)).toEqual({ status: 200, body: 'ok' });
	expect(replyToChatMessage('teams', card)).toEqual({ status: 202, body: '' });
});

test.each(['x', '"', '\n', 'é', '完', '👍'])(
	'a card with 100,000 times %j is cut, and small enough for Teams',
	(sign) => {
		const text = sign.repeat(100_000);
		const card = evaluateJson({ text, chatFormat: 'adaptive card' });
		expect(Buffer.byteLength(card)).toBeLessThan(MAX_TEAMS_BYTES);
		expect(readCardText(card)).toBe(`${text.slice(0, 8000)}\n… (shortened)`);
		expect(replyToChatMessage('teams', card).fault).toBeUndefined();
		expect(JSON.parse(evaluateJson({ text, chatFormat: 'text' }))).toEqual({ text });
	},
);

test('without a chatFormat, the chat gets a text', () => {
	for (const chatFormat of [undefined, '', 'text'])
		expect(JSON.parse(evaluateJson({ text: 'Hello', chatFormat }))).toEqual({ text: 'Hello' });
});

test('an empty text is a card that Teams posts, and Slack refuses it so that the execution fails', () => {
	expect(replyToChatMessage('teams', evaluateJson({ text: '', chatFormat: 'adaptive card' })).fault).toBeUndefined();
	expect(replyToChatMessage('slack', evaluateJson({ text: '' }))).toMatchObject({ status: 400, body: 'no_text' });
	expect(replyToChatMessage('slack', evaluateJson({}))).toMatchObject({ status: 400, body: 'no_text' });
});

test('Teams answers 202 to everything, and the inbox records what it would not post', async () => {
	const inbox = await startInbox({ chat: 'teams' });
	const post = async (body: string, contentType = 'application/json') =>
		(await fetch(`${inbox.url}/chatUrl`, { method: 'POST', body, headers: { 'content-type': contentType } })).status;
	const card = evaluateJson({ text: 'Hello', chatFormat: 'adaptive card' });
	try {
		const bodies = [
			card,
			evaluateJson({ text: 'Hello' }),
			card.replace('card.adaptive', 'card.o365connector'),
			card.replace('"AdaptiveCard"', '"MessageCard"'),
			card.replace('Hello', 'x'.repeat(MAX_TEAMS_BYTES)),
			card.slice(1),
			'[]',
		];
		for (const body of bodies) expect(await post(body)).toBe(202);
		expect(inbox.chatFaults).toEqual([
			expect.stringMatching(/^type: .*attachments: Required$/),
			expect.stringMatching(/^attachments\.0\.contentType: /),
			expect.stringMatching(/^attachments\.0\.content\.type: /),
			expect.stringMatching(/^it has 28\d{3} bytes$/),
			'it is no JSON',
			'Expected object, received array',
		]);
		inbox.clear();
		expect(inbox.chatFaults).toHaveLength(6);
	} finally {
		await inbox.close();
	}
});

test('Slack refuses a card and a message without a text', async () => {
	const inbox = await startInbox({ chat: 'slack' });
	const post = async (path: string, body: string) => {
		const headers = { 'content-type': 'application/json' };
		const response = await fetch(`${inbox.url}/${path}`, { method: 'POST', body, headers });
		return [response.status, await response.text()];
	};
	try {
		expect(await post('chatUrl', evaluateJson({ text: 'Hello' }))).toEqual([200, 'ok']);
		expect(await post('chatUrl', evaluateJson({ text: 'Hello', chatFormat: 'adaptive card' }))).toEqual([
			400,
			'invalid_payload',
		]);
		expect(await post('chatUrl', '{"text":" "}')).toEqual([400, 'no_text']);
		expect(await post('chatUrl', '{"text"')).toEqual([400, 'invalid_payload']);
		expect(await post('mailUrl', '{"subject":"Hello"}')).toEqual([200, '{"ok":true}']);
		expect(inbox.chatFaults).toEqual(['invalid_payload', 'no_text', 'invalid_payload']);
	} finally {
		await inbox.close();
	}
});
