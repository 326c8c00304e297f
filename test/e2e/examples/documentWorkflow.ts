/** Calls and imports example 28, which saves documents in a documentation system. The checks of examples 18, 19 and 28 use it. */
import type { IDataObject, INode } from 'n8n-workflow';

import { DOCUMENTATION_API_KEY, type DocumentationSimulator } from '../../real-n8n/documentationSimulator';
import { prepareExample } from '../../real-n8n/examples';
import { buildNode } from '../../real-n8n/workflow';
import type { ExampleContext } from './registerCheck';

/** The name of the credential with the API key, as example 28 has it. */
const DOCUMENTATION_CREDENTIAL_NAME = 'Documentation account';

/** The inputs of example 28. */
const INPUT_NAMES = ['customerId', 'customer', 'name', 'html'];

/** Builds a node that calls example 28 with the fields of its item. */
export const buildCallNode = (name: string, workflowId: string): INode =>
	buildNode(
		name,
		'executeWorkflow',
		{
			workflowId: { __rl: true, mode: 'id', value: workflowId },
			workflowInputs: {
				mappingMode: 'defineBelow',
				value: Object.fromEntries(INPUT_NAMES.map((input) => [input, `={{ $json.${input} }}`])),
				matchingColumns: [],
				schema: INPUT_NAMES.map((input): IDataObject => ({
					id: input,
					displayName: input,
					type: 'string',
					display: true,
					required: false,
				})),
			},
			options: {},
		},
		{ typeVersion: 1.2 },
	);

/**
 * Imports and publishes example 28, as a user does before examples 18 and 19 can save documents. The credential must exist.
 * @returns the ID of the workflow, which is the value of the setting documentation
 */
export async function importDocumentWorkflow(
	{ client, folder }: ExampleContext,
	{ urls }: DocumentationSimulator,
	system: keyof DocumentationSimulator['urls'],
): Promise<string> {
	const settings = { documentation: system, documentationUrl: urls[system] };
	const workflow = await prepareExample(
		'28-customer-document',
		{ folder, tables: await client.listTables() },
		settings,
	);
	const workflowId = await client.createWorkflow(workflow);
	// n8n 1 runs the saved version, and refuses to activate a workflow that only other workflows start.
	await client.activate(workflowId).catch(() => undefined);
	return workflowId;
}

/** Saves the credential with the API key. */
export const saveDocumentationCredential = ({ client }: ExampleContext) =>
	client.createCredential(DOCUMENTATION_CREDENTIAL_NAME, 'httpHeaderAuth', {
		name: 'x-api-key',
		value: DOCUMENTATION_API_KEY,
	});
