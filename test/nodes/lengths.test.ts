/**
 * Every length that the contract (contract 8) and the facts about live deployments name: in each form that has the field, before a
 * request.
 */
import type { IDataObject } from 'n8n-workflow';
import { cases, type Case } from '../cases';
import { runCase } from '../cases/operationFixture';
import { createDeployedFixture, getFailureMessage } from './deployed';

const { fixture } = createDeployedFixture();

/** By node and field, as they stand in the form. */
const LENGTHS: Record<string, Record<string, number>> = {
	ApiClient: { name: 64, clientId: 32, clientSecret: 100 },
	Company: { name: 64, address: 200, description: 300, websiteUrl: 2000 },
	CompanyGroup: { name: 64 },
	DirectEmailSetting: { name: 64 },
	SamlSetting: { name: 64 },
	ScimIntegration: { name: 30 },
	SystemUser: { firstName: 40, lastName: 40, email: 320, phoneNumber: 20 },
};

/** A value as a parameter, wherever the operation's form has the field. @returns undefined if it has it not */
function parameter({ node, operation }: Case, name: string, value: string): IDataObject | undefined {
	const { fields: form } = fixture.getOperation(node, operation);
	if (form[name]) return { [name]: value };
	const [block] = Object.entries(form).find(([, { innerFields: inner = {} }]) => name in inner) ?? [];
	return block === undefined ? undefined : { [block]: { [name]: value } };
}

test.each(Object.entries(LENGTHS))('%s', async (node, lengths) => {
	const tried = new Set<string>();
	for (const each of cases.filter((one) => one.node === node)) {
		const tooLong = Object.entries(lengths).flatMap(([name, length]) => {
			const given = parameter(each, name, 'x'.repeat(length + 1));
			return given ? [{ name, length, given }] : [];
		});
		if (tooLong.length === 0) continue;
		fixture.standIn.reset();
		const { parameters, inputFiles: files = {} } = await each.prepare(fixture.customer);
		fixture.standIn.clearLog();
		for (const { name, length, given } of tooLong) {
			const message = await getFailureMessage(
				runCase(fixture, each, { parameters: { ...parameters, ...given }, inputFiles: files }),
			);
			expect(message).toContain(` to ${length} characters, but has ${length + 1}`);
			tried.add(name);
		}
		expect(fixture.requests).toEqual([]);
	}
	expect([...tried].sort()).toEqual(Object.keys(lengths).sort());
});

test('a logo of more than 2 MB', async () => {
	const created = cases.find((one) => one.node === 'Company' && one.operation === 'create');
	if (!created) throw new Error('There is no case');
	const { parameters } = await created.prepare(fixture.customer);
	fixture.standIn.clearLog();
	const files = { logo: { fileName: 'logo.png', mimeType: 'image/png', content: Buffer.alloc(2 * 1024 * 1024 + 1) } };
	const message = await getFailureMessage(runCase(fixture, created, { parameters, inputFiles: files }));
	expect(message).toContain("'Logo Input Data Field Name' in 'Additional Fields' must be at most 2 MB large");
	expect(fixture.requests).toEqual([]);
});
