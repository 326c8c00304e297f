/** Tests the descriptions that n8n reads from each node: type, inputs and outputs, subtitle, fields and lists. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { NodeHelpers, type INodeProperties, type INodeType } from 'n8n-workflow';
import { z } from 'zod';
import { allEnrollmentOperations } from '../../nodes/Enrollment/operations';
import { buildNodeProperties } from '../../nodes/core/operation/nodeProperties';
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
	"%s has one resource with all operations, so that n8n's panel lists them as actions",
	async (_folder, path) => {
		const { properties } = (await loadNode(path)).description;
		const [resource, operation, ...fields] = properties;
		// All other fields depend on these two, so neither of them may be an expression.
		for (const property of [resource, operation]) expect(property?.noDataExpression).toBe(true);
		expect(resource).toMatchObject({ name: 'resource', options: [{ value: resource?.default }] });
		const show = { resource: [resource?.default] };
		expect(operation).toMatchObject({ name: 'operation', displayOptions: { show } });
		for (const { displayOptions } of fields) expect(displayOptions).toMatchObject({ show });
	},
);

test("operations are listed alphabetically, as n8n's rules require, regardless of their order in the code", () => {
	const resource = { name: 'Target Group', value: 'targetGroup' };
	const readOperationOptions = (operations: typeof allEnrollmentOperations) => {
		const operation = buildNodeProperties(resource, operations).find(({ name }) => name === 'operation');
		return { default: operation?.default, names: operation?.options?.map(({ name }) => name) };
	};
	const names = allEnrollmentOperations.map(({ name }) => name).sort(new Intl.Collator('en').compare);
	for (const operations of [allEnrollmentOperations, [...allEnrollmentOperations].reverse()])
		expect(readOperationOptions(operations)).toEqual({ default: 'getMany', names });
	const operationsWithoutGetMany = allEnrollmentOperations.filter(({ value }) => value !== 'getMany');
	expect(readOperationOptions(operationsWithoutGetMany).default).toBe(operationsWithoutGetMany[0]?.value);
});

test('the tool description for an AI agent says what the tool does', async () => {
	const path = manifest.n8n.nodes.find((nodePath) => nodePath.includes('/TargetUser/')) ?? '';
	const { description } = await loadNode(path);
	const { replacements } = z.object({ replacements: z.record(z.unknown()) }).parse(description.usableAsTool);
	const parameters = { resource: 'targetUser', operation: 'create' };
	expect(NodeHelpers.makeDescription(parameters, { ...description, ...replacements })).toMatch(
		/^Create target user \(add a person.*for an administrator: Create System User\) in Security Awareness Target User$/,
	);
});

/** Returns the subtitle that n8n shows under a node's name. */
async function getSubtitle(node: INodeType, parameters: Record<string, string>): Promise<unknown> {
	const { workflow, node: workflowNode } = await buildWorkflow(await loadCore(), { node, parameters });
	return workflow.expression.getSimpleParameterValue(workflowNode, node.description.subtitle, 'trigger', {});
}

test.each(NODES.filter(([folder]) => !isTrigger(folder)))(
	'%s shows the selected operation under its name',
	async (_folder, path) => {
		const node = await loadNode(path);
		const operations = node.description.properties.find(({ name }) => name === 'operation')?.options ?? [];
		expect(operations).not.toEqual([]);
		for (const operation of operations)
			if ('value' in operation)
				expect(await getSubtitle(node, { operation: String(operation.value) })).toBe(operation.name);
	},
);

test.each(NODES.filter(([folder]) => isTrigger(folder)))(
	'%s shows the event that it waits for under its name',
	async (_folder, path) => {
		const node = await loadNode(path);
		expect(await getSubtitle(node, { triggerOn: 'new' })).toBe('new');
		expect(await getSubtitle(node, { triggerOn: 'statusChanged' })).toBe('status changed');
	},
);

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
	const operations = properties.find(({ name }) => name === 'operation')?.options ?? [];
	const listFields = (operation: unknown) =>
		properties.filter(({ displayOptions }) =>
			(displayOptions?.show?.operation ?? []).some((shownFor) => shownFor === operation),
		);
	const forms = isTrigger(folder)
		? [properties]
		: operations.map((option) => listFields('value' in option ? option.value : undefined));
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
				const [list, id] = modes ?? [];
				// Only companies can also be entered by name, because users know their names.
				const isCompany = ['company', 'companyResourceId'].includes(name);
				expect(modes?.map((mode) => `${mode.name} ${mode.type}`)).toEqual(
					isCompany ? ['list list', 'name string', 'id string'] : ['list list', 'id string'],
				);
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
