/**
 * The rule of 'Simplify': ID, name, status and times are kept, whatever they are called; secrets are removed; no record
 * makes it fail.
 */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { simplified } from '../../nodes/shared/answer/simplify';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { SecurityAwarenessEnrollment } from '../../nodes/Enrollment/SecurityAwarenessEnrollment.node';
import { deepOr } from '../setup/depth';
import { byId } from '../cases/customerFixture';
import { answering, nodeFixture, jsonOf, sendJson, type NodeClass } from '../n8n-core/nodeFixture';
const b = nodeFixture();

async function simpleOf(node: NodeClass, parameters: IDataObject, data: unknown) {
	const odd = await answering((_request, response) =>
		sendJson(response, 200, { data, status: 'success', message: null }),
	);
	return jsonOf((await b.run(node, parameters, { store: odd.store })).items);
}

const time = '2031-02-03T04:05:06Z';
const texts = (...names: string[]) => Object.fromEntries(names.map((name) => [name, `the ${name}`]));

/** As a live deployment names the fields of GET companies/{resourceId}. */
const company = {
	...texts(
		'resourceId',
		'name',
		'description',
		'industryResourceId',
		'industryName',
		'countryResourceId',
		'countryName',
		'countryCode',
		'address',
		'websiteUrl',
		'logoUrl',
	),
	...texts('licenseTypeResourceId', 'licenseTypeName', 'licensePeriodTypeResourceId', 'licensePeriodTypeName'),
	...{ licenseStartDate: time, licenseEndDate: time, isNumberOfUsersLimited: true, numberOfUsers: 50 },
	...texts(
		'notificationTemplateTypeResourceId',
		'notificationTemplateTypeName',
		'trainingContentTypeResourceId',
		'trainingContentTypeName',
	),
	...texts(
		'smtpConfigurationTypeResourceId',
		'smtpConfigurationTypeName',
		'preferredLanguageTypeResourceId',
		'preferredLanguageTypeName',
	),
	...{
		isVersionVisible: true,
		isReleaseNotesVisible: true,
		releaseNotesUrl: '',
		companyGroups: [{ resourceId: 'g', name: 'Gold' }],
		parentId: 1,
	},
	...{
		baseManHourCost: 1,
		baseManHour: 1,
		statusId: 1,
		statusName: 'Active',
		licenseModules: ['A', 'B'],
		targetUserCount: 20,
	},
	...{
		timeZoneId: 'Europe/Berlin',
		callBackNumberBookingCount: 0,
		dateFormat: 'd',
		timeFormat: 't',
		tags: ['a'],
		hasAgenticAILicense: false,
	},
};

/** The same of GET enrollments/{resourceId}. */
const enrollment = {
	...texts('trainingId', 'name', 'learningPathId', 'phishingCampaignResourceId', 'certificateConfigSendType'),
	...{
		trainingOrder: 1,
		targetGroupResourceIds: ['g1', 'g2'],
		phishingCampaignConditionTypes: [],
		languageIds: ['en'],
	},
	enrollmentScheduler: {
		scheduledDate: time,
		scheduledTimeZoneId: 'Europe/Berlin',
		useOwnTimeZone: true,
		dueDate: time,
	},
	...{
		enrollmentReminder: { periodCount: 1 },
		enrollmentAutoEnroll: { type: 'x' },
		smsTexts: [{ type: 'a', template: 'b' }],
	},
	...{ awardCertificate: true, markedAsTest: false, trainingTypeId: 3, distributionDays: 0 },
};

