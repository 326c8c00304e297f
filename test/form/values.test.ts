/**
 * Valid values in another form: numbers instead of words of a choice, lists in a form, other names of a time zone,
 * fields that the service left empty.
 */
import type { IDataObject } from 'n8n-workflow';
import { IANAZone } from 'luxon';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { SecurityAwarenessEnrollment } from '../../nodes/Enrollment/SecurityAwarenessEnrollment.node';
import { SecurityAwarenessSamlSetting } from '../../nodes/SamlSetting/SecurityAwarenessSamlSetting.node';
import { SecurityAwarenessTargetGroup } from '../../nodes/TargetGroup/SecurityAwarenessTargetGroup.node';
import { ianaZoneOf } from '../../nodes/shared/pickers/timeZone';
import { WINDOWS_ZONES } from '../../nodes/shared/pickers/windowsZones';
import { byId } from '../cases/customerFixture';
import { NEW_COMPANY } from '../cases/newCompany';
import { nodeFixture, bodyOf, failureOf, jsonOf, the } from '../n8n-core/nodeFixture';

const b = nodeFixture({ companies: 40 });
afterEach(() => b.service.setOptions({ garble: undefined }));

describe('a choice of numbers', () => {
	const create = (status: unknown, fingerprintType: unknown): IDataObject =>
		({
			...{
				operation: 'create',
				companyScope: 'own',
				name: 'Entra',
				ssoTargetUrl: 'https://idp.example/sso',
				idpEntityId: 'https://idp.example',
				domains: 'bakery.example',
				status,
			},
			...{
				metadataFrom: 'text',
				metadataXml: '<EntityDescriptor entityID="https://idp.example"/>',
				additionalFields: { fingerprint: 'ab', fingerprintType },
			},
		}) as IDataObject;

	test.each([
		['1', '2'],
		[1, 2],
		['={{ 0 }}', '={{ 2 }}'],
		['={{ "0" }}', '={{ "1" }}'],
	])('takes %j and %j, by hand or by expression', async (status, fingerprintType) => {
		await b.run(SecurityAwarenessSamlSetting, create(status, fingerprintType));
		const digit = (value: unknown) => the(/\d/.exec(String(value)))[0];
		expect(b.asked[0]?.body).toMatchObject({
			fields: { StatusId: digit(status), IdPCertFingerprintTypeId: digit(fingerprintType) },
		});
	});

	test.each([2, -1, 1.5, '01', true, '={{ [1] }}', '={{ 1 / 0 }}'])('refuses %j', async (status) => {
		const error = await failureOf(b.run(SecurityAwarenessSamlSetting, create(status, 1)));
		expect(error.message).toMatch(/^'Status' must be one of '1', '0', but is /);
		expect(b.asked).toEqual([]);
	});
});

describe('additional fields of a form', () => {
	const create = (moreFields: unknown): IDataObject => ({
		...NEW_COMPANY,
		additionalFields: { moreFields: JSON.stringify(moreFields) },
	});

	test('texts, numbers, yes or no, lists of these, and names with an index reach the service', async () => {
		await b.run(
			SecurityAwarenessCompany,
			create({ A: 'x', B: 2, C: false, Some: ['x', 2, true], None: [], 'Items[0].Name': 'y', 'Items[0].Count': 1 }),
		);
		const { fields } = bodyOf(b.service.requests('POST /api/companies')[0]);
		expect(fields).toMatchObject({
			A: 'x',
			B: '2',
			C: 'false',
			Some: ['x', '2', 'true'],
			'Items[0].Name': 'y',
			'Items[0].Count': '1',
		});
		expect(fields).not.toHaveProperty('None');
	});

	test.each<[string, unknown, string, string]>([
		[
			'a list of objects',
			{ Items: [{ Name: 'x' }] },
			"must have only texts and numbers in the list 'Items', because this operation sends a form",
			'Items[0].Name',
		],
		[
			'a list with one object',
			{ Items: ['x', { Name: 'x' }] },
			"must have only texts and numbers in the list 'Items', because this operation sends a form",
			'Items[0].Name',
		],
		[
			'a list with null',
			{ Items: ['x', null] },
			"must have only texts and numbers in the list 'Items', because this operation sends a form",
			'Items[0].Name',
		],
		[
			'a list of lists',
			{ Items: [['x']] },
			"must have only texts and numbers in the list 'Items', because this operation sends a form",
			'Items[0].Name',
		],
		[
			'an object that breaks on being made text',
			{ Items: [{ toString: 0 }] },
			"must have only texts and numbers in the list 'Items', because this operation sends a form",
			'Items[0].Name',
		],
		['an object', { Item: { Name: 'x' } }, "must not have an object or null under 'Item'", 'Item.Name'],
	])('%s is refused before anything is asked', async (_name, more, complaint, example) => {
		const error = await failureOf(b.run(SecurityAwarenessCompany, create(more)));
		expect(error.message).toBe(`'Additional Fields (JSON)' in 'Additional Fields' ${complaint}`);
		expect(error.description).toContain(`{ "${example}": "value" }`);
		expect(b.asked).toEqual([]);
	});
});

