import assert from 'node:assert/strict';

import { join } from 'node:path';

import type { INodeTypeDescription } from 'n8n-workflow';
import type { Stage } from '../../real-n8n/stage';
import type { Editor } from '../../real-n8n/editor';
import { loadNode, manifest, packageRoot } from '../../n8n-core/package';

/** What a step works with. */
export interface Hour extends Stage {
	editor: Editor;
	/** Takes a picture into the results. */
	picture: (name: string) => Promise<void>;
	/** A folder for what a step writes down. */
	results: string;
}

/** One thing that a newcomer does. @returns what was seen, for the table; @throws when it is not as it should be */
export type Step = (hour: Hour) => Promise<string>;

export const CUSTOMER = 'Golden Crust Bakery';

/** @throws AssertionError when the text does not have the part */
export const has = (text: string, part: string) =>
	assert.ok(text.includes(part), `'${part}' is not to be seen in: ${text}`);

/** Runs the open node, which must succeed. */
export async function succeed(editor: Editor): Promise<void> {
	assert.equal(await editor.execute(), undefined, 'The node did not run.');
}

/** What the nodes say of themselves, as they are packed. */
export async function describedNodes(): Promise<INodeTypeDescription[]> {
	return await Promise.all(
		manifest.n8n.nodes.map(async (listed) => (await loadNode(listed, (built) => join(packageRoot, built))).description),
	);
}
