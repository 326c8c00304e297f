/** Changing and deleting companies, and taking them out of groups, on a live deployment. */
import { pick } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { toIdLocator, type CustomerFixture } from '../cases';
import { createInputItem, runCase } from '../cases/operationFixture';
import { getHintMessages, requireValue } from '../n8n-core/nodeFixture';
import { createDeployedFixture, getFailureMessage } from './deployed';

const { fixture, run } = createDeployedFixture();
/** The customer, also after it was renamed. */
let customer: CustomerFixture;
beforeEach(() => (customer = fixture.customer.switchToCompany(fixture.customer.company)));

const READ = 'GET /api/companies/{resourceId}';
const UPDATE = 'PUT /api/companies/{resourceId}';
const LIMITED = 'PUT /api/companies/limited';
const DELETE = 'DELETE /api/companies/{resourceId}';

const chosen = () => ({ company: toIdLocator(customer.companyId) });
const update = async (additionalFields: IDataObject) => run('Company', 'update', { ...chosen(), additionalFields });
const row = z.record(z.unknown());
/** The company as the service shows it now. */
const record = async () => row.parse(await customer.fetchData(`GET /api/companies/${customer.companyId}`));
/** Leaves fields out of the records of companies, or gives them other values. */
const records = (change: (data: Record<string, unknown>) => object) =>
	fixture.standIn.setOptions({
		transformEnvelope: (envelope, { route }) => {
			const whole = row.parse(envelope);
			return route === READ ? { ...whole, data: change(row.parse(whole.data)) } : whole;
		},
	});
afterEach(() => fixture.standIn.setOptions({ transformEnvelope: undefined }));