describe('records as a live deployment names them', () => {
	test('Get Company', async () => {
		const [json, ...more] = await simpleOf(SecurityAwarenessCompany, { operation: 'get', company: byId('c') }, company);
		expect(more).toEqual([]);
		expect(json).toEqual({
			...{ companyName: 'the name', companyResourceId: 'the resourceId' },
			...{ name: 'the name', resourceId: 'the resourceId', statusId: 1, statusName: 'Active', licenseStartDate: time },
			...{ licenseTypeName: 'the licenseTypeName', licenseEndDate: time, numberOfUsers: 50, targetUserCount: 20 },
			...{ description: 'the description', isNumberOfUsersLimited: true },
		});
		expect(Object.keys(json ?? {}).slice(2, 6)).toEqual(['name', 'resourceId', 'statusId', 'statusName']);
	});

	test('Get Enrollment', async () => {
		const [json] = await simpleOf(
			SecurityAwarenessEnrollment,
			{ operation: 'get', companyScope: 'own', enrollment: byId('e') },
			enrollment,
		);
		expect(Object.keys(json ?? {})).toHaveLength(10);
		expect(json).toMatchObject({
			enrollmentId: 'e',
			name: 'the name',
			trainingId: 'the trainingId',
			enrollmentScheduler: enrollment.enrollmentScheduler,
			targetGroupResourceIds: 'g1, g2',
		});
	});

	test('Get Own Company: small records stay whole, children too', async () => {
		const own = {
			...{ name: 'Reseller', resourceId: 'r', logoUrl: null, privacyDurationId: 1, licenceExpired: false },
			...{ privacyDurationStartTime: time, privacyDurationEndTime: time },
		};
		const child = { ...own, name: 'Child', resourceId: 'c' };
		const items = await simpleOf(SecurityAwarenessCompany, { operation: 'getOwn' }, [
			{ ...own, children: [{ ...child, children: [] }] },
		]);
		expect(items).toEqual([
			{ companyName: 'Reseller', companyResourceId: 'r', ...own },
			{ companyName: 'Child', companyResourceId: 'c', ...child, parentCompanyResourceId: 'r' },
		]);
	});
});

const ESSENTIALS = ['companyName', 'licenceExpired', 'numberOfUsers', 'createTime', 'companyResourceId', 'tags'];
const fill = (count: number) =>
	Object.fromEntries(Array.from({ length: count }, (_, index) => [`field${index}`, index]));

