/**
 * Runs every operation in n8n's engine against every profile of the stand-in. One of the runs is strict: the stand-in rejects body
 * fields that no document describes, and the first request variant of each request must be accepted.
 * `PRINT=1 npm run test:file test/nodes/operations` prints the requests that each operation sends to endpoints other than its own.
 */
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { readBinary } from '../n8n-core';
import { startStandIn, type LoggedRequest } from '../stand-in';
import { isJsonObject } from '../stand-in/http';
import { cases } from '../cases';
import { compareRequests, NAME_LOOKUP_REQUESTS, describeExtraRequests } from '../cases/compareRequests';
import { hasDeployedOnlyPreview, listMissingPreviewFields } from '../cases/outputPreviews';
import { createOperationFixture, TESTED_PROFILES, runCase, filterServedCases } from '../cases/operationFixture';

const printedRows: string[] = [];
afterAll(() => {
	if (process.env.PRINT)
		process.stdout.write(
			`${['| Operation | Platform | Items | Needed besides |', '|---|---|---|---|', ...printedRows].join('\n')}\n`,
		);
});

test('missing, repeated, unexpected and rejected requests are found', async () => {
	const standIn = await startStandIn({ companyCount: 40 });
	try {
		for (const path of ['roles', 'roles', 'nothing']) await fetch(`${standIn.url}/api/${path}`);
		const rolesRoute = 'GET /api/roles';
		const unknownRoute = 'unknown';
		expect(compareRequests(standIn.log, { requiredRequests: [rolesRoute, 'GET /api/scim/fields'] })).toEqual({
			missing: ['GET /api/scim/fields'],
			unexpected: [rolesRoute, unknownRoute],
			rejected: [rolesRoute, rolesRoute],
		});
		expect(
			compareRequests(standIn.log, { requiredRequests: [rolesRoute, unknownRoute], rejectedRequests: [rolesRoute] }),
		).toEqual({
			missing: [],
			unexpected: [],
			rejected: [rolesRoute],
		});
		expect(
			compareRequests(standIn.log, {
				requiredRequests: [rolesRoute, unknownRoute],
				optionalRequests: [rolesRoute],
				rejectedRequests: [rolesRoute, rolesRoute],
			}),
		).toEqual({
			missing: [],
			unexpected: [],
			rejected: [],
		});
		expect(describeExtraRequests(standIn.log)).toBe('GET /api/roles (401), /api/nothing (404)');
	} finally {
		await standIn.close();
	}
});

/** Returns the names of the fields in 'Additional Fields (JSON)'. The strict stand-in must accept them, although no document describes them. */
function readJsonFieldNames(parameters: IDataObject): string[] {
	const { additionalFieldsJson = '{}' } = isJsonObject(parameters.additionalFields) ? parameters.additionalFields : {};
	return Object.keys(z.record(z.unknown()).parse(JSON.parse(String(additionalFieldsJson))));
}

/** Lists the request fields that were sent although no document describes them. */
const listUndocumentedFields = (requests: LoggedRequest[]) =>
	requests.flatMap(({ route, undocumentedFields = [] }) => undocumentedFields.map((field) => `${route}: ${field}`));

describe.each(TESTED_PROFILES)('$title', ({ profile, title }) => {
	const fixture = createOperationFixture(profile);
	afterEach(() => fixture.standIn.setOptions({ undocumentedFieldsMode: 'ignored', acceptedUndocumentedFields: [] }));

	test.each(filterServedCases(profile, cases))('$node: $operation', async (operationCase) => {
		const { node, operation, hasFileOutput } = operationCase;
		const prepared = await operationCase.prepare(fixture.customer);
		fixture.standIn.clearLog();
		// Each operation runs once on a strict platform: with the contract's profile, or with the live deployment's profile if the contract
		// does not have the operation.
		const isStrict = profile === 'contract' || operationCase.isOutsideContract;
		fixture.standIn.setOptions({
			undocumentedFieldsMode: isStrict ? 'refused' : 'ignored',
			acceptedUndocumentedFields: readJsonFieldNames(prepared.parameters),
		});
		const { items } = await runCase(fixture, operationCase, prepared);
		expect(listUndocumentedFields(fixture.requests)).toEqual([]);
		if (isStrict) expect(fixture.requests.filter(({ status }) => status === 400)).toEqual([]);

		printedRows.push(
			`| ${[`${node}: ${operation}`, title, items.length, describeExtraRequests(fixture.requests).replaceAll('|', '\\|')].join(' | ')} |`,
		);
		prepared.checkItems(items);
		const missingFields = listMissingPreviewFields(
			operationCase,
			items.map(({ json }) => json),
		);
		if (profile === 'contract' && hasDeployedOnlyPreview(operationCase)) expect(missingFields).not.toEqual([]);
		else expect(missingFields).toEqual([]);
		expect(items).toHaveLength(prepared.itemCount);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(items.map(() => ({ item: 0 })));
		expect(items.map(({ binary }) => Object.keys(binary ?? {}))).toEqual(
			items.map(() => (hasFileOutput ? ['data'] : [])),
		);

		const { endpoint, scope } = fixture.getOperation(node, operation);
		expect(prepared.parameters.companyScope !== undefined).toBe(scope !== 'credential');
		const optionalRequests = [...(prepared.optionalRequests ?? []), ...NAME_LOOKUP_REQUESTS];
		expect(
			compareRequests(fixture.requests, {
				...prepared,
				optionalRequests,
				requiredRequests: prepared.requiredRequests ?? [endpoint ?? ''],
			}),
		).toEqual({
			missing: [],
			unexpected: [],
			rejected: [],
		});
		// Check Access requests the roles of two companies, to find out if the platform reads the header.
		const companyRequests = fixture.requests.filter(() => operation !== 'checkAccess');
		expect(companyRequests.map(({ companyId }) => companyId)).toEqual(
			companyRequests.map(() => (scope === 'credential' ? undefined : fixture.customer.companyId)),
		);

		if (prepared.fileRowCount !== undefined) {
			const lines = (await readBinary(items[0])).toString().trimEnd().split('\r\n');
			expect(lines).toHaveLength(1 + prepared.fileRowCount);
		}
	});
});
