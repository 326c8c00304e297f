/** What every world of a service begins with. Seeded once, since a reset is so frequent that seeding it anew takes long. */
import { between, guid, seeded, shortId, type MakeId } from './random';
import { flatten, seedCatalogue, seedCompanies, seedCompany, type Company, type Training } from './seed';
import type { CompanyGroup } from './holdings';
import type { PersonalityName } from './personality';

export interface Beginning {
	/** The reseller's own company: not one of its customers. */
	reseller: Company;
	/** A company of another reseller. */
	foreign: Company;
	tree: Company[];
	/** The trainings that every company may use. */
	catalogue: Training[];
	groups: CompanyGroup[];
}

/** How a deployment makes the identifier of a key. */
export const makeIdOf = (personality: PersonalityName): MakeId => (personality === 'deployed' ? shortId : guid);

/**
 * @param count how many companies there are, nested ones included
 * @param startedAt when the service started, in ms as of Date.now: some companies were created shortly before
 */
export function beginningOf(count: number, startedAt: number, personality: PersonalityName): Beginning {
	const makeId = makeIdOf(personality);
	const resellerName = 'Northwind Reseller';
	const tree = seedCompanies(count, resellerName, startedAt, makeId);
	return {
		reseller: seedCompany(makeId('the reseller'), resellerName, resellerName),
		foreign: seedCompany(makeId('a foreign company'), 'Somebody Else Ltd', 'Another Reseller'),
		tree,
		catalogue: seedCatalogue(),
		groups: seedGroups(flatten(tree), makeId),
	};
}

function seedGroups(all: readonly Company[], makeId: MakeId): CompanyGroup[] {
	const next = seeded('company groups');
	if (all.length === 0) return [];
	return Array.from({ length: 30 }, (_, i) => ({
		resourceId: makeId(`company group ${i}`),
		name: i === 0 ? 'Bakeries' : i === 1 ? 'Größte Kunden' : `Region ${String(i).padStart(2, '0')}`,
		companyResourceIdArray:
			i === 0
				? all.filter((company) => company.companyName?.includes('Bakery')).map((company) => company.companyResourceId)
				: [
						...new Set(
							Array.from(
								{ length: between(next, 0, 12) },
								() => all[between(next, 0, all.length - 1)]?.companyResourceId ?? '',
							),
						),
					].filter(Boolean),
		createTime: new Date(Date.UTC(2025, i % 12, 1 + i, 10)).toISOString(),
	}));
}

// By hand: structuredClone takes as long as seeding.
const copyOfCompany = (company: Company): Company => ({
	...company,
	tags: [...company.tags],
	children: company.children.map(copyOfCompany),
});
const copyOfTraining = (training: Training): Training => ({
	...training,
	tags: [...training.tags],
	languages: [...training.languages],
	compliances: [...training.compliances],
	availableFor: [...training.availableFor],
	coverImage: { ...training.coverImage },
	trainingRoles: training.trainingRoles.map((role) => ({ ...role })),
});

/** @returns the same, of which nothing is shared with what is given */
export const copyOf = ({ reseller, foreign, tree, catalogue, groups }: Beginning): Beginning => ({
	reseller: copyOfCompany(reseller),
	foreign: copyOfCompany(foreign),
	tree: tree.map(copyOfCompany),
	catalogue: catalogue.map(copyOfTraining),
	groups: groups.map((group) => ({ ...group, companyResourceIdArray: [...group.companyResourceIdArray] })),
});
