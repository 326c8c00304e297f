import { pick, seeded, type MakeId } from './random';
import { EPOCH, type Behaviour, type Campaign, type Company, type TargetUser } from './seed';
import type { Simulator } from './personality';

const PEOPLE = 500;
const NAME = 'Full Report';

/** The job whose figures are known. */
export interface FullReportJob {
	companyResourceId: string;
	/** The campaign's identifier, which is the job's too. */
	resourceId: string;
	instanceGroup: number;
	name: string;
	/** All of its people, in the order of the seed. */
	people: readonly Behaviour[];
}

function user(company: Company, at: number, makeId: MakeId): TargetUser {
	const { companyResourceId, companyName } = company;
	const next = seeded(`full report ${companyResourceId} ${at}`);
	const number = String(at + 1).padStart(3, '0');
	return {
		resourceId: makeId(`full report user ${companyResourceId} ${at}`),
		firstName: pick(next, ['Ada', 'Björn', 'Chloé', 'Dana', 'Emre']),
		lastName: pick(next, ['Archer', 'Brandt', 'Çelik', "D'Arcy", 'Ewing']),
		email: `person.${number}@full-report.example`,
		department: pick(next, ['Finance', 'IT', 'Sales']),
		language: pick(next, ['en', 'de', 'tr']),
		companyResourceId,
		companyName,
	};
}

/**
 * What a person did, by a rank from 0 to 499: 20 people opened, clicked and submitted, 25 more opened and clicked, 5
 * clicked without a recorded open, 55 only opened, and 395 did nothing. So 100 opened and 50 clicked.
 */
function behaviour(rank: number): Omit<Behaviour, 'user'> {
	return { opened: rank < 45 || (rank >= 50 && rank < 105), clicked: rank < 50, submitted: rank < 20 };
}

/** A campaign that was run once, for 500 people that are added to the company's own. */
export function fullReportCampaign(company: Company, simulator: Simulator, makeId: MakeId): Campaign {
	// 419 has no factor in common with 500, so every rank is there once, and those who did something are on all pages.
	const people = Array.from({ length: PEOPLE }, (_, at) => ({
		user: user(company, at, makeId),
		...behaviour((at * 419) % PEOPLE),
	}));
	return {
		resourceId: makeId(`full report ${simulator} ${company.companyResourceId}`),
		name: NAME,
		simulator,
		companyResourceId: company.companyResourceId,
		companyName: company.companyName,
		status: 'Completed',
		scenario: 'Parcel Notice',
		difficulty: 'Medium',
		createTime: new Date(EPOCH - 3 * 86_400_000).toISOString(),
		excludeFromReports: false,
		instanceGroups: [1],
		userResourceIds: people.map((person) => person.user.resourceId),
		people,
	};
}

/** The job among a company's campaigns, if it has one. */
export function fullReportOf(campaigns: readonly Campaign[]): FullReportJob | undefined {
	const campaign = campaigns.find(({ name, people }) => name === NAME && people);
	const [instanceGroup] = campaign?.instanceGroups ?? [];
	if (!campaign?.people || instanceGroup === undefined) return undefined;
	const { companyResourceId, resourceId, name, people } = campaign;
	return { companyResourceId, resourceId, instanceGroup, name, people };
}
