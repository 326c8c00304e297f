/**
 * An expression without a result is no value: the form is as if the field had not been added, or the field is named in an error
 * before anything is sent. Every field of every operation is tried; what a request has depends on nothing but these values.
 */
import { isEqual, mapValues, omit } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessApiClient } from '../../nodes/ApiClient/SecurityAwarenessApiClient.node';
import { SecurityAwarenessEnrollment } from '../../nodes/Enrollment/SecurityAwarenessEnrollment.node';
import { SecurityAwarenessExecutiveReport } from '../../nodes/ExecutiveReport/SecurityAwarenessExecutiveReport.node';
import { SecurityAwarenessPhishingCampaign } from '../../nodes/PhishingCampaign/SecurityAwarenessPhishingCampaign.node';
import { SecurityAwarenessReportedEmail } from '../../nodes/ReportedEmail/SecurityAwarenessReportedEmail.node';
import { SecurityAwarenessSystemUser } from '../../nodes/SystemUser/SecurityAwarenessSystemUser.node';
import { SecurityAwarenessTargetUser } from '../../nodes/TargetUser/SecurityAwarenessTargetUser.node';
import { SecurityAwarenessTargetGroup } from '../../nodes/TargetGroup/SecurityAwarenessTargetGroup.node';
import type { Field, FieldMap } from '../../nodes/core/fields/field';
import { readLocatorValue } from '../../nodes/core/fields/fieldTypes';
import { FormValues } from '../../nodes/core/fields/formValues';
import { InvalidInputError } from '../../nodes/core/http/errors';
import { isEmpty } from '../../nodes/core/values';
import { loadAllOperations } from '../contract/catalogue';
import { parseBody, catchNodeError, createNodeFixture, requireValue, type NodeClass } from '../n8n-core/nodeFixture';

const NOTHING = '={{ $json.missing }}';
const item = { timezone: 'UTC', upload: async () => Promise.reject(new InvalidInputError('is no file')) };

/** What becomes of a field of a form, given the raw values of the form's fields; an error by its path. */
async function outcomeOf(form: FieldMap, name: string, raw: Record<string, unknown>): Promise<unknown> {
	const values = await FormValues.read(form, (each) => (each in raw ? (raw[each] ?? null) : undefined), item);
	try {
		return values.get({ [name]: requireValue(form[name]) })[name];
	} catch (error) {
		if (error instanceof InvalidInputError) return { refused: error.path.join('.') };
		throw error;
	}
}

/** What n8n gives for an expression without a result in a field: alone, or as the value of a resource locator. */
const nothingIn = ({ property }: Field<unknown>, none: null | undefined): unknown[] =>
	property.type === 'resourceLocator' ? [none, { mode: 'id', value: none }] : [none];

/** A raw value of each kind of field in a row; of a choice, its default. */
const filledIn = ({ property: { type, default: start } }: Field<unknown>): unknown => {
	if (type === 'resourceLocator') return { mode: 'id', value: 'x' };
	return type === 'options' ? start : 'x';
};

/** The raw value of a field with an inner field; in a row the others are filled in, so that the inner one is shown. */
function holding({ property, innerFields: inner = {} }: Field<unknown>, part: Record<string, unknown>): unknown {
	if (property.type === 'collection') return part;
	const [name = ''] = Object.keys(part);
	const shown = mapValues(inner[name]?.show ?? {}, (values) => values?.[0]);
	const row = { ...omit(mapValues(inner, filledIn), name), ...shown, ...part };
	return property.typeOptions?.multipleValues ? { rows: [row] } : { fields: row };
}

interface Tried {
	path: string;
	refused: boolean;
}

/** Tries a field with nothing, and those inside it. @returns of each whether it was refused @throws where it is neither refused nor as if not added */
async function tryField(form: FieldMap, name: string, field: Field<unknown>): Promise<Tried[]> {
	// The fields that decide whether it is shown have the value for it.
	const shown = mapValues(field.show ?? {}, (values) => values?.[0]);
	const of = async (raw: unknown) => outcomeOf(form, name, { ...shown, [name]: raw });
	const notAdded = await of(field.property.default);
	const tried: Tried[] = [];
	const compare = (path: string, outcome: unknown) => {
		const refused = isEqual(outcome, { refused: path });
		if (!refused) expect({ path, outcome }).toEqual({ path, outcome: notAdded });
		tried.push({ path, refused });
	};
	for (const none of [null, undefined]) {
		for (const raw of nothingIn(field, none)) compare(name, await of(raw));
		for (const [inner, part] of Object.entries(field.innerFields ?? {})) {
			for (const raw of nothingIn(part, none)) compare(`${name}.${inner}`, await of(holding(field, { [inner]: raw })));
			for (const [cell, { property }] of Object.entries(part.innerFields ?? {})) {
				const raw = property.type === 'resourceLocator' ? { mode: 'id', value: none } : none;
				compare(`${name}.${inner}.${cell}`, await of({ [inner]: holding(part, { [cell]: raw }) }));
			}
		}
	}
	return tried;
}

