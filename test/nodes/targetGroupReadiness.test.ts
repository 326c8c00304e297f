/** Tests 'Check target group readiness' on a live deployment: the figures, and the hint for each figure that can't be known. */
import { omit } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { requireValue } from '../n8n-core/nodeFixture';
import { createDeployedFixture, getFailureMessage } from './deployedFixture';
import { createDistortion } from './listDistortions';

const { fixture, run } = createDeployedFixture();
afterEach(() => fixture.standIn.setOptions({ transformEnvelope: undefined }));

const LIST_DOMAINS = 'GET /api/allow-list/search/verified';
const LIST_MEMBERS = 'POST /api/target-groups/{resourceId}/users';

/** Returns the customer's group 'Everybody', or another group. */
const getGroup = (index = 0) => requireValue(fixture.customer.companyData.targetGroups[index]);

/** Runs the operation. @returns the json of the items, and the texts of the hints */
async function checkReadiness(targetGroups: string | string[] = [getGroup().resourceId], options: IDataObject = {}) {
	const { items, hints } = await run('TargetGroup', 'checkReadiness', {
		...fixture.customer.companyParameters,
		targetGroups,
		options,
	});
	return { rows: items.map(({ json }) => json), hints: hints.map(({ message }) => message).join('\n') };
}

/** Changes each record of a group's list of members before the node gets it. */
function changeMembers(change: (member: IDataObject) => IDataObject): void {
	fixture.standIn.setOptions({
		transformEnvelope: createDistortion(LIST_MEMBERS, (page) => ({ ...page, results: page.results.map(change) })),
	});
}

test('groups by name: each group is one item with its own figures', async () => {
	const { companyData } = fixture.customer;
	const group = getGroup();
	const otherGroup = getGroup(1);
	const person = requireValue(companyData.getGroupMembers([otherGroup.resourceId])[0]);
	person.email = 'nathan@private.example';
	for (const user of companyData.users) user.language = '';
	const { rows, hints } = await checkReadiness(`${group.name}, ${otherGroup.name}`);
	expect(hints).toBe('');
	expect(rows).toEqual(
		[group, otherGroup].map(({ name, resourceId, userCount }) => ({
			companyName: fixture.customer.company.companyName,
			name,
			people: userCount,
			withoutVerifiedDomain: 1,
			withoutPhoneNumber: 0,
			withoutPreferredLanguage: userCount,
			resourceId,
			companyResourceId: fixture.customer.companyId,
		})),
	);
});

test('a domain in capitals counts as verified; a domain that is not verified yet does not, and no subdomain does', async () => {
	const { allowedDomains, users } = fixture.customer.companyData;
	const [domain] = allowedDomains;
	allowedDomains.push({ ...requireValue(domain), domain: 'pending.example', verifyTime: null });
	requireValue(domain).domain = requireValue(domain).domain.toUpperCase();
	const emails = ['a@pending.example', `b@mail.${requireValue(domain).domain.toLowerCase()}`];
	emails.forEach((email, index) => Object.assign(requireValue(users[index]), { email }));
	const { rows } = await checkReadiness(undefined, { includePeople: true });
	expect(rows[0]).toMatchObject({ withoutVerifiedDomain: 2, peopleWithoutPhoneNumber: [] });
	expect([rows[0]?.peopleWithoutVerifiedDomain].flat().sort()).toEqual(emails.sort());
});

test('people without an email address and without a phone number are counted', async () => {
	const { userCount } = getGroup();
	changeMembers((member) => ({ ...member, email: '', phoneNumber: null }));
	const { rows, hints } = await checkReadiness();
	expect(rows[0]).toMatchObject({ withoutVerifiedDomain: userCount, withoutPhoneNumber: userCount });
	expect(hints).toBe('');
});

test.each(['#N/A', '-', '4.91511E+12'])("a phone number that can't be one counts as none: %s", async (phoneNumber) => {
	const { userCount } = getGroup();
	changeMembers((member) => ({ ...member, phoneNumber }));
	expect((await checkReadiness()).rows[0]).toMatchObject({ withoutPhoneNumber: userCount });
});

test('a phone number with characters that copying added is a phone number', async () => {
	changeMembers((member) => ({ ...member, phoneNumber: "'+49 30 1234567\u200b" }));
	expect((await checkReadiness()).rows[0]).toMatchObject({ withoutPhoneNumber: 0 });
});

test('a list of members that was incomplete once is read again', async () => {
	let readCount = 0;
	fixture.standIn.setOptions({
		transformEnvelope: createDistortion(LIST_MEMBERS, (page) =>
			readCount++ === 0 ? { ...page, totalNumberOfRecords: 500 } : page,
		),
	});
	const { rows, hints } = await checkReadiness();
	expect(rows[0]).toMatchObject({ people: getGroup().userCount, withoutPhoneNumber: 0 });
	expect(hints).toBe('');
});

