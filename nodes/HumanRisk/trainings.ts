import { groupBy, pick } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { isInTimeRange } from '../core/fields/period';
import type { TimeRange } from '../core/fields/relativePeriods';
import { toError } from '../core/http/errors';
import { mapConcurrently } from '../core/http/mapConcurrently';
import type { OperationHelpers } from '../core/operation/defineOperation';
import { isErrorOfOneEntry } from '../core/operation/readEach';
import { LARGE_PAGE_SIZE } from '../core/pagination/readList';
import { isEmpty, parseTimeMs, readId, toItemJson } from '../core/values';
import {
	addProgressFields,
	getDueDate,
	getEnrollmentStart,
	hasFinished,
	isOverdue,
	readNormalizedText,
} from '../domain/enrollments/enrolledUserProgress';
import { getEnrolledUsersOperation } from '../domain/enrollments/enrolledUsersOperation';
import { getEnrollmentOperation, getEnrollmentsOperation } from '../domain/enrollments/enrollmentReadOperations';
import { getTrainingActivityOperation } from '../domain/enrollments/trainingActivityOperation';
import { ENROLLMENT_ID_FIELDS } from '../domain/pickers/resourcePickers';
import { isTestRecord } from '../domain/testRecords';
import { sendActivityDates } from '../domain/userActivity';
import { hasMaskedEmail, readEmailKey } from './people';
import { findEarliestMs } from './periods';
import { addEmptyFiguresHint, readOrAddHint, readWholeList } from './readOrAddHint';

/** The operations whose requests read trainings. */
export const TRAINING_DEPENDENCIES = [
	getEnrollmentsOperation,
	getEnrollmentOperation,
	getEnrolledUsersOperation,
	getTrainingActivityOperation,
];

const TOPIC = 'trainings';

/** The fields of an enrolled user that show the progress. The other fields are dropped, because copies of whole rows take much memory. */
const KEPT_USER_FIELDS = ['status', 'completed', 'firstCompletionDate', 'due'];

/** A training that a person hasn't finished in time. */
interface OverdueTraining {
	name: string;
	/** The due date as the platform shows it. */
	due: unknown;
}

/** The trainings of one person in a period. */
export interface PersonTrainings {
	enrolledCount: number;
	finishedCount: number;
	overdue: OverdueTraining[];
}

/** The trainings in which the people of a company were enrolled in a period. */
export interface Trainings {
	/** By email address (see `readEmailKey`). A person who wasn't enrolled has no entry. */
	byEmail: Map<string, PersonTrainings>;
	/** True if something couldn't be read. People without an entry may then have been enrolled. */
	isUnknown: boolean;
}

/**
 * Returns true if a record is a survey, which isn't a training. Its type is "survey" (deployment behaviour, "Trainings, groups,
 * enrollments") or the number 0 (deployment facts, "Requests").
 */
const isSurvey = (record: IDataObject): boolean =>
	['type', 'trainingTypeId', 'contentType'].some((fieldName) =>
		['survey', '0'].includes(readNormalizedText(record, fieldName)),
	);

/** Reads the list of the company's enrollments without surveys. @returns undefined if it can't be read @throws RequestError */
export async function readEnrollments(helpers: OperationHelpers): Promise<IDataObject[] | undefined> {
	const options = { identity: ENROLLMENT_ID_FIELDS };
	const name = 'the list of enrollments';
	const enrollments = await readWholeList(TOPIC, name, helpers, getEnrollmentsOperation, {}, options);
	return enrollments?.filter((record) => !isSurvey(record));
}

/**
 * Finds the start of the company's first enrollment.
 * @returns ms since 1970; Infinity if there is no enrollment; null if the list can't be read or an enrollment has no date
 */
export const findFirstEnrollmentMs = (enrollments: IDataObject[] | undefined): number | null =>
	enrollments ? findEarliestMs(enrollments.map((record) => parseTimeMs(getEnrollmentStart(record)))) : null;

const readName = (enrollment: IDataObject): string => readId(enrollment, ['name', 'trainingName']) ?? 'No name';

function getPersonTrainings({ byEmail }: Trainings, email: string): PersonTrainings {
	const person = byEmail.get(email) ?? { enrolledCount: 0, finishedCount: 0, overdue: [] };
	byEmail.set(email, person);
	return person;
}

