import assert from 'node:assert/strict';

import type { IDataObject } from 'n8n-workflow';
import { buildPackageNode, START_NODE, buildWorkflow } from '../../real-n8n/workflow';
import type { PanelEntries } from '../../real-n8n/editor';
import { manifest } from '../../n8n-core/package';
import { getOptions } from '../../rules/walk';
import { loadNodeDescriptions, assertIncludes, type StepContext, type Step } from './step';

/** What n8n offers below the events of a node that has none of its own. */
const DEFAULT_EVENTS = ['On a Schedule', 'On a Webhook call'];

/** What the panel must list, by the names that it shows: n8n puts a trigger into the entry of the node of its name. */
async function listExpectedEntries(): Promise<Map<string, PanelEntries>> {
	const all = new Map<string, PanelEntries>();
	for (const { displayName, group, properties } of await loadNodeDescriptions()) {
		const isTrigger = group.includes('trigger');
		const choice = properties.find(({ name }) => name === (isTrigger ? 'triggerOn' : 'operation'));
		const texts = choice ? getOptions(choice).map(({ action }) => action ?? '') : [];
		assert.ok(
			texts.length > 0 && texts.every((text) => text !== ''),
			`${displayName} has something to do without words for it.`,
		);
		const name = displayName.replace(/ Trigger$/, '');
		const { triggers, actions: checkActions } = all.get(name) ?? { triggers: [], actions: [] };
		all.set(name, isTrigger ? { triggers: texts, actions: checkActions } : { triggers, actions: texts });
	}
	return all;
}

/** Every operation of every node, and every event of a trigger, stands in the panel by its own words, and is counted. */
export const checkActions: Step = async ({ editor, takePicture: takePicture }) => {
	const nodes = await listExpectedEntries();
	const count = { actions: 0, triggers: 0 };
	await editor.openNewWorkflow();
	for (const [name, wanted] of nodes) {
		await editor.searchNodes(name);
		const { offered, headings } = await editor.openActions(name);
		const triggers = wanted.triggers.length > 0 ? wanted.triggers : DEFAULT_EVENTS;
		const actionsHeading = wanted.actions.length > 0 ? [`Actions (${wanted.actions.length})`] : [];
		// A trigger without a node of its name has no actions, and is offered by its events alone.
		assert.deepEqual({ name, headings }, { name, headings: [`Triggers (${triggers.length})`, ...actionsHeading] });
		assert.deepEqual({ name, ...offered }, { name, triggers, actions: wanted.actions });
		count.actions += offered.actions.length;
		count.triggers += wanted.triggers.length;
		console.log(`      ${name}: ${headings.join(', ')}`);
		if (wanted.triggers.length > 0) await takePicture(`28-${name.split(' ').join('-').toLowerCase()}`);
		await editor.leaveActions();
	}
	return `${count.actions} actions and ${count.triggers} events of ${manifest.n8n.nodes.length} nodes in ${nodes.size} entries`;
};

/** Of nodes: an action that is not the one a new node starts with, and what the form must show then. */
const INSERTED_ACTIONS = [
	{ name: 'Security Awareness Company', action: 'Get own company', field: 'operation', shown: 'Get Own Company' },
	{
		name: 'Security Awareness Phishing Campaign',
		action: 'Get full phishing campaign report',
		field: 'operation',
		shown: 'Get Full Phishing Campaign Report',
	},
	{
		name: 'Security Awareness Training Report',
		action: 'Get certificates',
		field: 'operation',
		shown: 'Get Certificates',
	},
	{ name: 'Security Awareness Enrollment', action: 'Send enrollment', field: 'operation', shown: 'Send Enrollment' },
	{
		name: 'Security Awareness Enrollment',
		action: 'On status change of enrollments',
		field: 'triggerOn',
		shown: 'Status Changed',
	},
];

/** An action that is clicked is a node in the workflow that does it. */
export const insertActions: Step = async ({ editor, takePicture: takePicture }) => {
	for (const [index, { name, action, field, shown }] of INSERTED_ACTIONS.entries()) {
		await editor.addNodeToNewWorkflow(name, name, action);
		await editor.findField(field).waitFor();
		assert.equal(await editor.readField(field), shown, action);
		if (field === 'operation') assert.equal(await editor.readField('resource'), name.replace('Security Awareness ', ''));
		await takePicture(`29-inserted-${index + 1}`);
	}
	return INSERTED_ACTIONS.map(({ action }) => action).join('; ');
};

/** A workflow with one node of the Company type behind a start. */
async function openCompanyNode(
	{ client, credential, editor }: StepContext,
	name: string,
	parameters: IDataObject,
): Promise<void> {
	const workflow = buildWorkflow(name, [START_NODE, buildPackageNode(name, 'Company', parameters, credential)]);
	await editor.open(`/workflow/${await client.createWorkflow(workflow)}`);
	await editor.openNode(name);
}

/** n8n adds "Custom API Call", a reference to its HTTP Request node, to nodes of one version. It asks for nothing, and says what to do. */
export const runCustomApiCall: Step = async (context) => {
	const { editor, takePicture: takePicture, service } = context;
	const said: string[] = [];
	for (const field of ['resource', 'operation']) {
		await openCompanyNode(context, `Custom by ${field}`, { operation: 'getOwn', [field]: '__CUSTOM_API_CALL__' });
		service.clearLog();
		const failure = (await editor.executeNode()) ?? '';
		await takePicture(`31-custom-call-${field}`);
		assertIncludes(failure, 'Custom API Call');
		assert.deepEqual(service.getRequests(), [], 'Custom API Call asked something of the service.');
		said.push(`${field}: ${failure.replace(/\s+/g, ' ').trim()}`);
	}
	return said.join('; ');
};
