/** Ways around the limits of a credential: other parts of a request that name a company, and values that are no choice. */
import type { IDataObject } from 'n8n-workflow';
import { CredentialStore } from '../n8n-core';
import { byId } from '../cases';
import { operationFixture, runCase } from '../cases/operationFixture';

const g = operationFixture('contract');
const other = () => {
	const found = g.customer.state.companies.find(({ companyResourceId }) => companyResourceId !== g.customer.companyId);
	return found?.companyResourceId ?? '';
};
const own = () => g.customer.companyId;
const store = (more: IDataObject = {}) =>
	new CredentialStore({
		...g.customer.credential(),
		...Object.fromEntries(
			Object.entries({ onlyTheseCompanies: true, companyIds: own(), ...more }).map(([name, value]) => [
				name,
				typeof value === 'boolean' ? value : String(value),
			]),
		),
	});

async function run(node: string, operation: string, parameters: IDataObject, credential = store()) {
	g.service.clearLog();
	return await runCase(g, { node, operation }, { parameters }, { credential }).then(
		() => '',
		(error: unknown) => (error instanceof Error ? error.message : String(error)),
	);
}

/** It is refused, and nothing was sent. */
async function refused(...call: Parameters<typeof run>) {
	expect(await run(...call)).toMatch(/Nothing was sent\. In the credential, 'Only These Companies' is on/);
	expect(g.service.log).toEqual([]);
}

const user = { firstName: 'A', lastName: 'B', email: 'a@example.com', phoneNumber: '+49301234567' };
const json = (value: unknown) => JSON.stringify(value);

describe('a company in another part of the request', () => {
	test.each([
		['companyResourceId', (id: string) => ({ companyResourceId: id })],
		['in another case', (id: string) => ({ CompanyRESOURCEid: id })],
		['with signs between', (id: string) => ({ 'X-SERVICE-Company-Id': id })],
		['a list', (id: string) => ({ companyIds: [own(), id] })],
		['an object', (id: string) => ({ company: { resourceId: id } })],
		['deep inside', (id: string) => ({ a: [{ b: { targetCompanyId: id } }] })],
		['a customer', (id: string) => ({ customerId: id })],
		['a parent', (id: string) => ({ parentResourceId: id })],
		['a number', () => ({ companyId: 4711 })],
		['all of them', () => ({ includeAllCompanies: true })],
		['a name', () => ({ companyName: 'Harbour Bakery' })],
		['fullwidth letters', (id: string) => ({ ｃｏｍｐａｎｙId: id })],
		['a list in a text', (id: string) => ({ companyIds: `${own()},${id}` })],
	])('additional fields: %s', async (_what, fields) => {
		const additionalFields = { moreFields: json(fields(other())) };
		await refused('SystemUser', 'create', { ...g.customer.scoped, ...user, additionalFields });
	});

	test('its own field', async () => {
		const additionalFields = { companyResourceId: other() };
		await refused('SystemUser', 'create', { ...g.customer.scoped, ...user, additionalFields });
		expect(
			await run('SystemUser', 'create', {
				...g.customer.scoped,
				...user,
				additionalFields: { companyResourceId: own() },
			}),
		).toBe('');
		expect(g.asked).toHaveLength(1);
	});

	test.each([
		['companyId', (id: string) => ({ companyId: id })],
		['COMPANYID', (id: string) => ({ COMPANYID: id })],
		['company[id]', (id: string) => ({ 'company[id]': id })],
	])('query parameters: %s', async (_what, parameters) => {
		const additionalFields = { queryParameters: json(parameters(other())) };
		await refused('Role', 'getMany', { ...g.customer.scoped, additionalFields });
	});

	test.each([
		['eq', 'CompanyResourceId'],
		['neq', 'companyResourceId'],
		['contains', 'Company.ResourceId'],
		['eq', 'ResourceId'],
		['eq', 'companyName'],
	])('filter groups: %s %s', async (Operator, FieldName) => {
		const items = (Value: string) => [
			{ Condition: 'AND', FilterItems: [{ FieldName, Operator, Value }], FilterGroups: [] },
		];
		const filters = { filterGroups: json(items(other())) };
		// Of other lists it is the ID of a record, and of companies the name is fine, because the answer is filtered.
		if (FieldName !== 'ResourceId') await refused('TargetGroup', 'getMany', { ...g.customer.scoped, filters });
		if (FieldName !== 'companyName') await refused('Company', 'getMany', { filters });
	});

	test('a filter for what the search may show anyway is sent', async () => {
		const items = [
			{
				Condition: 'AND',
				FilterItems: [{ FieldName: 'CompanyName', Operator: 'contains', Value: 'a' }],
				FilterGroups: [],
			},
		];
		await run('Company', 'getMany', { filters: { filterGroups: json(items) } });
		expect(g.asked.length).toBeGreaterThan(0);
	});

	test('the company numbers of a report', async () => {
		const enrollment = byId(g.customer.holdings.enrollments[0]?.resourceId ?? '');
		await refused('TrainingReport', 'getNotifications', {
			...g.customer.scoped,
			enrollment,
			reportOptions: { companyId: 12 },
		});
	});

	test('members of a new group: all are listed, or nothing is sent', async () => {
		const create = { name: 'New', participantsFrom: 'id' };
		await refused('CompanyGroup', 'create', { ...create, participantIds: `${own()}, ${other()}` });
		await refused('CompanyGroup', 'create', { name: 'New', participantsFrom: 'none' });
		const additionalFields = { moreFields: json({ CompanyResourceIdArray: [other()] }) };
		await refused('CompanyGroup', 'create', { ...create, participantIds: own(), additionalFields });
		expect(await run('CompanyGroup', 'create', { ...create, participantIds: own() })).toBe('');
		expect(g.asked).toHaveLength(1);
	});

	test.each([
		(id: string) => `${id} `,
		(id: string) => id.toUpperCase(),
		(id: string) => id.replaceAll('-', ''),
		encodeURIComponent,
	])('the ID of another one is none of the listed ones in any spelling', async (spelled) => {
		await refused('TargetGroup', 'getMany', { companyScope: 'one', company: byId(spelled(other())) });
		await refused('TargetGroup', 'getMany', { companyScope: 'one', company: byId(`${own()}, ${spelled(other())}`) });
	});
});

