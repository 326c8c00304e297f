/**
 * Tests of expressions that return nothing. A field with such an expression is parsed as if the user hadn't added it, or it is rejected
 * before any request. Every kind of field of every operation is tested. No request is necessary for that, because requests depend only on
 * the parsed values.
 */
import { isEqual, mapValues, omit } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessApiClient } from '../../nodes/ApiClient/SecurityAwarenessApiClient.node';
import { SecurityAwarenessEnrollment } from '../../nodes/Enrollment/SecurityAwarenessEnrollment.node';
import { SecurityAwarenessExecutiveReport } from '../../nodes/ExecutiveReport/SecurityAwarenessExecutiveReport.node';
import { SecurityAwarenessPhishingCampaign } from '../../nodes/PhishingCampaign/SecurityAwarenessPhishingCampaign.node';
import { SecurityAwarenessReportedEmail } from '../../nodes/ReportedEmail/SecurityAwarenessReportedEmail.node';
import { SecurityAwarenessTargetUser } from '../../nodes/TargetUser/SecurityAwarenessTargetUser.node';
import { SecurityAwarenessSystemUser } from '../../nodes/SystemUser/SecurityAwarenessSystemUser.node';
import { SecurityAwarenessTargetGroup } from '../../nodes/TargetGroup/SecurityAwarenessTargetGroup.node';
import type { Field, FieldMap } from '../../nodes/core/fields/field';
import { readLocatorValue } from '../../nodes/core/fields/fieldTypes';
import { FormValues } from '../../nodes/core/fields/formValues';
import { InvalidInputError } from '../../nodes/core/http/errors';
import { isEmpty } from '../../nodes/core/values';
import { toIdLocator } from '../cases';
import { parseBody, catchNodeError, createNodeFixture, requireValue, type NodeClass } from '../n8n-core/nodeFixture';
import { listFieldKinds } from './fieldKinds';

const EMPTY_EXPRESSION = '={{ $json.missing }}';
const itemContext = { timezone: 'UTC', readUpload: async () => Promise.reject(new InvalidInputError('is no file')) };

/**
 * Parses a form and returns the value of one field. If the field is rejected, returns the path in the error.
 * @param rawValues the raw values of the form's fields
 */
async function readFieldOutcome(form: FieldMap, name: string, rawValues: Record<string, unknown>): Promise<unknown> {
	const readRawValue = (key: string) => (key in rawValues ? (rawValues[key] ?? null) : undefined);
	const values = await FormValues.read(form, readRawValue, itemContext);
	try {
		return values.get({ [name]: requireValue(form[name]) })[name];
	} catch (error) {
		if (error instanceof InvalidInputError) return { rejectedPath: error.path.join('.') };
		throw error;
	}
}

/**
 * Creates the raw values that n8n may give for a field whose expression returns nothing. For a picker, it may be a resource locator without
 * a value.
 */
const createEmptyValues = ({ property }: Field<unknown>, emptyValue: null | undefined): unknown[] =>
	property.type === 'resourceLocator' ? [emptyValue, { mode: 'id', value: emptyValue }] : [emptyValue];

/** Creates a valid raw value for a field in a row or a group. */
const createFilledValue = ({ property: { type, default: defaultValue } }: Field<unknown>): unknown => {
	if (type === 'resourceLocator') return { mode: 'id', value: 'x' };
	return type === 'options' ? defaultValue : 'x';
};

/** Returns the values that other form fields must have, so that a field is shown. */
const getValuesThatShowField = (field: Field<unknown> | undefined) =>
	mapValues(field?.displayConditions ?? {}, (values) => values?.[0]);

/**
 * Creates the raw value of a collection, group or list of rows from the raw value of one inner field. In a group or a row, the other inner
 * fields are filled in as well.
 */
function wrapInParent({ property, innerFields = {} }: Field<unknown>, innerValue: Record<string, unknown>): unknown {
	if (property.type === 'collection') return innerValue;
	const [name = ''] = Object.keys(innerValue);
	const row = {
		...omit(mapValues(innerFields, createFilledValue), name),
		...getValuesThatShowField(innerFields[name]),
		...innerValue,
	};
	return property.typeOptions?.multipleValues ? { rows: [row] } : { fields: row };
}

interface FieldResult {
	path: string;
	isRejected: boolean;
}

/**
 * Parses a form several times, each time with an empty value in the field or in one of its inner fields.
 * @returns for each empty value, whether it was rejected
 * @throws if a field is neither rejected nor treated as if it had not been added
 */
