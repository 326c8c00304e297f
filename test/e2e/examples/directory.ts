/** Builds the people of example 23: those on the platform, and those in the directory of Entra ID. */
import type { GraphUser } from '../../real-n8n/graphSimulator';
import type { StandIn } from '../../stand-in';
import { getPhoneNumber } from '../../stand-in/deployed/lists';
import type { Company, TargetUser } from '../../stand-in/seed';

export const PERSON_COUNT = 5000;
export const KEPT_COUNT = 500;
/** The tenant of the customer with 5,000 people. */
export const TENANT = 'large.example';

const FIRST_NAMES = ['Anna', 'Björn', 'Chloé', 'David', 'Elif', 'Fatima', 'Giulia'];
const LAST_NAMES = ['Becker', 'Fischer', 'García', 'Jones', 'Kaya', 'Łukasik', 'Nguyen', "O'Neill", 'Peeters'];

export const getPersonEmail = (index: number) => `person${index}@${TENANT}`;

/** Gives a customer 5,000 people, of whom 500 are kept by SCIM and 10 are inactive. All are in a target group. */
export function addPeople({ world }: StandIn, company: Company): TargetUser[] {
	const { users, targetGroups } = world.getCompanyData(company.companyResourceId);
	users.splice(0);
	for (let index = 0; index < PERSON_COUNT; index++) {
		const resourceId = `person-${index}`;
		users.push({
			resourceId,
			companyResourceId: company.companyResourceId,
			companyName: company.companyName,
			language: 'en',
			email: getPersonEmail(index),
			firstName: FIRST_NAMES[index % FIRST_NAMES.length] ?? '',
			lastName: LAST_NAMES[index % LAST_NAMES.length] ?? '',
			department: index % 2 === 0 ? 'Sales' : 'Support',
		});
		if (index < KEPT_COUNT) world.addNote(resourceId, { scimSettingName: 'Entra ID' });
		if (index >= 600 && index < 610) world.addNote(resourceId, { isActive: false });
	}
	targetGroups.splice(1);
	for (const group of targetGroups) {
		group.userResourceIds = users.map(({ resourceId }) => resourceId);
		group.userCount = users.length;
	}
	return users;
}

export const toGraphUser = (user: TargetUser): GraphUser => ({
	givenName: user.firstName,
	surname: user.lastName,
	mail: user.email,
	userPrincipalName: user.email,
	accountEnabled: true,
	userType: 'Member',
	department: user.department,
	mobilePhone: getPhoneNumber(user),
	businessPhones: [],
});

export const buildNewUser = (name: string, tenant: string, changes: Partial<GraphUser> = {}): GraphUser => ({
	givenName: 'New',
	surname: name,
	mail: `${name}@${tenant}`,
	userPrincipalName: `${name}@${tenant}`,
	accountEnabled: true,
	userType: 'Member',
	department: null,
	mobilePhone: '+49 30 1234567',
	businessPhones: [],
	...changes,
});

/**
 * Builds the directory of the large customer: 30 people have left, 5 accounts are disabled, 50 people have another department, 20 people
 * are new, 2 of the new ones have no phone number. The people whom SCIM keeps have changed, too.
 */
export function buildDirectory(users: readonly TargetUser[]): GraphUser[] {
	const people = users.map((user, index) => {
		const graphUser = toGraphUser(user);
		if (index < 40 || (index >= 1000 && index < 1050)) graphUser.department = 'Research & <Development>';
		if (index >= 2000 && index < 2005) graphUser.accountEnabled = false;
		return graphUser;
	});
	const remainingPeople = people.filter(
		(_person, index) => (index < 50 || index >= 70) && (index < 3000 || index >= 3030),
	);
	const manager = { givenName: 'Anna', surname: 'Jones', mail: getPersonEmail(700) };
	return [
		...remainingPeople,
		...Array.from({ length: 20 }, (_value, index) => buildNewUser(`new${index}`, TENANT, { manager })),
		...Array.from({ length: 25 }, (_value, index) => buildNewUser(`guest${index}`, TENANT, { userType: 'Guest' })),
		buildNewUser('nophone1', TENANT, { mobilePhone: null }),
		buildNewUser('nophone2', TENANT, { mobilePhone: null }),
		buildNewUser('svc-backup', TENANT),
		buildNewUser('mailbox', TENANT, { mail: null }),
		buildNewUser('oldaccount', TENANT, { accountEnabled: false }),
	];
}
