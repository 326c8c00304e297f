/** Checks that the editor marks no value as wrong that works, if a list has an expression. */
import { join } from 'node:path';

import type { Locator } from 'playwright-core';
import type { IDataObject, INode } from 'n8n-workflow';
import { createNode, manifest } from '../../n8n-core/package';
import { OWNER } from '../../real-n8n/testEnvironment';
import { openEditor } from '../../real-n8n/browser';
import type { Editor } from '../../real-n8n/editor';
import {
	buildConnectionTo,
	buildPackageNode,
	buildWorkflow,
	START_NODE,
	type CredentialReference,
} from '../../real-n8n/workflow';
import { installDebianPrograms } from '../debian';
import type { TestPart, TestPartReport } from '../part';
import { fillForms, getFormName, type FilledForm } from './fillLists';

/** The message of n8n's red triangle for a value that isn't in a list. */
const NOT_SUPPORTED = 'is not supported!';

/** The name of a node with a wrong value. It shows that the editor checks values at all. */
const CONTROL_NODE = '[control]';
const CONTROL_INPUT = { wrongScope: 'a company scope that does not exist' };

/** The editor shows the nodes of a workflow in rows of this length. */
const NODES_PER_ROW = 5;

/**
 * The editor opens a node of every operation in which all lists have expressions. The input data is pinned, because the editor checks the
 * values of expressions only if there is data (n8n 4). `FOLDER=Company npm run e2e -- listFields` opens only the nodes of that folder.
 */
export const listFields: TestPart = {
	title: 'Every list of every operation, with an expression and input data: no red triangle on a value that works',
	run: async ({ resultsFolder, startEnvironment, cleanups }) => {
		await installDebianPrograms(['chromium'], resultsFolder);
		const { n8n, client, credential, service } = await startEnvironment('n8n', { profile: 'deployed' });
		const { page, editor, close } = await openEditor(n8n.url, OWNER);
		cleanups.push(close);
		await page.setViewportSize({ width: 1440, height: 2400 });

		const company = service.world.companies[0]?.companyName ?? '';
		const report: TestPartReport = { table: [], failures: [] };
		for (const nodePath of manifest.n8n.nodes) {
			const { description } = await createNode(nodePath);
			const forms = await fillForms(nodePath, description.properties);
			const [firstForm] = forms;
			if (!firstForm || !firstForm.node.startsWith(process.env.FOLDER ?? '')) continue;
			const startedAt = Date.now();
			const workflowId = await client.createWorkflow(buildFormsWorkflow(forms, company, credential));
			await editor.open(`/workflow/${workflowId}`);
			await editor.findByTestId('zoom-to-fit').click();

			const controlIssues = await readIssues(editor, CONTROL_NODE);
			if (controlIssues.filter((issue) => issue.includes(NOT_SUPPORTED)).length !== 1)
				report.failures.push(
					`${firstForm.node}: the editor does not mark a wrong value (${controlIssues.join(', ')}).`,
				);
			let triangleCount = 0;
			for (const form of forms) {
				const picturePath = join(resultsFolder, `${form.node}-${getFormName(form)}.png`);
				const issues = await readIssues(editor, getFormName(form), form.listNames, picturePath);
				report.failures.push(...issues.map((issue) => `${form.node} ${getFormName(form)}: ${issue}`));
				triangleCount += issues.filter((issue) => issue.includes(NOT_SUPPORTED)).length;
			}
			const listCount = forms.reduce((count, { listNames }) => count + listNames.length, 0);
			const seconds = Math.round((Date.now() - startedAt) / 1000);
			report.table.push({
				node: firstForm.node,
				forms: forms.length,
				lists: listCount,
				'red triangles': triangleCount,
				seconds,
			});
			console.log(`  ${firstForm.node}: ${listCount} lists, ${triangleCount} red triangles`);
		}
		return report;
	},
};

/** Builds a workflow with one node for each form, and one with a wrong value. All of them get the pinned item of the trigger. */
function buildFormsWorkflow(forms: FilledForm[], company: string, credential: CredentialReference) {
	const node = forms[0]?.node ?? '';
	const formNodes = forms.map((form) =>
		buildPackageNode(getFormName(form), node, setCompany(form, company), credential),
	);
	const controlNode = buildPackageNode(
		CONTROL_NODE,
		'TargetGroup',
		{ resource: 'targetGroup', operation: 'getMany', companyScope: '={{ $json.wrongScope }}' },
		credential,
	);
	const nodes = [...formNodes, controlNode];
	const workflow = buildWorkflow(`Lists of ${node}`, [START_NODE, ...nodes], {
		[START_NODE.name]: { main: [nodes.map(({ name }) => buildConnectionTo(name))] },
		...Object.fromEntries(nodes.map(({ name }) => [name, { main: [] }])),
	});
	const inputsByForm = Object.fromEntries(forms.map((form) => [getFormName(form), form.input]));
	const item: IDataObject = { ...CONTROL_INPUT, ...inputsByForm };
	return { ...workflow, nodes: workflow.nodes.map(placeInGrid), pinData: { [START_NODE.name]: [{ json: item }] } };
}

/** Selects a company by its name, because the lists of a company's records can only be loaded for one that exists. */
function setCompany({ parameters, input }: FilledForm, company: string): IDataObject {
	if (!('company' in parameters)) return parameters;
	input.company = company;
	return parameters;
}

const placeInGrid = (node: INode, index: number): INode => ({
	...node,
	position: [250 * (index % NODES_PER_ROW), 200 * Math.floor(index / NODES_PER_ROW)],
});

/**
 * Opens a node and reads the messages of the red triangles in its form. Closes the node again.
 * @param listNames the lists that the form must show
 * @param picturePath the file for a screenshot, which is taken if there is a message
 */
async function readIssues(
	editor: Editor,
	nodeName: string,
	listNames: string[] = [],
	picturePath = '',
): Promise<string[]> {
	await editor.openNode(nodeName);
	await editor.page.waitForLoadState('networkidle');
	// The editor checks a list some time after its entries have been loaded.
	await editor.page.waitForTimeout(1000);
	const issues: string[] = [];
	const triangles = editor.findByTestId('node-parameters').locator('[data-test-id="parameter-issues"]');
	for (const triangle of await triangles.all()) issues.push(await readIssue(editor, triangle));
	for (const name of listNames) {
		const field = editor.findByTestId(`parameter-input-${name}`).or(editor.findByTestId(`resource-locator-${name}`));
		if ((await field.count()) === 0) issues.push(`The form does not show '${name}'.`);
	}
	if (issues.length > 0 && picturePath !== '') await editor.page.screenshot({ path: picturePath });
	await editor.closeNode();
	return issues;
}

/** Reads the message of a red triangle, which is shown while the mouse pointer is on it. */
async function readIssue({ page }: Editor, triangle: Locator): Promise<string> {
	await triangle.hover();
	const tooltip = page.getByText(/^Issues:/).last();
	await tooltip.waitFor();
	const message = (await tooltip.locator('xpath=..').innerText()).replace(/\s+/g, ' ');
	await page.mouse.move(0, 0);
	await tooltip.waitFor({ state: 'detached' });
	return message;
}
