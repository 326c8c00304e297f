import type { IDataObject } from 'n8n-workflow';

import type { OutputFields } from '../../core/response/outputFields';
import { toItemJson, isEmpty, parseNumber, readFirstValue, readId } from '../../core/values';
import { isTestRecord } from '../testRecords';

/**
 * The summary fields that may hold each figure: first the field on live deployments (deployment shapes, "Training reports"), then
 * alternatives.
 */
const FIGURE_SOURCES = {
	enrolled: ['totalTargetUserCount'],
	delivered: ['emailDeliveredUserCount', 'deliveredCount'],
	noResponse: ['noResponseCount', 'notStartedCount'],
	inProgress: ['inProgressCount'],
	completed: ['completedCount'],
	failed: ['failedExamCount'],
};

/** The output fields of a training summary. */
export const TRAINING_FIGURE_FIELDS: OutputFields = {
	id: ['enrollmentId'],
	simplified: [
		'enrollmentName',
		'trainingName',
		'startDate',
		'isTest',
		'enrolled',
		'delivered',
		'noResponse',
		'started',
		'inProgress',
		'completed',
		'passed',
		'failed',
		'enrollmentId',
	],
};

/** Reads the names of an enrollment and its training from a summary or from a list of enrollments. A missing name becomes null. */
export const readTrainingNames = (record: IDataObject): IDataObject => ({
	enrollmentName: readId(record, ['enrollmentName', 'name']) ?? null,
	trainingName: readId(record, ['trainingName']) ?? readId(toItemJson(record.trainingDetails), ['name']) ?? null,
});

/** Replaces NaN with null. A calculated figure is NaN if the platform doesn't return all numbers that it is calculated from. */
const replaceNaN = (figure: number) => (Number.isNaN(figure) ? null : figure);

/**
 * Adds the figures to a training summary under the same names on every platform. The platform counts neither started nor passed people,
 * so these are calculated: started = in progress + completed, passed = completed - failed.
 * @returns the unchanged summary if it has none of the known figures
 */
export function addTrainingFigures(summary: IDataObject): IDataObject {
	const summaryFields = { ...toItemJson(summary.reportDetail), ...summary };
	const figures = toItemJson(
		Object.fromEntries(
			Object.entries(FIGURE_SOURCES).map(([name, sources]) => [name, readFirstValue(summaryFields, sources)]),
		),
	);
	if (Object.values(figures).every(isEmpty)) return summary;
	const completed = parseNumber(figures.completed);
	const started = parseNumber(figures.inProgress) + completed;
	const passed = Math.max(0, completed - parseNumber(figures.failed));
	return {
		...readTrainingNames(summary),
		startDate: readFirstValue(summaryFields, ['startDate']),
		isTest: isTestRecord(summary),
		...figures,
		started: replaceNaN(started),
		passed: replaceNaN(passed),
		...summary,
	};
}
