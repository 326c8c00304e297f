/** Tests that the output of a write names the record that was written, because most platforms return only its ID. */
import { z } from 'zod';
import { createDeployedFixture, findCase } from './deployedFixture';
import { runCase } from '../cases/operationFixture';

const { fixture } = createDeployedFixture();

/** The writes whose request doesn't send the record's name: node, operation, and the form field that selects the record. */
const WRITES: Array<[node: string, operation: string, field: string]> = [
	['ApiClient', 'delete', 'apiClient'],
	['CompanyGroup', 'delete', 'companyGroup'],
	['CompanyGroup', 'member.add', 'companyGroup'],
	['CompanyGroup', 'member.remove', 'companyGroup'],
	['CompanyGroup', 'member.replace', 'companyGroup'],
	['DirectEmailSetting', 'delete', 'directEmailSettingId'],
	['DirectEmailSetting', 'makeDefault', 'directEmailSettingId'],
	['SamlSetting', 'delete', 'samlSettingId'],
	['ScimIntegration', 'delete', 'scimIntegration'],
	['ScimIntegration', 'revokeToken', 'scimIntegration'],
	['SystemUser', 'delete', 'systemUser'],
	['TargetUser', 'delete', 'targetUser'],
];

/** The parameter that selects the record by its ID: a resource locator, or the ID as an expression returns it. */
const idLocatorSchema = z.union([z.object({ value: z.string() }), z.string().transform((value) => ({ value }))]);

/** Runs the case of an operation with a record that was selected from the list, whose name the form remembers. */
async function runWithSelectedName(node: string, operation: string, field: string, name: string) {
	const operationCase = findCase(node, operation);
	const { parameters, inputFiles } = await operationCase.prepare(fixture.customer);
	const { value: id } = idLocatorSchema.parse(parameters[field]);
	const selected = { __rl: true, mode: 'list', value: id, cachedResultName: name };
	const { items } = await runCase(fixture, operationCase, {
		parameters: { ...parameters, [field]: selected },
		inputFiles,
	});
	return { id, json: items[0]?.json };
}

test.each(WRITES)('%s %s: the output has the name of the selected record', async (node, operation, field) => {
	const { id, json } = await runWithSelectedName(node, operation, field, 'Selected Record');
	expect(json).toMatchObject({ name: 'Selected Record', resourceId: id });
	// IDs are the last columns.
	expect(Object.keys(json ?? {}).at(-1)).toMatch(/Id$/);
});

test.each(WRITES.filter(([node]) => node.endsWith('User')))(
	'%s %s: a person who is selected by email address is named by it',
	async (node, operation, field) => {
		const { json } = await runWithSelectedName(node, operation, field, 'ada@example.com');
		expect(json).toMatchObject({ email: 'ada@example.com' });
		expect(json).not.toHaveProperty('name');
	},
);

test('a name that the request changes replaces the selected name', async () => {
	const { json } = await runWithSelectedName('ScimIntegration', 'update', 'scimIntegration', 'Former Name');
	expect(json).toMatchObject({ name: 'Renamed' });
});

test('if only the ID is entered, the output has no name', async () => {
	const operationCase = findCase('ApiClient', 'delete');
	const { items } = await runCase(fixture, operationCase, await operationCase.prepare(fixture.customer));
	expect(items[0]?.json).toMatchObject({ deleted: true });
	expect(items[0]?.json).not.toHaveProperty('name');
});
