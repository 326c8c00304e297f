import { drawInteger, makeGuid, pickOne, createRandom, type IdFactory } from '../random';
import type { Company, CompanyGroup } from './records';
import { DAY_MS, EPOCH, INDUSTRIES, LICENSES, TAGS, splitWords } from './words';

const NAME_STARTS = splitWords(
	'Alpine Baltic Cedar Delta Evergreen Falcon Granite Horizon Iris Juniper Kestrel Lumen Meridian Nimbus Orchard Pioneer Quartz Rowan Summit Tidal',
);
const NAME_MIDDLES = splitWords(
	'Freight Dental Legal Foods Energy Textiles Robotics Insurance Pharma Logistics Timber Travel Motors Media Optics Seeds',
);
const NAME_ENDINGS = splitWords('AG GmbH Ltd Inc BV AB Group Partners');

// Names that are hard to handle, for example because of unusual characters, or because two companies have the same name.
const AWKWARD_NAMES: readonly string[] = [
	'Golden Crust Bakery',
	'Müller & Söhne Maschinenbau',
	'Rocket 🚀 Labs',
	'=1+1',
	"O'Brien's Pub Group",
	'"Quoted" Holdings',
	'Smith, Jones, and Partners',
	'../etc',
	' Leading Space Ltd',
	'Trailing Space Ltd ',
	'Harbour Bakery',
	'The Extraordinarily Long Named Company For Testing Of All Widths',
	'شركة الأمن المتقدم',
	'Twin Peaks Consulting',
	'Twin Peaks Consulting',
	'Old Mill Bakery',
	'<b>Bold</b> & Co',
	'Žluťoučký Kůň s.r.o.',
	'Sunrise Bakery',
	'İstanbul Güvenlik A.Ş.',
	'@SUM(A1:A9)',
	'Bakery Nordlicht',
	'株式会社セキュリティ',
	'The Village Bakery',
	'Back\\slash | Pipe; Semi',
	'Bakery & Café Élan',
	'100% Secure {{ $json.name }}',
	'Bakery of the Seven Hills',
];

/**
 * The number of companies that were created in the last few days. The same number of other companies have a license
 * that ends soon.
 */
const RECENT_COMPANY_COUNT = 10;

function generateCompanyNames(count: number): string[] {
	const random = createRandom('company names');
	// If there are few companies, all of them get awkward names. Otherwise these names are spread over all pages.
	const awkwardNameInterval = Math.max(1, Math.floor(count / AWKWARD_NAMES.length));
	const usedNames = new Set<string>(AWKWARD_NAMES);
	return Array.from({ length: count }, (_, i) => {
		const awkwardName = i % awkwardNameInterval === 0 ? AWKWARD_NAMES[i / awkwardNameInterval] : undefined;
		if (awkwardName !== undefined) return awkwardName;
		let name = `${pickOne(random, NAME_STARTS)} ${pickOne(random, NAME_MIDDLES)} ${pickOne(random, NAME_ENDINGS)}`;
		while (usedNames.has(name)) name += ` ${drawInteger(random, 2, 99)}`;
		usedNames.add(name);
		return name;
	});
}

/** Creates a company whose values are drawn from its ID. */
export function seedCompany(
	companyResourceId: string,
	companyName: string | null,
	resellerName: string,
	referenceTime = EPOCH,
): Company {
	const random = createRandom(`company ${companyResourceId}`);
	const industry = pickOne(random, INDUSTRIES);
	const license = pickOne(random, LICENSES);
	const targetUserCount = drawInteger(createRandom(`${companyResourceId} user count`), 5, 20);
	const isLimited = random() < 0.6;
	const isOverLimit = isLimited && random() < 0.1;
	const isExpired = random() < 0.12;
	const licenseYears: [first: number, last: number] = isExpired ? [2024, 2025] : [2031, 2034];
	const licenseEnd = Date.UTC(
		drawInteger(random, ...licenseYears),
		drawInteger(random, 0, 11),
		drawInteger(random, 1, 28),
	);
	let numberOfUsers = 0;
	if (isOverLimit) numberOfUsers = targetUserCount - 3;
	else if (isLimited) numberOfUsers = targetUserCount + drawInteger(random, 5, 200);
	return {
		companyName,
		companyResourceId,
		resellerName,
		industryName: industry.name,
		industryResourceId: industry.id,
		licenseTypeName: license.name,
		licenseTypeResourceId: license.id,
		isNumberOfUsersLimited: isLimited,
		numberOfUsers: String(numberOfUsers),
		privacyDurationId: drawInteger(random, 1, 4),
		licenceExpired: isExpired,
		licenseEndDate: new Date(licenseEnd).toISOString(),
		createTime: new Date(
			referenceTime - drawInteger(random, 60, 2000) * DAY_MS - drawInteger(random, 0, 86_399) * 1000,
		).toISOString(),
		targetUserCount,
		children: [],
		tags: TAGS.filter(() => random() < 0.2),
		deletedTargetUserCount: drawInteger(random, 0, 4),
		inactiveTargetUserCount: drawInteger(random, 0, 5),
		monthlyActiveUserCount: drawInteger(random, 0, targetUserCount),
	};
}

