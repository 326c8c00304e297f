import { between, guid, pick, seeded, type MakeId } from './random';
import type { Simulator } from './personality';

// Type aliases rather than interfaces: an alias may be handed on as a plain record.

/** A company as company search lists it (contract 2.4). */
export type Company = {
	companyName: string | null;
	companyResourceId: string;
	resellerName: string;
	industryName: string;
	industryResourceId: string;
	licenseTypeName: string;
	licenseTypeResourceId: string;
	isNumberOfUsersLimited: boolean;
	numberOfUsers: string;
	privacyDurationId: number;
	licenceExpired: boolean;
	licenseEndDate: string;
	createTime: string;
	targetUserCount: number;
	children: Company[];
	tags: string[];
	deletedTargetUserCount: number;
	inactiveTargetUserCount: number;
	monthlyActiveUserCount: number;
};

/** A person who gets trainings and simulations. */
export type TargetUser = {
	resourceId: string;
	firstName: string;
	lastName: string;
	email: string;
	department: string;
	language: string;
	companyResourceId: string;
	companyName: string | null;
};

/** A target group item (contract 2.6); the company's id is the service's own knowledge. */
export type TargetGroup = {
	resourceId: string;
	name: string;
	companyName: string | null;
	priority: string;
	userCount: number;
	createTime: string;
	updateTime: string;
	companyResourceId: string;
	userResourceIds: string[];
};

/** A training item (contract 2.5). */
export type Training = {
	trainingId: string;
	trainingName: string;
	description: string;
	createdBy: string;
	category: string;
	targetAudience: string;
	type: string;
	duration: string;
	level: string;
	vendorName: string;
	createTime: string;
	isNew: boolean;
	isFavourite: boolean;
	isEditable: boolean;
	hasQuiz: boolean;
	tags: string[];
	languages: string[];
	compliances: string[];
	availableFor: string[];
	coverImage: { imageUrl: string; name: string };
	trainingRoles: Array<{ roleId: number; code: string; roleName: string }>;
};

/** An enrollment: what was asked for at its creation, and what became of it. */
export type Enrollment = {
	resourceId: string;
	name: string;
	companyResourceId: string;
	trainingId: string;
	trainingName: string;
	category: string;
	targetAudience: string;
	type: string;
	enrolledBy: string;
	delivery: string;
	status: string;
	certificateName: string;
	languages: string[];
	tags: string[];
	startDate: string;
	dueDate: string | null;
	createTime: string;
	awardCertificate: boolean;
	markedAsTest: boolean;
	excludeFromReports: boolean;
	autoEnroll: boolean;
	hasReminder: boolean;
	sendTemplatesInPreferredLanguage: boolean;
	targetGroupResourceIds: string[];
	/** How often it was sent; more than once shows a doubled write. */
	sendCount: number;
	/** Seeded enrollments have progress, new ones do not yet. */
	seeded: boolean;
	/** The body it was created with. */
	asked: Record<string, unknown>;
};

/** A simulator's campaign with the runs (instance groups) of it. */
export type Campaign = {
	resourceId: string;
	name: string;
	simulator: Simulator;
	companyResourceId: string;
	companyName: string | null;
	status: string;
	scenario: string;
	difficulty: string;
	createTime: string;
	excludeFromReports: boolean;
	instanceGroups: number[];
	userResourceIds: string[];
	/** What its people did, where that is set and not drawn. */
	people?: Behaviour[];
};

/** What one person did with a simulated message. */
export type Behaviour = { user: TargetUser; opened: boolean; clicked: boolean; submitted: boolean };

/** The day that all seeded dates are based on, so that nothing depends on the current date. */
export const EPOCH = Date.parse('2026-01-15T08:00:00.000Z');
const DAY = 86_400_000;

interface Named {
	name: string;
	id: string;
}

function named(kind: string, [first, ...rest]: readonly [string, ...string[]]): [Named, ...Named[]] {
	const one = (name: string): Named => ({ name, id: guid(`${kind} ${name}`) });
	return [one(first), ...rest.map(one)];
}

/** The industries that companies are in. */
export const INDUSTRIES = named('industry', [
	'Finance',
	'Health Care',
	'Manufacturing',
	'Public Sector',
	'Retail',
	'Hospitality',
	'Education',
]);
/** The kinds of licence. */
export const LICENSES = named('license', ['Standard', 'Premium', 'Trial', 'Enterprise']);

