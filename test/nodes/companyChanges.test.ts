/** Tests updates of companies, on a stand-in that behaves like a live deployment. */
import { pick } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { toIdLocator, type CustomerFixture } from '../cases';
import { createInputItem, runCase } from '../cases/operationFixture';
import { getHintMessages, requireValue } from '../n8n-core/nodeFixture';
import { createDeployedFixture, getFailureMessage } from './deployedFixture';

const { fixture, run } = createDeployedFixture();
/** The customer of the tests. It is set before each test, because a test may rename the company. */
let customer: CustomerFixture;
beforeEach(() => {
	customer = fixture.customer.switchToCompany(fixture.customer.company);
});

const READ_COMPANY = 'GET /api/companies/{resourceId}';
const UPDATE_COMPANY = 'PUT /api/companies/{resourceId}';
const LIMITED_UPDATE_COMPANY = 'PUT /api/companies/limited';

const buildCompanyParameters = () => ({ company: toIdLocator(customer.companyId) });
const update = async (additionalFields: IDataObject) =>
	run('Company', 'update', { ...buildCompanyParameters(), additionalFields });
const recordSchema = z.record(z.unknown());
/** Reads the company's current record. */
const readRecord = async () => recordSchema.parse(await customer.fetchData(`GET /api/companies/${customer.companyId}`));
/** Changes the records in the platform's responses to `READ_COMPANY`. */
const changeRecords = (change: (data: Record<string, unknown>) => object) =>
	fixture.standIn.setOptions({
		transformEnvelope: (envelope, { route }) => {
			if (route !== READ_COMPANY) return envelope;
			const response = recordSchema.parse(envelope);
			return { ...response, data: change(recordSchema.parse(response.data)) };
		},
	});
afterEach(() => fixture.standIn.setOptions({ transformEnvelope: undefined }));

