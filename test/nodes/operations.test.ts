/**
 * Every operation, run in n8n's engine against every profile of the service. Once the service refuses every body field that no
 * document describes, and the first form of each request must be accepted.
 * PRINT=1 npx jest test/nodes/operations prints what each needed besides its own rows of the contract.
 */
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { readBinary } from '../n8n-core';
import { startStandIn, type LoggedRequest } from '../stand-in';
import { isJsonObject } from '../stand-in/http';
import { cases } from '../cases';
import { compareRequests, NAME_LOOKUP_REQUESTS, describeExtraRequests } from '../cases/asked';
import { hasDeployedOnlyPreview, listMissingPreviewFields } from '../cases/previews';
import { createOperationFixture, TESTED_PROFILES, runCase, filterServedCases } from '../cases/operationFixture';

const printed: string[] = [];
afterAll(() => {
	if (process.env.PRINT)
		process.stdout.write(
			`${['| Operation | Platform | Items | Needed besides |', '|---|---|---|---|', ...printed].join('\n')}\n`,
		);
});

test('what is asked too often, too seldom, unasked, or refused unexpectedly, is found', async () => {
	const service = await startStandIn({ companyCount: 40 });
	try {
		for (const path of ['roles', 'roles', 'nothing']) await fetch(`${service.url}/api/${path}`);
		const roles = 'GET /api/roles';
		const unknown = 'unknown';
		expect(compareRequests(service.log, { requiredRequests: [roles, 'GET /api/scim/fields'] })).toEqual({
			missing: ['GET /api/scim/fields'],
			unexpected: [roles, unknown],
			refused: [roles, roles],
		});
		expect(compareRequests(service.log, { requiredRequests: [roles, unknown], rejectedRequests: [roles] })).toEqual({
			missing: [],
			unexpected: [],
			refused: [roles],
		});
		expect(
			compareRequests(service.log, {
				requiredRequests: [roles, unknown],
				optionalRequests: [roles],
				rejectedRequests: [roles, roles],
			}),
		).toEqual({
			missing: [],
			unexpected: [],
			refused: [],
		});
		expect(describeExtraRequests(service.log)).toBe('GET /api/roles (401), /api/nothing (404)');
	} finally {
		await service.close();
	}
});

/** The names in 'Additional Fields (JSON)', which no document has to describe. */
function readAddedNames(parameters: IDataObject): string[] {
	const { additionalFieldsJson = '{}' } = isJsonObject(parameters.additionalFields) ? parameters.additionalFields : {};
	return Object.keys(z.record(z.unknown()).parse(JSON.parse(String(additionalFieldsJson))));
}

/** Returns the fields that were sent although no document describes them. */
const listUndescribed = (asked: LoggedRequest[]) =>
	asked.flatMap(({ route, undocumentedFields: undescribed = [] }) => undescribed.map((field) => `${route}: ${field}`));

describe.each(TESTED_PROFILES)('$title', ({ profile, title }) => {
	const fixture = createOperationFixture(profile);
	afterEach(() => fixture.standIn.setOptions({ undocumentedFieldsMode: 'ignored', acceptedUndocumentedFields: [] }));

	test.each(filterServedCases(profile, cases))('$node: $operation', async (each) => {
		const { node, operation, returnsFile: isFile } = each;
		const run = await each.prepare(fixture.customer);
		fixture.standIn.clearLog();
		// Each operation runs once on a strict platform: the contract's, or a live one if the contract doesn't have the operation.
		const isStrict = profile === 'contract' || each.isOutsideContract;
		fixture.standIn.setOptions({
			undocumentedFieldsMode: isStrict ? 'refused' : 'ignored',
			acceptedUndocumentedFields: readAddedNames(run.parameters),
		});
		const { items } = await runCase(fixture, each, run);
		expect(listUndescribed(fixture.requests)).toEqual([]);
		if (isStrict) expect(fixture.requests.filter(({ status }) => status === 400)).toEqual([]);

		printed.push(
			`| ${[`${node}: ${operation}`, title, items.length, describeExtraRequests(fixture.requests).replaceAll('|', '\\|')].join(' | ')} |`,
		);
		run.checkItems(items);
		const absent = listMissingPreviewFields(
			each,
			items.map(({ json }) => json),
		);
		if (profile === 'contract' && hasDeployedOnlyPreview(each)) expect(absent).not.toEqual([]);
		else expect(absent).toEqual([]);
		expect(items).toHaveLength(run.itemCount);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(items.map(() => ({ item: 0 })));
		expect(items.map(({ binary }) => Object.keys(binary ?? {}))).toEqual(items.map(() => (isFile ? ['data'] : [])));

		const { endpoint, scope } = fixture.getOperation(node, operation);
		expect(run.parameters.companyScope !== undefined).toBe(scope !== 'credential');
		const also = [...(run.optionalRequests ?? []), ...NAME_LOOKUP_REQUESTS];
		expect(
			compareRequests(fixture.requests, {
				...run,
				optionalRequests: also,
				requiredRequests: run.requiredRequests ?? [endpoint ?? ''],
			}),
		).toEqual({
			missing: [],
			unexpected: [],
			refused: [],
		});
		// Check Access asks for the roles of two companies, to see whether the header is read.
		const ofOne = fixture.requests.filter(() => operation !== 'checkAccess');
		expect(ofOne.map(({ companyId }) => companyId)).toEqual(
			ofOne.map(() => (scope === 'credential' ? undefined : fixture.customer.companyId)),
		);

		if (run.fileRowCount !== undefined) {
			const lines = (await readBinary(items[0])).toString().trimEnd().split('\r\n');
			expect(lines).toHaveLength(1 + run.fileRowCount);
		}
	});
});
