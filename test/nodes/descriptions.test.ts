/** Tests the descriptions that n8n reads from each node: type, inputs and outputs, subtitle, fields and lists. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { NodeHelpers, type INodeProperties, type INodeType } from 'n8n-workflow';
import { z } from 'zod';
import { loadAllOperations, loadOperations, loadResources } from '../contract/catalogue';
import { loadNode, manifest, PACKAGE_ROOT } from '../n8n-core/package';
import { buildWorkflow } from '../n8n-core/workflow';
import { loadCore } from '../n8n-core/loadCore';

/** The folder name and the file path of each node. */
const NODES = manifest.n8n.nodes.map((path): [string, string] => [path.split('/')[2] ?? '', path]);
const isTrigger = (folder: string) => folder.endsWith('Trigger');

test.each(NODES)('%s: names, icon, inputs and outputs', async (folder, path) => {
	const { description } = await loadNode(path);
	const { name, displayName, defaults, group, icon, ...otherProperties } = description;
	expect(name).toBe(`securityAwareness${folder}`);
	expect(defaults).toEqual({ name: displayName });
	expect(displayName.replaceAll(' ', '').toLowerCase()).toBe(`securityawareness${folder}`.toLowerCase());
	expect(otherProperties).toMatchObject({
		version: 1,
		outputs: ['main'],
		credentials: [{ name: 'securityAwarenessOAuth2Api', required: true }],
	});
	if (isTrigger(folder)) expect(otherProperties).toMatchObject({ inputs: [], polling: true });
	else expect(otherProperties).toMatchObject({ inputs: ['main'], usableAsTool: expect.anything() });
	expect(group).toEqual([expect.stringMatching(isTrigger(folder) ? /^trigger$/ : /^(input|output|transform)$/)]);
	const iconFiles = typeof icon === 'object' ? [icon.light, icon.dark] : [];
	expect(iconFiles).toHaveLength(2);
	for (const file of iconFiles)
		expect(existsSync(join(PACKAGE_ROOT, 'nodes', folder, file.replace('file:', '')))).toBe(true);
});

test.each(NODES.filter(([folder]) => !isTrigger(folder)))(
	'%s shows every field for one resource and one operation',
	async (_folder, path) => {
		const { properties } = (await loadNode(path)).description;
		const [resource, ...otherProperties] = properties;
		expect(resource?.name).toBe('resource');
		for (const property of otherProperties) {
			const { resource: shownResources, operation: shownOperations } = property.displayOptions?.show ?? {};
			expect([property.name, shownResources]).toEqual([property.name, [expect.any(String)]]);
			if (property.name !== 'operation')
				expect([property.name, shownOperations]).toEqual([property.name, [expect.any(String)]]);
		}
		// All other fields depend on these two, so neither of them may be an expression.
		const selectors = properties.filter(({ name }) => ['resource', 'operation'].includes(name));
		expect(selectors.every(({ noDataExpression }) => noDataExpression === true)).toBe(true);
	},
);

test('the tool description for an AI agent says what the tool does', async () => {
	const path = manifest.n8n.nodes.find((nodePath) => nodePath.includes('/TargetUser/')) ?? '';
	const { description } = await loadNode(path);
	const { replacements } = z.object({ replacements: z.record(z.unknown()) }).parse(description.usableAsTool);
	const parameters = { resource: 'targetUser', operation: 'create' };
	expect(NodeHelpers.makeDescription(parameters, { ...description, ...replacements })).toMatch(
		/^Create target user \(create a person who gets trainings and simulations\) in Security Awareness Target User$/,
	);
});

test('exactly the operations that not every platform supports say so in their form', async () => {
	const wrongOperations: string[] = [];
	for (const { node, nodePath, resource, key, operation } of await loadAllOperations()) {
		const { properties } = (await loadNode(nodePath)).description;
		const hasNotice = properties.some(
			({ name, displayOptions }) =>
				name === 'platformNotice' &&
				displayOptions?.show?.resource?.includes(resource) &&
				displayOptions.show.operation?.includes(operation.value),
		);
		if (hasNotice !== operation.isOutsideContract) wrongOperations.push(`${node} ${key}`);
	}
	expect(wrongOperations).toEqual([]);
});