describe('a time zone by another name', () => {
	const enroll = (scheduler: IDataObject): IDataObject => {
		const [training] = b.service.state.trainings;
		const [group] = b.service.state.targetGroups;
		const owner = the(group).companyResourceId;
		return {
			operation: 'create',
			companyScope: 'one',
			company: byId(owner),
			training: byId(the(training).trainingId),
			name: 'New hires',
			targetGroups: [the(group).resourceId],
			scheduler,
		};
	};
	const scheduled = () => bodyOf(b.service.requests('POST /api/enrollments').at(-1)).enrollmentScheduler;

	test.each([
		['Europe/Berlin', '2031-01-15T07:00:00.000Z'],
		['W. Europe Standard Time', '2031-01-15T07:00:00.000Z'],
		['w. europe standard time', '2031-01-15T07:00:00.000Z'],
		['Eastern Standard Time', '2031-01-15T13:00:00.000Z'],
		['India Standard Time', '2031-01-15T02:30:00.000Z'],
		['UTC', '2031-01-15T08:00:00.000Z'],
		['UTC+12', '2031-01-14T20:00:00.000Z'],
		['UTC-3', '2031-01-15T11:00:00.000Z'],
	])('%s: eight in the morning there, and the zone as it was chosen', async (zone, utc) => {
		await b.run(
			SecurityAwarenessEnrollment,
			enroll({ scheduledDate: '2031-01-15T08:00:00', scheduledTimeZoneId: byId(zone) }),
		);
		expect(scheduled()).toEqual({ scheduledDate: utc, scheduledTimeZoneId: zone });
	});

	test.each(['Middle-earth', '(UTC+01:00) Amsterdam, Berlin', '42', 'local'])(
		'%s: a time without its distance from UTC is refused before anything is asked',
		async (zone) => {
			for (const [name, label] of [
				['scheduledDate', 'Start Date'],
				['dueDate', 'Due Date'],
			] as const) {
				const error = await failureOf(
					b.run(
						SecurityAwarenessEnrollment,
						enroll({ [name]: '2031-01-15T08:00:00', scheduledTimeZoneId: byId(zone) }),
					),
				);
				expect(error.message).toBe(
					`'${label}' in 'Schedule' must have its offset from UTC, because the time zone '${zone}' is unknown`,
				);
				expect(error.description).toContain('2026-01-31T09:00:00+01:00');
			}
			expect(b.asked).toEqual([]);
		},
	);

	test.each([
		['2031-01-15T08:00:00+03:00', '2031-01-15T05:00:00.000Z'],
		['2031-01-15 08:00:00Z', '2031-01-15T08:00:00.000Z'],
		['={{ DateTime.fromISO("2031-01-15T08:00:00Z") }}', '2031-01-15T08:00:00.000Z'],
		['={{ new Date("2031-01-15T08:00:00Z") }}', '2031-01-15T08:00:00.000Z'],
	])('an unknown one is no matter for %s', async (scheduledDate, utc) => {
		await b.run(SecurityAwarenessEnrollment, enroll({ scheduledDate, scheduledTimeZoneId: byId('Middle-earth') }));
		expect(scheduled()).toEqual({ scheduledDate: utc, scheduledTimeZoneId: 'Middle-earth' });
	});

	test('a date that is none is called so, whatever the zone', async () => {
		const error = await failureOf(
			b.run(
				SecurityAwarenessEnrollment,
				enroll({ scheduledDate: 'tomorrow', scheduledTimeZoneId: byId('Middle-earth') }),
			),
		);
		expect(error.message).toContain('must be a date such as 2026-01-31');
	});

	test('without a date or a zone no schedule is sent (contract 2.9)', async () => {
		await b.run(SecurityAwarenessEnrollment, enroll({}));
		expect(bodyOf(b.service.requests('POST /api/enrollments').at(-1))).not.toHaveProperty('enrollmentScheduler');
	});

	test('every name of Windows is a zone that exists', () => {
		expect(WINDOWS_ZONES.size).toBe(139);
		for (const [windows, iana] of WINDOWS_ZONES) {
			expect(windows).toMatch(/^([a-z0-9. +-]+ standard time( \(mexico\)| \d)?|russia time zone \d+|utc([+-]\d\d)?)$/);
			expect(IANAZone.isValidZone(iana)).toBe(true);
			expect(ianaZoneOf(windows.toUpperCase())).toBeDefined();
		}
	});

	test.each(['UTC+2', 'utc-11', ' UTC+05:30 '])("'%s' is an offset", (offset) => {
		expect(ianaZoneOf(offset)).toBe(offset.trim());
	});

	test.each(['UTC+2 or so', 'about UTC+2', 'UTC+123', 'UTC+5:3'])("'%s' is no zone", (offset) => {
		expect(ianaZoneOf(offset)).toBeUndefined();
	});
});

