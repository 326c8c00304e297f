/**
 * Tests forms that users fill in with the mouse: a name where an ID is needed, the default of 'Selected Fields', and the name of a created
 * record.
 */
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
const getCompany = (index = 1) => requireValue(fixture.standIn.world.companies[index]);
const buildScope = () => ({ companyScope: 'one', company: toIdLocator(getCompany().companyResourceId) });

describe('a name instead of an ID', () => {
	test.each<[string, NodeClass, IDataObject]>([
		['Company', SecurityAwarenessTargetGroup, { operation: 'getMany', company: toIdLocator('Miller A/S') }],
		['Company', SecurityAwarenessTargetGroup, { operation: 'getMany', company: toIdLocator('Bäckerei') }],
	])('%s: a name that cannot be an ID is rejected, %p', async (label, node, parameters) => {
		const error = await catchNodeError(fixture.run(node, { ...buildScope(), ...parameters }));
		expect(error.message).toMatch(new RegExp(`^'${label}' `));
		expect(error.description).toContain("'By Name'");
		expect(fixture.requests).toEqual([]);
	});

	test.each<[string, NodeClass, IDataObject]>([
		['Enrollment', SecurityAwarenessEnrollment, { enrollment: toIdLocator('Q1/Q2') }],
		['SAML Setting', SecurityAwarenessSamlSetting, { samlSettingId: toIdLocator('Q1/Q2') }],
	])('%s: a text that cannot be an ID is only looked up as a name', async (label, node, parameters) => {
		const error = await catchNodeError(fixture.run(node, { ...buildScope(), operation: 'get', ...parameters }));
		expect(error.message).toMatch(
			new RegExp(
				`^'${label}' is 'Q1/Q2', but (no ${label} at '.+' has that name|the platform has no list of ${label}s at '.+' to look up names in)$`,
				'i',
			),
		);
		expect(fixture.requests.filter(({ route }) => route.startsWith('GET'))).toEqual([]);
	});
});

describe('Selected Fields', () => {
	test('the default has the first fields of the table, and the ID with the name that all platforms use', () => {
		const defaults = [
			new SecurityAwarenessTraining(),
			new SecurityAwarenessEnrollment(),
			new SecurityAwarenessCompany(),
		]
			.flatMap(({ description }) => description.properties)
			.filter(({ name }) => name === 'outputFields')
			.map((property) => [property.displayOptions?.show?.operation?.[0], property.default]);
		expect(defaults).toEqual(
			expect.arrayContaining([
				['getMany', ['trainingName', 'category', 'type', 'trainingId']],
				['getMany', ['name', 'trainingName', 'status', 'enrollmentId']],
				['get', ['companyName', 'licenseTypeName', 'licenseEndDate', 'companyResourceId']],
				['getFormOptions', []],
			]),
		);
	});
});

describe('a created record is returned with the name that was sent', () => {
	test('for a company', async () => {
		const { items } = await fixture.run(SecurityAwarenessCompany, NEW_COMPANY);
		expect(getJson(items)).toMatchObject([{ companyName: 'New' }]);
		expect(fixture.standIn.world.companies.map(({ companyName }) => companyName)).toContain('New');
	});

	test('for an enrollment', async () => {
		const { trainings, targetGroups } = fixture.standIn.world.getCompanyData(getCompany().companyResourceId);
		const { items } = await fixture.run(SecurityAwarenessEnrollment, {
			operation: 'create',
			...buildScope(),
			name: 'Entered',
			training: toIdLocator(requireValue(trainings[0]).trainingId),
			targetGroups: [requireValue(targetGroups[0]).resourceId],
		});
		expect(getJson(items)).toMatchObject([{ name: 'Entered' }]);
	});
});

test('singular and plural', () => {
	const nouns = ['company', 'industry', 'country', 'day', 'license type', 'more report', 'status', 'job person'];
	expect(nouns.map(toPlural)).toEqual([
		'companies',
		'industries',
		'countries',
		'days',
		'license types',
		'more reports',
		'statuses',
		'job people',
	]);
	expect([formatCount(0, 'user'), formatCount(1, 'user'), formatCount('1', 'user'), formatCount(2, 'user')]).toEqual([
		'0 users',
		'1 user',
		'1 user',
		'2 users',
	]);
});