async function testEmptyValues(form: FieldMap, name: string, field: Field<unknown>): Promise<FieldResult[]> {
	const valuesOfOtherFields = getValuesThatShowField(field);
	const readOutcome = async (raw: unknown) => readFieldOutcome(form, name, { ...valuesOfOtherFields, [name]: raw });
	const outcomeIfNotAdded = await readOutcome(field.property.default);
	const results: FieldResult[] = [];
	const addResult = (path: string, outcome: unknown) => {
		const isRejected = isEqual(outcome, { rejectedPath: path });
		if (!isRejected) expect({ path, outcome }).toEqual({ path, outcome: outcomeIfNotAdded });
		results.push({ path, isRejected });
	};
	for (const emptyValue of [null, undefined]) {
		for (const raw of createEmptyValues(field, emptyValue)) addResult(name, await readOutcome(raw));
		for (const [innerName, innerField] of Object.entries(field.innerFields ?? {})) {
			for (const raw of createEmptyValues(innerField, emptyValue)) {
				const outcome = await readOutcome(wrapInParent(field, { [innerName]: raw }));
				addResult(`${name}.${innerName}`, outcome);
			}
			for (const [innermostName, { property }] of Object.entries(innerField.innerFields ?? {})) {
				const raw = property.type === 'resourceLocator' ? { mode: 'id', value: emptyValue } : emptyValue;
				const outcome = await readOutcome({ [innerName]: wrapInParent(innerField, { [innermostName]: raw }) });
				addResult(`${name}.${innerName}.${innermostName}`, outcome);
			}
		}
	}
	return results;
}

/**
 * The names of the fields that restrict an operation. If one of them were left out, the operation would affect more records or people, or
 * allow more.
 */
const RESTRICTING_FIELDS = [
	'allowedIpAddresses',
	'hasIpAddressRestriction',
	'isNumberOfUsersLimited',
	'companies',
	'companyGroups',
	'licenseModules',
	'roleResourceIdList',
	'roles',
	'tags',
	'targetGroupResourceIds',
	'targetGroups',
	'markedAsTest',
	'excludeFromReports',
	'excludeTests',
	'sendOnlyActiveUsers',
	'sendRandomlyUsers',
	'scheduledDate',
	'period',
	'periodStart',
	'periodEnd',
	'datePeriod',
	'startDate',
	'endDate',
	'onlyPeopleWho',
	'show',
	'widgets',
	'limit',
	'createdWithinDays',
	'renewalWithinDays',
	'enrollmentType',
	'showOnlyFailedEvents',
	'targetUserResourceId',
];
/** The restricting fields that may be empty in one operation. A new company group has no companies yet, so an empty list can't remove any. */
const OPTIONAL_RESTRICTIONS = ['CompanyGroup create companies'];

/** Returns true for a field that always has a value, because its default is sent if the user selects nothing. */
const isAlwaysFilled = ({ property: { type, default: defaultValue } }: Field<unknown>): boolean => {
	if (['options', 'boolean', 'number'].includes(type)) return true;
	return type === 'resourceLocator' && !isEmpty(readLocatorValue(defaultValue));
};

test('every kind of field is treated as if it had not been added, or is rejected', async () => {
	const testedPaths: string[] = [];
	const wronglyAcceptedPaths: string[] = [];
	const wronglyDefaultedPaths: string[] = [];
	for (const { node, key, operation, name, field } of await listFieldKinds()) {
		for (const { path, isRejected } of await testEmptyValues(operation.fields, name, field)) {
			const fullPath = `${node} ${key} ${path}`;
			testedPaths.push(fullPath);
			// A field is restricting if it is in one of these collections, in a row or group of a collection, or in `RESTRICTING_FIELDS`.
			const isRestricting =
				/^(filters|onlyCompanies)\b|\.(?=.*\.)/.test(path) ||
				RESTRICTING_FIELDS.includes(requireValue(path.split('.').at(-1)));
			if (isRestricting && !isRejected && !OPTIONAL_RESTRICTIONS.includes(fullPath))
				wronglyAcceptedPaths.push(fullPath);
			const isOuterField = path === name;
			if (!operation.isReadOnly && isOuterField && isAlwaysFilled(field) && !isRejected)
				wronglyDefaultedPaths.push(fullPath);
		}
	}
	expect(testedPaths.length).toBeGreaterThan(1000);
	expect(wronglyAcceptedPaths).toEqual([]);
	// In a write, the default of a choice, a boolean or a number must not replace the user's expression if it returns nothing.
	expect([...new Set(wronglyDefaultedPaths)]).toEqual([]);
});