describe('whose a record is, for every company', () => {
	const everyBakery = {
		operation: 'getMany',
		companyScope: 'every',
		company: { value: '' },
		companyFilter: { nameContains: 'bakery' },
		returnAll: true,
	};
	const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
	/** The target groups' rows with other fields. */
	const rowsWith = (more: IDataObject | ((row: Record<string, unknown>) => object)) => (envelope: unknown) => {
		const page = isObject(envelope) && isObject(envelope.data) ? envelope.data : {};
		if (!Array.isArray(page.results) || page.results.some((row) => isObject(row) && !('userCount' in row)))
			return envelope;
		const results = page.results.map((row: Record<string, unknown>) => ({
			...row,
			...(typeof more === 'function' ? more(row) : more),
		}));
		return { ...(isObject(envelope) ? envelope : {}), data: { ...page, results } };
	};

	test.each<[string, IDataObject]>([
		['null', { companyName: null, companyResourceId: null }],
		['empty', { companyName: '', companyResourceId: '' }],
		['missing', {}],
	])('what the service left open is filled in: %s', async (_name, open) => {
		const bakeries = b.service.state.companies.filter(({ companyName }) => companyName?.includes('Bakery'));
		b.service.setOptions({
			garble: rowsWith((row) => ({ ...row, companyName: undefined, companyResourceId: undefined, ...open })),
		});
		const items = jsonOf((await b.run(SecurityAwarenessTargetGroup, everyBakery)).items);
		expect(items.length).toBeGreaterThan(bakeries.length);
		expect(
			new Set(items.map(({ companyName, companyResourceId }) => `${String(companyResourceId)} ${String(companyName)}`)),
		).toEqual(
			new Set(bakeries.map(({ companyName, companyResourceId }) => `${companyResourceId} ${String(companyName)}`)),
		);
		expect(Object.keys(the(items[0])).slice(0, 2)).toEqual(['companyName', 'companyResourceId']);
	});

	test('what the service says itself stays', async () => {
		b.service.setOptions({ garble: rowsWith({ companyName: 'As it says', companyResourceId: 0 }) });
		const items = jsonOf((await b.run(SecurityAwarenessTargetGroup, everyBakery)).items);
		expect(
			items.filter(({ companyName, companyResourceId }) => companyName !== 'As it says' || companyResourceId !== 0),
		).toEqual([]);
	});
});
