/** Tests that the editor shows the names of operations completely, in the form and on the canvas. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { buildPackageNode, START_NODE, buildWorkflow } from '../../real-n8n/workflow';
import { getOptions, listOperationOptions } from '../../rules/nodeFields';
import { loadNodeDescriptions, type Step } from './step';

/** Lists the names that don't fit into a closed list of the open form. Each name is shown in the list's input, and removed again. */
const listNamesTooLong = async (field: Locator, names: string[]): Promise<string[]> =>
	field
		.locator('input')
		.last()
		.evaluate((input, names) => {
			if (!(input instanceof HTMLInputElement)) return names;
			const originalName = input.value;
			const namesTooLong = names.filter((name) => {
				input.value = name;
				return input.scrollWidth > input.clientWidth;
			});
			input.value = originalName;
			return namesTooLong;
		}, names);

/** Lists the texts of elements that are cut off. Elements without a text are listed as well. */
const listCutOffTexts = async (elements: Locator): Promise<string[]> =>
	elements.evaluateAll((foundElements) =>
		foundElements
			.filter(
				({ textContent, scrollHeight, clientHeight, scrollWidth, clientWidth }) =>
					textContent === '' || scrollHeight > clientHeight || scrollWidth > clientWidth,
			)
			.map(({ textContent }) => textContent ?? ''),
	);

/**
 * Checks that the form has room for the name of every resource and operation, and that the canvas shows the whole name that n8n gives a
 * node, which is the operation's action. A subtitle may be cut off at its end, which is the resource's name. The result has the number.
 */
export const showWholeNames: Step = async ({ editor, takePicture, client, credential }) => {
	const descriptions = await loadNodeDescriptions();
	const operations = descriptions.flatMap((description) =>
		listOperationOptions(description).map((option) => ({ nodeType: description.name, ...option })),
	);
	const resources = descriptions.flatMap(({ properties }) => properties.filter(({ name }) => name === 'resource'));

	await editor.addNodeToNewWorkflow('tenant', 'Security Awareness Company', 'Get many companies');
	const operationField = editor.findField('operation');
	await operationField.waitFor();
	// This name is certainly too long, so the measurement works.
	const longName = 'Get Who Opened, Clicked or Submitted in All Phishing Campaigns of Period';
	const operationNames = operations.map(({ name }) => name);
	assert.deepEqual(await listNamesTooLong(operationField, [...operationNames, longName]), [longName]);
	const resourceNames = resources.flatMap(getOptions).map(({ name }) => name);
	assert.deepEqual(await listNamesTooLong(editor.findField('resource'), resourceNames), []);

	const nodes = operations.map(({ nodeType, resource, value, action = '' }) =>
		buildPackageNode(action, nodeType.replace('securityAwareness', ''), { resource, operation: value }, credential),
	);
	const workflowId = await client.createWorkflow(buildWorkflow('All operations', [START_NODE, ...nodes]));
	await editor.open(`/workflow/${workflowId}`);
	const canvasNodes = editor.findByTestId('canvas-default-node');
	await canvasNodes.nth(operations.length - 1).waitFor({ state: 'attached' });
	await takePicture('30-all-operations');
	assert.equal(await canvasNodes.count(), operations.length);
	assert.deepEqual(await listCutOffTexts(canvasNodes.locator('[class*="_label_"]')), []);
	const subtitles = canvasNodes.locator('[class*="_subtitle_"]');
	assert.equal(await subtitles.count(), operations.length);
	const cutOffSubtitles = await listCutOffTexts(subtitles);
	const counts = `${operations.length} operations and ${resourceNames.length} resources`;
	return `${counts} with whole names; ${cutOffSubtitles.length} subtitles cut off: ${cutOffSubtitles.join('; ')}`;
};
