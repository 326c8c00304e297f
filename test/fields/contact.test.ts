/**
 * Tests of email addresses and phone numbers that were copied from another program. Characters that copying adds are removed before the
 * values are compared or sent. Texts that aren't phone numbers are rejected.
 */
import { isPhoneNumber, normalizeDomain } from '../../nodes/core/fields/contact';
import type { FieldMap } from '../../nodes/core/fields/field';
import { readInnerFields } from '../../nodes/core/fields/formValues';
import { toIdLocator } from '../cases';
import { loadAllOperations } from '../contract/catalogue';
import { parseBody, requireValue } from '../n8n-core/nodeFixture';
import { createDeployedFixture, getFailureMessage } from '../nodes/deployedFixture';
import { catchInvalidInput } from './catchInvalidInput';

const itemContext = { timezone: 'UTC', readUpload: async () => Promise.reject(new Error('no file')) };

/** Finds all text fields whose label matches, in the operations that change data. `path` is "node operation field". */
async function findFieldsByLabel(label: RegExp) {
	const findInForm = (form: FieldMap, parentPath: string): Array<{ path: string; name: string; form: FieldMap }> =>
		Object.entries(form).flatMap(([name, { property, innerFields }]) => {
			const path = `${parentPath} ${name}`;
			if (innerFields) return findInForm(innerFields, path);
			return property.type === 'string' && label.test(property.displayName) ? [{ path, name, form }] : [];
		});
	const writeOperations = (await loadAllOperations()).filter(({ operation }) => !operation.isReadOnly);
	return writeOperations.flatMap(({ node, key, operation }) => findInForm(operation.fields, `${node} ${key}`));
}

const parseField = async ({ name, form }: { name: string; form: FieldMap }, raw: unknown) =>
	(await readInnerFields({ [name]: requireValue(form[name]) }, () => raw, itemContext))[name];

test('every field for email addresses removes the characters that copying adds', async () => {
	const fields = await findFieldsByLabel(/\bEmail\b|^User Name$/);
	expect(fields.map(({ path }) => path)).toEqual(
		expect.arrayContaining([
			'TargetUser create email',
			'TargetUser createOrUpdate email',
			'TargetUser update additionalFields email',
			'TargetUser create additionalFields managerEmail',
			'SystemUser create email',
			'DirectEmailSetting test from',
			'DirectEmailSetting test to',
			'Account login username',
			'ExecutiveReport scheduledReport.create emailAddresses',
			'ExecutiveReport scheduledReport.update additionalFields managerEmails',
		]),
	);
	for (const field of fields)
		for (const raw of [' mailto:ada@example.com', "'ada@example.com", 'a\u200bda\u00ad@example.com\ufeff'])
			expect({ path: field.path, value: [await parseField(field, raw)].flat() }).toEqual({
				path: field.path,
				value: ['ada@example.com'],
			});
});

test('every field for email addresses rejects a masked one', async () => {
	for (const field of await findFieldsByLabel(/\bEmail\b|^User Name$/))
		for (const raw of ['a***@example.com', 'a****m@o****e'])
			expect({
				path: field.path,
				complaint: (await catchInvalidInput(async () => parseField(field, raw))).complaint,
			}).toEqual({ path: field.path, complaint: expect.stringContaining('masked') });
});

test('every field for a phone number rejects other text', async () => {
	const fields = await findFieldsByLabel(/Phone/);
	expect(fields).toHaveLength(5);
	for (const field of fields)
		for (const raw of ['4.91511E+12', '#N/A', '-', '+49undefined'])
			expect((await catchInvalidInput(async () => parseField(field, raw))).complaint).toContain(
				'must be a phone number',
			);
});

test.each([
	['+123456789012345 ext. 12', true],
	['+1234567890123456', false],
	['ext. 12', false],
])('only the digits before an extension count: %s', (phone, isValid) => {
	expect(isPhoneNumber(phone)).toBe(isValid);
});

test.each(['Bäckerei.example.', ' xn--bckerei-5wa.EXAMPLE '])('%j is the same domain as bäckerei.example', (domain) => {
	expect(normalizeDomain(domain)).toBe(normalizeDomain('bäckerei.example'));
});

describe('at the platform', () => {
	const { fixture, run } = createDeployedFixture();
	const CREATE_ROUTE = 'POST /api/target-users';
	const UPDATE_ROUTE = 'PUT /api/target-users/{resourceId}';
	const getUsers = () => fixture.customer.companyData.users;

	test('a copied address finds the person with that address, and is stored without the extra characters', async () => {
		const [user] = getUsers();
		const countBefore = getUsers().length;
		const { email = '', department } = requireValue(user);
		const parameters = { ...fixture.customer.companyParameters, additionalFields: { department } };
		for (const copiedAddress of [`mailto:${email}`, `'${email}`, `\u200b${email.slice(0, 3)}\u00ad${email.slice(3)}`]) {
			const { items } = await run('TargetUser', 'createOrUpdate', { ...parameters, email: copiedAddress });
			expect(items.map(({ json }) => json)).toMatchObject([{ email, result: 'unchanged' }]);
		}
		expect(getUsers()).toHaveLength(countBefore);
		const newUser = { email: 'mailto:zoe@harbour.example', phoneNumber: "'+49 30 1234567" };
		await run('TargetUser', 'create', { ...fixture.customer.companyParameters, ...newUser });
		expect(parseBody(fixture.standIn.getRequests(CREATE_ROUTE).at(-1))).toMatchObject({
			email: 'zoe@harbour.example',
			phoneNumber: '+49 30 1234567',
		});
	});

	test('a person who is added to a group is found by a copied address', async () => {
		const { targetGroups } = fixture.customer.companyData;
		const pairs = targetGroups.flatMap((group) => getUsers().map((user) => ({ group, user })));
		const { group, user } = requireValue(
			pairs.find((pair) => !pair.group.userResourceIds.includes(pair.user.resourceId)),
		);
		const parameters = { ...fixture.customer.companyParameters, targetGroup: toIdLocator(group.resourceId) };
		await run('TargetGroup', 'member.add', { ...parameters, people: `mailto:${user.email}, '${user.email}` });
		expect(group.userResourceIds).toContain(user.resourceId);
	});

	test.each(['4.91511E+12', '#N/A', '-', '+49undefined'])(
		'%s is rejected as a phone number, and nothing is sent',
		async (phoneNumber) => {
			const parameters = {
				...fixture.customer.companyParameters,
				email: requireValue(getUsers()[0]).email,
				phoneNumber,
			};
			for (const operation of ['create', 'createOrUpdate']) {
				const message = await getFailureMessage(run('TargetUser', operation, parameters));
				expect(message).toContain(
					`'Phone Number' must be a phone number such as +49 30 1234567, but is '${phoneNumber}'`,
				);
			}
			expect([...fixture.standIn.getRequests(CREATE_ROUTE), ...fixture.standIn.getRequests(UPDATE_ROUTE)]).toEqual([]);
		},
	);
});
