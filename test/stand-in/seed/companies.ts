import { between, guid, pick, seeded, type MakeId } from '../random';
import type { Company, CompanyGroup } from './records';
import { DAY, EPOCH, INDUSTRIES, LICENSES, TAGS, words } from './words';

const BEGIN = words(
	'Alpine Baltic Cedar Delta Evergreen Falcon Granite Horizon Iris Juniper Kestrel Lumen Meridian Nimbus Orchard Pioneer Quartz Rowan Summit Tidal',
);
const MIDDLE = words(
	'Freight Dental Legal Foods Energy Textiles Robotics Insurance Pharma Logistics Timber Travel Motors Media Optics Seeds',
);
const END = words('AG GmbH Ltd Inc BV AB Group Partners');

// Awkward names come first, so that a service with few companies has them too.
const SPECIAL: readonly string[] = [
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

/** How many of the companies were created in the last days before the service started, and have a license that ends soon. */
const RECENT = 10;

function companyNames(count: number): string[] {
	const next = seeded('company names');
	// With enough room they are spread over all pages.
	const step = Math.max(1, Math.floor(count / SPECIAL.length));
	const taken = new Set<string>(SPECIAL);
	return Array.from({ length: count }, (_, i) => {
		const special = i % step === 0 ? SPECIAL[i / step] : undefined;
		if (special !== undefined) return special;
		let name = `${pick(next, BEGIN)} ${pick(next, MIDDLE)} ${pick(next, END)}`;
		while (taken.has(name)) name += ` ${between(next, 2, 99)}`;
		taken.add(name);
		return name;
	});
}

/** A company record with everything but what its licence says drawn from its id. */
export function seedCompany(
	companyResourceId: string,
	companyName: string | null,
	resellerName: string,
	day = EPOCH,
): Company {
	const next = seeded(`company ${companyResourceId}`);
	const industry = pick(next, INDUSTRIES);
	const license = pick(next, LICENSES);
	const targetUserCount = between(seeded(`${companyResourceId} user count`), 5, 20);
	const limited = next() < 0.6;
	const over = limited && next() < 0.1;
	const expired = next() < 0.12;
	const end = expired
		? Date.UTC(between(next, 2024, 2025), between(next, 0, 11), between(next, 1, 28))
		: Date.UTC(between(next, 2031, 2034), between(next, 0, 11), between(next, 1, 28));
	return {
		companyName,
		companyResourceId,
		resellerName,
		industryName: industry.name,
		industryResourceId: industry.id,
		licenseTypeName: license.name,
		licenseTypeResourceId: license.id,
		isNumberOfUsersLimited: limited,
		numberOfUsers: String(limited ? (over ? targetUserCount - 3 : targetUserCount + between(next, 5, 200)) : 0),
		privacyDurationId: between(next, 1, 4),
		licenceExpired: expired,
		licenseEndDate: new Date(end).toISOString(),
		createTime: new Date(day - between(next, 60, 2000) * DAY - between(next, 0, 86_399) * 1000).toISOString(),
		targetUserCount,
		children: [],
		tags: TAGS.filter(() => next() < 0.2),
		deletedTargetUserCount: between(next, 0, 4),
		inactiveTargetUserCount: between(next, 0, 5),
		monthlyActiveUserCount: between(next, 0, targetUserCount),
	};
}

/** A company and all below it, depth first. */
export function flatten(companies: readonly Company[]): Company[] {
	return companies.flatMap((company) => [company, ...flatten(company.children)]);
}

/** The tree of all managed companies: the top level, each with its children. */
export function seedCompanies(
	count: number,
	resellerName: string,
	startedAt: number,
	makeId: MakeId = guid,
	day = EPOCH,
): Company[] {
	const names = companyNames(count);
	const next = seeded('company tree');
	const every = Math.max(1, Math.floor(count / RECENT));
	let made = 0;
	const make = (): Company => {
		const index = made++;
		const company = seedCompany(makeId(`company ${index}`), names[index] ?? '', resellerName, day);
		const at = Math.floor(index / every);
		if (count >= 4 * RECENT && at < RECENT) {
			if (index % every === 3) company.createTime = new Date(startedAt - (at * 12 + 1) * 3_600_000).toISOString();
			if (index % every === 2) {
				company.licenceExpired = false;
				company.licenseEndDate = new Date(startedAt + (at * 6 + 4) * DAY).toISOString();
			}
		}
		return company;
	};
	const level = (depth: number, room: number): Company[] => {
		const companies: Company[] = [];
		while (made < count && companies.length < room) {
			const company = make();
			companies.push(company);
			if (depth < 2 && next() < (depth === 0 ? 0.08 : 0.4)) company.children = level(depth + 1, between(next, 1, 3));
		}
		return companies;
	};
	return level(0, count);
}

/** Groups of companies: the bakeries, and others of a few companies each. */
export function seedGroups(all: readonly Company[], makeId: MakeId): CompanyGroup[] {
	const next = seeded('company groups');
	const ids = all.map(({ companyResourceId }) => companyResourceId);
	const some = () => Array.from({ length: between(next, 0, 12) }, () => ids[between(next, 0, ids.length - 1)] ?? '');
	const bakeries = all.filter(({ companyName }) => companyName?.includes('Bakery'));
	return Array.from({ length: all.length === 0 ? 0 : 30 }, (_, i) => ({
		resourceId: makeId(`company group ${i}`),
		name: ['Bakeries', 'Größte Kunden'][i] ?? `Region ${String(i).padStart(2, '0')}`,
		companyResourceIdArray:
			i === 0 ? bakeries.map(({ companyResourceId }) => companyResourceId) : [...new Set(some())].filter(Boolean),
		createTime: new Date(Date.UTC(2025, i % 12, 1 + i, 10)).toISOString(),
	}));
}
