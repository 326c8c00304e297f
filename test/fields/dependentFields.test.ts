/**
 * Tests of required fields that depend on a choice. If the choice has an expression, n8n shows all fields that depend on it (n8n 4). It must
 * not refuse to run the workflow because one of them is empty: only when the operation runs is it known which of them is needed.
 */
import { NodeHelpers, type INode } from 'n8n-workflow';
import { loadAllOperations } from '../contract/catalogue';
import { loadNode } from '../n8n-core/package';

/** The only field that the editor always asks for: an expression that can select 'One Company' needs it. */
const ALWAYS_REQUIRED = ['company'];

test('with an expression for a choice, n8n requires none of the fields that depend on it', async () => {
	const testedFields = new Set<string>();
	const requiredFields = new Set<string>();
	for (const { nodePath, resource, operation } of await loadAllOperations()) {
		const { description } = await loadNode(nodePath);
		for (const [name, { displayConditions = {} }] of Object.entries(operation.fields)) {
			const choices = Object.keys(displayConditions);
			if (choices.length === 0) continue;
			testedFields.add(name);
			const expressions = Object.fromEntries(choices.map((choice) => [choice, '={{ $json.choice }}']));
			const parameters = { resource, operation: operation.value, ...expressions };
			const n8nNode: INode = { id: '1', name: 'Node', type: 'node', typeVersion: 1, position: [0, 0], parameters };
			const issues = description.properties
				.filter((property) => property.name === name)
				.map((property) => NodeHelpers.getParameterIssues(property, parameters, '', n8nNode, description));
			if (issues.some((issue) => issue.parameters)) requiredFields.add(name);
		}
	}
	expect([...requiredFields]).toEqual(ALWAYS_REQUIRED);
	expect([...testedFields]).toEqual(
		expect.arrayContaining(['scheduledDate', 'enrolledUsers', 'sentEmails', 'companies', 'allowedIpAddresses']),
	);
});
