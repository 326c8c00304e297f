/** What a person meets who fills in the forms by clicking and dragging: names where IDs belong, fields that are not there. */
import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { SecurityAwarenessEnrollment } from '../../nodes/Enrollment/SecurityAwarenessEnrollment.node';
import { SecurityAwarenessSamlSetting } from '../../nodes/SamlSetting/SecurityAwarenessSamlSetting.node';
import { SecurityAwarenessTargetGroup } from '../../nodes/TargetGroup/SecurityAwarenessTargetGroup.node';
import { SecurityAwarenessTraining } from '../../nodes/Training/SecurityAwarenessTraining.node';
import { toIdLocator } from '../cases';
import { NEW_COMPANY } from '../cases/newCompany';
import { catchNodeError, getJson, createNodeFixture, requireValue, type NodeClass } from '../n8n-core/nodeFixture';
import { formatCount, toPlural } from '../../nodes/core/values';

const fixture = createNodeFixture({ companyCount: 12 });
const company = (index = 1) => requireValue(fixture.standIn.world.companies[index]);
const one = () => ({ companyScope: 'one', company: toIdLocator(company().companyResourceId) });

describe('a name where an ID belongs', () => {
	const get = { operation: 'get', samlSettingId: toIdLocator('x'), enrollment: toIdLocator('x') };
	test.each<[string, NodeClass, IDataObject, string]>([
		[
			'Company',
			SecurityAwarenessTargetGroup,
			{ operation: 'getMany', company: toIdLocator('Miller A/S') },
			"'By Name'",
		],
		['Company', SecurityAwarenessTargetGroup, { operation: 'getMany', company: toIdLocator('Bäckerei') }, "'By Name'"],
		[
			'Enrollment',
			SecurityAwarenessEnrollment,
			{ ...get, enrollment: toIdLocator('Q1/Q2') },
			'a name is not accepted here',
		],
		[
			'SAML Setting ID',
			SecurityAwarenessSamlSetting,
			{ ...get, samlSettingId: toIdLocator('A/B') },
			'a name is not accepted',
		],
	])('%s: one that cannot be an ID, %p', async (label, node, parameters, advice) => {
		const error = await catchNodeError(fixture.run(node, { ...one(), ...parameters }));
		expect(error.message).toMatch(new RegExp(`^'${label}' `));
		expect(error.description).toContain(advice);
		expect(fixture.requests).toEqual([]);
	});
});

describe('Selected Fields', () => {
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
});

describe('what is created is output under the name that was sent', () => {
	test('a company', async () => {
		const more = { additionalFields: { additionalFieldsJson: '{ "Name": "Sent Ltd" }' } };
		const { items } = await fixture.run(SecurityAwarenessCompany, { ...NEW_COMPANY, ...more });
		expect(getJson(items)).toMatchObject([{ companyName: 'Sent Ltd' }]);
		expect(fixture.standIn.world.companies.map(({ companyName }) => companyName)).toContain('Sent Ltd');
		expect(getJson((await fixture.run(SecurityAwarenessCompany, NEW_COMPANY)).items)).toMatchObject([
			{ companyName: 'New' },
		]);
	});

	test('an enrollment', async () => {
		const { trainings, targetGroups } = fixture.standIn.world.getCompanyData(company().companyResourceId);
		const { items } = await fixture.run(SecurityAwarenessEnrollment, {
			operation: 'create',
			...one(),
			name: 'Entered',
			training: toIdLocator(requireValue(trainings[0]).trainingId),
			targetGroups: [requireValue(targetGroups[0]).resourceId],
			additionalFields: { additionalFieldsJson: '{ "name": "Sent" }' },
		});
		expect(getJson(items)).toMatchObject([{ name: 'Sent' }]);
	});
});

test('one and several', () => {
	const words = ['company', 'industry', 'country', 'day', 'license type', 'more report'];
	expect(words.map(toPlural)).toEqual([
		'companies',
		'industries',
		'countries',
		'days',
		'license types',
		'more reports',
	]);
	expect([formatCount(0, 'user'), formatCount(1, 'user'), formatCount('1', 'user'), formatCount(2, 'user')]).toEqual([
		'0 users',
		'1 user',
		'1 user',
		'2 users',
	]);
});
