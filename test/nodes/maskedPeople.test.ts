/** Tests of a platform that masks personal data: masked values are never written back. */
import { toIdLocator } from '../cases';
import { parseBody, requireValue } from '../n8n-core/nodeFixture';
import { createDeployedFixture, getFailureMessage } from './deployed';

const { fixture, run } = createDeployedFixture();
afterEach(() => fixture.standIn.setOptions({ transformEnvelope: undefined }));

const PEOPLE = 'POST /api/target-users/search';
const UPDATE_PERSON = 'PUT /api/target-users/{resourceId}';
const ADD_PERSON = 'POST /api/target-users';
const department = { additionalFields: { department: 'Bakery' } };
const getPerson = () => requireValue(fixture.customer.companyData.users[0]);
const READ_PERSON = 'GET /api/target-users/{resourceId}';
const mask = (value: string) => `${value.slice(0, 1)}****${value.slice(-1)}`;
const maskIn = (value: unknown): unknown => {
	if (Array.isArray(value)) return value.map(maskIn);
	if (typeof value !== 'object' || value === null) return value;
	const parts = Object.entries(value).map(([name, part]: [string, unknown]): [string, unknown] => [
		name,
		name === 'email' ? mask(String(part)) : maskIn(part),
	]);
	return Object.fromEntries(parts);
};
/** Masks every email address that a list or a record of people shows. */
const maskAddresses = () =>
	fixture.standIn.setOptions({
		transformEnvelope: (envelope, { route = '' }) =>
			[PEOPLE, READ_PERSON].includes(route) ? maskIn(envelope) : envelope,
	});

test('an update does not write a masked address over the real one', async () => {
	const { resourceId } = getPerson();
	const before = structuredClone(fixture.customer.companyData.users);
	maskAddresses();
	const update = { ...fixture.customer.companyParameters, targetUser: toIdLocator(resourceId), ...department };
	const message = await getFailureMessage(run('TargetUser', 'update', update));
	expect(message).toContain('because the platform masks Email');
	expect(fixture.standIn.getRequests(UPDATE_PERSON)).toEqual([]);
	expect(fixture.customer.companyData.users).toEqual(before);
});

test('an update with the real address is written', async () => {
	const { resourceId, email } = getPerson();
	maskAddresses();
	const additionalFields = { ...department.additionalFields, email };
	await run('TargetUser', 'update', {
		...fixture.customer.companyParameters,
		targetUser: toIdLocator(resourceId),
		additionalFields,
	});
	expect(parseBody(fixture.standIn.getRequests(UPDATE_PERSON)[0])).toMatchObject({ email, department: 'Bakery' });
});

const addCustomFields = (...values: object[]) =>
	fixture.standIn.setOptions({
		transformEnvelope: (envelope, { route }) => {
			if (route !== READ_PERSON) return envelope;
			const answer = envelope as { data: object };
			return { ...answer, data: { ...answer.data, customFieldValues: values } };
		},
	});

test.each(['R**D', 'R***D'])('a department that somebody gives may have stars in it: %s', async (name) => {
	const { resourceId } = getPerson();
	const update = {
		...fixture.customer.companyParameters,
		targetUser: toIdLocator(resourceId),
		additionalFields: { department: name },
	};
	await run('TargetUser', 'update', update);
	expect(parseBody(fixture.standIn.getRequests(UPDATE_PERSON)[0])).toMatchObject({ department: name });
	// Two stars of the record are no mask either, which a****m is (deployment activity 5).
	const again = run('TargetUser', 'update', { ...update, additionalFields: { lastName: 'King' } });
	expect((await getFailureMessage(again)).includes('the platform masks Department')).toBe(name === 'R***D');
});

test('a masked custom field is not written back because another one is given', async () => {
	const [field] = await fixture.customer.fetchList('GET /api/custom-fields/company');
	const resourceId = String(field?.resourceId);
	const customFields = { rows: [{ customField: toIdLocator(resourceId), value: 'R***D' }] };
	const update = {
		...fixture.customer.companyParameters,
		targetUser: toIdLocator(getPerson().resourceId),
		additionalFields: { customFields },
	};
	addCustomFields({ resourceId, name: 'City', value: 'Kiel' }, { resourceId: 'nick', name: 'Nick', value: 'a****m' });
	expect(await getFailureMessage(run('TargetUser', 'update', update))).toContain(
		'because the platform masks Custom Fields',
	);
	expect(fixture.standIn.getRequests(UPDATE_PERSON)).toEqual([]);
	addCustomFields({ resourceId, name: 'City', value: 'Kiel' });
	// The distorted record can't be compared with what was sent.
	await run('TargetUser', 'update', update).catch(() => undefined);
	expect(parseBody(fixture.standIn.getRequests(UPDATE_PERSON)[0]).customFields).toMatchObject([
		{ resourceId, value: 'R***D' },
	]);
});

test("a person isn't added a second time if the platform masks addresses", async () => {
	const { email } = getPerson();
	maskAddresses();
	const upsert = { ...fixture.customer.companyParameters, email, phoneNumber: '+4930123', ...department };
	const message = await getFailureMessage(run('TargetUser', 'createOrUpdate', upsert));
	expect(message).toContain("'Email' can't be found, because the platform masks email addresses");
	expect([UPDATE_PERSON, ADD_PERSON].flatMap((route) => fixture.standIn.getRequests(route))).toEqual([]);
});
