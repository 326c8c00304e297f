/** What n8n reads of each node before it runs: which kind it is, what goes in and out, and what stands under its name. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { NodeHelpers, type INodeProperties, type INodeType } from 'n8n-workflow';
import { z } from 'zod';
import { allEnrollmentOperations as enrollment } from '../../nodes/Enrollment/operations';
import { buildNodeProperties } from '../../nodes/core/operation/nodeProperties';
import { loadNode, manifest, PACKAGE_ROOT } from '../n8n-core/package';
import { buildWorkflow } from '../n8n-core/workflow';
import { loadCore } from '../n8n-core/core';

const FOLDERS = manifest.n8n.nodes.map((listed): [string, string] => [listed.split('/')[2] ?? '', listed]);
const isTrigger = (folder: string) => folder.endsWith('Trigger');

test.each(FOLDERS)('%s', async (folder, listed) => {
	const { description } = await loadNode(listed);
	const { name, displayName, defaults, group, icon, ...others } = description;
	expect(name).toBe(`securityAwareness${folder}`);
	expect(defaults).toEqual({ name: displayName });
	expect(displayName.replaceAll(' ', '').toLowerCase()).toBe(`securityawareness${folder}`.toLowerCase());
	expect(others).toMatchObject({
		version: 1,
		outputs: ['main'],
		credentials: [{ name: 'securityAwarenessOAuth2Api', required: true }],
		...(isTrigger(folder) ? { inputs: [], polling: true } : { inputs: ['main'], usableAsTool: expect.anything() }),
	});
	expect(group).toEqual([expect.stringMatching(isTrigger(folder) ? /^trigger$/ : /^(input|output|transform)$/)]);
	const files = typeof icon === 'object' ? [icon.light, icon.dark] : [];
	expect(files).toHaveLength(2);
	for (const file of files)
		expect(existsSync(join(PACKAGE_ROOT, 'nodes', folder, file.replace('file:', '')))).toBe(true);
});

test.each(FOLDERS.filter(([folder]) => !isTrigger(folder)))(
	"%s has one resource, to which its operations belong, so that n8n's panel lists them as actions",
	async (_folder, listed) => {
		const { properties } = (await loadNode(listed)).description;
		const [resource, operation, ...fields] = properties;
		// The form below depends on both, so neither may be an expression.
		for (const property of [resource, operation]) expect(property?.noDataExpression).toBe(true);
		expect(resource).toMatchObject({ name: 'resource', options: [{ value: resource?.default }] });
		const show = { resource: [resource?.default] };
		expect(operation).toMatchObject({ name: 'operation', displayOptions: { show } });
		for (const { displayOptions } of fields) expect(displayOptions).toMatchObject({ show });
	},
);

test("operations are listed in the order of the alphabet, as n8n's rules have it, in whatever order they are given", () => {
	const resource = { name: 'Target Group', value: 'targetGroup' };
	const listed = (given: typeof enrollment) => {
		const operation = buildNodeProperties(resource, given).find(({ name }) => name === 'operation');
		return { default: operation?.default, names: operation?.options?.map(({ name }) => name) };
	};
	const names = enrollment.map(({ name }) => name).sort(new Intl.Collator('en').compare);
	for (const given of [enrollment, [...enrollment].reverse()])
		expect(listed(given)).toEqual({ default: 'getMany', names });
	const others = enrollment.filter(({ value }) => value !== 'getMany');
	expect(listed(others).default).toBe(others[0]?.value);
});

test("an agent's model is told what a tool does, and not only its name", async () => {
	const listed = manifest.n8n.nodes.find((each) => each.includes('/TargetUser/')) ?? '';
	const { description } = await loadNode(listed);
	const { replacements } = z.object({ replacements: z.record(z.unknown()) }).parse(description.usableAsTool);
	const parameters = { resource: 'targetUser', operation: 'create' };
	expect(NodeHelpers.makeDescription(parameters, { ...description, ...replacements })).toMatch(
		/^Create target user \(add a person.*for an administrator: Create System User\) in Security Awareness Target User$/,
	);
});

/** What n8n shows under a node's name. */
async function subtitle(node: INodeType, parameters: Record<string, string>): Promise<unknown> {
	const { workflow, node: made } = await buildWorkflow(await loadCore(), { node, parameters });
	return workflow.expression.getSimpleParameterValue(made, node.description.subtitle, 'trigger', {});
}

