/**
 * How chats answer a message that a workflow sends to their webhook, as their vendors describe it.
 *
 * - Microsoft Teams: "Create incoming webhooks with Workflows" and "Format cards in Teams" on learn.microsoft.com. A workflow only
 *   accepts Adaptive Cards in `attachments`, and a message may have 28 KB. The webhook answers 202 before the workflow looks at the
 *   message, so the sender never hears of a message that isn't posted.
 * - Slack: "Sending messages using incoming webhooks" and "Changes to errors for incoming webhooks" on docs.slack.dev. A message
 *   without a text is answered with 400 and `no_text`, anything else that Slack can't read with 400 and `invalid_payload`. Here, so
 *   are fields other than the text, which no workflow needs.
 */
import { z } from 'zod';

export type ChatProduct = 'teams' | 'slack';

/** The answer of a chat to a message. */
export interface ChatReply {
	status: number;
	body: string;
	/** Why the chat doesn't post the message. It is undefined if the chat posts it. */
	fault?: string;
}

/** The largest message that Teams accepts, in bytes. */
export const MAX_TEAMS_BYTES = 28 * 1024;

const teamsMessageSchema = z.object({
	type: z.literal('message'),
	attachments: z
		.array(
			z.object({
				contentType: z.literal('application/vnd.microsoft.card.adaptive'),
				content: z.object({
					type: z.literal('AdaptiveCard'),
					version: z.string(),
					body: z.array(z.object({ type: z.string() })).min(1),
				}),
			}),
		)
		.min(1),
});

const slackMessageSchema = z.strictObject({ text: z.string().optional() });

/** Returns how a chat answers a message. @param text the body of the request */
export function replyToChatMessage(product: ChatProduct, text: string): ChatReply {
	return product === 'teams' ? replyAsTeams(text) : replyAsSlack(text);
}

const describeIssue = ({ path, message }: z.ZodIssue): string => [path.join('.'), message].filter(Boolean).join(': ');

function replyAsTeams(text: string): ChatReply {
	const reply = { status: 202, body: '' };
	const byteCount = Buffer.byteLength(text);
	if (byteCount > MAX_TEAMS_BYTES) return { ...reply, fault: `it has ${byteCount} bytes` };
	const message = parseJson(text);
	if (message === undefined) return { ...reply, fault: 'it is no JSON' };
	const { error } = teamsMessageSchema.safeParse(message);
	return error ? { ...reply, fault: error.issues.map(describeIssue).join(', ') } : reply;
}

function replyAsSlack(text: string): ChatReply {
	const { data } = slackMessageSchema.safeParse(parseJson(text));
	if (!data) return { status: 400, body: 'invalid_payload', fault: 'invalid_payload' };
	if (!data.text?.trim()) return { status: 400, body: 'no_text', fault: 'no_text' };
	return { status: 200, body: 'ok' };
}

/** Parses JSON. @returns undefined if the text isn't JSON */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