describe('update', () => {
	const SINGLE_FIELD_CHANGES: Array<[field: string, additionalFields: IDataObject, changedFields: IDataObject]> = [
		['name', { name: 'Hafen-Bäckerei' }, { name: 'Hafen-Bäckerei' }],
		['numberOfUsers', { numberOfUsers: 5 }, { numberOfUsers: 5 }],
		['address', { address: 'Kai 7' }, { address: 'Kai 7' }],
		['tags', { tags: 'gold, pilot' }, { tags: ['gold', 'pilot'] }],
		['licenseEndDate', { licenseEndDate: '2033-01-01T00:00:00Z' }, { licenseEndDate: '2033-01-01T00:00:00.000Z' }],
		['isNumberOfUsersLimited', { isNumberOfUsersLimited: false }, { isNumberOfUsersLimited: false }],
		['companyGroups', { companyGroups: [] }, { companyGroups: [] }],
	];

	test.each(SINGLE_FIELD_CHANGES)(
		'%s alone: every other field is the same, byte for byte',
		async (_field, additionalFields, changedFields) => {
			const { resourceId } = requireValue(customer.world.companyGroups[0]);
			await update({ companyGroups: resourceId });
			const recordBefore = await readRecord();
			expect(recordBefore.companyGroups).toHaveLength(1);
			const result = await update(additionalFields);
			expect(JSON.stringify(await readRecord())).toBe(JSON.stringify({ ...recordBefore, ...changedFields }));
			expect(getHintMessages(result)).toEqual([]);
		},
	);

	test('without update fields nothing is sent', async () => {
		const recordBefore = await readRecord();
		fixture.standIn.clearLog();
		await expect(update({})).rejects.toThrow("'Update Fields' must have at least one field to change");
		expect(fixture.standIn.log).toEqual([]);
		expect(await readRecord()).toEqual(recordBefore);
	});

	test('the logo stays, because its URL is sent again; a new logo replaces it without a hint about an unexpected change', async () => {
		const recordBefore = await readRecord();
		await update({ name: 'Renamed' });
		expect((await readRecord()).logoUrl).toBe(recordBefore.logoUrl);
		const logo = { fileName: 'logo.png', mimeType: 'image/png', content: Buffer.from('89504e470d0a1a0a', 'hex') };
		const parameters = { ...buildCompanyParameters(), additionalFields: { logo: 'logo' } };
		const items = [await createInputItem({ logo })];
		const result = await runCase(fixture, { node: 'Company', operation: 'update' }, { parameters }, { items });
		expect(customer.world.logos[customer.companyId]?.fileName).toBe('logo.png');
		expect(getHintMessages(result)).toEqual([]);
	});

	/** Removes a field from the records, or sets it to null. */
	const hideField = (field: string, isNull: boolean) =>
		changeRecords(({ [field]: _hidden, ...otherFields }) => (isNull ? { ...otherFields, [field]: null } : otherFields));

	test.each(
		[true, false].flatMap((isNull) => [
			['timeZoneId', 'Time Zone', isNull] as const,
			['industryResourceId', 'Industry', isNull] as const,
			['numberOfUsers', 'Number of Users', isNull] as const,
		]),
	)('a record without the required %s: the error asks for %s, and nothing is sent', async (field, label, isNull) => {
		hideField(field, isNull);
		const message = await getFailureMessage(update({ name: 'Renamed' }));
		expect(message).toContain(`'Update Fields' must have a value for ${label}: `);
		expect(message).toContain('Nothing was changed');
		expect(fixture.requests.map(({ route }) => route)).toEqual([READ_COMPANY]);
	});

	test.each(
		['isVersionVisible', 'callBackNumberBookingCount', 'companyGroups', 'logoUrl', 'description'].flatMap((field) =>
			[true, false].map((isNull) => [field, isNull] as const),
		),
	)('a record without the optional %s: the update sends all other fields', async (field, isNull) => {
		const recordBefore = await readRecord();
		hideField(field, isNull);
		await update({ name: 'Renamed' });
		changeRecords((data) => data);
		const names = ['industryResourceId', 'timeZoneId', 'numberOfUsers', 'licenseEndDate', 'tags'];
		expect(await readRecord()).toMatchObject({ name: 'Renamed', ...pick(recordBefore, names) });
	});

	const UNREADABLE_VALUES: Array<[field: string, label: string, value: unknown, replacement: IDataObject]> = [
		['companyGroups', 'Company Group', [{ name: 'Gold partners' }], { companyGroups: [] }],
		['companyGroups', 'Company Group', [{ resourceId: '', name: 'Gold partners' }], { companyGroups: [] }],
		['licenseModules', 'License Module', [null], { licenseModules: [] }],
		['tags', 'Tags', [{ name: 'gold' }], { tags: 'gold' }],
		['tags', 'Tags', 5, { tags: 'gold' }],
	];
	test.each(UNREADABLE_VALUES)(
		'%s that cannot be read are not lost when another field changes',
		async (field, label, value, replacement) => {
			changeRecords((data) => ({ ...data, [field]: value }));
			const message = await getFailureMessage(update({ numberOfUsers: 5 }));
			expect(message).toContain(`because the platform shows ${label} in a form that can't be read`);
			expect(message).toContain('Nothing was changed');
			expect(fixture.standIn.getRequests(UPDATE_COMPANY)).toEqual([]);
			// This update reports an error, because the distorted record can't be compared with what was sent.
			await update({ numberOfUsers: 6, ...replacement }).catch(() => undefined);
			changeRecords((data) => data);
			expect((await readRecord()).numberOfUsers).toBe(6);
		},
	);

	test('a field that is missing in the record can be set', async () => {
		changeRecords(({ timeZoneId: _hidden, ...otherFields }) => otherFields);
		await update({ timeZone: toIdLocator('Europe/Berlin') });
		changeRecords((data) => data);
		expect((await readRecord()).timeZoneId).toBe('Europe/Berlin');
	});

	test('a hint names fields that changed without being requested', async () => {
		let readCount = 0;
		changeRecords((data) => (readCount++ > 0 ? { ...data, dateFormat: 'MM/dd/yyyy' } : data));
		const result = await update({ name: 'Renamed' });
		expect(getHintMessages(result).join()).toContain(
			'The platform also changed fields that you did not enter: Date Format.',
		);
	});

	test.each([
		['the license stays', LIMITED_UPDATE_COMPANY, { name: 'Renamed' }],
		['the license changes', UPDATE_COMPANY, { numberOfUsers: 5 }],
	])('an update whose response was lost is not sent again: %s', async (_change, route, additionalFields) => {
		fixture.standIn.addFault({ route, kind: 'html-502', times: Infinity });
		await getFailureMessage(update(additionalFields));
		const writeRequests = fixture.requests.filter(({ method }) => method === 'PUT');
		expect(writeRequests.map((request) => request.route)).toEqual([route]);
	});

	test.each([
		['a name', { name: 'Renamed' }],
		[
			'an address, a time zone',
			{ address: 'Kai 7', timeZone: toIdLocator('Europe/Berlin'), websiteUrl: 'https://x.example' },
		],
	])('%s: the limited update is sent, with only the fields that it accepts', async (_change, additionalFields) => {
		const result = await update(additionalFields);
		expect(fixture.standIn.getRequests(UPDATE_COMPANY)).toEqual([]);
		const [request] = fixture.standIn.getRequests(LIMITED_UPDATE_COMPANY);
		const { fields } = z.object({ fields: recordSchema }).parse(request?.body);
		expect(fields).toMatchObject({ ResourceId: customer.companyId });
		expect(request?.undocumentedFields).toEqual([]);
		expect(getHintMessages(result)).toEqual([]);
	});

	const FIELDS_IGNORED_BY_LIMITED_UPDATE: Array<
		[field: string, additionalFields: IDataObject, changedFields: IDataObject]
	> = [
		['status', { status: '2' }, { statusId: 2 }],
		['tags', { tags: 'gold', name: 'Renamed' }, { tags: ['gold'], name: 'Renamed' }],
		['date format', { dateFormat: toIdLocator('MM/dd/yyyy') }, { dateFormat: 'MM/dd/yyyy' }],
		['time format', { timeFormat: toIdLocator('12h') }, { timeFormat: '12h' }],
		['SMTP', { smtpConfiguration: toIdLocator('smtp2x7') }, { smtpConfigurationTypeResourceId: 'smtp2x7' }],
		[
			'notification template',
			{ notificationTemplateType: toIdLocator('note2x7') },
			{ notificationTemplateTypeResourceId: 'note2x7' },
		],
		['training content', { trainingContentType: toIdLocator('cont2x7') }, { trainingContentTypeResourceId: 'cont2x7' }],
		['a license in JSON', { additionalFieldsJson: '{ "NumberOfUsers": 5 }' }, { numberOfUsers: 5 }],
	];

	test.each(FIELDS_IGNORED_BY_LIMITED_UPDATE)(
		'%s: the complete record is sent, because the limited update ignores the field',
		async (_field, additionalFields, changedFields) => {
			const recordBefore = await readRecord();
			const result = await update(additionalFields);
			expect(await readRecord()).toMatchObject({
				...pick(recordBefore, ['name', 'description', 'licenseEndDate']),
				...changedFields,
			});
			expect(fixture.standIn.getRequests(LIMITED_UPDATE_COMPANY)).toEqual([]);
			expect(getHintMessages(result)).toEqual([]);
		},
	);

	test('a field that is cleared is sent with the complete record, because the limited update may not clear it', async () => {
		await update({ address: 'Kai 7' });
		await update({ name: 'Renamed', address: '' });
		expect(await readRecord()).toMatchObject({ name: 'Renamed', address: null });
		expect(fixture.standIn.getRequests(LIMITED_UPDATE_COMPANY)).toHaveLength(1);
		expect(fixture.standIn.getRequests(UPDATE_COMPANY)).toHaveLength(1);
	});

	test('a switch that was turned off, a cleared text and a stored 0 are sent, because no document says what a missing field means', async () => {
		await update({ address: 'Kai 7' });
		Object.assign(requireValue(customer.world.companyDetails[customer.companyId]), { callBackNumberBookingCount: 0 });
		await update({ address: '', isNumberOfUsersLimited: false });
		const [request] = fixture.standIn.getRequests(UPDATE_COMPANY);
		expect(z.object({ fields: recordSchema }).parse(request?.body).fields).toMatchObject({
			Address: '',
			IsNumberOfUsersLimited: 'false',
			CallBackNumberBookingCount: '0',
		});
	});

	test('an unknown field is sent with the complete record, never with the limited update', async () => {
		await update({ name: 'Renamed', additionalFieldsJson: '{ "Note": "n" }' });
		expect(fixture.standIn.getRequests(LIMITED_UPDATE_COMPANY)).toEqual([]);
		expect(fixture.standIn.getRequests(UPDATE_COMPANY).map(({ undocumentedFields }) => undocumentedFields)).toEqual([
			['note'],
		]);
	});

	test.each([404, 400] as const)(
		'a platform without the limited update (%d) gets the complete record',
		async (status) => {
			const recordBefore = await readRecord();
			fixture.standIn.addFault({ route: LIMITED_UPDATE_COMPANY, kind: 'status', status, times: Infinity });
			await update({ name: 'Renamed' });
			expect(await readRecord()).toEqual({ ...recordBefore, name: 'Renamed' });
			expect(fixture.standIn.getRequests(UPDATE_COMPANY)).toHaveLength(1);
		},
	);

	/**
	 * Changes the record that the platform returns after an update.
	 * @param change returns the values that differ from the real record
	 */
	const changeRecordAfterUpdate = (
		change: (before: Record<string, unknown>, after: Record<string, unknown>) => object,
	) => {
		let firstRecord: Record<string, unknown> | undefined;
		changeRecords((data) => {
			if (firstRecord) return { ...data, ...change(firstRecord, data) };
			firstRecord = data;
			return data;
		});
	};

	test.each([
		['one', ['address'], 'Address'],
		['two', ['address', 'tags'], 'Address, Tags'],
	])(
		'if fields keep their old values, the error names them and says that the rest was saved: %s',
		async (_count, fields, labels) => {
			changeRecordAfterUpdate((before) => ({ ...pick(before, fields), description: 'Bakes bread.' }));
			const message = await getFailureMessage(
				update({
					address: 'Kai 7',
					tags: 'silver',
					name: 'Renamed',
					licenseEndDate: '2033-01-01',
					description: 'Bakes  bread.',
				}),
			);
			expect(message).toContain(`these fields still have their old values: ${labels}`);
			expect(message).toMatch(/The platform saved the other fields: .*Name.*License End Date.*Description/);
			expect(customer.company.companyName).toBe('Renamed');
		},
	);

	test('a field that was emptied but keeps its old value is an error, too', async () => {
		await update({ address: 'Kai 7' });
		changeRecordAfterUpdate((before) => pick(before, 'address'));
		expect(await getFailureMessage(update({ address: '' }))).toContain('still have their old values: Address');
	});

	test('a date that was emptied but keeps its old value is an error, too', async () => {
		changeRecordAfterUpdate((before) => pick(before, 'licenseEndDate'));
		expect(await getFailureMessage(update({ additionalFieldsJson: '{ "LicenseEndDate": "" }' }))).toContain(
			'still have their old values: License End Date',
		);
	});

	const SAVED_DIFFERENTLY: Array<[difference: string, additionalFields: IDataObject, savedFields: IDataObject]> = [
		['trimmed', { description: 'Bakes  bread.' }, { description: 'Bakes bread.' }],
		['in another zone', { licenseEndDate: '2033-01-01T00:00:00Z' }, { licenseEndDate: '2033-01-01T03:00:00' }],
		['a day earlier', { licenseEndDate: '2033-01-01T00:00:00Z' }, { licenseEndDate: '2032-12-31T19:00:00Z' }],
		['as a day', { licenseEndDate: '2033-01-01T20:00:00Z' }, { licenseEndDate: '2033-01-01' }],
		['in lowercase', { description: 'Info@Mill.Example' }, { description: 'info@mill.example' }],
		['in another order', { tags: 'gold, pilot' }, { tags: ['pilot', 'gold'] }],
		['as another value', { description: 'Bakes bread.' }, { description: 'Bread' }],
	];

	test.each(SAVED_DIFFERENTLY)(
		'a value is saved %s: a hint, also when it is sent again',
		async (difference, additionalFields, savedFields) => {
			const hint = /The platform saved these values in another format: (Description|License End Date|Tags)\./;
			changeRecordAfterUpdate(() => savedFields);
			expect(getHintMessages(await update(additionalFields)).join()).toMatch(hint);
			if (difference === 'as another value') return;
			changeRecords((data) => ({ ...data, ...savedFields }));
			expect(getHintMessages(await update(additionalFields)).join()).toMatch(hint);
		},
	);

	test('the same time in another notation does not count as a difference', async () => {
		changeRecordAfterUpdate(() => ({ licenseEndDate: '2033-01-01T01:00:00+01:00' }));
		expect(getHintMessages(await update({ licenseEndDate: '2033-01-01T00:00:00Z' }))).toEqual([]);
	});

	test('a masked value cannot be compared', async () => {
		changeRecords((data) => ({ ...data, address: 'K***7' }));
		expect(getHintMessages(await update({ address: 'Kai 8' }))).toEqual([]);
	});

	test('for a field that the record does not contain, a hint says that the result is unknown', async () => {
		changeRecords(({ address: _hidden, ...otherFields }) => otherFields);
		expect(getHintMessages(await update({ address: 'Kai 8' })).join()).toContain(
			"The platform doesn't show whether it saved these values: Address.",
		);
	});
});
