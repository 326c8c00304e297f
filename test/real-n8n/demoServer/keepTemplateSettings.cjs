'use strict';

// n8n loads this file as an external hook. When a user opens a template, n8n's editor creates a workflow without the template's settings
// (docs/facts/n8n.md 19). Without the execution order v1, a node may send a message before the branch before it has its data.
const { readdirSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

const EXAMPLES_FOLDER = join(require.resolve('../../../package.json'), '..', 'examples');

/** Gives a new workflow the settings of the example from which it was created. Settings that it has already are kept. */
async function addExampleSettings(workflow) {
	const templateId = Number(workflow.meta?.templateId);
	const fileName = readdirSync(EXAMPLES_FOLDER).find((name) => Number.parseInt(name, 10) === templateId);
	if (fileName === undefined) return;
	const example = JSON.parse(readFileSync(join(EXAMPLES_FOLDER, fileName), 'utf8'));
	workflow.settings = { ...example.settings, ...workflow.settings };
}

exports.workflow = { create: [addExampleSettings] };
