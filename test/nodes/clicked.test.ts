/** What a person meets who fills in the forms by clicking and dragging: names where IDs belong, fields that are not there. */
import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { SecurityAwarenessEnrollment } from '../../nodes/Enrollment/SecurityAwarenessEnrollment.node';
import { SecurityAwarenessSamlSetting } from '../../nodes/SamlSetting/SecurityAwarenessSamlSetting.node';
import { SecurityAwarenessTargetGroup } from '../../nodes/TargetGroup/SecurityAwarenessTargetGroup.node';
import { SecurityAwarenessTraining } from '../../nodes/Training/SecurityAwarenessTraining.node';
import { counted, pluralOf } from '../../nodes/shared/transport/counted';
import { byId } from '../cases';
import { NEW_COMPANY } from '../cases/newCompany';
import { bodyOf, failureOf, hintsOf, jsonOf, nodeFixture, the, type NodeClass } from '../n8n-core/nodeFixture';

const b = nodeFixture({ companies: 12 });
const company = (index = 1) => the(b.service.state.companies[index]);
const one = () => ({ companyScope: 'one', company: byId(company().companyResourceId) });
const groups = async (parameters: IDataObject) =>
	await b.run(SecurityAwarenessTargetGroup, { operation: 'getMany', ...parameters });

describe('a name where an ID belongs', () => {
	const get = { operation: 'get', samlSettingId: byId('x'), enrollment: byId('x') };
	test.each<[string, NodeClass, IDataObject, string]>([
		['Company', SecurityAwarenessTargetGroup, { operation: 'getMany', company: byId('Miller A/S') }, "'By Name'"],
		['Company', SecurityAwarenessTargetGroup, { operation: 'getMany', company: byId('Bäckerei') }, "'By Name'"],
		['Enrollment', SecurityAwarenessEnrollment, { ...get, enrollment: byId('Q1/Q2') }, 'a name is not accepted here'],
		['SAML Setting ID', SecurityAwarenessSamlSetting, { ...get, samlSettingId: byId('A/B') }, 'a name is not accepted'],
	])('%s: one that cannot be an ID, %p', async (label, node, parameters, advice) => {
		const error = await failureOf(b.run(node, { ...one(), ...parameters }));
		expect(error.message).toMatch(new RegExp(`^'${label}' `));
		expect(error.description).toContain(advice);
		expect(b.asked).toEqual([]);
	});

	test('one that could be an ID, after the service has refused it', async () => {
		const parameters = { companyScope: 'one', company: byId('Golden Crust Bakery') };
		const error = await failureOf(groups(parameters));
		expect(error.message).toContain('access was refused (403)');
		expect(error.description).toContain(
			"'Golden Crust Bakery' was entered as the ID of the company, and looks like a name: choose 'By Name' in 'Company' to enter a name.",
		);
		const enrollment = await failureOf(
			b.run(SecurityAwarenessEnrollment, { operation: 'get', ...one(), enrollment: byId('Phishing Basics') }),
		);
		expect(enrollment.description).toContain("looks like a name: choose the entry 'From List'");
		const unknown = await failureOf(groups({ companyScope: 'one', company: byId('no-such-company') }));
		expect(unknown.description).not.toContain('looks like a name');
	});

	test('of many similar names, the first five and how many others', async () => {
		for (const [index, each] of b.service.state.companies.entries()) each.companyName = `Harbour Clinic ${index}`;
		const named = { __rl: true, mode: 'name', value: 'Harbour Clinic' };
		const { description } = await failureOf(groups({ companyScope: 'one', company: named }));
		expect(description).toMatch(/^Similar names: ([^;]+; ){5}and 7 more\.$/);
	});
});

