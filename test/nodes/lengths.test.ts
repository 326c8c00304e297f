/**
 * Tests the maximum lengths that the contract (contract 8) and the facts about live deployments name. Each form that has the field must
 * reject longer values before any request.
 */
import type { IDataObject } from 'n8n-workflow';
import { cases, type Case } from '../cases';
import { hashSha256 } from '../cases/case';
import { runCase } from '../cases/operationFixture';
import { createDeployedFixture, findCase, getFailureMessage } from './deployedFixture';

const { fixture } = createDeployedFixture();

/** The maximum lengths, by node and by name of the field in the form. */
const MAX_LENGTHS: Record<string, Record<string, number>> = {
	ApiClient: { name: 64, clientId: 32, clientSecret: 100 },
	Company: { name: 64, address: 200, description: 300, websiteUrl: 2000 },
	CompanyGroup: { name: 64 },
	DirectEmailSetting: { name: 64 },
	SamlSetting: { name: 64 },
	ScimIntegration: { name: 30 },
	SystemUser: { firstName: 40, lastName: 40, email: 320, phoneNumber: 20 },
};

/**
 * Builds the parameter that contains a value for a form field. The field may also be in a block such as Additional Fields.
 * @returns undefined if the operation's form does not have the field
 */
function buildParameter({ node, operation }: Case, name: string, value: string): IDataObject | undefined {
	const { fields } = fixture.getOperation(node, operation);
	if (fields[name]) return { [name]: value };
	const [block] = Object.entries(fields).find(([, { innerFields = {} }]) => name in innerFields) ?? [];
	return block === undefined ? undefined : { [block]: { [name]: value } };
}

test.each(Object.entries(MAX_LENGTHS))('%s: longer values are rejected', async (node, maxLengths) => {
	const testedNames = new Set<string>();
	for (const operationCase of cases.filter((candidate) => candidate.node === node)) {
		const invalidParameters = Object.entries(maxLengths).flatMap(([name, length]) => {
			const parameter = buildParameter(operationCase, name, 'x'.repeat(length + 1));
			return parameter ? [{ name, length, parameter }] : [];
		});
		if (invalidParameters.length === 0) continue;
		fixture.standIn.reset();
		const { parameters, inputFiles = {} } = await operationCase.prepare(fixture.customer);
		fixture.standIn.clearLog();
		for (const { name, length, parameter } of invalidParameters) {
			const message = await getFailureMessage(
				runCase(fixture, operationCase, { parameters: { ...parameters, ...parameter }, inputFiles }),
			);
			expect(message).toContain(` to ${length} characters, but has ${length + 1}`);
			testedNames.add(name);
		}
		expect(fixture.requests).toEqual([]);
	}
	expect([...testedNames].sort()).toEqual(Object.keys(maxLengths).sort());
});

/** Creates a company with a logo. */
async function createCompanyWithLogo(content: Buffer) {
	const operationCase = findCase('Company', 'create');
	const { parameters } = await operationCase.prepare(fixture.customer);
	fixture.standIn.clearLog();
	const inputFiles = { logo: { fileName: 'logo.png', mimeType: 'image/png', content } };
	return await runCase(fixture, operationCase, { parameters, inputFiles });
}

test('a logo of more than 2 MB is rejected', async () => {
	const message = await getFailureMessage(createCompanyWithLogo(Buffer.alloc(2 * 1024 * 1024 + 1)));
	expect(message).toContain("'Logo Input Data Field Name' in 'Additional Fields' must be a file of at most 2 MB");
	expect(fixture.requests).toEqual([]);
});

test('a logo of exactly 2 MB is uploaded', async () => {
	const content = Buffer.alloc(2 * 1024 * 1024);
	await createCompanyWithLogo(content);
	const hashes = Object.values(fixture.customer.world.logos).map(({ sha256 }) => sha256);
	expect(hashes).toContain(hashSha256(content));
});
