import { drawInteger, makeGuid, pickOne, createRandom } from '../random';
import type { Company, Enrollment, TargetGroup, Training } from './records';
import { DAY_MS, drawEarlierDay, EPOCH, LANGUAGES, TAGS } from './words';

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

function buildTraining(
	key: string,
	trainingName: string,
	type: string,
	createdBy: string,
	isEditable: boolean,
): Training {
	const random = createRandom(`training ${key}`);
	return {
		trainingId: makeGuid(`training ${key}`),
		trainingName,
		description: `What everybody should know about ${trainingName.toLowerCase()}.`,
		createdBy,
		category: pickOne(random, ['Basics', 'Advanced', 'Compliance']),
		targetAudience: pickOne(random, ['All Employees', 'Managers', 'Developers']),
		type,
		duration: String(drawInteger(random, 3, 45)),
		level: pickOne(random, ['Beginner', 'Intermediate', 'Expert']),
		vendorName: pickOne(random, ['In-House', 'Acme Learning', 'Northwind Academy']),
		createTime: new Date(EPOCH - drawInteger(random, 10, 1200) * DAY_MS).toISOString(),
		isNew: random() < 0.2,
		isFavourite: random() < 0.2,
		isEditable,
		hasQuiz: random() < 0.5,
		tags: TAGS.filter(() => random() < 0.15),
		languages: LANGUAGES.filter((language) => language === 'en' || random() < 0.5),
		compliances: random() < 0.4 ? ['ISO 27001'] : [],
		availableFor: ['Everyone'],
		coverImage: { imageUrl: `https://cdn.awareness.example/covers/${makeGuid(`cover ${key}`)}.png`, name: 'cover.png' },
		trainingRoles: [{ roleId: drawInteger(random, 1, 5), code: 'EMP', roleName: 'Employee' }],
	};
}

/** Seeds the trainings that every company can use. */
export function seedCatalogue(): Training[] {
	return Array.from({ length: 40 }, (_, i) => {
		const subject = SUBJECTS[i % SUBJECTS.length] ?? 'Phishing';
		const kind = KINDS[Math.floor(i / SUBJECTS.length) % KINDS.length] ?? 'Training';
		return buildTraining(
			`shared ${i}`,
			`${subject} ${kind === 'Training' ? 'Essentials' : kind}`,
			kind,
			'System',
			false,
		);
	});
}

/** Seeds the trainings that one company created for itself. */
export function seedOwnTrainings(company: Company): Training[] {
	const id = company.companyResourceId;
	return ['House Rules', 'Customer Feedback'].map((name, i) =>
		buildTraining(`${id} ${i}`, name, i === 1 ? 'Survey' : 'Training', company.companyName ?? 'Company', true),
	);
}

/** Returns the fields that an enrollment copies from its training. */
export function pickTrainingFields(
	training: Training,
): Pick<Enrollment, 'trainingId' | 'trainingName' | 'category' | 'targetAudience' | 'type' | 'languages' | 'tags'> {
	const { trainingId, trainingName, category, targetAudience, type, languages, tags } = training;
	return { trainingId, trainingName, category, targetAudience, type, languages, tags };
}

/**
 * Seeds the enrollments of one company: a completed one, one in progress, a survey and a test.
 * @param referenceTime the time that dates are relative to; if it is set, the second enrollment starts on one of the
 * last 60 days
 */
export function seedEnrollments(
	company: Company,
	trainings: readonly Training[],
	groups: readonly TargetGroup[],
	referenceTime?: number,
): Enrollment[] {
	const id = company.companyResourceId;
	const random = createRandom(`enrollments ${id}`);
	const regularTrainings = trainings.filter((item) => item.type === 'Training');
	const surveys = trainings.filter((item) => item.type === 'Survey');
	return ['Onboarding', 'Spring Refresher', 'Feedback', 'Dry Run'].flatMap((title, i) => {
		const candidates = i === 2 ? surveys : regularTrainings;
		const training = candidates[drawInteger(random, 0, candidates.length - 1)];
		const group = groups[i % Math.max(1, groups.length)];
		if (!training || !group) return [];
		const defaultCreatedAt = (referenceTime ?? EPOCH) - drawInteger(random, 20, 300) * DAY_MS;
		const createdAt =
			referenceTime !== undefined && i === 1
				? drawEarlierDay(referenceTime, `lately ${id}`, 60) - DAY_MS
				: defaultCreatedAt;
		return [
			{
				resourceId: makeGuid(`enrollment ${id} ${i}`),
				name: `${title} ${training.trainingName}`,
				companyResourceId: id,
				...pickTrainingFields(training),
				enrolledBy: 'admin@awareness.example',
				delivery: 'Email',
				status: i === 0 ? 'Completed' : 'InProgress',
				certificateName: 'Default Certificate',
				startDate: new Date(createdAt + DAY_MS).toISOString(),
				dueDate: new Date(createdAt + 30 * DAY_MS).toISOString(),
				createTime: new Date(createdAt).toISOString(),
				awardCertificate: i === 0,
				markedAsTest: i === 3,
				excludeFromReports: i === 3,
				autoEnroll: false,
				hasReminder: true,
				sendTemplatesInPreferredLanguage: i === 1,
				targetGroupResourceIds: [group.resourceId],
				sendCount: 1,
				isSeeded: true,
				requestBody: {},
			},
		];
	});
}