/**
 * Reads the trainings of the people of the company in a period: everyone in the enrollments that began in the period, and people who were
 * added in the period to an older enrollment, for example by auto-enrollment. Tests and surveys don't count.
 * @throws RequestError
 */
export async function readTrainings(
	enrollments: IDataObject[] | undefined,
	timeRange: TimeRange,
	helpers: OperationHelpers,
): Promise<Trainings> {
	const trainings: Trainings = { byEmail: new Map(), isUnknown: enrollments === undefined };
	if (!enrollments) return trainings;
	const hasBegunInPeriod = (record: IDataObject) => isInTimeRange(getEnrollmentStart(record), timeRange);
	const { client } = helpers.context;
	await mapConcurrently(enrollments.filter(hasBegunInPeriod), client.settings.concurrency, async (record) =>
		addEnrollment(trainings, record, helpers),
	);
	const olderEnrollments = enrollments.filter((record) => !hasBegunInPeriod(record));
	const newNames = new Set(enrollments.filter(hasBegunInPeriod).map(readName));
	if (olderEnrollments.length > 0)
		await addLaterEnrolledPeople(trainings, olderEnrollments, newNames, timeRange, helpers);
	return trainings;
}

/** An enrollment whose people count, one that is left out because it is a test or a survey, or one that can't be read. */
type EnrollmentReading = { kind: 'counted'; enrollment: IDataObject } | { kind: 'leftOut' } | { kind: 'unreadable' };

/** Reads the record of an enrollment. @param record its entry in the list of enrollments @throws RequestError */
async function readEnrollment(record: IDataObject, helpers: OperationHelpers): Promise<EnrollmentReading> {
	if (isTestRecord(record)) return { kind: 'leftOut' };
	const resourceId = readId(record, ENROLLMENT_ID_FIELDS) ?? '';
	const enrollment = await readOrAddHint(TOPIC, readName(record), helpers.context, async () => {
		const { data } = await helpers.callOperation(getEnrollmentOperation, { path: { resourceId } });
		return toItemJson(data);
	});
	if (!enrollment) return { kind: 'unreadable' };
	return isTestRecord(enrollment) || isSurvey(enrollment) ? { kind: 'leftOut' } : { kind: 'counted', enrollment };
}

/** Adds everyone in an enrollment. @throws RequestError */
async function addEnrollment(trainings: Trainings, record: IDataObject, helpers: OperationHelpers): Promise<void> {
	const { context } = helpers;
	const reading = await readEnrollment(record, helpers);
	if (reading.kind === 'leftOut') return;
	const name = readName(record);
	const path = { enrollmentId: readId(record, ENROLLMENT_ID_FIELDS) ?? '' };
	const users =
		reading.kind === 'counted'
			? await readWholeList(TOPIC, name, helpers, getEnrolledUsersOperation, { path })
			: undefined;
	if (reading.kind === 'unreadable' || !users) {
		trainings.isUnknown = true;
		return;
	}
	const due = getDueDate(reading.enrollment);
	const seenEmails = new Set<string>();
	for (const user of users) {
		if (hasMaskedEmail(user)) reportMaskedRow(trainings, name, helpers);
		const email = readEmailKey(user);
		if (email === undefined || seenEmails.has(email)) continue;
		seenEmails.add(email);
		const progress = addProgressFields(pick(user, KEPT_USER_FIELDS), { due });
		const person = getPersonTrainings(trainings, email);
		person.enrolledCount++;
		if (hasFinished(progress)) person.finishedCount++;
		else if (isOverdue(progress, context.timezone)) person.overdue.push({ name, due: progress.due });
	}
}

/** Marks the trainings as unknown, because the platform masks the address of someone in them. */
function reportMaskedRow(trainings: Trainings, name: string, { context }: OperationHelpers): void {
	trainings.isUnknown = true;
	addEmptyFiguresHint(TOPIC, `${name}: the platform masks email addresses`, context);
}

const NO_ACTIVITY_HINT =
	"People who were added in the period to an older enrollment don't count as enrolled, because the platform doesn't show them.";

