/** The messages that examples send to a chat: how they end, and what n8n makes of them. */
import { createRunExecutionData, Workflow, type INode } from 'n8n-workflow';

import { createNodeTypes } from '../n8n-core/node-types';
import { INPUT_NODE_TYPE } from '../n8n-core/workflow';
import type { Workflow as ExampleWorkflow } from '../real-n8n/client';

/**
 * The end of the JSON body of every request to chatUrl. Before it stands the text in brackets. The setting chatFormat decides whether
 * the chat gets the text or an Adaptive Card with it, which is cut because Teams accepts 28 KB.
 */
export const CHAT_MESSAGE_ENDING = String.raw`.map((text) => JSON.stringify($('Settings').first().json.chatFormat === 'adaptive card' ? { type: 'message', attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content: { $schema: 'http://adaptivecards.io/schemas/adaptive-card.json', type: 'AdaptiveCard', version: '1.4', body: [{ type: 'TextBlock', wrap: true, text: text.length > 8000 ? text.slice(0, 8000) + '\n… (shortened)' : text }] } }] } : { text }))[0] }}`;

const isChatNode = ({ type, parameters }: INode): boolean =>
	type.endsWith('.httpRequest') && String(parameters.url).includes('chatUrl');

/** Lists the nodes of a workflow that send a message to its chat. */
export const listChatNodes = ({ nodes }: ExampleWorkflow): INode[] => nodes.filter(isChatNode);

/** Returns true if a node sends a message to the team's own chat, not to the chat of a customer. */
export const isTeamChatNode = ({ parameters }: INode): boolean =>
	parameters.url === "={{ $('Settings').first().json.chatUrl }}";

/** Returns true if a request is sent to chatUrl with the same ending of its body as all others. */
export const hasChatMessageEnding = ({ parameters }: INode): boolean =>
	parameters.method === 'POST' &&
	parameters.specifyBody === 'json' &&
	String(parameters.jsonBody).endsWith(`]${CHAT_MESSAGE_ENDING}`);

/** Evaluates the body of a chat message with n8n's own expressions. @param settings the values of the node Settings */
export function evaluateChatBody(settings: { text?: string; chatFormat?: string }): unknown {
	const buildNode = (name: string): INode => ({
		id: name,
		name,
		type: 'test.input',
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
	});
	const workflow = new Workflow({
		nodes: [buildNode('Settings'), buildNode('Chat')],
		connections: { Settings: { main: [[{ node: 'Chat', type: 'main', index: 0 }]] } },
		active: false,
		nodeTypes: createNodeTypes({ 'test.input': INPUT_NODE_TYPE }),
	});
	const items = [{ json: settings }];
	const settingsRun = { startTime: 0, executionIndex: 0, executionTime: 0, source: [], data: { main: [items] } };
	const runExecutionData = createRunExecutionData({ resultData: { runData: { Settings: [settingsRun] } } });
	const body = `={{ [$('Settings').first().json.text]${CHAT_MESSAGE_ENDING}`;
	return workflow.expression.getParameterValue(body, runExecutionData, 0, 0, 'Chat', items, 'manual', {});
}