describe('the rule', () => {
	test('a record with most of its essentials keeps these, in their order, and no more of what they tell', () => {
		const whole = {
			...fill(20),
			companyResourceId: '1',
			resourceId: '1',
			name: 'A',
			tags: ['x', 'y'],
			createTime: time,
			numberOfUsers: '5',
			licenceExpired: true,
			companyName: 'A',
		};
		expect(Object.entries(simplified(whole, ESSENTIALS))).toEqual([
			...[
				['companyName', 'A'],
				['licenceExpired', true],
				['numberOfUsers', '5'],
				['createTime', time],
				['companyResourceId', '1'],
				['tags', 'x, y'],
			],
		]);
	});

	test('what they do not tell is added, further times as far as there is room', () => {
		const essentials = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];
		const all = Object.fromEntries(essentials.map((name) => [name, 1]));
		const whole = { ...all, ...fill(20), resourceId: '1', status: 'Active', createTime: time, updateTime: time };
		expect(Object.keys(simplified(whole, essentials))).toEqual([...essentials, 'resourceId', 'status']);
		expect(Object.keys(simplified({ ...whole, startDate: time }, ['startDate', ...essentials.slice(0, 6)]))).toEqual([
			'startDate',
			...essentials.slice(0, 6),
			'resourceId',
			'status',
			'createTime',
		]);
	});

	test.each([
		...['id', 'resourceId', 'companyResourceId', 'targetUserResourceId', 'Id', 'ResourceId', 'EnrollmentId'],
		...['name', 'title', 'email', 'displayName', 'trainingName', 'Name', 'userEmail'],
		...[
			'status',
			'statusId',
			'statusName',
			'lastSendingStatus',
			'Status',
			'examStatusName',
			'licenceExpired',
			'isActive',
			'enabled',
			'state',
		],
		...['createTime', 'createdDate', 'CreateTime', 'lastSendDate', 'createdAt', 'updatedOn', 'date', 'timestamp'],
	])('of 60 fields, %s is kept', (name) => {
		const whole = {
			...fill(30),
			[name]: 'kept',
			...Object.fromEntries(Object.entries(fill(29)).map(([key, value]) => [`more_${key}`, value])),
		};
		expect(simplified(whole, ESSENTIALS)).toMatchObject({ [name]: 'kept' });
		expect(Object.keys(simplified(whole, ESSENTIALS))).toHaveLength(10);
	});

	test('secrets are left out, also where the record is small', () => {
		const secrets = texts('clientSecret', 'ClientSecret', 'token', 'accessToken', 'password', 'apiKey', 'privateKey');
		expect(
			simplified(
				{
					...secrets,
					clientId: 'c',
					name: 'n',
					inner: { children: [[{ ClientSecret: 's', count: 1 }]] },
					all: [{ token: 's' }],
				},
				ESSENTIALS,
			),
		).toEqual({
			...{ clientId: 'c', name: 'n', inner: { children: [[{ count: 1 }]] }, all: [{}] },
		});
		expect(
			simplified({ ...secrets, ...fill(20), tags: [{ token: 's', name: 'n' }] }, ['tags', 'clientSecret']),
		).not.toHaveProperty('clientSecret');
	});

	test('lists: of texts and of things with a name as text, others as they are', () => {
		const shown = simplified(
			{
				a: ['x', 1, null, true],
				b: [
					{ id: 1, name: 'Gold' },
					{ id: 2, displayName: 'Blue' },
				],
				c: [[1]],
				d: [{ nothing: {} }],
				e: [],
			},
			ESSENTIALS,
		);
		expect(shown).toEqual({ a: 'x, 1, true', b: 'Gold, Blue', c: [[1]], d: [{ nothing: {} }], e: '' });
	});

	test('of 10 fields at least 5 are left, also where they are nested', () => {
		const nested = Object.fromEntries(Object.keys(fill(12)).map((name) => [name, { deep: 1 }]));
		expect(Object.keys(simplified({ ...nested, a: 1 }, ESSENTIALS))).toHaveLength(5);
	});

	test('however deep a record is nested: it does not throw', () => {
		const deep = JSON.parse(`${'['.repeat(20_000)}1${']'.repeat(20_000)}`) as IDataObject[];
		expect(JSON.stringify(simplified({ deep, deeper: { deep } }, ESSENTIALS)).length).toBeLessThan(1000);
	});

	test('whatever a record holds: it does not throw, keeps what it had under the essentials, and 5 of 10', () => {
		const odd = fc.constantFrom<IDataObject>(
			{ toString: 0 },
			{ valueOf: 0, toString: 0 },
			{ name: { toString: 0 } },
			{ toJSON: 1 },
		);
		const value = fc.oneof(fc.jsonValue(), odd, fc.array(odd), fc.array(fc.oneof(odd, fc.string(), fc.constant(null))));
		const name = fc.oneof(
			fc.constantFrom(
				...ESSENTIALS,
				'__proto__',
				'constructor',
				'toString',
				'id',
				'name',
				'status',
				'createTime',
				'secret',
			),
			fc.string(),
		);
		fc.assert(
			fc.property(fc.dictionary(name, value, { maxKeys: 40, noNullPrototype: false }), (garbled) => {
				const record = JSON.parse(JSON.stringify(garbled)) as IDataObject;
				const shown = simplified(record, ESSENTIALS);
				const names = Object.keys(record).filter((each) => !/secret/i.test(each));
				expect(Object.keys(shown).length).toBeGreaterThanOrEqual(Math.min(names.length, 5));
				expect(Object.keys(shown).length).toBeLessThanOrEqual(12);
				for (const each of ESSENTIALS) if (names.includes(each)) expect(Object.hasOwn(shown, each)).toBe(true);
				expect(() => JSON.stringify(shown)).not.toThrow();
			}),
			{ numRuns: deepOr(500, 100) },
		);
	});
});
