/** Tests of copied email addresses and phone numbers: they are cleaned before they are compared and sent, or refused. */
import type { FieldMap } from '../../nodes/core/fields/field';
import { readInnerFields } from '../../nodes/core/fields/formValues';
import { toIdLocator } from '../cases';
import { loadAllOperations } from '../contract/catalogue';
import { parseBody, requireValue } from '../n8n-core/nodeFixture';
import { deployedRuns, failureOf } from '../nodes/deployed';
import { refusalOf } from './refusal';

const item = { timezone: 'UTC', upload: async () => Promise.reject(new Error('no file')) };

/** Lists the text fields whose labels match, as "node operation path". */
async function findFieldsByLabel(label: RegExp) {
	const walk = (form: FieldMap, at: string): Array<{ at: string; name: string; form: FieldMap }> =>
		Object.entries(form).flatMap(([name, { property, innerFields: inner }]) =>
			inner
				? walk(inner, `${at} ${name}`)
				: property.type === 'string' && label.test(property.displayName)
					? [{ at: `${at} ${name}`, name, form }]
					: [],
		);
	const operations = (await loadAllOperations()).filter(({ operation }) => !operation.isReadOnly);
	return operations.flatMap(({ node, operation }) => walk(operation.fields, `${node} ${operation.value}`));
}

const parsed = async ({ name, form }: { name: string; form: FieldMap }, raw: unknown) =>
	(await readInnerFields({ [name]: requireValue(form[name]) }, () => raw, item))[name];

test('every field for email addresses removes the characters that copying adds', async () => {
	const fields = await findFieldsByLabel(/\bEmail\b|^User Name$/);
	expect(fields.map(({ at }) => at)).toEqual(
		expect.arrayContaining([
			'TargetUser create email',
			'TargetUser createOrUpdate email',
			'TargetUser update additionalFields email',
			'TargetUser create additionalFields managerEmail',
			'SystemUser create email',
			'DirectEmailSetting test from',
			'DirectEmailSetting test to',
			'Account login username',
			'ExecutiveReport createScheduledReport emailAddresses',
			'ExecutiveReport updateScheduledReport additionalFields managerEmails',
		]),
	);
	for (const field of fields)
		for (const raw of [' mailto:ada@example.com', "'ada@example.com", 'a\u200bda\u00ad@example.com\ufeff'])
			expect({ at: field.at, value: [await parsed(field, raw)].flat() }).toEqual({
				at: field.at,
				value: ['ada@example.com'],
			});
});

test('every field for a phone number refuses other text', async () => {
	const fields = await findFieldsByLabel(/Phone/);
	expect(fields).toHaveLength(5);
	for (const field of fields)
		for (const raw of ['4.91511E+12', '#N/A', '-', '+49undefined'])
			expect((await refusalOf(async () => parsed(field, raw))).complaint).toContain('must be a phone number');
});

describe('at the platform', () => {
	const { g, run } = deployedRuns();
	const POST = 'POST /api/target-users';
	const PUT = 'PUT /api/target-users/{resourceId}';
	const users = () => g.customer.companyData.users;

	test('a copied address finds the person with that address, and is stored without the extra characters', async () => {
		const [user] = users();
		const before = users().length;
		const { email = '', department } = requireValue(user);
		const parameters = { ...g.customer.companyParameters, additionalFields: { department } };
		for (const copied of [`mailto:${email}`, `'${email}`, `\u200b${email.slice(0, 3)}\u00ad${email.slice(3)}`]) {
			const { items } = await run('TargetUser', 'createOrUpdate', { ...parameters, email: copied });
			expect(items.map(({ json }) => json)).toMatchObject([{ email, action: 'unchanged' }]);
		}
		expect(users()).toHaveLength(before);
		const created = { email: 'mailto:zoe@harbour.example', phoneNumber: "'+49 30 1234567" };
		await run('TargetUser', 'create', { ...g.customer.companyParameters, ...created });
		expect(parseBody(g.standIn.getRequests(POST).at(-1))).toMatchObject({
			email: 'zoe@harbour.example',
			phoneNumber: '+49 30 1234567',
		});
	});

	test('a person who is added to a group is found by a copied address', async () => {
		const { targetGroups } = g.customer.companyData;
		const [group, user] = requireValue(
			targetGroups
				.flatMap((each) => users().map((one) => [each, one] as const))
				.find(([each, one]) => !each.userResourceIds.includes(one.resourceId)),
		);
		const chosen = { ...g.customer.companyParameters, targetGroup: toIdLocator(group.resourceId) };
		await run('TargetGroup', 'addMembers', { ...chosen, people: `mailto:${user.email}, '${user.email}` });
		expect(group.userResourceIds).toContain(user.resourceId);
	});

	test.each(['4.91511E+12', '#N/A', '-', '+49undefined'])(
		'%s is no phone number: nothing is sent',
		async (phoneNumber) => {
			const parameters = { ...g.customer.companyParameters, email: requireValue(users()[0]).email, phoneNumber };
			for (const operation of ['create', 'createOrUpdate']) {
				const message = await failureOf(run('TargetUser', operation, parameters));
				expect(message).toContain(
					`'Phone Number' must be a phone number such as +49 30 1234567, but is '${phoneNumber}'`,
				);
			}
			expect([...g.standIn.getRequests(POST), ...g.standIn.getRequests(PUT)]).toEqual([]);
		},
	);
});