/** Returns companies and all companies below them; each parent is followed by its children. */
export function flattenCompanyTree(companies: readonly Company[]): Company[] {
	return companies.flatMap((company) => [company, ...flattenCompanyTree(company.children)]);
}

/**
 * Seeds the tree of all managed companies.
 * @param startedAt the start of the stand-in, in milliseconds; recent companies are dated relative to it
 * @returns the companies of the top level, with their children
 */
export function seedCompanies(
	count: number,
	resellerName: string,
	startedAt: number,
	makeId: IdFactory = makeGuid,
	referenceTime = EPOCH,
): Company[] {
	const names = generateCompanyNames(count);
	const random = createRandom('company tree');
	const recentInterval = Math.max(1, Math.floor(count / RECENT_COMPANY_COUNT));
	let createdCount = 0;
	const createNextCompany = (): Company => {
		const index = createdCount++;
		const company = seedCompany(makeId(`company ${index}`), names[index] ?? '', resellerName, referenceTime);
		const recentIndex = Math.floor(index / recentInterval);
		if (count >= 4 * RECENT_COMPANY_COUNT && recentIndex < RECENT_COMPANY_COUNT) {
			if (index % recentInterval === 3)
				company.createTime = new Date(startedAt - (recentIndex * 12 + 1) * 3_600_000).toISOString();
			if (index % recentInterval === 2) {
				company.licenceExpired = false;
				company.licenseEndDate = new Date(startedAt + (recentIndex * 6 + 4) * DAY_MS).toISOString();
			}
		}
		return company;
	};
	const createSubtrees = (depth: number, maxCount: number): Company[] => {
		const companies: Company[] = [];
		while (createdCount < count && companies.length < maxCount) {
			const company = createNextCompany();
			companies.push(company);
			const childProbability = depth === 0 ? 0.08 : 0.4;
			if (depth < 2 && random() < childProbability)
				company.children = createSubtrees(depth + 1, drawInteger(random, 1, 3));
		}
		return companies;
	};
	return createSubtrees(0, count);
}

/** Seeds the groups of companies: one of all bakeries, and others of a few companies each. */
export function seedGroups(companies: readonly Company[], makeId: IdFactory): CompanyGroup[] {
	const random = createRandom('company groups');
	const ids = companies.map(({ companyResourceId }) => companyResourceId);
	const drawCompanyIds = () =>
		Array.from({ length: drawInteger(random, 0, 12) }, () => ids[drawInteger(random, 0, ids.length - 1)] ?? '');
	const bakeries = companies.filter(({ companyName }) => companyName?.includes('Bakery'));
	return Array.from({ length: companies.length === 0 ? 0 : 30 }, (_, i) => ({
		resourceId: makeId(`company group ${i}`),
		name: ['Bakeries', 'Größte Kunden'][i] ?? `Region ${String(i).padStart(2, '0')}`,
		companyResourceIdArray:
			i === 0
				? bakeries.map(({ companyResourceId }) => companyResourceId)
				: [...new Set(drawCompanyIds())].filter(Boolean),
		createTime: new Date(Date.UTC(2025, i % 12, 1 + i, 10)).toISOString(),
	}));
}
