/** Tests Compare With List with rows that may stand for anybody, because their email address can't be used or is in another row too. */
import type { IDataObject } from 'n8n-workflow';
import { requireValue } from '../n8n-core/nodeFixture';
import { createDeployedFixture, getFailureMessage } from './deployedFixture';

const { fixture, run } = createDeployedFixture();

const getUsers = () => fixture.customer.companyData.users;
const getEmail = (index: number): string => requireValue(getUsers()[index]).email;
/** Lists the people of the platform without the first one. */
const listOthers = () =>
	getUsers()
		.slice(1)
		.map(({ email, firstName }): IDataObject => ({ email, firstName }));

/** Compares a list. @returns the rows of the people, the row of the first person on the platform, and the texts of the hints */
async function compare(people: IDataObject[], options: IDataObject = {}) {
	const { items, hints } = await run('TargetUser', 'compareWithList', {
		...fixture.customer.companyParameters,
		people: JSON.stringify(people),
		options: { includeUnchanged: true, ...options },
	});
	const rows = items.slice(1).map(({ json }) => json);
	const firstRow = requireValue(rows.find(({ email }) => email === getEmail(0)));
	const hintText = hints.map(({ message }) => message.replaceAll('&lt;', '<')).join('\n');
	return { rows, firstRow, hints: hintText };
}

/** Compares a list in which the row of the first person is the last one, and has other values. */
async function compareUnknownPerson(values: IDataObject, options: IDataObject = {}) {
	const { rows, firstRow, hints } = await compare([...listOthers(), values], options);
	const { action, reason } = firstRow;
	return { action, reason, hints, row: rows.find(({ position }) => position === getUsers().length) };
}

test.each([
	['#N/A', "'#N/A' is not an email address"],
	['', 'empty'],
	[null, 'empty'],
	['ada at example.com', "'ada at example.com' is not an email address"],
	['a***@harbour-bakery.example', "'a***@harbour-bakery.example' is masked"],
	['****@harbour-bakery.example', "'****@harbour-bakery.example' is masked"],
	['a****e', "'a****e' is masked"],
	['b@x', "'b@x' is not an email address"],
	['foo@bar..example', "'foo@bar..example' is not an email address"],
	['foo@.example', "'foo@.example' is not an email address"],
	['foo@bar.example.', "'foo@bar.example.' is not an email address"],
	['<foo@bar.example>', "'<foo@bar.example>' is not an email address"],
	['foo@bar.example,', "'foo@bar.example,' is not an email address"],
])('an email %j never deactivates or adds anybody, and a hint says which row and why', async (email, mistake) => {
	const { length } = getUsers();
	const values = { email, firstName: 'Ada' };
	const { action, reason, hints, row } = await compareUnknownPerson(values, { newPhoneNumber: '+49 30 0' });
	expect(action).toBe('invalid');
	expect(reason).toBe('is not in the list, but may be one of the people there without a valid email address (1)');
	expect(hints).toContain('people who are missing in the list were not deactivated');
	expect(hints).toContain(`(position ${length}: ${mistake}).`);
	expect(row).toMatchObject({
		action: 'invalid',
		email: email ?? '',
		name: 'Ada',
		reason: `has no valid email address (position ${length}: ${mistake})`,
		changes: {},
	});
});

test('a hint names the row even if it keeps no one from deactivation', async () => {
	const { length } = getUsers();
	const ignored = await compareUnknownPerson({ email: '#N/A' }, { ignoreMissing: true });
	const inactive = await compareUnknownPerson({ email: '#N/A', isActive: false });
	expect([ignored.action, inactive.action]).toEqual(['unchanged', 'deactivate']);
	for (const { hints, row } of [ignored, inactive]) {
		expect(row).toMatchObject({ action: 'invalid', email: '#N/A' });
		expect(hints).toContain(`(position ${length}: '#N/A' is not an email address).`);
		expect(hints).not.toContain('not deactivated');
	}
});

test('an entry without an email address that is skipped stops no deactivation', async () => {
	const { action, hints } = await compareUnknownPerson({ email: '', skip: 'service account' });
	expect({ action, hints }).toEqual({ action: 'deactivate', hints: '' });
});

test.each([
	'o’hara@harbour.example',
	'müller@bäckerei.example',
	"o'hara+1@mail.harbour.example",
	'a**@harbour.example',
])('an unusual address %j is added', async (email) => {
	const { rows } = await compare([...listOthers(), { email: getEmail(0) }, { email, phoneNumber: '+49 30 0' }]);
	expect(rows[0]).toMatchObject({ action: 'add', email });
});

