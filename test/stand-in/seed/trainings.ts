import { between, guid, pick, seeded } from '../random';
import type { Company, Enrollment, TargetGroup, Training } from './records';
import { DAY, daysBefore, EPOCH, LANGUAGES, TAGS } from './words';

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
];
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

/**
 * The enrollments of one company: a running one, a finished one, a survey and a test.
 * @param today what the dates are based on; then the finished one began on each of the last days
 */
export function seedEnrollments(
	company: Company,
	trainings: readonly Training[],
	groups: readonly TargetGroup[],
	today?: number,
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
		const before = (today ?? EPOCH) - between(next, 20, 300) * DAY;
		const created = today !== undefined && i === 1 ? daysBefore(today, `lately ${id}`, 60) - DAY : before;
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
