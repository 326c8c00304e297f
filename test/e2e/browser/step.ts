import assert from 'node:assert/strict';

import { join } from 'node:path';

import type { INodeTypeDescription } from 'n8n-workflow';
import type { TestEnvironment } from '../../real-n8n/testEnvironment';
import type { DemoServer } from '../../real-n8n/demoServer';
import type { Editor } from '../../real-n8n/editor';
import { loadNode, manifest, PACKAGE_ROOT } from '../../n8n-core/package';

/** The objects that a step uses. */
export interface StepContext extends TestEnvironment {
	editor: Editor;
	/** The demo's web server, whose templates n8n shows. */
	demoServer: DemoServer;
	/** Takes a screenshot and saves it in the results folder as `<name>.png`. */
	takePicture: (name: string) => Promise<void>;
	/** The folder for files that a step writes. */
	resultsFolder: string;
}

/** A task of a new user. @returns a summary of the result for the table. @throws AssertionError if the result is wrong */
export type Step = (context: StepContext) => Promise<string>;

/** The name of the customer for which the steps run. */
export const CUSTOMER = 'Golden Crust Bakery';

/** Asserts that a text includes another text. @throws AssertionError if it doesn't */
export const assertIncludes = (text: string, expectedText: string) =>
	assert.ok(text.includes(expectedText), `'${expectedText}' is not to be seen in: ${text}`);

/** Executes the node whose form is open. @throws AssertionError if the node fails */
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