test.each(['a***@harbour.example', 'b@x', '#N/A'])(
	"a manager's address %j is not compared, and a hint says so",
	async (managerEmail) => {
		const people = [...listOthers(), { email: getEmail(0), managerEmail }];
		const { firstRow, hints } = await compare(people, { compareManagers: true });
		expect(firstRow).toMatchObject({ action: 'unchanged' });
		expect(hints).toContain(`managerEmail '${managerEmail}'`);
	},
);

test('a masked name, department or custom field is not compared', async () => {
	const [field] = await fixture.customer.fetchList('GET /api/custom-fields/company');
	const maskedValues = { firstName: 'A***a', department: 'B****y', customFields: { [String(field?.name)]: 'K***l' } };
	const { firstRow, hints } = await compare([...listOthers(), { email: getEmail(0), ...maskedValues }]);
	expect(firstRow).toMatchObject({ action: 'unchanged' });
	expect(hints).toContain("firstName 'A***a', department 'B****y'");
});

describe('a row that was replaced by a copy of another row', () => {
	test('if the copies are equal, the hint and the reason say it before somebody is deactivated', async () => {
		const otherPeople = listOthers();
		const { rows, firstRow, hints } = await compare([requireValue(otherPeople[0]), ...otherPeople]);
		expect(firstRow).toMatchObject({
			action: 'deactivate',
			reason: "is not in the list, but a copied row may have overwritten this person's row",
		});
		expect(rows.find(({ email }) => email === getEmail(1))).toMatchObject({
			action: 'invalid',
			reason: 'is in the list 2 times (positions 1, 2)',
		});
		expect(hints).toContain('A copy may have overwritten the row of someone else');
		expect(hints).toContain(`${getEmail(1).toLowerCase()}: positions 1, 2`);
	});

	test.each([{ firstName: 'Zoë-Lou' }, { isActive: false }, { phoneNumber: '+49 30 1' }, { isActive: 'maybe' }])(
		'if the rows differ by %j, no one who is missing is deactivated',
		async (values) => {
			const otherPeople = listOthers();
			const { firstRow, hints } = await compare([{ ...otherPeople[0], ...values }, ...otherPeople]);
			expect(firstRow).toMatchObject({
				action: 'invalid',
				reason: 'is not in the list, but may be one of the people there with the email address of someone else',
			});
			expect(hints).toContain('people who are missing in the list were not deactivated');
			expect(hints).toContain(`${getEmail(1).toLowerCase()}: positions 1, 2`);
		},
	);

	test('rows of new people count, and skipped or inactive ones do not', async () => {
		const newPerson = { email: 'new@harbour.example', phoneNumber: '+49 30 0' };
		const compareWith = (...people: IDataObject[]) => compare([...listOthers(), ...people]);
		const renamed = await compareWith(newPerson, { ...newPerson, firstName: 'Anna' });
		expect(renamed.firstRow).toMatchObject({ action: 'invalid' });
		const skipped = await compareWith({ ...newPerson, skip: 'guest' }, { ...newPerson, skip: true });
		const inactive = await compareWith(
			{ ...newPerson, isActive: false },
			{ ...newPerson, isActive: false, firstName: 'Anna' },
		);
		const partlySkipped = await compareWith(newPerson, { ...newPerson, firstName: 'Anna', skip: 'old account' });
		for (const { firstRow, hints } of [skipped, inactive, partlySkipped]) {
			expect(firstRow).toMatchObject({ action: 'deactivate', reason: 'is not in the list' });
			expect(hints).toBe('');
		}
	});

	test('a copy counts once in listCount, so that a list with many copies stops as a short one', async () => {
		const people = getUsers().map(() => ({ email: getEmail(1) }));
		const parameters = { ...fixture.customer.companyParameters, people: JSON.stringify(people) };
		const message = await getFailureMessage(
			run('TargetUser', 'compareWithList', { ...parameters, options: { previousCount: people.length } }),
		);
		expect(message).toContain(`has 1 person, but had ${people.length} last time`);
	});

	test('if missing people are ignored, the hint says nothing of them', async () => {
		const otherPeople = listOthers();
		const { firstRow, hints } = await compare([requireValue(otherPeople[0]), ...otherPeople], { ignoreMissing: true });
		expect(firstRow).toMatchObject({ action: 'unchanged', reason: 'is not in the list' });
		expect(hints).toContain('They were not compared.');
		expect(hints).not.toContain('deactivated');
	});
});
