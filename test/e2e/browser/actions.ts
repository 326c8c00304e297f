import assert from 'node:assert/strict';

import type { IDataObject } from 'n8n-workflow';
import { buildPackageNode, START_NODE, buildWorkflow } from '../../real-n8n/workflow';
import type { PanelEntries } from '../../real-n8n/editor';
import { manifest } from '../../n8n-core/package';
import { getOptions } from '../../rules/nodeFields';
import { loadNodeDescriptions, assertIncludes, type StepContext, type Step } from './step';

/** The events that n8n's node panel shows on the page of a node that has no trigger in this package. */
const DEFAULT_EVENTS = ['On a Schedule', 'On a Webhook call'];

/**
 * Lists the events and actions that the node panel must show, by the node's name in the panel. n8n shows the events of a trigger on
 * the page of the node with the same name.
 */
async function listExpectedEntries(): Promise<Map<string, PanelEntries>> {
	const entriesByName = new Map<string, PanelEntries>();
	for (const { displayName, group, properties } of await loadNodeDescriptions()) {
		const isTrigger = group.includes('trigger');
		const choiceField = properties.find(({ name }) => name === (isTrigger ? 'triggerOn' : 'operation'));
		const actionNames = choiceField ? getOptions(choiceField).map(({ action }) => action ?? '') : [];
		assert.ok(
			actionNames.length > 0 && actionNames.every((text) => text !== ''),
			`${displayName} has something to do without words for it.`,
		);
		const name = displayName.replace(/ Trigger$/, '');
		const { triggers, actions } = entriesByName.get(name) ?? { triggers: [], actions: [] };
		entriesByName.set(name, isTrigger ? { triggers: actionNames, actions } : { triggers, actions: actionNames });
	}
	return entriesByName;
}

/** Checks that the node panel lists every operation of every node and every event of every trigger. The result has the totals. */
export const checkActions: Step = async ({ editor, takePicture }) => {
	const expectedEntriesByName = await listExpectedEntries();
	const totals = { actions: 0, triggers: 0 };
	await editor.openNewWorkflow();
	for (const [name, expectedEntries] of expectedEntriesByName) {
		await editor.searchNodes(name);
		const { entries, headings } = await editor.openNodePage(name);
		const triggers = expectedEntries.triggers.length > 0 ? expectedEntries.triggers : DEFAULT_EVENTS;
		const actionsHeading = expectedEntries.actions.length > 0 ? [`Actions (${expectedEntries.actions.length})`] : [];
		// A trigger without a node of the same name has events and no actions.
		assert.deepEqual({ name, headings }, { name, headings: [`Triggers (${triggers.length})`, ...actionsHeading] });
		assert.deepEqual({ name, ...entries }, { name, triggers, actions: expectedEntries.actions });
		totals.actions += entries.actions.length;
		totals.triggers += expectedEntries.triggers.length;
		console.log(`      ${name}: ${headings.join(', ')}`);
		if (expectedEntries.triggers.length > 0) await takePicture(`28-${name.split(' ').join('-').toLowerCase()}`);
		await editor.leaveNodePage();
	}
	return `${totals.actions} actions and ${totals.triggers} events of ${manifest.n8n.nodes.length} nodes in ${expectedEntriesByName.size} entries`;
};

/** Actions to click in the panel. After the click, the form field `field` must show `fieldValue`. None of them is a node's default. */
const INSERTED_ACTIONS = [
	{ name: 'Security Awareness Company', action: 'Get own company', field: 'operation', fieldValue: 'Get Own Company' },
	{
		name: 'Security Awareness Phishing Campaign',
		action: 'Get full phishing campaign report',
		field: 'operation',
		fieldValue: 'Get Full Phishing Campaign Report',
	},
	{
		name: 'Security Awareness Training Report',
		action: 'Get certificates',
		field: 'operation',
		fieldValue: 'Get Certificates',
	},
	{
		name: 'Security Awareness Enrollment',
		action: 'Send enrollment',
		field: 'operation',
		fieldValue: 'Send Enrollment',
	},
	{
		name: 'Security Awareness Enrollment',
		action: 'On status change of enrollments',
		field: 'triggerOn',
		fieldValue: 'Status Changed',
	},
];

/** Checks that clicking an action in the panel adds a node that runs this action. */
export const insertActions: Step = async ({ editor, takePicture }) => {
	for (const [index, { name, action, field, fieldValue }] of INSERTED_ACTIONS.entries()) {
		await editor.addNodeToNewWorkflow(name, name, action);
		await editor.findField(field).waitFor();
		assert.equal(await editor.readField(field), fieldValue, action);
		if (field === 'operation')
			assert.equal(await editor.readField('resource'), name.replace('Security Awareness ', ''));
		await takePicture(`29-inserted-${index + 1}`);
	}
	return INSERTED_ACTIONS.map(({ action }) => action).join('; ');
};

/** Opens the form of a Company node in a new workflow. */
async function openCompanyNode(
	{ client, credential, editor }: StepContext,
	name: string,
	parameters: IDataObject,
): Promise<void> {
	const workflow = buildWorkflow(name, [START_NODE, buildPackageNode(name, 'Company', parameters, credential)]);
	await editor.open(`/workflow/${await client.createWorkflow(workflow)}`);
	await editor.openNode(name);
}

/**
 * Checks that "Custom API Call" sends no request and explains what to do. n8n adds this option to nodes with a single version, to
 * refer users to the HTTP Request node.
 */
export const runCustomApiCall: Step = async (context) => {
	const { editor, takePicture, service } = context;
	const errorMessages: string[] = [];
	for (const field of ['resource', 'operation']) {
		await openCompanyNode(context, `Custom by ${field}`, { operation: 'getOwn', [field]: '__CUSTOM_API_CALL__' });
		service.clearLog();
		const failure = (await editor.executeNode()) ?? '';
		await takePicture(`31-custom-call-${field}`);
		assertIncludes(failure, 'Custom API Call');
		assert.deepEqual(service.getRequests(), [], 'Custom API Call asked something of the service.');
		errorMessages.push(`${field}: ${failure.replace(/\s+/g, ' ').trim()}`);
	}
	return errorMessages.join('; ');
};
