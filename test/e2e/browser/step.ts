import assert from 'node:assert/strict';

import { join } from 'node:path';

import type { INodeTypeDescription } from 'n8n-workflow';
import type { TestEnvironment } from '../../real-n8n/stage';
import type { Editor } from '../../real-n8n/editor';
import { loadNode, manifest, packageRoot } from '../../n8n-core/package';

/** What a step works with. */
export interface StepContext extends TestEnvironment {
	editor: Editor;
	/** Takes a picture into the results. */
	takePicture: (name: string) => Promise<void>;
	/** A folder for what a step writes down. */
	results: string;
}

/** One thing that a newcomer does. @returns what was seen, for the table; @throws when it is not as it should be */
export type Step = (hour: StepContext) => Promise<string>;

export const CUSTOMER = 'Golden Crust Bakery';

/** @throws AssertionError when the text does not have the part */
export const assertIncludes = (text: string, part: string) =>
	assert.ok(text.includes(part), `'${part}' is not to be seen in: ${text}`);

/** Runs the open node, which must succeed. */
export async function executeSuccessfully(editor: Editor): Promise<void> {
	assert.equal(await editor.executeNode(), undefined, 'The node did not run.');
}

/** What the nodes say of themselves, as they are packed. */
export async function loadNodeDescriptions(): Promise<INodeTypeDescription[]> {
	return await Promise.all(
		manifest.n8n.nodes.map(async (listed) => (await loadNode(listed, (built) => join(packageRoot, built))).description),
	);
}
