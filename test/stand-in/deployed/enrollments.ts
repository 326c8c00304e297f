import { found, invalid, missing } from '../envelope';
import { beside, isRow, reading, type Call, type Route, type Row } from '../http';
import { enrollmentOf, enumOf, formDetails, targetGroups, trainings, trainingsOf } from '../routes/enrollments';
import type { Enrollment, TargetGroup, Training } from '../seed';
import { strictExport, strictSearch, type StrictListing } from './lists';

/** The kinds of enrollments by their names in a search. Only form-details lists them, except for the survey. */
const TYPES = new Map(
	['Training', 'Survey', 'Poster', 'Infographic', 'Learning Path'].map((name) => [name.replaceAll(' ', ''), name]),
);

/** The deployment's names for the status of an enrollment. */
const STATUS: Record<string, string> = { Completed: 'Finished', InProgress: 'Sending' };

const words = (status: string): string => STATUS[status] ?? status;

const TRAININGS: StrictListing = {
	...trainings,
	sorts: [
		...[
			'Name',
			'TrainingName',
			'TrainingId',
			'Description',
			'VendorName',
			'IsNew',
			'IsFavourite',
			'CreatedBy',
			'CreateTime',
			'IsEditable',
			'Category',
		],
		...['TargetAudience', 'Type', 'HasQuiz', 'Duration', 'Level'],
	],
};

const TARGET_GROUPS: StrictListing = {
	...targetGroups,
	sorts: ['Name', 'CompanyName', 'UserCount', 'Priority', 'CreateTime', 'UpdateTime'],
};

/** The training of an enrollment. */
export function trainingOf(call: Call, { trainingId }: Enrollment): Training {
	return found(
		trainingsOf(call).find((training) => training.trainingId === trainingId),
		'training',
	);
}

function shown(enrollment: Enrollment, call: Call): Row {
	const training = trainingOf(call, enrollment);
	const {
		tags,
		languages,
		resourceId,
		name,
		enrolledBy,
		startDate,
		trainingName,
		delivery,
		createTime,
		hasReminder,
		autoEnroll,
		status,
	} = enrollment;
	const { category, targetAudience, type, sendTemplatesInPreferredLanguage } = enrollment;
	return {
		...{
			tags,
			languages,
			enrollmentId: resourceId,
			name,
			enrolledBy,
			startDate,
			trainingName,
			delivery,
			deliveryType: delivery,
			createTime,
		},
		...{
			isReminderActive: hasReminder,
			isAutoEnrollmentActive: autoEnroll,
			status: words(status),
			recipientType: 'TargetGroup',
			category,
			targetAudience,
			type,
		},
		...{ hasQuiz: training.hasQuiz, sendTemplatesInPreferredLanguage, trainingRoles: training.trainingRoles },
		...{ duration: training.duration, level: training.level },
	};
}

/** Whether the second header has the same company as the first; it is required whenever the first one is sent. */
const agrees = ({ scope, secondHeader }: Call): boolean => !scope || secondHeader === scope.companyResourceId;

const ENROLLMENTS: StrictListing = {
	rows: (call) =>
		call.companies.flatMap((company) =>
			call.world.of(company).enrollments.map((enrollment) => shown(enrollment, call)),
		),
	id: 'enrollmentId',
	name: 'name',
	required: 'all',
	filter: 'required',
	text: ['name', 'trainingName'],
	needsGroups: true,
	sorts: [
		...[
			'EnrollmentId',
			'Name',
			'EnrolledBy',
			'StartDate',
			'TrainingName',
			'Delivery',
			'DeliveryType',
			'CreateTime',
			'IsReminderActive',
			'IsAutoEnrollmentActive',
		],
		...['Status', 'RecipientType', 'Category', 'TargetAudience', 'Type', 'HasQuiz', 'Duration', 'Level'],
	],
	before({ enrollmentType }, call) {
		if (!agrees(call)) throw invalid(`The ${call.personality.secondHeader ?? ''} header is required.`);
		const isKnown =
			enrollmentType === undefined ||
			enrollmentType === null ||
			(typeof enrollmentType === 'string' && (enrollmentType === '' || TYPES.has(enrollmentType)));
		if (!isKnown) throw invalid('The EnrollmentType field is not valid.');
	},
	keep: ({ enrollmentType }) =>
		typeof enrollmentType === 'string' && enrollmentType !== ''
			? (row) => row.type === TYPES.get(enrollmentType)
			: undefined,
};

const textOr = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function scheduler({ asked, startDate, dueDate }: Enrollment): Row {
	const given = isRow(asked.enrollmentScheduler) ? asked.enrollmentScheduler : {};
	return {
		scheduledDate: textOr(given.scheduledDate) ?? startDate,
		scheduledTimeZoneId: textOr(given.scheduledTimeZoneId) ?? 'Europe/Istanbul',
		useOwnTimeZone: given.useOwnTimeZone === true,
		dueDate,
	};
}

function record(call: Call): Row {
	if (!agrees(call)) throw missing('enrollment');
	const enrollment = enrollmentOf(call, call.params.resourceId);
	const {
		trainingId,
		name,
		targetGroupResourceIds,
		languages,
		awardCertificate,
		markedAsTest,
		autoEnroll,
		hasReminder,
		type,
		asked,
	} = enrollment;
	return {
		...{
			trainingId,
			name,
			learningPathId: null,
			trainingOrder: 1,
			targetGroupResourceIds,
			phishingCampaignResourceId: null,
			phishingCampaignConditionTypes: [],
		},
		languageIds: languages,
		enrollmentScheduler: scheduler(enrollment),
		enrollmentReminder: {
			periodCount: hasReminder ? 1 : 0,
			periodType: 'Week',
			endType: 'Occurrence',
			occurrenceCount: hasReminder ? 3 : 0,
			stopTime: null,
		},
		enrollmentAutoEnroll: {
			type: autoEnroll ? 'Weekly' : 'None',
			dayOfWeek: 1,
			emailPeriodTypeEnum: 'Week',
			periodCount: 1,
		},
		...{
			smsTexts: [],
			awardCertificate,
			certificateConfigSendType: 'AfterCompletion',
			markedAsTest,
			trainingTypeId: type,
			distributionDays: asked.distributionDays ?? 0,
		},
	};
}

/** With the names that an enrollmentType may have. */
function details(): Row {
	const { enumNameValuePairs, ...templates } = formDetails();
	const types = enumOf([...TYPES.values()]);
	return {
		enumNameValuePairs: { ...(isRow(enumNameValuePairs) ? enumNameValuePairs : {}), EnrollmentType: types },
		...templates,
	};
}

const group = ({ resourceId, name, priority, createTime }: TargetGroup): Row => ({
	...{ resourceId, name, priority, createDate: createTime },
	...{ isEditable: true, isScimGroup: false, isGoogleGroup: false },
});

/** Trainings, target groups and enrollments. The search and the record of enrollments require a second header. */
export function enrollmentRoutes(): Route[] {
	const path = '/api/enrollments';
	return [
		strictSearch('POST /api/trainings/search', TRAININGS),
		strictSearch('POST /api/target-groups/search/current-company', TARGET_GROUPS),
		beside(reading('GET /api/target-groups', (call) => call.home.targetGroups.map(group))),
		reading(`GET ${path}/form-details`, details),
		strictSearch(`POST ${path}/search`, ENROLLMENTS),
		beside(strictExport(`POST ${path}/search/export`, ENROLLMENTS, 'enrollments', true)),
		reading(`GET ${path}/{resourceId}`, record),
	];
}
