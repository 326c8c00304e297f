/** Tests Compare With List: who is added, changed, reactivated and deactivated, who is left alone, and what stops a comparison. */
import { sortBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { requireValue } from '../n8n-core/nodeFixture';
import { changeListRows } from '../run/changeListRows';
import type { TargetUser } from '../stand-in/seed';
import { createDeployedFixture, getFailureMessage } from './deployedFixture';

const { fixture, run } = createDeployedFixture();

const ACTION_ORDER = ['deactivate', 'reactivate', 'change', 'add'];
const getUsers = () => fixture.customer.companyData.users;
const getUser = (index: number): TargetUser => requireValue(getUsers()[index]);
const listEmails = () => getUsers().map(({ email }): IDataObject => ({ email }));
const keepUser = (index: number, note: IDataObject) => fixture.standIn.world.addNote(getUser(index).resourceId, note);

/** Runs the comparison. @returns the summary and the other items, each without the columns that every operation adds */
async function compare(people: IDataObject[], options: IDataObject = {}, parameters: IDataObject = {}) {
	fixture.standIn.clearLog();
	const { items } = await run('TargetUser', 'compareWithList', {
		...fixture.customer.companyParameters,
		people: JSON.stringify(people),
		options,
		...parameters,
	});
	const [summary = {}, ...rows] = items.map(({ json }) => json);
	return { summary, rows };
}
const compareAndFail = (people: IDataObject[], options?: IDataObject) => getFailureMessage(compare(people, options));

test('people are added, changed, reactivated and deactivated, each with the reason and the present values', async () => {
	const changed = getUser(0);
	const reactivated = getUser(1);
	const leaver = getUser(2);
	const disabled = getUser(3);
	const { department: departmentBefore } = changed;
	keepUser(1, { isActive: false });
	const remainingPeople = listEmails().slice(4);
	const listedPeople = [
		{ email: changed.email.toUpperCase(), department: 'Bakery', firstName: changed.firstName, lastName: '' },
		{ email: reactivated.email },
		{ email: disabled.email, isActive: false },
		{ email: 'new@harbour.example', firstName: 'Nele', phoneNumber: '+49 30 1', managerEmail: changed.email },
		...remainingPeople,
	];
	const { summary, rows } = await compare(listedPeople, { maxDeactivations: 2 });
	expect(summary).toMatchObject({
		isSummary: true,
		addCount: 1,
		changeCount: 1,
		reactivateCount: 1,
		deactivateCount: 2,
		unchangedCount: remainingPeople.length,
		listCount: remainingPeople.length + 3,
		activeCount: getUsers().length - 1,
	});
	const picked = rows.map(({ action, email, reason, changes, before }) => ({ action, email, reason, changes, before }));
	expect(sortBy(picked, ({ action, reason }) => [ACTION_ORDER.indexOf(String(action)), reason].join())).toEqual([
		{
			action: 'deactivate',
			email: disabled.email,
			reason: 'is inactive in the list',
			changes: { isActive: false },
			before: { isActive: true },
		},
		{
			action: 'deactivate',
			email: leaver.email,
			reason: 'is not in the list',
			changes: { isActive: false },
			before: { isActive: true },
		},
		{
			action: 'reactivate',
			email: reactivated.email,
			reason: 'is active in the list, and inactive on the platform',
			changes: { isActive: true },
			before: { isActive: false },
		},
		{
			action: 'change',
			email: changed.email,
			reason: `department: ${departmentBefore} → Bakery`,
			changes: { department: 'Bakery' },
			before: { department: departmentBefore },
		},
		{
			action: 'add',
			email: 'new@harbour.example',
			reason: 'is not on the platform',
			changes: { firstName: 'Nele', phoneNumber: '+49 30 1', managerEmail: changed.email, isActive: true },
			before: { isActive: false },
		},
	]);
	expect(fixture.requests.map(({ route }) => route)).toEqual(['POST /api/target-users/search']);
});

test('people whom an identity provider keeps, and people to skip, are left alone and counted', async () => {
	keepUser(0, { scimSettingName: 'Entra ID' });
	keepUser(1, { ldapConfigName: 'AD' });
	const lockedId = getUser(2).resourceId;
	changeListRows(fixture.standIn, /target-users\/search/, (row) =>
		row.resourceId === lockedId ? { ...row, isEditable: false } : row,
	);
	const skipped = getUser(3);
	const people = [{ email: skipped.email, skip: 'guest', department: 'Bakery' }, ...listEmails().slice(4)];
	const { summary, rows } = await compare([...people, { email: 'svc@harbour.example', skip: 'service account' }]);
	expect(summary).toMatchObject({
		keptCount: 3,
		skippedCount: 2,
		deactivateCount: 0,
		activeCount: getUsers().length - 3,
	});
	expect(rows).toEqual([]);
	const { rows: allRows } = await compare(people, { includeUnchanged: true });
	fixture.standIn.setOptions({ transformEnvelope: undefined });
	const results = allRows.filter(({ action }) => action !== 'unchanged').map(({ action, reason }) => [action, reason]);
	expect(sortBy(results, String)).toEqual([
		['kept', "can't be edited, because an identity provider manages this person"],
		['kept', "is managed by the LDAP connection 'AD'"],
		['kept', "is managed by the SCIM integration 'Entra ID'"],
		['skipped', 'guest'],
	]);
});

test('Include Unchanged People says why a person is unchanged', async () => {
	keepUser(0, { isActive: false });
	keepUser(1, { isActive: false });
	const people = [{ email: getUser(1).email, isActive: false }, { email: getUser(2).email }];
	const { rows } = await compare(people, { includeUnchanged: true, ignoreMissing: true });
	const reasons = [0, 1, 2, 3].map((index) => rows.find(({ email }) => email === getUser(index).email)?.reason);
	expect(reasons).toEqual(['is inactive already', 'is inactive already', 'is as in the list', 'is not in the list']);
});

test('entries that cannot be used are listed with the reason, and change nothing', async () => {
	const twice = getUser(0);
	const { length } = getUsers();
	const { rows } = await compare([
		...listEmails(),
		{ email: twice.email, department: 'Bakery' },
		{ firstName: 'Nobody' },
		{ email: 'nophone@harbour.example' },
		{ email: 'badphone@harbour.example', phoneNumber: 'none' },
	]);
	expect(rows.map(({ action, email, reason, changes }) => [action, email, reason, changes])).toEqual([
		['invalid', twice.email, `is in the list 2 times (positions 1, ${length + 1})`, {}],
		['invalid', '', `has no valid email address (position ${length + 2}: empty)`, {}],
		['invalid', 'nophone@harbour.example', 'has no valid phone number, which new people need', {}],
		['invalid', 'badphone@harbour.example', 'has no valid phone number, which new people need', {}],
	]);
});

describe('what machines write into lists', () => {
	/** Compares a list in which the first person's entry has further values. @returns the first row, and the texts of the hints */
	async function compareFirst(values: IDataObject, options: IDataObject = {}) {
		const { items, hints } = await run('TargetUser', 'compareWithList', {
			...fixture.customer.companyParameters,
			people: JSON.stringify(listEmails().map((person, index) => (index === 0 ? { ...person, ...values } : person))),
			options: { includeUnchanged: true, ...options },
		});
		const row = requireValue(items.find(({ json }) => json.email === getUser(0).email)).json;
		return { row, hints: hints.map(({ message }) => message).join('\n') };
	}

	test.each([false, 'false', 'FALSE', 0, 'no', 'inactive'])('isActive: %j means inactive', async (isActive) => {
		expect((await compareFirst({ isActive })).row).toMatchObject({ action: 'deactivate' });
	});

	test.each([true, 'TRUE', 1, '1', 'Yes', 'enabled', null, ''])('isActive: %j means active', async (isActive) => {
		expect((await compareFirst({ isActive })).row).toMatchObject({ action: 'unchanged' });
	});

	test.each(['maybe', '#N/A', 'NULL', 2, {}])(
		'isActive: %j leaves only this person alone, and says why',
		async (isActive) => {
			const { row } = await compareFirst({ isActive });
			expect(row).toMatchObject({ action: 'invalid', changes: {} });
			expect(row.reason).toContain("must have true or false in the list, but has isActive '");
		},
	);

	test.each([false, 'FALSE', 0, 'no', '', null])('skip: %j skips nobody', async (skip) => {
		expect((await compareFirst({ skip, department: 'Bakery' })).row).toMatchObject({ action: 'change' });
	});

	test.each([
		[true, 'is skipped in the list'],
		['Yes', 'is skipped in the list'],
		['on leave', 'on leave'],
	])('skip: %j skips the person', async (skip, reason) => {
		expect((await compareFirst({ skip, department: 'Bakery' })).row).toMatchObject({ action: 'skipped', reason });
	});

	test('skip: #N/A leaves the person alone, and says why', async () => {
		const { row } = await compareFirst({ skip: '#N/A', department: 'Bakery' });
		expect(row).toMatchObject({ action: 'invalid', changes: {} });
	});

	test.each([
		'#N/A',
		'#REF!',
		'#WERT!',
		'#DIV/0!',
		'#NV',
		'N/A',
		'null',
		'NULL',
		'undefined',
		'[object Object]',
		'-',
		{},
	])('a value such as %j changes nothing, and a hint names the person', async (value) => {
		const values = { department: value, phoneNumber: value, managerEmail: value };
		const { row, hints } = await compareFirst(values, { clearEmpty: true });
		expect(row).toMatchObject({ action: 'unchanged' });
		expect(hints).toContain('They were not compared.');
		expect(hints).toContain(`${getUser(0).email.toLowerCase()}: department '`);
		expect(hints).toContain(", phoneNumber '");
	});

	test('a surname may be Null', async () => {
		expect((await compareFirst({ lastName: 'NULL' })).row).toMatchObject({ changes: { lastName: 'NULL' } });
	});

	test('a hint names columns that are not compared', async () => {
		const { row, hints } = await compareFirst({ Department: 'Bakery', 'Job Title': 'Baker' });
		expect(row).toMatchObject({ action: 'unchanged' });
		expect(hints).toContain('The list has columns that are not compared: Department, Job Title.');
	});

	test('an entry that is no person stops the comparison, and the error names its position', async () => {
		const people = JSON.stringify([{ email: getUser(0).email }, 'ada@harbour.example']);
		const message = await getFailureMessage(compare([], {}, { people }));
		expect(message).toContain('must be a JSON list of people, but has none at position 2');
	});
});

test('a person who is on the platform twice is not changed', async () => {
	getUsers().push({ ...getUser(0), resourceId: 'twin' });
	const { rows } = await compare(listEmails().slice(1, -1));
	expect(rows.map(({ action, reason }) => [action, reason])).toEqual([
		['invalid', 'is on the platform 2 times'],
		['invalid', 'is on the platform 2 times'],
	]);
});

test('too many deactivations, a short list, an empty list and the error of another node stop the comparison', async () => {
	const people = listEmails();
	const { length } = people;
	const cut = people.slice(Math.floor(length / 2));
	const leaverCount = length - cut.length;
	expect(await compareAndFail(cut, { maxDeactivations: 5 })).toContain(
		`would deactivate ${leaverCount} of ${length} active people, and only 5 may be deactivated`,
	);
	// Without a limit, at most 10 % and 20 people may be deactivated.
	expect(await compareAndFail(cut)).toContain(`would deactivate ${leaverCount} of ${length} active people, and only 1`);
	expect(await compareAndFail(cut, { maxDeactivationPercent: 10 })).toContain(
		`only ${Math.floor(length / 10)} may be deactivated`,
	);
	expect(await compareAndFail(cut, { maxDeactivations: 5, previousCount: length })).toContain(
		`has ${cut.length} people, but had ${length} last time, and only 5 may be missing`,
	);
	expect((await compare(cut, { maxDeactivations: leaverCount, previousCount: length })).rows).toHaveLength(leaverCount);
	for (const noPeople of [[], [{ email: getUser(0).email, isActive: false }]])
		expect(await compareAndFail(noPeople)).toContain('an empty list would deactivate everyone');
	expect(await compareAndFail([...people, { error: '429 - too many requests' }])).toContain(
		'has the error of another node instead of people: 429 - too many requests',
	);
	expect(await compareAndFail([{ mail: 'ada@harbour.example' }])).toContain(
		"must have people with a field called 'email'",
	);
});

test('a percentage always allows one deactivation', async () => {
	expect((await compare(listEmails().slice(1), { maxDeactivationPercent: 0 })).rows).toHaveLength(1);
});

test('a second comparison with the list that was reached, and one that ignores missing people, find nothing', async () => {
	const { firstName, lastName, department, email } = getUser(0);
	const { items } = await run('TargetUser', 'getMany', { ...fixture.customer.companyParameters });
	const phoneNumber = String(items.find(({ json }) => json.email === email)?.json.phoneNumber);
	const spacedPhone = `${phoneNumber.slice(0, 5)} (${phoneNumber.slice(5, 8)}) ${phoneNumber.slice(8)}`;
	const person = { email, firstName: ` ${firstName} `, lastName, department };
	expect((await compare([person], { ignoreMissing: true })).rows).toEqual([]);
	expect((await compare([{ ...person, phoneNumber: spacedPhone }], { ignoreMissing: true })).rows).toEqual([]);
	expect((await compare([], { ignoreMissing: true })).rows).toEqual([]);
});

test('an empty value is cleared only if the user asks for it', async () => {
	const { email, department } = getUser(0);
	const people = [{ email, department: '', phoneNumber: '' }];
	expect((await compare(people, { ignoreMissing: true })).rows).toEqual([]);
	const { rows } = await compare(people, { ignoreMissing: true, clearEmpty: true });
	expect(rows.map(({ reason, changes, before }) => [reason, changes, before])).toEqual([
		[`department: ${department} → (empty)`, { department: '' }, { department }],
	]);
});

test('managers are compared if the user asks for it, with one request for each person', async () => {
	const user = getUser(0);
	const manager = getUser(1);
	keepUser(0, { managerEmail: manager.email.toUpperCase() });
	const people = [
		{ email: user.email, managerEmail: manager.email },
		{ email: manager.email, managerEmail: user.email },
	];
	expect((await compare(people, { ignoreMissing: true })).rows).toEqual([]);
	const { rows } = await compare(people, { ignoreMissing: true, compareManagers: true });
	expect(rows.map(({ email, changes, before }) => [email, changes, before])).toEqual([
		[manager.email, { managerEmail: user.email }, { managerEmail: '' }],
	]);
	expect(fixture.standIn.getRequests('GET /api/target-users/{resourceId}')).toHaveLength(2);
});

test('custom fields are found by name, and an unknown name is an error', async () => {
	const [field] = await fixture.customer.fetchList('GET /api/custom-fields/company');
	const { email } = getUser(0);
	const people = [{ email, customFields: { [String(field?.name)]: 'Kiel' } }];
	const { rows } = await compare(people, { ignoreMissing: true });
	expect(rows.map(({ changes }) => changes)).toEqual([
		{ customFields: [{ resourceId: field?.resourceId, value: 'Kiel' }] },
	]);
	const { customFields: valuesBefore } = z.object({ customFields: z.record(z.string()) }).parse(rows[0]?.before);
	expect(Object.keys(valuesBefore)).toEqual([field?.name]);
	expect(await compareAndFail([{ email, customFields: { Shoe: '42' } }])).toContain(
		"has custom fields that the customer doesn't have: Shoe",
	);
});

test('people to add get the selected target groups and, if they have none, the phone number for new people', async () => {
	const group = requireValue(fixture.customer.companyData.targetGroups[0]);
	const people = [
		...listEmails(),
		{ email: 'new@harbour.example', phoneNumber: '1' },
		{ email: 'nophone@harbour.example' },
	];
	const { rows } = await compare(people, { newPhoneNumber: '+49 30 0' }, { targetGroups: [group.name] });
	expect(rows.map(({ changes }) => changes)).toEqual([
		{ phoneNumber: '1', isActive: true, targetGroupResourceIds: [group.resourceId] },
		{ phoneNumber: '+49 30 0', isActive: true, targetGroupResourceIds: [group.resourceId] },
	]);
});

test('masked addresses are not compared', async () => {
	for (const user of getUsers()) user.email = `${user.email.slice(0, 1)}****m`;
	expect(await compareAndFail([{ email: 'ada@harbour.example' }])).toContain(
		'because the platform masks email addresses',
	);
});