/** Fields without which more would be done than was meant, by the ends of their paths. */
const WIDER = [
	'allowedIpAddresses',
	'hasIpAddressRestriction',
	'isNumberOfUsersLimited',
	'participantList',
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
/** A new group, which has no companies that could be replaced. */
const NARROWER = ['CompanyGroup create participantList'];

/** Returns true for a field that always has a value, so that its default would be sent if the user chose nothing. */
const hasChosen = ({ property: { type, default: start } }: Field<unknown>): boolean => {
	if (['options', 'boolean', 'number'].includes(type)) return true;
	return type === 'resourceLocator' && !isEmpty(readLocatorValue(start));
};

test('every field of every operation is as if it had not been added, or is refused', async () => {
	const all: string[] = [];
	const notRefused: string[] = [];
	const switchedOn: string[] = [];
	for (const { node, operation } of await loadAllOperations()) {
		for (const [name, field] of Object.entries(operation.fields)) {
			for (const { path, refused } of await tryField(operation.fields, name, field)) {
				const at = `${node} ${operation.value} ${path}`;
				all.push(at);
				const isWider =
					/^(filters|onlyCompanies)\b|\.(?=.*\.)/.test(path) || WIDER.includes(requireValue(path.split('.').at(-1)));
				if (isWider && !refused && !NARROWER.includes(at)) notRefused.push(at);
				if (!operation.isReadOnly && path === name && hasChosen(field) && !refused) switchedOn.push(at);
			}
		}
	}
	expect(all.length).toBeGreaterThan(5000);
	expect(notRefused).toEqual([]);
	// In a write, the default of a choice, a switch or a number must not replace the user's choice.
	expect([...new Set(switchedOn)]).toEqual([]);
});

describe('in a node', () => {
	const b = createNodeFixture({ companyCount: 3 });
	const byId = (value: string) => ({ mode: 'id', value });
	const own = { companyScope: 'own' };

	test.each<[what: string, node: NodeClass, parameters: IDataObject, field: string]>([
		[
			'an API client that may be used from anywhere',
			SecurityAwarenessApiClient,
			{
				operation: 'create',
				...own,
				clientId: 'id',
				clientSecret: 'secret',
				name: 'n8n',
				roles: ['r'],
				hasIpAddressRestriction: NOTHING,
				allowedIpAddresses: '203.0.113.7',
			},
			"'Restrict IP Addresses'",
		],
		[
			'a real enrollment instead of a test',
			SecurityAwarenessEnrollment,
			{
				operation: 'createAndSend',
				...own,
				training: byId('t'),
				name: 'Spring',
				targetGroups: ['g'],
				additionalFields: { markedAsTest: NOTHING },
			},
			"'Mark as Test' in 'Additional Fields'",
		],
		[
			'a simulation for everybody',
			SecurityAwarenessPhishingCampaign,
			{ operation: 'start', ...own, campaign: byId('c'), targetGroups: NOTHING },
			"'Target Group Names or IDs'",
		],
		[
			'a list of groups with a hole, which takes the place of another',
			SecurityAwarenessTargetUser,
			{
				operation: 'update',
				...own,
				targetUser: byId('u'),
				additionalFields: { targetGroupResourceIds: '={{ ["g", $json.missing] }}' },
			},
			"'Target Group Names or IDs' in 'Update Fields'",
		],
		[
			'a list without its condition',
			SecurityAwarenessTargetGroup,
			{
				operation: 'getMany',
				...own,
				filters: { fieldFilters: { rows: [{ fieldName: 'Name', operator: 'eq', value: NOTHING }] } },
			},
			"'Value' in 'Conditions' in 'Filters'",
		],
		[
			'a schedule that is switched on',
			SecurityAwarenessExecutiveReport,
			{ operation: 'switchScheduledReport', ...own, scheduledReport: byId('s'), status: NOTHING },
			"'Status'",
		],
		[
			'a monthly email',
			SecurityAwarenessExecutiveReport,
			{
				operation: 'createScheduledReport',
				...own,
				name: 'Review',
				reportResourceId: byId('r'),
				emailAddresses: 'ceo@example.com',
				frequency: NOTHING,
			},
			"'Frequency'",
		],
		[
			'an answer that is mailed to the reporter, or not',
			SecurityAwarenessReportedEmail,
			{ operation: 'update', ...own, reportedEmail: byId('m'), notifyReporter: NOTHING },
			"'Notify Reporter'",
		],
		[
			'a change at the company of the credential, or at another one',
			SecurityAwarenessTargetGroup,
			{ operation: 'create', companyScope: NOTHING, company: byId('c'), name: 'Sales', priority: 'High' },
			"'Company Scope'",
		],
	])('nothing is sent that would be %s', async (_what, node, parameters, field) => {
		const error = await catchNodeError(b.run(node, parameters, { items: [{ json: {} }] }));
		expect(error.message).toBe(`${field} must have a value, but has none`);
		expect(error.description).toContain('the input item may lack what the expression names');
		expect(b.standIn.log).toEqual([]);
	});

	test.each(['nameContains', 'tags'])('a company condition without a result is not every company: %s', async (name) => {
		const parameters = (value: string) => ({
			operation: 'getMany',
			companyScope: 'every',
			onlyCompanies: { [name]: value },
		});
		const error = await catchNodeError(b.run(SecurityAwarenessTargetGroup, parameters(NOTHING), { items: [{ json: {} }] }));
		expect(error.message).toMatch(/^'(Name Contains|Tags)' in 'Only Companies' must have a value, but has none$/);
		expect(b.standIn.log).toEqual([]);
		// A setting that a person left empty is one: every company.
		const { items } = await b.run(SecurityAwarenessTargetGroup, parameters('={{ "" }}'));
		expect(new Set(items.map(({ json }) => json.companyResourceId)).size).toBe(3);
	});

	test('what a created record is not given is not sent', async () => {
		const user = { firstName: 'Nathan', lastName: 'Smith', email: 'nathan@example.com', phoneNumber: '1' };
		const create = async (additionalFields: IDataObject) => {
			b.standIn.clearLog();
			await b.run(SecurityAwarenessSystemUser, { operation: 'create', ...own, ...user, additionalFields });
			return parseBody(b.requests.at(-1));
		};
		expect(await create({ statusId: NOTHING, companyResourceId: NOTHING })).toEqual(await create({}));
		for (const blank of ['', '   ', '={{ $json.missing }} '])
			expect(await create({ companyResourceId: blank })).toEqual(user);
	});
});
