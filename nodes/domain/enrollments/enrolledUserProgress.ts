import type { IDataObject } from 'n8n-workflow';

import type { Operation, OperationHelpers } from '../../core/operation/defineOperation';
import type { OutputFields } from '../../core/response/outputFields';
import { isEmpty, normalizeText, readFirstValue, readId, readLastMoment, toItemJson } from '../../core/values';
import { getEnrollmentOperation } from './enrollmentReadOperations';
import { readTrainingNames } from './trainingFigures';
import { getTrainingSummaryOperation } from './trainingSummaryOperation';

/**
 * The output fields of an enrolled user. The platform returns some of them (deployment shapes, "Training reports"), and the operations add
 * the others.
 */
export const PROGRESS_FIELDS: OutputFields = {
	id: ['targetUserResourceId'],
	simplified: [
		'email',
		'firstName',
		'lastName',
		'department',
		'trainingName',
		'enrollmentName',
		'status',
		'score',
		'completed',
		'due',
		'enrollmentId',
		'targetUserResourceId',
		'resourceId',
	],
	additional: ['examStatusName', 'lastInteractionDate', 'phoneNumber', 'deliveryType', 'customFieldValues'],
};

/** The facts about an enrollment that the records of its users lack: the names of the training and the enrollment, and the due date. */
type EnrollmentContext = IDataObject & { due: IDataObject[string] };

/** Reads the due date from an enrollment's record (contract 4.7; deployment shapes, "Trainings, groups, enrollments"). */
export const getDueDate = (enrollment: IDataObject) =>
	readFirstValue({ ...toItemJson(enrollment.enrollmentScheduler), ...enrollment }, ['dueDate']);

/**
 * Adds the facts about the enrollment to an enrolled user, and the score and the completion date under the same names on every platform.
 */
export const addProgressFields = (user: IDataObject, enrollmentContext: EnrollmentContext): IDataObject => ({
	...enrollmentContext,
	score: readFirstValue(user, ['examScore', 'score']),
	completed: readFirstValue(user, ['firstCompletionDate']),
	...user,
});

/**
 * Reads the facts about an enrollment that are added to its users. Facts that can't be read are left out. The operation doesn't fail,
 * because the users themselves were already read.
 */
export async function readEnrollmentContext(
	enrollmentId: string,
	helpers: OperationHelpers,
): Promise<EnrollmentContext> {
	const readRecord = async (operation: Operation, path: Record<string, string>): Promise<IDataObject> => {
		try {
			const { data } = await helpers.callOperation(operation, { path });
			return toItemJson(data);
		} catch {
			return {};
		}
	};
	const enrollment = await readRecord(getEnrollmentOperation, { resourceId: enrollmentId });
	const names = readTrainingNames(enrollment);
	const due = getDueDate(enrollment);
	if (!isEmpty(names.trainingName)) return { ...names, due };
	// On live deployments, the enrollment's record lacks the name of the training, but the summary has it (deployment shapes, "Training
	// reports").
	const summary = await readRecord(getTrainingSummaryOperation, { enrollmentId });
	return { ...names, trainingName: readTrainingNames(summary).trainingName, due };
}

/** Returns the date when an enrollment began. If there is none, returns the date when it was created. */
export const getEnrollmentStart = (enrollment: IDataObject) => readId(enrollment, ['startDate', 'createTime']);

/** Reads a text field of a record for comparison: in lower case and without accents. */
export const readNormalizedText = (record: IDataObject, fieldName: string) =>
	normalizeText(readId(record, [fieldName]) ?? '');

/**
 * Returns true if a person has finished the training: there is a completion date, or the status is "completed" (deployment behaviour,
 * "Training reports").
 */
export const hasFinished = (user: IDataObject): boolean =>
	!isEmpty(user.completed) || readNormalizedText(user, 'status') === 'completed';

/**
 * Returns true if the due date has passed and the person hasn't finished the training. A due date without a time means the end of that day
 * in the given time zone.
 */
export const isOverdue = (user: IDataObject, timezone: string): boolean =>
	!hasFinished(user) && readLastMoment(user.due, timezone).toMillis() < Date.now();
