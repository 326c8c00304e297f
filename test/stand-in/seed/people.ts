import { between, guid, pick, seeded, type MakeId } from '../random';
import type { Company, TargetGroup, TargetUser } from './records';
import { DAY, DEPARTMENTS, EPOCH, LANGUAGES, words } from './words';

const FIRST = words('Anna Bjørn Chloé David Elif Fatima Giulia Hans Inés Jürgen Keiko Liam Måns Noor Olga Priya');
const LAST = words(
	"Ahmed Becker Carlsson D'Angelo Eriksen Fischer García Huber Ivanova Jones Kaya Łukasik Müller Nguyen O'Neill Peeters",
);

function slug(text: string): string {
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

/** The target users of one company. */
export function seedUsers(company: Company, makeId: MakeId = guid): TargetUser[] {
	const id = company.companyResourceId;
	const next = seeded(`users ${id}`);
	const domain = `${slug(company.companyName ?? '')}-${id.slice(0, 4)}.example`;
	return Array.from({ length: company.targetUserCount }, (_, i) => {
		const firstName = pick(next, FIRST);
		const lastName = pick(next, LAST);
		return {
			resourceId: makeId(`user ${id} ${i}`),
			firstName,
			lastName,
			email: `${slug(firstName)}.${slug(lastName)}${i + 1}@${domain}`,
			department: pick(next, DEPARTMENTS),
			language: pick(next, LANGUAGES),
			companyResourceId: id,
			companyName: company.companyName,
		};
	});
}

/**
 * The target groups of one company: everybody, and some departments.
 * @param today what the dates are based on; then some companies have the group that the example of a monthly simulation asks for
 */
export function seedTargetGroups(
	company: Company,
	users: readonly TargetUser[],
	makeId: MakeId = guid,
	today?: number,
): TargetGroup[] {
	const id = company.companyResourceId;
	const next = seeded(`groups ${id}`);
	const isMonthly = today !== undefined && seeded(`monthly ${id}`)() < 0.1;
	return Array.from({ length: between(next, 2, 4) }, (_, i) => {
		const members = i === 0 ? users : users.filter((_user, at) => at % 3 === i % 3);
		const created = (today ?? EPOCH) - between(next, 30, 900) * DAY;
		return {
			resourceId: makeId(`group ${id} ${i}`),
			name: i === 0 ? 'Everybody' : i === 1 && isMonthly ? 'Monthly Simulation' : `${DEPARTMENTS[i] ?? 'Team'} Team`,
			companyName: company.companyName,
			priority: pick(next, ['High', 'Medium', 'Low']),
			userCount: members.length,
			createTime: new Date(created).toISOString(),
			updateTime: new Date(created + between(next, 0, 29) * DAY).toISOString(),
			companyResourceId: id,
			userResourceIds: members.map((user) => user.resourceId),
		};
	});
}