describe('Selected Fields', () => {
	const trainings = async (outputFields: string[], more: IDataObject = one()) =>
		await b.run(SecurityAwarenessTraining, { operation: 'getMany', output: 'selected', outputFields, ...more });

	test('at first: what the table shows first, and the ID under the name that every service has', () => {
		const presets = [new SecurityAwarenessTraining(), new SecurityAwarenessEnrollment(), new SecurityAwarenessCompany()]
			.flatMap(({ description }) => description.properties)
			.filter(({ name }) => name === 'outputFields')
			.map((property) => [property.displayOptions?.show?.operation?.[0], property.default]);
		expect(presets).toEqual(
			expect.arrayContaining([
				['getMany', ['trainingName', 'category', 'type', 'trainingId']],
				['getMany', ['name', 'trainingName', 'status', 'enrollmentId']],
				['get', ['companyName', 'licenseTypeName', 'licenseEndDate', 'companyResourceId']],
				['getFormDetails', []],
			]),
		);
	});

	test('a name that no record has is hinted at, with those that are like it', async () => {
		const result = await trainings(['trainingName', 'traningId', 'coverImage.nam', 'companyName']);
		expect(jsonOf(result.items).length).toBeGreaterThan(1);
		expect(hintsOf(result)).toEqual([
			expect.stringMatching(
				/^'Fields' has 'traningId', which is in none of the records\. Similar fields: trainingId.* 'Fields' has 'coverImage\.nam', which is in none of the records\. Similar fields: coverImage\.name/,
			),
		]);
	});

	test('like no other: what there is; and nothing is said of a field that one record has, or without records', async () => {
		expect(hintsOf(await trainings(['☃']))).toEqual([
			expect.stringMatching(/^'Fields' has '☃', which is in none of the records\. The fields are: .*trainingName/),
		]);
		const [first] = b.service.state.of(company().companyResourceId).trainings;
		Object.assign(the(first), { onlyHere: null });
		expect(
			hintsOf(await trainings(['onlyHere', 'coverImage.name', 'trainingName'], { ...one(), returnAll: true })),
		).toEqual([]);
		expect(hintsOf(await trainings(['☃'], { ...one(), filters: { searchText: 'nothing has this' } }))).toEqual([]);
	});
});

test('the name of a field that is entered may have spaces around it; the example of a value fits any field', async () => {
	const rows = [{ field: 'other', fieldName: ' CompanyName ', operator: 'contains', value: 'a' }];
	const sort = { fields: { by: 'other', fieldName: ' CompanyName ', direction: 'ascending' } };
	await b.run(SecurityAwarenessCompany, { operation: 'getMany', fieldFilters: { rows }, sort });
	expect(bodyOf(b.asked[0])).toMatchObject({
		orderBy: 'CompanyName',
		filter: { FilterGroups: [{ FilterItems: [{ FieldName: 'CompanyName' }] }] },
	});
	const { properties } = new SecurityAwarenessCompany().description;
	expect(JSON.stringify(properties)).toContain('e.g. Bakery, 42 or 2026-01-31');
});

test('a company without an ID is named, and nothing is done for it', async () => {
	const nameless = company(3);
	nameless.companyResourceId = '';
	const result = await groups({ companyScope: 'every', limit: 1 });
	expect(hintsOf(result).join('\n')).toContain(
		`1 company in the list of companies has no ID, so nothing was done for it: ${nameless.companyName}.`,
	);
	company(4).companyResourceId = '';
	expect(hintsOf(await groups({ companyScope: 'every', limit: 1 })).join('\n')).toContain(
		'2 companies in the list of companies have no ID, so nothing was done for them: ',
	);
});

describe('what is created is output under the name that was sent', () => {
	test('a company', async () => {
		const more = { additionalFields: { moreFields: '{ "Name": "Sent Ltd" }' } };
		const { items } = await b.run(SecurityAwarenessCompany, { ...NEW_COMPANY, ...more });
		expect(jsonOf(items)).toMatchObject([{ companyName: 'Sent Ltd' }]);
		expect(b.service.state.companies.map(({ companyName }) => companyName)).toContain('Sent Ltd');
		expect(jsonOf((await b.run(SecurityAwarenessCompany, NEW_COMPANY)).items)).toMatchObject([{ companyName: 'New' }]);
	});

	test('an enrollment', async () => {
		const { trainings, targetGroups } = b.service.state.of(company().companyResourceId);
		const { items } = await b.run(SecurityAwarenessEnrollment, {
			...{ operation: 'create', ...one(), name: 'Entered' },
			training: byId(the(trainings[0]).trainingId),
			targetGroups: [the(targetGroups[0]).resourceId],
			additionalFields: { moreFields: '{ "name": "Sent" }' },
		});
		expect(jsonOf(items)).toMatchObject([{ name: 'Sent' }]);
	});
});

test('one and several', () => {
	const words = ['company', 'industry', 'country', 'day', 'license type', 'more report'];
	expect(words.map(pluralOf)).toEqual([
		'companies',
		'industries',
		'countries',
		'days',
		'license types',
		'more reports',
	]);
	expect([counted(0, 'user'), counted(1, 'user'), counted('1', 'user'), counted(2, 'user')]).toEqual([
		...['0 users', '1 user', '1 user', '2 users'],
	]);
});