const TAGS = ['nis2', 'vip', 'pilot', 'emea', 'north', 'south', 'annual', 'monthly'] as const;
const FIRST = [
	'Anna',
	'Bjørn',
	'Chloé',
	'David',
	'Elif',
	'Fatima',
	'Giulia',
	'Hans',
	'Inés',
	'Jürgen',
	'Keiko',
	'Liam',
	'Måns',
	'Noor',
	'Olga',
	'Priya',
] as const;
const LAST = [
	'Ahmed',
	'Becker',
	'Carlsson',
	"D'Angelo",
	'Eriksen',
	'Fischer',
	'García',
	'Huber',
	'Ivanova',
	'Jones',
	'Kaya',
	'Łukasik',
	'Müller',
	'Nguyen',
	"O'Neill",
	'Peeters',
] as const;
const DEPARTMENTS = ['Finance', 'Human Resources', 'IT', 'Marketing', 'Operations', 'Sales'] as const;
const LANGUAGES = ['en', 'de', 'fr', 'tr', 'nl'] as const;
const BEGIN = [
	'Alpine',
	'Baltic',
	'Cedar',
	'Delta',
	'Evergreen',
	'Falcon',
	'Granite',
	'Horizon',
	'Iris',
	'Juniper',
	'Kestrel',
	'Lumen',
	'Meridian',
	'Nimbus',
	'Orchard',
	'Pioneer',
	'Quartz',
	'Rowan',
	'Summit',
	'Tidal',
] as const;
const MIDDLE = [
	'Freight',
	'Dental',
	'Legal',
	'Foods',
	'Energy',
	'Textiles',
	'Robotics',
	'Insurance',
	'Pharma',
	'Logistics',
	'Timber',
	'Travel',
	'Motors',
	'Media',
	'Optics',
	'Seeds',
] as const;
const END = ['AG', 'GmbH', 'Ltd', 'Inc', 'BV', 'AB', 'Group', 'Partners'] as const;

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

/** Which of the companies were created in the last days before the service started. */
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

/** How many target users a company has. */
export function userCount(companyResourceId: string): number {
	return between(seeded(`${companyResourceId} user count`), 5, 20);
}

/** A company record with everything but what its licence says drawn from its id. */
export function seedCompany(companyResourceId: string, companyName: string | null, resellerName: string): Company {
	const next = seeded(`company ${companyResourceId}`);
	const industry = pick(next, INDUSTRIES);
	const license = pick(next, LICENSES);
	const targetUserCount = userCount(companyResourceId);
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
		createTime: new Date(EPOCH - between(next, 60, 2000) * DAY - between(next, 0, 86_399) * 1000).toISOString(),
		targetUserCount,
		children: [],
		tags: TAGS.filter(() => next() < 0.2),
		deletedTargetUserCount: between(next, 0, 4),
		inactiveTargetUserCount: between(next, 0, 5),
		monthlyActiveUserCount: between(next, 0, targetUserCount),
	};
}