/**
 * Reads the activities of the period, in which each row has the time when the person was enrolled (deployment activity 3).
 * @returns no rows if the platform doesn't have them
 * @throws RequestError for an error that concerns more than this list
 */
async function readActivityRows(
	trainings: Trainings,
	timeRange: TimeRange,
	{ readListResult, context }: OperationHelpers,
): Promise<IDataObject[]> {
	const options = { identity: [], pageSize: LARGE_PAGE_SIZE };
	const readActivityList = (dates: IDataObject) =>
		readListResult(getTrainingActivityOperation, { body: { ...dates, groupByUser: false } }, options);
	try {
		const list = await sendActivityDates(timeRange, context, readActivityList);
		if (list.missingCount > 0) {
			trainings.isUnknown = true;
			addEmptyFiguresHint(TOPIC, 'the list of training activities: it is incomplete', context);
		}
		return list.records;
	} catch (error) {
		if (!isErrorOfOneEntry(error)) throw toError(error);
		context.addHint(NO_ACTIVITY_HINT);
		return [];
	}
}

/** Adds the people who were added in the period to an enrollment that began before it. @throws RequestError */
async function addLaterEnrolledPeople(
	trainings: Trainings,
	olderEnrollments: IDataObject[],
	newNames: ReadonlySet<string>,
	timeRange: TimeRange,
	helpers: OperationHelpers,
): Promise<void> {
	const activityRows = await readActivityRows(trainings, timeRange, helpers);
	const enrolledRows = activityRows.filter((row) => isTimeInRange(row.enrolledOn, timeRange));
	for (const [name, rows] of Object.entries(groupActivityRowsByEnrollmentName(enrolledRows, newNames))) {
		const records = olderEnrollments.filter((record) => readName(record) === name);
		if (!(await canCountEnrollments(trainings, records, helpers))) continue;
		if (rows.some(hasMaskedEmail)) reportMaskedRow(trainings, name, helpers);
		const rowsByEmail = groupBy(rows, (row) => readEmailKey(row) ?? '');
		for (const [email, [firstRow = {}]] of Object.entries(rowsByEmail))
			if (email !== '') addActivityRow(trainings, email, firstRow);
	}
}

/**
 * Groups rows of activities by the name of their enrollment, because they have no ID of it (deployment activity 3). Surveys are left out, and
 * enrollments with the name of a new one, because the people of the new one are already counted.
 */
const groupActivityRowsByEnrollmentName = (rows: IDataObject[], newNames: ReadonlySet<string>) =>
	groupBy(
		rows.filter((row) => !isSurvey(row) && !newNames.has(readId(row, ['enrollmentName']) ?? '')),
		'enrollmentName',
	);

/**
 * Returns true if the activities of the enrollments with one name count. A row doesn't show to which of them it belongs. So it only counts if
 * none of them is a test, a survey or unreadable.
 * @param records the entries of these enrollments in the list of enrollments
 * @throws RequestError
 */
async function canCountEnrollments(
	trainings: Trainings,
	records: IDataObject[],
	helpers: OperationHelpers,
): Promise<boolean> {
	// Few enrollments have the same name, so they are read one after the other.
	const readings = await mapConcurrently(records, 1, async (record) => readEnrollment(record, helpers));
	if (readings.some(({ kind }) => kind === 'unreadable')) trainings.isUnknown = true;
	return readings.length > 0 && readings.every(({ kind }) => kind === 'counted');
}

/**
 * Adds the training of a person who was added to an older enrollment. It is never overdue: a row of activities has no due date (deployment
 * activity 3), and no document says that the due date of the enrollment applies to people who are added later.
 */
function addActivityRow(trainings: Trainings, email: string, row: IDataObject): void {
	const person = getPersonTrainings(trainings, email);
	person.enrolledCount++;
	const isCompleted = readNormalizedText(row, 'trainingStatus') === 'completed' || !isEmpty(row.completedOn);
	if (isCompleted) person.finishedCount++;
}

/** Returns true if a time is known and in the range. */
const isTimeInRange = (time: unknown, { from, until }: TimeRange): boolean => {
	const ms = parseTimeMs(time);
	return ms !== null && ms >= from && ms < until;
};
