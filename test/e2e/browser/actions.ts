import assert from 'node:assert/strict';

import type { IDataObject, INodeProperties, INodeTypeDescription } from 'n8n-workflow';
import { buildPackageNode, START_NODE, buildWorkflow } from '../../real-n8n/workflow';
import { manifest } from '../../n8n-core/package';
import { getOptions } from '../../rules/nodeFields';
import { loadNodeDescriptions, assertIncludes, type StepContext, type Step } from './step';

/** The events that n8n's node panel shows on the page of a node that has no trigger in this package. */
const DEFAULT_EVENTS = ['On a Schedule', 'On a Webhook call'];

/** The entries that the panel must show on a node's page. Keys of `actions` are the headings above the actions. */
interface ExpectedEntries {
	triggers: string[];
	actions: Record<string, string[]>;
}

/** Returns the texts that the panel shows for the options of a choice field. @throws AssertionError if an option has no text */
function listActionNames(displayName: string, property: INodeProperties): string[] {
	const actionNames = getOptions(property).map(({ action = '' }) => action);
	assert.ok(
		actionNames.length > 0 && actionNames.every((text) => text !== ''),
		`${displayName} has something to do without words for it.`,
	);
	return actionNames;
}

/** Lists the actions of a node by heading. The panel has a heading for each resource, unless the node has only one resource. */
function listActionsByHeading({ displayName, properties }: INodeTypeDescription): Record<string, string[]> {
	const resources = properties.filter(({ name }) => name === 'resource').flatMap(getOptions);
	const operationProperties = properties.filter(({ name }) => name === 'operation');
	return Object.fromEntries(
		operationProperties.map((property) => {
			const resource = resources.find(({ value }) => property.displayOptions?.show?.resource?.includes(value));
			const heading = resources.length > 1 ? `${resource?.name} Actions`.toUpperCase() : '';
			return [heading, listActionNames(displayName, property).sort()];
		}),
	);
}

/**
 * Lists the events and actions that the node panel must show, by the node's name in the panel. n8n shows the events of a trigger on
 * the page of the node with the same name.
 */
async function listExpectedEntries(): Promise<Map<string, ExpectedEntries>> {
	const entriesByName = new Map<string, ExpectedEntries>();
	for (const description of await loadNodeDescriptions()) {
		const { displayName, group, properties } = description;
		const name = displayName.replace(/ Trigger$/, '');
		const entries = entriesByName.get(name) ?? { triggers: [], actions: {} };
		if (group.includes('trigger')) {
			const eventProperties = properties.filter((property) => property.name === 'triggerOn');
			entries.triggers = eventProperties.flatMap((property) => listActionNames(displayName, property));
		} else entries.actions = listActionsByHeading(description);
		entriesByName.set(name, entries);
	}
	return entriesByName;
}

/**
 * Checks that the node panel lists every operation of every node and every event of every trigger, and groups the operations by
 * resource. The result has the totals.
 */
export const checkActions: Step = async ({ editor, takePicture }) => {
	const expectedEntriesByName = await listExpectedEntries();
	const totals = { actions: 0, triggers: 0, groups: 0 };
	await editor.openNewWorkflow();
	for (const [name, expectedEntries] of expectedEntriesByName) {
		await editor.searchNodes(name);
		const { entries, headings } = await editor.openNodePage(name);
		const triggers = expectedEntries.triggers.length > 0 ? expectedEntries.triggers : DEFAULT_EVENTS;
		const actionCount = Object.values(expectedEntries.actions).flat().length;
		const actionsHeading = actionCount > 0 ? [`Actions (${actionCount})`] : [];
		// A trigger without a node of the same name has events and no actions.
		assert.deepEqual({ name, headings }, { name, headings: [`Triggers (${triggers.length})`, ...actionsHeading] });
		const actions = Object.fromEntries(entries.actionGroups.map((group) => [group.heading, group.entries.sort()]));
		assert.deepEqual(
			{ name, triggers: entries.triggers, actions },
			{ name, triggers, actions: expectedEntries.actions },
		);
		totals.actions += actionCount;
		totals.triggers += expectedEntries.triggers.length;
		if (entries.actionGroups.length > 1) totals.groups += entries.actionGroups.length;
		console.log(`      ${name}: ${headings.join(', ')}`);
		if (expectedEntries.triggers.length > 0) await takePicture(`28-${name.split(' ').join('-').toLowerCase()}`);
		await editor.leaveNodePage();
	}
	const totalsText = `${totals.actions} actions, ${totals.groups} groups of actions and ${totals.triggers} events`;
	return `${totalsText} of ${manifest.n8n.nodes.length} nodes in ${expectedEntriesByName.size} entries`;
};

/** Actions to click in the panel. After the click, the form must show these values. None of the operations is its node's default. */
const INSERTED_ACTIONS = [
	{
		name: 'Security Awareness Company',
		action: 'Get own company',
		fieldValues: { resource: 'Company', operation: 'Get Own' },
	},
	{
		name: 'Security Awareness Phishing Campaign',
		action: 'Get full phishing campaign report',
		fieldValues: { resource: 'Result', operation: 'Get Full Report' },
	},
	{
		name: 'Security Awareness Training Report',
		action: 'Get many training certificates',
		fieldValues: { resource: 'Certificate', operation: 'Get Many' },
	},
	{
		name: 'Security Awareness Enrollment',
		action: 'Send enrollment',
		fieldValues: { resource: 'Enrollment', operation: 'Send' },
	},
	{
		name: 'Security Awareness Enrollment',
		action: 'On status change of enrollments',
		fieldValues: { triggerOn: 'Status Changed' },
	},
];

/** Checks that clicking an action in the panel adds a node that runs this action. */
export const insertActions: Step = async ({ editor, takePicture }) => {
	for (const [index, { name, action, fieldValues }] of INSERTED_ACTIONS.entries()) {
		await editor.addNodeToNewWorkflow(name, name, action);
		for (const [field, value] of Object.entries(fieldValues)) {
			await editor.findField(field).waitFor();
			assert.equal(await editor.readField(field), value, `${action}: ${field}`);
		}
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