test('the two spellings of a domain with an umlaut are the same domain', async () => {
	const { companyData } = fixture.customer;
	requireValue(companyData.allowedDomains[0]).domain = 'xn--bckerei-5wa.example';
	changeMembers((member) => ({ ...member, email: 'ada@Bäckerei.example' }));
	expect((await checkReadiness()).rows[0]).toMatchObject({ withoutVerifiedDomain: 0 });
});

test('a group without people has no one to count', async () => {
	getGroup().userResourceIds = [];
	const { rows, hints } = await checkReadiness(undefined, { includePeople: true });
	expect(rows[0]).toMatchObject({ people: 0, withoutVerifiedDomain: 0, peopleWithoutVerifiedDomain: [] });
	expect(hints).toBe('');
});

describe('a figure that the platform does not show is empty, and a hint says why', () => {
	test.each([
		['has no list of verified domains', 404],
		['does not let the credential read the list of verified domains', 403],
	])('it %s', async (_reason, status) => {
		fixture.standIn.addFault({ route: LIST_DOMAINS, kind: 'status', status, times: Infinity });
		const { rows, hints } = await checkReadiness(undefined, { includePeople: true });
		expect(rows[0]).toMatchObject({
			people: getGroup().userCount,
			withoutVerifiedDomain: null,
			withoutPhoneNumber: 0,
			peopleWithoutVerifiedDomain: null,
		});
		expect(hints).toContain("The field 'withoutVerifiedDomain' is empty, because the platform has no list");
		expect(hints).not.toContain('masks their email addresses');
	});

	test('it sends null instead of the verified domains', async () => {
		fixture.standIn.setOptions({
			transformEnvelope: (envelope, { route }) =>
				route === LIST_DOMAINS ? { ...(envelope as object), data: null } : envelope,
		});
		const { rows, hints } = await checkReadiness();
		expect(rows[0]).toMatchObject({ withoutVerifiedDomain: null, withoutPhoneNumber: 0 });
		expect(hints).toContain('the platform has no list of verified domains');
	});

	test.each(['a****m', 'a****m@bakery.example', 'a****m@o****e', '****@bakery.example'])(
		'it masks email addresses as %s',
		async (email) => {
			changeMembers((member) => ({ ...member, email }));
			const { rows, hints } = await checkReadiness();
			expect(rows[0]).toMatchObject({
				people: getGroup().userCount,
				withoutVerifiedDomain: null,
				withoutPhoneNumber: 0,
			});
			expect(hints).toContain('because the platform masks their email addresses');
			expect(hints).toContain(getGroup().name);
		},
	);

	test('it masks phone numbers', async () => {
		changeMembers((member) => ({ ...member, phoneNumber: '****4567' }));
		const { rows, hints } = await checkReadiness();
		expect(rows[0]).toMatchObject({ withoutPhoneNumber: null });
		expect(hints).toContain("doesn't show phone numbers");
	});

	test.each([
		['withoutPhoneNumber', 'phoneNumber', "doesn't show phone numbers"],
		['withoutPreferredLanguage', 'preferredLanguage', "doesn't show preferred languages"],
	])('%s: its list of members has no %s', async (figure, fieldName, reason) => {
		changeMembers((member) => omit(member, fieldName));
		const { rows, hints } = await checkReadiness();
		expect(rows[0]).toMatchObject({ withoutVerifiedDomain: 0, [figure]: null });
		expect(hints).toContain(reason);
	});

	test('its list of members is incomplete: no figure is a guess', async () => {
		fixture.standIn.setOptions({
			transformEnvelope: createDistortion(LIST_MEMBERS, (page) => ({ ...page, totalNumberOfRecords: 500 })),
		});
		const { rows, hints } = await checkReadiness();
		expect(rows[0]).toMatchObject({
			name: getGroup().name,
			people: null,
			withoutVerifiedDomain: null,
			withoutPhoneNumber: null,
			withoutPreferredLanguage: null,
		});
		expect(hints).toContain('the list of their members is incomplete');
		expect(hints).toContain(`${getGroup().name}: the platform counts`);
	});
});

test('a group that does not exist is reported, and the other group is still checked', async () => {
	const { rows, hints } = await checkReadiness([getGroup().resourceId, '11111111-2222-4333-8444-555555555555']);
	expect(rows.map(({ name }) => name)).toEqual([getGroup().name]);
	expect(hints).toContain('Some target groups could not be read');
});

test('any other failure of the verified domains stops the node', async () => {
	fixture.standIn.addFault({ route: LIST_DOMAINS, kind: 'status-500', times: Infinity });
	expect(await getFailureMessage(checkReadiness())).toContain('Could not check target group readiness');
});