describe("the credential's fields", () => {
	const create = { name: 'New', participantsFrom: 'id' };
	const write = async (more: IDataObject) =>
		await run(
			'CompanyGroup',
			'create',
			{ ...create, participantIds: own() },
			store({ onlyTheseCompanies: false, ...more }),
		);

	test.each(['readOnly', 'ReadOnly', 'all', '', '={{ 1 }}', 'read'])('%j is not Everything', async (whatItMayDo) => {
		expect(await write({ whatItMayDo })).toMatch(/only allows reading/);
		expect(g.service.log).toEqual([]);
	});

	test.each(['true', '', 'no'])('%j is not off, so no company is named', async (onlyTheseCompanies) => {
		expect(await write({ onlyTheseCompanies })).toMatch(/names no company that it may be used for/);
		expect(g.service.log).toEqual([]);
	});

	test.each([`a${' '}/b`, '*', '{{ $json.id }}', 'ä', '..', 'a'.repeat(257), '\u200b'])(
		'%j is not a list of IDs, even with one that is',
		async (text) => {
			expect(await write({ onlyTheseCompanies: true, companyIds: `${own()}, ${text}` })).toMatch(
				/names no company that/,
			);
			expect(g.service.log).toEqual([]);
		},
	);

	test('several IDs, each of them', async () => {
		const companyIds = `\n${other()}\r\n;${own()} ,`;
		expect(await write({ onlyTheseCompanies: true, companyIds })).toBe('');
		expect(g.asked).toHaveLength(1);
	});

	test('limits that are changed while a node runs stop it', async () => {
		const credential = store({ onlyTheseCompanies: false });
		const requests: string[] = [];
		const read = credential.read.bind(credential);
		jest.spyOn(credential, 'read').mockImplementation(async () => {
			requests.push('read');
			if (g.asked.length === 1) credential.data = { ...credential.data, whatItMayDo: 'readOnly' };
			return await read();
		});
		const ran = runCase(
			g,
			{ node: 'CompanyGroup', operation: 'create' },
			{ parameters: { ...create, participantIds: own() } },
			{ credential, items: [{ json: {} }, { json: {} }, { json: {} }] },
		);
		await expect(ran).rejects.toThrow(/credential was changed/);
		expect(g.asked).toHaveLength(1);
	});
});
