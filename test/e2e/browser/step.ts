import assert from 'node:assert/strict';

import { join } from 'node:path';

import type { INodeTypeDescription } from 'n8n-workflow';
import type { TestEnvironment } from '../../real-n8n/testEnvironment';
import type { Editor } from '../../real-n8n/editor';
import { loadNode, manifest, PACKAGE_ROOT } from '../../n8n-core/package';

/** Everything that a step works with. */
export interface StepContext extends TestEnvironment {
	editor: Editor;
	/** Takes a screenshot and saves it in the results. */
	takePicture: (name: string) => Promise<void>;
	/** The folder for files that a step writes. */
	results: string;
}

/** A task of a new user. @returns a summary of the result for the table. @throws AssertionError if the result is wrong */
export type Step = (context: StepContext) => Promise<string>;

/** The name of the customer for which the steps run. */
export const CUSTOMER = 'Golden Crust Bakery';

/** Asserts that a text includes a part. @throws AssertionError if it doesn't */
export const assertIncludes = (text: string, part: string) =>
	assert.ok(text.includes(part), `'${part}' is not to be seen in: ${text}`);

/** Executes the open node. @throws AssertionError if it fails */
export async function executeSuccessfully(editor: Editor): Promise<void> {
	assert.equal(await editor.executeNode(), undefined, 'The node did not run.');
}

/** Loads the descriptions of all nodes from the built package. */
export async function loadNodeDescriptions(): Promise<INodeTypeDescription[]> {
	return await Promise.all(
		manifest.n8n.nodes.map(async (nodePath) => {
			const { description } = await loadNode(nodePath, (builtPath) => join(PACKAGE_ROOT, builtPath));
			return description;
		}),
	);
}