/** Returns the subtitle that n8n shows under a node's name. */
async function getSubtitle(node: INodeType, parameters: Record<string, string | string[]>): Promise<unknown> {
	const { workflow, node: workflowNode } = await buildWorkflow(await loadCore(), { node, parameters });
	return workflow.expression.getSimpleParameterValue(workflowNode, node.description.subtitle, 'trigger', {});
}

test.each(NODES.filter(([folder]) => !isTrigger(folder)))(
	'%s shows the selected operation under its name',
	async (_folder, path) => {
		const node = await loadNode(path);
		const resources = await loadResources(path);
		expect(resources).not.toEqual([]);
		for (const resource of resources)
			for (const { value, name } of resource.operations)
				expect(await getSubtitle(node, { resource: resource.value, operation: value })).toBe(
					`${name}: ${resource.name}`,
				);
	},
);

test.each(NODES.filter(([folder]) => isTrigger(folder)))(
	'%s shows the event that it waits for under its name',
	async (folder, path) => {
		const node = await loadNode(path);
		const records = /^(.+)Trigger$/.exec(folder)?.[1]?.replace(/(?<=[a-z])(?=[A-Z])/g, ' ');
		expect(await getSubtitle(node, { triggerOn: 'new' })).toBe(`New: ${records}s`);
		// Events have no status.
		const canWatchStatus = node.description.properties.some(({ name }) => name === 'triggerOn');
		if (canWatchStatus)
			expect(await getSubtitle(node, { triggerOn: 'statusChanged' })).toBe(`Status Changed: ${records}s`);
	},
);

test('the subtitle of a trigger follows the choice of what is watched', async () => {
	const findTrigger = (folder: string) => loadNode(NODES.find(([nodeFolder]) => nodeFolder === folder)?.[1] ?? '');
	expect(await getSubtitle(await findTrigger('CampaignTrigger'), { watch: 'jobs' })).toBe('New: Campaign Jobs');
	expect(await getSubtitle(await findTrigger('EnrollmentTrigger'), { enrollmentType: 'Survey' })).toBe('New: Surveys');
	expect(await getSubtitle(await findTrigger('PersonEventTrigger'), { actionTypes: ['LinkClicked', 'Reported'] })).toBe(
		'New: LinkClicked, Reported',
	);
	expect(
		await getSubtitle(await findTrigger('PersonEventTrigger'), {
			actionTypes: ['Link Clicked ⟨ID LinkClicked⟩', 'Reported'],
		}),
	).toBe('New: Link Clicked, Reported');
	expect(await getSubtitle(await findTrigger('PersonEventTrigger'), { actionTypes: 'Reported' })).toBe('New: Reported');
});

test.each(NODES.filter(([folder]) => isTrigger(folder)))(
	"%s says only with 'Every Company' what happens when the workflow is published",
	async (_folder, path) => {
		const { description } = await loadNode(path);
		const notice = description.properties.find(({ name }) => name === 'everyCompanyNotice');
		expect(notice?.displayName).toMatch(/each company once when you publish the workflow/);
		const isNoticeShown = (companyScope: string) =>
			notice !== undefined && NodeHelpers.displayParameter({ companyScope }, notice, { typeVersion: 1 }, description);
		expect(['own', 'one', 'every'].filter(isNoticeShown)).toEqual(['every']);
	},
);

test("a form with companies shows one field 'Limit', also for an expression, and its hint says what counts for 'Every Company'", async () => {
	const findings = new Set<string>();
	for (const { node, nodePath, resource, operation } of await loadAllOperations()) {
		if (operation.scope !== 'companies' || !('limit' in operation.fields)) continue;
		const { description } = await loadNode(nodePath);
		const limits = description.properties.filter(({ name }) => name === 'limit');
		for (const companyScope of ['own', 'one', 'every', '={{ $json.scope }}'])
			for (const returnAll of [false, '={{ $json.all }}']) {
				const parameters = { resource, operation: operation.value, returnAll, companyScope };
				const shownLimits = limits.filter((property) =>
					NodeHelpers.displayParameter(parameters, property, { typeVersion: 1 }, description),
				);
				findings.add(shownLimits.map(({ hint = 'none' }) => hint).join());
				if (shownLimits.length !== 1) findings.add(`${node} ${resource} ${operation.value}: ${companyScope}`);
			}
	}
	expect([...findings]).toEqual(["With 'Every Company', the limit applies to each company separately"]);
});