/** The tree of all managed companies: the top level, each with its children. */
export function seedCompanies(
	count: number,
	resellerName: string,
	startedAt: number,
	withoutName: boolean,
	makeId: MakeId = guid,
): Company[] {
	const names = companyNames(count);
	const next = seeded('company tree');
	const every = Math.max(1, Math.floor(count / RECENT));
	let made = 0;
	const make = (): Company => {
		const index = made++;
		const nameless = withoutName && index === Math.floor(count / 2);
		const company = seedCompany(makeId(`company ${index}`), nameless ? null : (names[index] ?? ''), resellerName);
		if (count >= 4 * RECENT && index % every === 3 && index / every < RECENT) {
			company.createTime = new Date(startedAt - (Math.floor(index / every) * 12 + 1) * 3_600_000).toISOString();
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

/** The target groups of one company: everybody, and some departments. */
export function seedTargetGroups(company: Company, users: readonly TargetUser[], makeId: MakeId = guid): TargetGroup[] {
	const id = company.companyResourceId;
	const next = seeded(`groups ${id}`);
	return Array.from({ length: between(next, 2, 4) }, (_, i) => {
		const members = i === 0 ? users : users.filter((_user, at) => at % 3 === i % 3);
		const created = EPOCH - between(next, 30, 900) * DAY;
		return {
			resourceId: makeId(`group ${id} ${i}`),
			name: i === 0 ? 'Everybody' : `${DEPARTMENTS[i] ?? 'Team'} Team`,
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

const SUBJECTS = [
	'Phishing',
	'Passwords',
	'Clean Desk',
	'Remote Work',
	'Ransomware',
	'Social Engineering',
	'Data Protection',
	'Mobile Devices',
	'Incident Reporting',
	'QR Codes',
] as const;
const KINDS = ['Training', 'Survey', 'Poster', 'Infographic', 'Learning Path'] as const;

function training(key: string, trainingName: string, type: string, createdBy: string, editable: boolean): Training {
	const next = seeded(`training ${key}`);
	return {
		trainingId: guid(`training ${key}`),
		trainingName,
		description: `What everybody should know about ${trainingName.toLowerCase()}.`,
		createdBy,
		category: pick(next, ['Basics', 'Advanced', 'Compliance']),
		targetAudience: pick(next, ['All Employees', 'Managers', 'Developers']),
		type,
		duration: String(between(next, 3, 45)),
		level: pick(next, ['Beginner', 'Intermediate', 'Expert']),
		vendorName: pick(next, ['In-House', 'Acme Learning', 'Northwind Academy']),
		createTime: new Date(EPOCH - between(next, 10, 1200) * DAY).toISOString(),
		isNew: next() < 0.2,
		isFavourite: next() < 0.2,
		isEditable: editable,
		hasQuiz: next() < 0.5,
		tags: TAGS.filter(() => next() < 0.15),
		languages: LANGUAGES.filter((language) => language === 'en' || next() < 0.5),
		compliances: next() < 0.4 ? ['ISO 27001'] : [],
		availableFor: ['Everyone'],
		coverImage: { imageUrl: `https://cdn.awareness.example/covers/${guid(`cover ${key}`)}.png`, name: 'cover.png' },
		trainingRoles: [{ roleId: between(next, 1, 5), code: 'EMP', roleName: 'Employee' }],
	};
}

/** The trainings that every company may use. */
export function seedCatalogue(): Training[] {
	return Array.from({ length: 40 }, (_, i) => {
		const subject = SUBJECTS[i % SUBJECTS.length] ?? 'Phishing';
		const kind = KINDS[Math.floor(i / SUBJECTS.length) % KINDS.length] ?? 'Training';
		return training(`shared ${i}`, `${subject} ${kind === 'Training' ? 'Essentials' : kind}`, kind, 'System', false);
	});
}

/** The trainings that one company made for itself. */
export function seedOwnTrainings(company: Company): Training[] {
	const id = company.companyResourceId;
	return ['House Rules', 'Customer Feedback'].map((name, i) =>
		training(`${id} ${i}`, name, i === 1 ? 'Survey' : 'Training', company.companyName ?? 'Company', true),
	);
}

/** What an enrollment takes over from its training. */
export function ofTraining(
	from: Training,
): Pick<Enrollment, 'trainingId' | 'trainingName' | 'category' | 'targetAudience' | 'type' | 'languages' | 'tags'> {
	const { trainingId, trainingName, category, targetAudience, type, languages, tags } = from;
	return { trainingId, trainingName, category, targetAudience, type, languages, tags };
}

/** The enrollments of one company: a running one, a finished one, a survey and a test. */
export function seedEnrollments(
	company: Company,
	trainings: readonly Training[],
	groups: readonly TargetGroup[],
): Enrollment[] {
	const id = company.companyResourceId;
	const next = seeded(`enrollments ${id}`);
	const plain = trainings.filter((item) => item.type === 'Training');
	const surveys = trainings.filter((item) => item.type === 'Survey');
	return ['Onboarding', 'Spring Refresher', 'Feedback', 'Dry Run'].flatMap((title, i) => {
		const from = i === 2 ? surveys : plain;
		const chosen = from[between(next, 0, from.length - 1)];
		const group = groups[i % Math.max(1, groups.length)];
		if (!chosen || !group) return [];
		const created = EPOCH - between(next, 20, 300) * DAY;
		return [
			{
				resourceId: guid(`enrollment ${id} ${i}`),
				name: `${title} ${chosen.trainingName}`,
				companyResourceId: id,
				...ofTraining(chosen),
				enrolledBy: 'admin@awareness.example',
				delivery: 'Email',
				status: i === 0 ? 'Completed' : 'InProgress',
				certificateName: 'Default Certificate',
				startDate: new Date(created + DAY).toISOString(),
				dueDate: new Date(created + 30 * DAY).toISOString(),
				createTime: new Date(created).toISOString(),
				awardCertificate: i === 0,
				markedAsTest: i === 3,
				excludeFromReports: i === 3,
				autoEnroll: false,
				hasReminder: true,
				sendTemplatesInPreferredLanguage: i === 1,
				targetGroupResourceIds: [group.resourceId],
				sendCount: 1,
				seeded: true,
				asked: {},
			},
		];
	});
}

/** The campaigns of one company in one simulator. */
export function seedCampaigns(
	company: Company,
	simulator: Simulator,
	groups: readonly TargetGroup[],
	makeId: MakeId = guid,
): Campaign[] {
	const id = company.companyResourceId;
	const next = seeded(`${simulator} ${id}`);
	return ['Parcel Notice', 'Password Expiry', 'Invoice Overdue'].map((scenario, i) => ({
		resourceId: makeId(`${simulator} ${id} ${i}`),
		name: `${scenario} ${between(next, 2024, 2025)}`,
		simulator,
		companyResourceId: id,
		companyName: company.companyName,
		status: i === 0 ? 'Completed' : i === 1 ? 'Running' : 'Scheduled',
		scenario,
		difficulty: pick(next, ['Easy', 'Medium', 'Hard']),
		createTime: new Date(EPOCH - between(next, 5, 400) * DAY).toISOString(),
		excludeFromReports: i === 2,
		instanceGroups: Array.from({ length: i === 0 ? 2 : 1 }, (_, at) => at + 1),
		userResourceIds: groups[i % Math.max(1, groups.length)]?.userResourceIds ?? [],
	}));
}
