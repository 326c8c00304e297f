import { drawInteger, makeGuid, pickOne, createRandom, type IdFactory } from '../random';
import type { Company, TargetGroup, TargetUser } from './records';
import { DAY_MS, DEPARTMENTS, EPOCH, LANGUAGES, splitWords } from './words';

const FIRST_NAMES = splitWords(
	'Anna Bjørn Chloé David Elif Fatima Giulia Hans Inés Jürgen Keiko Liam Måns Noor Olga Priya',
);
const LAST_NAMES = splitWords(
	"Ahmed Becker Carlsson D'Angelo Eriksen Fischer García Huber Ivanova Jones Kaya Łukasik Müller Nguyen O'Neill Peeters",
);

function toSlug(text: string): string {
	return (
		text
			.normalize('NFKD')
			.replace(/\p{Mark}/gu, '')
			.toLowerCase()
			.replace(/[^a-z0-9]+/g, '-')
			.replace(/^-+|-+$/g, '')
			.slice(0, 30) || 'company'
	);
}

/** Seeds the target users of one company. */
export function seedUsers(company: Company, makeId: IdFactory = makeGuid): TargetUser[] {
	const id = company.companyResourceId;
	const random = createRandom(`users ${id}`);
	const domain = `${toSlug(company.companyName ?? '')}-${id.slice(0, 4)}.example`;
	return Array.from({ length: company.targetUserCount }, (_, i) => {
		const firstName = pickOne(random, FIRST_NAMES);
		const lastName = pickOne(random, LAST_NAMES);
		return {
			resourceId: makeId(`user ${id} ${i}`),
			firstName,
			lastName,
			email: `${toSlug(firstName)}.${toSlug(lastName)}${i + 1}@${domain}`,
			department: pickOne(random, DEPARTMENTS),
			language: pickOne(random, LANGUAGES),
			companyResourceId: id,
			companyName: company.companyName,
		};
	});
}

/**
 * Seeds the target groups of one company: one with all users, and some named after departments.
 * @param referenceTime the time that dates are relative to; if it is set, some companies have a group 'Monthly
 * Simulation', which an example workflow looks for
 */
export function seedTargetGroups(
	company: Company,
	users: readonly TargetUser[],
	makeId: IdFactory = makeGuid,
	referenceTime?: number,
): TargetGroup[] {
	const id = company.companyResourceId;
	const random = createRandom(`groups ${id}`);
	const hasMonthlyGroup = referenceTime !== undefined && createRandom(`monthly ${id}`)() < 0.1;
	return Array.from({ length: drawInteger(random, 2, 4) }, (_, i) => {
		const members = i === 0 ? users : users.filter((_user, index) => index % 3 === i % 3);
		const createdAt = (referenceTime ?? EPOCH) - drawInteger(random, 30, 900) * DAY_MS;
		let name = `${DEPARTMENTS[i] ?? 'Team'} Team`;
		if (i === 0) name = 'Everybody';
		else if (i === 1 && hasMonthlyGroup) name = 'Monthly Simulation';
		return {
			resourceId: makeId(`group ${id} ${i}`),
			name,
			companyName: company.companyName,
			priority: pickOne(random, ['High', 'Medium', 'Low']),
			userCount: members.length,
			createTime: new Date(createdAt).toISOString(),
			updateTime: new Date(createdAt + drawInteger(random, 0, 29) * DAY_MS).toISOString(),
			companyResourceId: id,
			userResourceIds: members.map((user) => user.resourceId),
		};
	});
}