describe('in a node', () => {
	const fixture = createNodeFixture({ companyCount: 3 });
	const ownCompany = { companyScope: 'own' };

	test.each<[result: string, node: NodeClass, parameters: IDataObject, fieldLabels: string]>([
		[
			'an API client that may be used from anywhere',
			SecurityAwarenessApiClient,
			{
				operation: 'create',
				...ownCompany,
				clientId: 'id',
				clientSecret: 'secret',
				name: 'n8n',
				roles: ['r'],
				hasIpAddressRestriction: EMPTY_EXPRESSION,
				allowedIpAddresses: '203.0.113.7',
			},
			"'Restrict IP Addresses'",
		],
		[
			'a real enrollment instead of a test',
			SecurityAwarenessEnrollment,
			{
				operation: 'createAndSend',
				...ownCompany,
				training: toIdLocator('t'),
				name: 'Spring',
				targetGroups: ['g'],
				additionalFields: { markedAsTest: EMPTY_EXPRESSION },
			},
			"'Mark as Test' in 'Additional Fields'",
		],
		[
			'a simulation for everybody',
			SecurityAwarenessPhishingCampaign,
			{ operation: 'start', ...ownCompany, campaign: toIdLocator('c'), targetGroups: EMPTY_EXPRESSION },
			"'Target Group Names or IDs'",
		],
		[
			'a list that is read without its condition',
			SecurityAwarenessTargetGroup,
			{
				operation: 'getMany',
				...ownCompany,
				filters: { fieldFilters: { rows: [{ fieldName: 'Name', operator: 'eq', value: EMPTY_EXPRESSION }] } },
			},
			"'Value' in 'Conditions' in 'Filters'",
		],
		[
			'a schedule that is turned on',
			SecurityAwarenessExecutiveReport,
			{
				resource: 'scheduledReport',
				operation: 'turnOnOrOff',
				...ownCompany,
				scheduledReport: toIdLocator('s'),
				status: EMPTY_EXPRESSION,
			},
			"'Status'",
		],
		[
			'a monthly email',
			SecurityAwarenessExecutiveReport,
			{
				resource: 'scheduledReport',
				operation: 'create',
				...ownCompany,
				name: 'Review',
				reportResourceId: toIdLocator('r'),
				emailAddresses: 'ceo@example.com',
				frequency: EMPTY_EXPRESSION,
			},
			"'Frequency'",
		],
		[
			'a default instead of the choice whether the reporter gets an email',
			SecurityAwarenessReportedEmail,
			{ operation: 'update', ...ownCompany, reportedEmail: toIdLocator('m'), notifyReporter: EMPTY_EXPRESSION },
			"'Notify Reporter'",
		],
		[
			'a change at the wrong company',
			SecurityAwarenessTargetGroup,
			{
				operation: 'create',
				companyScope: EMPTY_EXPRESSION,
				company: toIdLocator('c'),
				name: 'Sales',
				priority: 'High',
			},
			"'Company Scope'",
		],
	])('sends nothing if the result would be %s', async (_result, node, parameters, fieldLabels) => {
		const error = await catchNodeError(fixture.run(node, parameters, { items: [{ json: {} }] }));
		expect(error.message).toBe(`${fieldLabels} must have a value, but has none`);
		expect(error.description).toContain('the input item may not have the data that the expression refers to');
		expect(fixture.standIn.log).toEqual([]);
	});

	test.each(['={{ [] }}', '={{ "" }}', '={{ [""] }}', '={{ [[]] }}', '={{ [[""], [null]] }}', '={{ "[]" }}'])(
		'no system user is created if the expression for the roles found none, as in %s',
		async (roles) => {
			const user = { firstName: 'Nathan', lastName: 'Smith', email: 'nathan@example.com', phoneNumber: '1' };
			const error = await catchNodeError(
				fixture.run(SecurityAwarenessSystemUser, { operation: 'create', ...ownCompany, ...user, roles }),
			);
			expect(error.message).toBe("'Role Names or IDs' must have a value, but has none");
			expect(fixture.standIn.log).toEqual([]);
		},
	);

	test('a person keeps the target groups if the expression for them found none', async () => {
		const parameters = { operation: 'update', ...ownCompany, targetUser: toIdLocator('u') };
		const additionalFields = { targetGroupResourceIds: '={{ [] }}' };
		const error = await catchNodeError(fixture.run(SecurityAwarenessTargetUser, { ...parameters, additionalFields }));
		expect(error.message).toContain('Target Group Names or IDs');
		expect(error.message).toContain('must have a value, but has none');
		expect(fixture.standIn.log).toEqual([]);
	});

	test.each(['nameContains', 'tags'])(
		'a company condition that returns nothing does not mean every company: %s',
		async (name) => {
			const buildForm = (value: string) => ({
				operation: 'getMany',
				companyScope: 'every',
				onlyCompanies: { [name]: value },
			});
			const error = await catchNodeError(
				fixture.run(SecurityAwarenessTargetGroup, buildForm(EMPTY_EXPRESSION), { items: [{ json: {} }] }),
			);
			expect(error.message).toMatch(/^'(Name Contains|Tags)' in 'Only Companies' must have a value, but has none$/);
			expect(fixture.standIn.log).toEqual([]);
			// A condition that the user left empty on purpose means every company.
			const { items } = await fixture.run(SecurityAwarenessTargetGroup, buildForm('={{ "" }}'));
			expect(new Set(items.map(({ json }) => json.companyResourceId)).size).toBe(3);
		},
	);

	test('a field without a value is not sent when a record is created', async () => {
		const user = { firstName: 'Nathan', lastName: 'Smith', email: 'nathan@example.com', phoneNumber: '1' };
		const createSystemUser = async (additionalFields: IDataObject) => {
			fixture.standIn.clearLog();
			await fixture.run(SecurityAwarenessSystemUser, { operation: 'create', ...ownCompany, ...user, additionalFields });
			return parseBody(fixture.requests.at(-1));
		};
		expect(await createSystemUser({ statusId: EMPTY_EXPRESSION, companyResourceId: EMPTY_EXPRESSION })).toEqual(
			await createSystemUser({}),
		);
		for (const blank of ['', '   ', '={{ $json.missing }} '])
			expect(await createSystemUser({ companyResourceId: blank })).toEqual(user);
	});
});
