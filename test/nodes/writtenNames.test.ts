/** Tests that the output of a write names the record that was written, because most platforms return only its ID. */
import { z } from 'zod';
import { createDeployedFixture, findCase } from './deployedFixture';
import { toIdLocator, toListLocator } from '../cases/customerFixture';
import { runCase } from '../cases/operationFixture';

const { fixture } = createDeployedFixture();

/** The writes whose request doesn't send the record's name: node, operation, and the form field that selects the record. */
const WRITES: Array<[node: string, operation: string, field: string]> = [
	['ApiClient', 'delete', 'apiClient'],
	['CompanyGroup', 'delete', 'companyGroup'],
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

const locatorSchema = z.object({ value: z.string() });

/**
 * Runs the case of an operation.
 * @param name the name of the record, which the form remembers if the record is selected from the list; undefined if only the ID is entered
 */
async function runWithName(node: string, operation: string, field: string, name?: string) {
	const operationCase = findCase(node, operation);
	const { parameters, inputFiles } = await operationCase.prepare(fixture.customer);
	const { value: id } = locatorSchema.parse(parameters[field]);
	const locator = name === undefined ? toIdLocator(id) : toListLocator(id, name);
	const { items } = await runCase(fixture, operationCase, {
		parameters: { ...parameters, [field]: locator },
		inputFiles,
	});
	return { id, json: items[0]?.json };
}

test.each(WRITES)('%s %s: the output has the name of the selected record', async (node, operation, field) => {
	const { id, json } = await runWithName(node, operation, field, 'Selected Record');
	expect(json).toMatchObject({ name: 'Selected Record', resourceId: id });
	// IDs are the last columns.
	expect(Object.keys(json ?? {}).at(-1)).toMatch(/Id$/);
});

test.each(WRITES.filter(([node]) => node.endsWith('User')))(
	'%s %s: a person who is selected by email address is named by it',
	async (node, operation, field) => {
		const { json } = await runWithName(node, operation, field, 'ada@example.com');
		expect(json).toMatchObject({ email: 'ada@example.com' });
		expect(json).not.toHaveProperty('name');
	},
);

test.each([
	['CompanyGroup', 'member.add', 'companyGroup'],
	['ExecutiveReport', 'scheduledReport.delete', 'scheduledReport'],
])('%s %s: the output has the present name, because the record is read anyway', async (node, operation, field) => {
	const { json } = await runWithName(node, operation, field);
	const { name } = z.object({ name: z.string().min(1) }).parse(json);
	fixture.standIn.reset();
	expect((await runWithName(node, operation, field, 'Former Name')).json).toMatchObject({ name });
});

test('a name that the request changes replaces the selected name', async () => {
	const { json } = await runWithName('ScimIntegration', 'update', 'scimIntegration', 'Former Name');
	expect(json).toMatchObject({ name: 'Renamed' });
});

test('if only the ID is entered, the output has no name', async () => {
	const { id, json } = await runWithName('ApiClient', 'delete', 'apiClient');
	expect(json).toMatchObject({ deleted: true, resourceId: id });
	expect(json).not.toHaveProperty('name');
});