test.each(FOLDERS.filter(([folder]) => !isTrigger(folder)))(
	'%s says under its name what it does',
	async (_folder, listed) => {
		const node = await loadNode(listed);
		const operations = node.description.properties.find(({ name }) => name === 'operation')?.options ?? [];
		expect(operations).not.toEqual([]);
		for (const operation of operations)
			if ('value' in operation)
				expect(await subtitle(node, { operation: String(operation.value) })).toBe(operation.name);
	},
);

test.each(FOLDERS.filter(([folder]) => isTrigger(folder)))(
	'%s says under its name what it waits for',
	async (_folder, listed) => {
		const node = await loadNode(listed);
		expect(await subtitle(node, { triggerOn: 'new' })).toBe('new');
		expect(await subtitle(node, { triggerOn: 'statusChanged' })).toBe('status changed');
	},
);

test.each(FOLDERS.filter(([folder]) => folder.includes('Campaign')))(
	'%s has one word for what the service calls job, run and instance group, of a campaign: job',
	async (_folder, listed) => {
		const { description, properties } = (await loadNode(listed)).description;
		const texts = JSON.stringify([description, properties], (key, value: unknown) =>
			['name', 'value', 'default', 'show'].includes(key) && !isTitle(value) ? undefined : value,
		);
		expect(texts).toContain('job');
		expect(texts.match(/.{30}(\bruns?\b|instance.?group).{30}/gi) ?? []).toEqual([]);
	},
);
test.each(FOLDERS)('%s: options are the last fields of every form, but for the order', async (folder, listed) => {
	const { properties } = (await loadNode(listed)).description;
	const operations = properties.find(({ name }) => name === 'operation')?.options ?? [];
	const isIn = (operation: unknown) => (property: INodeProperties) =>
		(property.displayOptions?.show?.operation ?? []).some((each) => each === operation);
	const forms = isTrigger(folder)
		? [properties]
		: operations.map((each) => properties.filter(isIn('value' in each ? each.value : undefined)));
	expect(forms.length).toBeGreaterThan(0);
	for (const form of forms) {
		const last = form.slice(form.findIndex(({ name }) => name === 'options')).map(({ name }) => name);
		expect([['options'], ['options', 'sort']]).toContainEqual(last);
	}
});

/** Names of options are read by people, those of parameters are not. */
const isTitle = (value: unknown) => typeof value === 'string' && /^[A-Z]/.test(value);

/** All properties of a node, those inside others too. */
function* propertiesIn(properties: readonly object[] = []): Generator<INodeProperties> {
	for (const property of properties) {
		if ('values' in property && Array.isArray(property.values)) yield* propertiesIn(property.values);
		if (!isProperty(property)) continue;
		yield property;
		yield* propertiesIn(property.options);
	}
}
const isProperty = (value: object): value is INodeProperties => 'type' in value && 'displayName' in value;

test.each(FOLDERS)(
	'%s: a list to choose from is there, can be searched, and an ID can be typed instead',
	async (_folder, listed) => {
		const { description, methods } = await loadNode(listed);
		for (const { name, type, modes, typeOptions = {} } of propertiesIn(description.properties)) {
			if (type === 'resourceLocator') {
				const [list, id] = modes ?? [];
				expect(modes?.map((mode) => [mode.name, mode.type])).toEqual([
					['list', 'list'],
					// A company has a name that people know.
					...(['company', 'companyResourceId'].includes(name) ? [['name', 'string']] : []),
					['id', 'string'],
				]);
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
