/**
 * Every operation, run in n8n's engine against every personality of the service. Once the service refuses every body field that no
 * document describes, and the first form of each request must be accepted.
 * PRINT=1 npx jest test/nodes/operations prints what each needed besides its own rows of the contract.
 */
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { readBinary } from '../n8n-core';
import { startService, type LoggedRequest } from '../stand-in';
import { isRow } from '../stand-in/http';
import { cases } from '../cases';
import { askedOtherwise, LOOKED_UP, neededOf } from '../cases/asked';
import { isOnlyDeployed, neverCame } from '../cases/previews';
import { operationFixture, PERSONALITIES, runCase, servedBy } from '../cases/operationFixture';

const printed: string[] = [];
afterAll(() => {
	if (process.env.PRINT)
		process.stdout.write(
			`${['| Operation | Platform | Items | Needed besides |', '|---|---|---|---|', ...printed].join('\n')}\n`,
		);
});

test('what is asked too often, too seldom, unasked, or refused unexpectedly, is found', async () => {
	const service = await startService({ companies: 40 });
	try {
		for (const path of ['roles', 'roles', 'nothing']) await fetch(`${service.url}/api/${path}`);
		const roles = 'GET /api/roles';
		const unknown = 'unknown';
		expect(askedOtherwise(service.log, { requests: [roles, 'GET /api/scim/fields'] })).toEqual({
			missing: ['GET /api/scim/fields'],
			unexpected: [roles, unknown],
			refused: [roles, roles],
		});
		expect(askedOtherwise(service.log, { requests: [roles, unknown], again: [roles] })).toEqual({
			missing: [],
			unexpected: [],
			refused: [roles],
		});
		expect(askedOtherwise(service.log, { requests: [roles, unknown], also: [roles], again: [roles, roles] })).toEqual({
			missing: [],
			unexpected: [],
			refused: [],
		});
		expect(neededOf(service.log)).toBe('GET /api/roles (401), /api/nothing (404)');
	} finally {
		await service.close();
	}
});

/** The names in 'Additional Fields (JSON)', which no document has to describe. */
function readAddedNames(parameters: IDataObject): string[] {
	const { additionalFieldsJson = '{}' } = isRow(parameters.additionalFields) ? parameters.additionalFields : {};
	return Object.keys(z.record(z.unknown()).parse(JSON.parse(String(additionalFieldsJson))));
}

/** Returns the fields that were sent although no document describes them. */
const listUndescribed = (asked: LoggedRequest[]) =>
	asked.flatMap(({ route, undescribed = [] }) => undescribed.map((field) => `${route}: ${field}`));

describe.each(PERSONALITIES)('$named', ({ personality, named }) => {
	const g = operationFixture(personality);
	afterEach(() => g.service.setOptions({ undescribed: 'ignored', exempt: [] }));

	test.each(servedBy(personality, cases))('$node: $operation', async (each) => {
		const { node, operation, isFile } = each;
		const run = await each.prepare(g.customer);
		g.service.clearLog();
		// Each operation runs once on a strict platform: the contract's, or a live one if the contract doesn't have the operation.
		const isStrict = personality === 'contract' || each.isBeside;
		g.service.setOptions({ undescribed: isStrict ? 'refused' : 'ignored', exempt: readAddedNames(run.parameters) });
		const { items } = await runCase(g, each, run);
		expect(listUndescribed(g.asked)).toEqual([]);
		if (isStrict) expect(g.asked.filter(({ status }) => status === 400)).toEqual([]);

		printed.push(
			`| ${[`${node}: ${operation}`, named, items.length, neededOf(g.asked).replaceAll('|', '\\|')].join(' | ')} |`,
		);
		run.expect(items);
		const absent = neverCame(
			each,
			items.map(({ json }) => json),
		);
		if (personality === 'contract' && isOnlyDeployed(each)) expect(absent).not.toEqual([]);
		else expect(absent).toEqual([]);
		expect(items).toHaveLength(run.items);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(items.map(() => ({ item: 0 })));
		expect(items.map(({ binary }) => Object.keys(binary ?? {}))).toEqual(items.map(() => (isFile ? ['data'] : [])));

		const { endpoint, scope } = g.operation(node, operation);
		expect(run.parameters.companyScope !== undefined).toBe(scope !== 'credential');
		const also = [...(run.also ?? []), ...LOOKED_UP];
		expect(askedOtherwise(g.asked, { ...run, also, requests: run.requests ?? [endpoint ?? ''] })).toEqual({
			missing: [],
			unexpected: [],
			refused: [],
		});
		// Check Access asks for the roles of two companies, to see whether the header is read.
		const ofOne = g.asked.filter(() => operation !== 'checkAccess');
		expect(ofOne.map(({ companyId }) => companyId)).toEqual(
			ofOne.map(() => (scope === 'credential' ? undefined : g.customer.companyId)),
		);

		if (run.rows !== undefined) {
			const lines = (await readBinary(items[0])).toString().trimEnd().split('\r\n');
			expect(lines).toHaveLength(1 + run.rows);
		}
	});
});
