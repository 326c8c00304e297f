/** Tests that masked personal data, which some platforms return, is never written back. */
import { toIdLocator } from '../cases';
import { parseBody, requireValue } from '../n8n-core/nodeFixture';
import { createDeployedFixture, getFailureMessage } from './deployedFixture';

const { fixture, run } = createDeployedFixture();
afterEach(() => fixture.standIn.setOptions({ transformEnvelope: undefined }));

const LIST_PEOPLE = 'POST /api/target-users/search';
const UPDATE_PERSON = 'PUT /api/target-users/{resourceId}';
const ADD_PERSON = 'POST /api/target-users';
const departmentFields = { additionalFields: { department: 'Bakery' } };
const getPerson = () => requireValue(fixture.customer.companyData.users[0]);
const READ_PERSON = 'GET /api/target-users/{resourceId}';
const maskText = (value: string) => `${value.slice(0, 1)}****${value.slice(-1)}`;
/** Masks the email addresses in a value, at any depth. */
const maskEmails = (value: unknown): unknown => {
	if (Array.isArray(value)) return value.map(maskEmails);
	if (typeof value !== 'object' || value === null) return value;
	const entries = Object.entries(value).map(([name, fieldValue]: [string, unknown]): [string, unknown] => [
		name,
		name === 'email' ? maskText(String(fieldValue)) : maskEmails(fieldValue),
	]);
	return Object.fromEntries(entries);
};
/** Makes the platform mask every email address in lists and records of people. */
const maskPlatformEmails = () =>
	fixture.standIn.setOptions({
		transformEnvelope: (envelope, { route = '' }) =>
			[LIST_PEOPLE, READ_PERSON].includes(route) ? maskEmails(envelope) : envelope,
	});

test('an update does not write a masked address over the real one', async () => {
	const { resourceId } = getPerson();
	const usersBefore = structuredClone(fixture.customer.companyData.users);
	maskPlatformEmails();
	const parameters = {
		...fixture.customer.companyParameters,
		targetUser: toIdLocator(resourceId),
		...departmentFields,
	};
	const message = await getFailureMessage(run('TargetUser', 'update', parameters));
	expect(message).toContain('because the platform masks Email');
	expect(fixture.standIn.getRequests(UPDATE_PERSON)).toEqual([]);
	expect(fixture.customer.companyData.users).toEqual(usersBefore);
});

test('an update with the real address is written', async () => {
	const { resourceId, email } = getPerson();
	maskPlatformEmails();
	const additionalFields = { ...departmentFields.additionalFields, email };
	await run('TargetUser', 'update', {
		...fixture.customer.companyParameters,
		targetUser: toIdLocator(resourceId),
		additionalFields,
	});
	expect(parseBody(fixture.standIn.getRequests(UPDATE_PERSON)[0])).toMatchObject({ email, department: 'Bakery' });
});

/** Makes the platform show these custom fields in the record of a person. */
const addCustomFields = (...values: object[]) =>
	fixture.standIn.setOptions({
		transformEnvelope: (envelope, { route }) => {
			if (route !== READ_PERSON) return envelope;
			const response = envelope as { data: object };
			return { ...response, data: { ...response.data, customFieldValues: values } };
		},
	});

test.each(['R**D', 'R***D'])('a department that the user enters may contain asterisks: %s', async (name) => {
	const { resourceId } = getPerson();
	const parameters = {
		...fixture.customer.companyParameters,
		targetUser: toIdLocator(resourceId),
		additionalFields: { department: name },
	};
	await run('TargetUser', 'update', parameters);
	expect(parseBody(fixture.standIn.getRequests(UPDATE_PERSON)[0])).toMatchObject({ department: name });
	// In a record, a value with two asterisks doesn't count as masked, but a value such as a****m does (deployment activity 5).
	const secondUpdate = run('TargetUser', 'update', { ...parameters, additionalFields: { lastName: 'King' } });
	expect((await getFailureMessage(secondUpdate)).includes('the platform masks Department')).toBe(name === 'R***D');
});

test('a masked custom field is not written back when another custom field changes', async () => {
	const [field] = await fixture.customer.fetchList('GET /api/custom-fields/company');
	const resourceId = String(field?.resourceId);
	const customFields = { rows: [{ customField: toIdLocator(resourceId), value: 'R***D' }] };
	const parameters = {
		...fixture.customer.companyParameters,
		targetUser: toIdLocator(getPerson().resourceId),
		additionalFields: { customFields },
	};
	addCustomFields({ resourceId, name: 'City', value: 'Kiel' }, { resourceId: 'nick', name: 'Nick', value: 'a****m' });
	expect(await getFailureMessage(run('TargetUser', 'update', parameters))).toContain(
		'because the platform masks Custom Fields',
	);
	expect(fixture.standIn.getRequests(UPDATE_PERSON)).toEqual([]);
	addCustomFields({ resourceId, name: 'City', value: 'Kiel' });
	// This update reports an error, because the distorted record can't be compared with what was sent.
	await run('TargetUser', 'update', parameters).catch(() => undefined);
	expect(parseBody(fixture.standIn.getRequests(UPDATE_PERSON)[0]).customFields).toMatchObject([
		{ resourceId, value: 'R***D' },
	]);
});

test("a person isn't added a second time if the platform masks addresses", async () => {
	const { email } = getPerson();
	maskPlatformEmails();
	const parameters = { ...fixture.customer.companyParameters, email, phoneNumber: '+4930123', ...departmentFields };
	const message = await getFailureMessage(run('TargetUser', 'createOrUpdate', parameters));
	expect(message).toContain("'Email' can't be found, because the platform masks email addresses");
	expect([UPDATE_PERSON, ADD_PERSON].flatMap((route) => fixture.standIn.getRequests(route))).toEqual([]);
});