describe('update', () => {
	const GIVEN: Array<[field: string, given: IDataObject, changed: IDataObject]> = [
		['name', { name: 'Hafen-Bäckerei' }, { name: 'Hafen-Bäckerei' }],
		['numberOfUsers', { numberOfUsers: 5 }, { numberOfUsers: 5 }],
		['address', { address: 'Kai 7' }, { address: 'Kai 7' }],
		['tags', { tags: 'gold, pilot' }, { tags: ['gold', 'pilot'] }],
		['licenseEndDate', { licenseEndDate: '2033-01-01T00:00:00Z' }, { licenseEndDate: '2033-01-01T00:00:00.000Z' }],
		['isNumberOfUsersLimited', { isNumberOfUsersLimited: false }, { isNumberOfUsersLimited: false }],
		['companyGroups', { companyGroups: '={{ [] }}' }, { companyGroups: [] }],
	];

	test.each(GIVEN)('%s alone: every other field is the same, byte for byte', async (_field, given, changed) => {
		const { resourceId } = requireValue(customer.world.companyGroups[0]);
		await update({ companyGroups: resourceId });
		const before = await record();
		expect(before.companyGroups).toHaveLength(1);
		const result = await update(given);
		expect(JSON.stringify(await record())).toBe(JSON.stringify({ ...before, ...changed }));
		expect(getHintMessages(result)).toEqual([]);
	});

	test('nothing given: nothing is sent', async () => {
		const before = await record();
		fixture.standIn.clearLog();
		await expect(update({})).rejects.toThrow("'Update Fields' has no field, so there is nothing to change");
		expect(fixture.standIn.log).toEqual([]);
		expect(await record()).toEqual(before);
	});

	test("the logo stays: its address is sent again; a new one takes its place, and isn't taken for a surprise", async () => {
		const before = await record();
		await update({ name: 'Renamed' });
		expect((await record()).logoUrl).toBe(before.logoUrl);
		const logo = { fileName: 'logo.png', mimeType: 'image/png', content: Buffer.from('89504e470d0a1a0a', 'hex') };
		const parameters = { ...chosen(), additionalFields: { logo: 'logo' } };
		const items = [await createInputItem({ logo })];
		const result = await runCase(fixture, { node: 'Company', operation: 'update' }, { parameters }, { items });
		expect(customer.world.logos[customer.companyId]?.fileName).toBe('logo.png');
		expect(getHintMessages(result)).toEqual([]);
	});

	const without = (field: string, isNull: boolean) =>
		records(({ [field]: _left, ...others }) => ({ ...others, ...(isNull ? { [field]: null } : {}) }));

	test.each(
		[true, false].flatMap((isNull) => [
			['timeZoneId', 'Time Zone', isNull] as const,
			['industryResourceId', 'Industry', isNull] as const,
			['numberOfUsers', 'Number of Users', isNull] as const,
		]),
	)('a record without %s, which is required: asked for as %s, and nothing is sent', async (field, label, isNull) => {
		without(field, isNull);
		const said = await getFailureMessage(update({ name: 'Renamed' }));
		expect(said).toContain(`'Update Fields' must have a value for ${label}: `);
		expect(said).toContain('nothing was changed');
		expect(fixture.requests.map(({ route }) => route)).toEqual([READ]);
	});

	test.each(
		['isVersionVisible', 'callBackNumberBookingCount', 'companyGroups', 'logoUrl', 'description'].flatMap((field) =>
			[true, false].map((isNull) => [field, isNull] as const),
		),
	)('a record without %s, which is not required: left out, and all others are sent', async (field, isNull) => {
		const before = await record();
		without(field, isNull);
		await update({ name: 'Renamed' });
		records((data) => data);
		const names = ['industryResourceId', 'timeZoneId', 'numberOfUsers', 'licenseEndDate', 'tags'];
		expect(await record()).toMatchObject({ name: 'Renamed', ...pick(before, names) });
	});

	const UNREADABLE: Array<[field: string, label: string, value: unknown, given: IDataObject]> = [
		['companyGroups', 'Company Group', [{ name: 'Gold partners' }], { companyGroups: '={{ [] }}' }],
		['companyGroups', 'Company Group', [{ resourceId: '', name: 'Gold partners' }], { companyGroups: '={{ [] }}' }],
		['licenseModules', 'License Module', [null], { licenseModules: '={{ [] }}' }],
		['tags', 'Tags', [{ name: 'gold' }], { tags: 'gold' }],
		['tags', 'Tags', 5, { tags: 'gold' }],
	];
	test.each(UNREADABLE)('%s that cannot be read are lost by no other change', async (field, label, value, given) => {
		records((data) => ({ ...data, [field]: value }));
		const said = await getFailureMessage(update({ numberOfUsers: 5 }));
		expect(said).toContain(`because the platform shows ${label} in a form that can't be read`);
		expect(said).toContain('Nothing was changed');
		expect(fixture.standIn.getRequests(UPDATE)).toEqual([]);
		// The distorted record can't be compared with what was sent.
		await update({ numberOfUsers: 6, ...given }).catch(() => undefined);
		records((data) => data);
		expect((await record()).numberOfUsers).toBe(6);
	});

	test('what the record lacks can be given', async () => {
		records(({ timeZoneId: _left, ...others }) => others);
		await update({ timeZone: toIdLocator('Europe/Berlin') });
		records((data) => data);
		expect((await record()).timeZoneId).toBe('Europe/Berlin');
	});

	test('what changed unasked is said', async () => {
		let reads = 0;
		records((data) => ({ ...data, ...(reads++ > 0 ? { dateFormat: 'MM/dd/yyyy' } : {}) }));
		const result = await update({ name: 'Renamed' });
		expect(getHintMessages(result).join()).toContain('The platform changed more than was asked for: Date Format.');
	});

	test.each([
		['the license stays', LIMITED, { name: 'Renamed' }],
		['the license changes', UPDATE, { numberOfUsers: 5 }],
	])('an update that was not answered is not sent again: %s', async (_what, route, given) => {
		fixture.standIn.addFault({ route, kind: 'html-502', times: Infinity });
		await getFailureMessage(update(given));
		const sent = fixture.requests.filter((each) => each.method === 'PUT');
		expect(sent.map((each) => each.route)).toEqual([route]);
	});

	test.each([
		['a name', { name: 'Renamed' }],
		[
			'an address, a time zone',
			{ address: 'Kai 7', timeZone: toIdLocator('Europe/Berlin'), websiteUrl: 'https://x.example' },
		],
	])('%s: the limited update, with only the fields that it takes', async (_what, given) => {
		const result = await update(given);
		expect(fixture.standIn.getRequests(UPDATE)).toEqual([]);
		const [sent] = fixture.standIn.getRequests(LIMITED);
		const { fields } = z.object({ fields: row }).parse(sent?.body);
		expect(fields).toMatchObject({ ResourceId: customer.companyId });
		expect(sent?.undocumentedFields).toEqual([]);
		expect(getHintMessages(result)).toEqual([]);
	});

	const ignoredByLimited: Array<[field: string, given: IDataObject, changed: IDataObject]> = [
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

	test.each(ignoredByLimited)(
		'%s: the whole record, because the limited update ignores it',
		async (_f, given, changed) => {
			const before = await record();
			const result = await update(given);
			expect(await record()).toMatchObject({ ...pick(before, ['name', 'description', 'licenseEndDate']), ...changed });
			expect(fixture.standIn.getRequests(LIMITED)).toEqual([]);
			expect(getHintMessages(result)).toEqual([]);
		},
	);

	test('an unknown field is sent with the whole record, never with the limited update', async () => {
		await update({ name: 'Renamed', additionalFieldsJson: '{ "Note": "n" }' });
		expect(fixture.standIn.getRequests(LIMITED)).toEqual([]);
		expect(fixture.standIn.getRequests(UPDATE).map(({ undocumentedFields: undescribed }) => undescribed)).toEqual([
			['note'],
		]);
	});

	test.each([404, 400] as const)('a platform without that update (%d) gets the whole record', async (status) => {
		const before = await record();
		fixture.standIn.addFault({ route: LIMITED, kind: 'status', status, times: Infinity });
		await update({ name: 'Renamed' });
		expect(await record()).toEqual({ ...before, name: 'Renamed' });
		expect(fixture.standIn.getRequests(UPDATE)).toHaveLength(1);
	});

	/** Lets the platform show the changed record after an update. @param change returns the values that differ from the real record */
	const changeReadBack = (change: (before: Record<string, unknown>, now: Record<string, unknown>) => object) => {
		let before: Record<string, unknown> | undefined;
		records((data) => {
			if (before) return { ...data, ...change(before, data) };
			before = data;
			return data;
		});
	};

	test.each([
		['one', ['address'], 'Address'],
		['two', ['address', 'tags'], 'Address, Tags'],
	])(
		'a field that keeps its old value is an error that names it and says that the rest was saved: %s',
		async (_n, fields, named) => {
			changeReadBack((before) => pick(before, fields));
			const said = await getFailureMessage(
				update({ address: 'Kai 7', tags: 'silver', name: 'Renamed', licenseEndDate: '2033-01-01' }),
			);
			expect(said).toContain(`these fields still have their old values: ${named}`);
			expect(said).toMatch(/The rest was saved: .*Name.*License End Date/);
			expect(customer.company.companyName).toBe('Renamed');
		},
	);

	test('an emptied field that keeps its old value is an error, too', async () => {
		await update({ address: 'Kai 7' });
		changeReadBack((before) => pick(before, 'address'));
		expect(await getFailureMessage(update({ address: '' }))).toContain('still have their old values: Address');
	});

	const IN_ANOTHER_FORM: Array<[form: string, given: IDataObject, shown: IDataObject]> = [
		['trimmed', { description: 'Bakes  bread.' }, { description: 'Bakes bread.' }],
		['in another zone', { licenseEndDate: '2033-01-01T00:00:00Z' }, { licenseEndDate: '2033-01-01T03:00:00' }],
		['as a day', { licenseEndDate: '2033-01-01T10:00:00Z' }, { licenseEndDate: '2033-01-01' }],
		['in another order', { tags: 'gold, pilot' }, { tags: ['pilot', 'gold'] }],
		['as another value', { description: 'Bakes bread.' }, { description: 'Bread' }],
	];

	test.each(IN_ANOTHER_FORM)('%s: a hint; also if the same is sent again', async (_form, given, shown) => {
		const named = /The platform has saved something in another form: (Description|License End Date|Tags)\./;
		changeReadBack(() => shown);
		expect(getHintMessages(await update(given)).join()).toMatch(named);
		if (_form === 'as another value') return;
		records((data) => ({ ...data, ...shown }));
		expect(getHintMessages(await update(given)).join()).toMatch(named);
	});

	test('the same time in another notation is no difference', async () => {
		changeReadBack(() => ({ licenseEndDate: '2033-01-01T01:00:00+01:00' }));
		expect(getHintMessages(await update({ licenseEndDate: '2033-01-01T00:00:00Z' }))).toEqual([]);
	});

	test('a masked value cannot be compared', async () => {
		records((data) => ({ ...data, address: 'K***7' }));
		expect(getHintMessages(await update({ address: 'Kai 8' }))).toEqual([]);
	});

	test('a field that the record does not show is said to be unknown', async () => {
		records(({ address: _left, ...data }) => data);
		expect(getHintMessages(await update({ address: 'Kai 8' })).join()).toContain(
			"The platform doesn't show whether it has saved: Address.",
		);
	});
});

describe('delete', () => {
	const remove = async (nameToDelete: string) =>
		run('Company', 'delete', { company: toIdLocator(customer.companyId), nameToDelete });
	const isThere = () => customer.world.companies.some(({ companyName }) => companyName === 'Harbour Bakery');

	test.each([
		['another case', 'harbour bakery'],
		['a space at the end', 'Harbour Bakery '],
		['a space at the beginning', ' Harbour Bakery'],
		['two spaces', 'Harbour  Bakery'],
		['a part of it', 'Harbour'],
		['a letter too few', 'Harbour Baker'],
		['a letter too many', 'Harbour Bakerys'],
		['another letter', 'Harbor Bakery'],
		['a letter that looks the same', 'Harbour B\u0430kery'],
		['the ID', 'id'],
	])('a name with %s: refused, the company is still there', async (named, typed) => {
		const said = await getFailureMessage(remove(typed === 'id' ? customer.companyId : typed));
		expect(said).toContain("'Name of the Company to Delete' is not the name of the chosen company");
		expect(said).toContain('Nothing was deleted.');
		if (!/space/.test(named)) expect(said).not.toContain('Harbour Bakery');
		expect(fixture.standIn.getRequests(DELETE)).toEqual([]);
		expect(isThere()).toBe(true);
	});

	test('no name: refused before anything is sent', async () => {
		expect(await getFailureMessage(remove(' '))).toContain("'Name of the Company to Delete' must not be empty");
		expect(fixture.requests).toEqual([]);
	});

	test('a record without a name: no text is its name', async () => {
		records(({ name: _left, ...others }) => others);
		expect(await getFailureMessage(remove('Harbour Bakery'))).toContain('is not the name of the chosen company');
		expect(isThere()).toBe(true);
	});

	test('the exact name: that company is gone, and no other', async () => {
		const before = customer.world.companies.map(({ companyResourceId }) => companyResourceId);
		const { companyId } = customer;
		await remove('Harbour Bakery');
		expect(fixture.standIn.getRequests(DELETE)).toHaveLength(1);
		expect(fixture.standIn.world.companies.map(({ companyResourceId }) => companyResourceId)).toEqual(
			before.filter((id) => id !== companyId),
		);
	});
});

describe('company groups', () => {
	const group = () => requireValue(customer.world.companyGroups[1]);
	const inGroup = async (operation: string, more: IDataObject = {}) =>
		run('CompanyGroup', operation, { companyGroup: toIdLocator(group().resourceId), ...more });

	test('only the companies that are named leave; the companies stay', async () => {
		const [first, second, ...others] = group().companyResourceIdArray;
		await inGroup('removeParticipants', { participantList: `${first}, ${second}` });
		expect(group().companyResourceIdArray).toEqual(others);
		expect(customer.world.companies.map(({ companyResourceId }) => companyResourceId)).toContain(first);
		const { items } = await inGroup('getMembers', { returnAll: true });
		expect(items.map(({ json }) => json.companyResourceId).sort()).toEqual([...others].sort());
	});

	test('an empty list takes nobody out', async () => {
		for (const participantList of ['={{ [] }}', '={{ $json.missing }}', ' , '])
			expect(await getFailureMessage(inGroup('removeParticipants', { participantList }))).toContain(
				'must name at least one company',
			);
		expect(fixture.requests).toEqual([]);
	});

	test('a replacement that left companies in the group names the operation that removes them', async () => {
		const kept = group().companyResourceIdArray.length;
		const newcomer = customer.world.companies.find(
			({ companyResourceId }) => !group().companyResourceIdArray.includes(companyResourceId),
		);
		const result = await inGroup('replaceParticipants', { participantList: requireValue(newcomer).companyResourceId });
		expect(kept).toBeGreaterThan(0);
		expect(getHintMessages(result).join()).toContain("with 'Remove Company Group Participants'");
	});
});