// For an expression, the editor shows the preview of its value in place of the hint. The description stays.
test('a warning that values are replaced or deleted is in the description of a field, not in its hint', async () => {
	const descriptions: string[] = [];
	const hints: string[] = [];
	for (const [folder, path] of NODES) {
		const { description } = await loadNode(path);
		for (const { name, type, hint = '', description: text = '' } of walkProperties(description.properties)) {
			if (folder === 'TargetUser' && name === 'targetGroupResourceIds') descriptions.push(text);
			// A collection can't have an expression, so its hint stays.
			if (type !== 'collection' && /\b(replaced?s?|overwr\w+|deletes?d?|cleared|lost)\b/i.test(hint)) hints.push(hint);
		}
	}
	expect(descriptions.length).toBeGreaterThan(2);
	for (const text of descriptions) expect(text).toContain('An existing person is removed from all other groups');
	expect(hints).toEqual([]);
});

test.each(NODES.filter(([folder]) => folder.includes('Campaign')))(
	'%s only uses the word job for what the platform calls job, run and instance group',
	async (_folder, path) => {
		const { description, properties } = (await loadNode(path)).description;
		const texts = JSON.stringify([description, properties], (key, value: unknown) =>
			['name', 'value', 'default', 'show'].includes(key) && !isTitle(value) ? undefined : value,
		);
		expect(texts).toContain('job');
		expect(texts.match(/.{30}(\bruns?\b|instance.?group).{30}/gi) ?? []).toEqual([]);
	},
);
test.each(NODES)('%s: Options is the last field of every form, except for the sort order', async (folder, path) => {
	const { properties } = (await loadNode(path)).description;
	const listFields = (resource: string, operation: string) =>
		properties.filter(
			({ displayOptions }) =>
				displayOptions?.show?.resource?.includes(resource) && displayOptions.show.operation?.includes(operation),
		);
	const operations = await loadOperations(path);
	const forms = isTrigger(folder)
		? [properties]
		: operations.map(({ resource, operation }) => listFields(resource, operation.value));
	expect(forms.length).toBeGreaterThan(0);
	for (const form of forms) {
		const lastNames = form.slice(form.findIndex(({ name }) => name === 'options')).map(({ name }) => name);
		expect([['options'], ['options', 'sort']]).toContainEqual(lastNames);
	}
});

/** Returns true if a value is a title that users read. Titles start with a capital letter; names of parameters do not. */
const isTitle = (value: unknown) => typeof value === 'string' && /^[A-Z]/.test(value);

/** Yields all given properties, including nested ones. */
function* walkProperties(properties: readonly object[] = []): Generator<INodeProperties> {
	for (const property of properties) {
		if ('values' in property && Array.isArray(property.values)) yield* walkProperties(property.values);
		if (!isProperty(property)) continue;
		yield property;
		yield* walkProperties(property.options);
	}
}
const isProperty = (value: object): value is INodeProperties => 'type' in value && 'displayName' in value;

test.each(NODES)(
	'%s: every list exists and can be searched, and an ID can be entered instead',
	async (_folder, path) => {
		const { description, methods } = await loadNode(path);
		for (const { name, type, modes, typeOptions = {} } of walkProperties(description.properties)) {
			if (type === 'resourceLocator') {
				const list = modes?.[0];
				const id = modes?.at(-1);
				// test/pickers/byName.test.ts tests which lists can be searched by name.
				const middleModes = modes
					?.slice(1, -1)
					.map((mode) => mode.name)
					.join();
				expect(['', 'name', 'latest,name']).toContain(middleModes);
				expect([list?.type, id?.name, id?.type]).toEqual(['list', 'id', 'string']);
				expect(list?.typeOptions).toEqual({ searchListMethod: expect.any(String), searchable: true });
				expect(methods?.listSearch?.[list?.typeOptions?.searchListMethod ?? '']).toBeInstanceOf(Function);
				expect(list?.placeholder).toMatch(/^Select an? [a-zA-Z ]+\.\.\.$/);
				expect(id?.placeholder).toMatch(/^e\.g\. ./);
			}
			const { loadOptionsMethod } = typeOptions;
			if (loadOptionsMethod !== undefined) expect(methods?.loadOptions?.[loadOptionsMethod]).toBeInstanceOf(Function);
			expect(name).toMatch(/^[a-z][A-Za-z0-9]*$/);
		}
	},
);
