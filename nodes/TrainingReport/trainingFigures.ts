import type { IDataObject } from 'n8n-workflow';

import type { KnownFields } from '../core/response/outputFields';
import { identityOf, isEmpty, numberOf, toJson, valueOf } from '../core/values';
import { isTest } from '../domain/testRecords';

/** The figures of an enrollment, by the field of live deployments' summary (deployment shapes), and of others'. */
const FIGURES = {
	enrolled: ['totalTargetUserCount'],
	delivered: ['emailDeliveredUserCount', 'deliveredCount'],
	noResponse: ['noResponseCount', 'notStartedCount'],
	inProgress: ['inProgressCount'],
	completed: ['completedCount'],
	failed: ['failedExamCount'],
};

export const TRAINING_FIGURES: KnownFields = {
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

/** The names of an enrollment and its training in a summary, or in the row of a list. */
export const trainingNames = (record: IDataObject): IDataObject => ({
	enrollmentName: identityOf(record, ['enrollmentName', 'name']) ?? null,
	trainingName: identityOf(record, ['trainingName']) ?? identityOf(toJson(record.trainingDetails), ['name']) ?? null,
});

/** Replaces a figure that can't be calculated by null: the platform doesn't return a part of it. */
const replaceNaN = (figure: number) => (Number.isNaN(figure) ? null : figure);

/**
 * A summary with its figures under the same names on every platform; as it is, where it has other names. No platform tells who
 * started or passed: who started is in progress or has completed, and who passed has completed and not failed the exam.
 */
export function withTrainingFigures(summary: IDataObject): IDataObject {
	const all = { ...toJson(summary.reportDetail), ...summary };
	const figures = toJson(
		Object.fromEntries(Object.entries(FIGURES).map(([name, names]) => [name, valueOf(all, names)])),
	);
	if (Object.values(figures).every(isEmpty)) return summary;
	const completed = numberOf(figures.completed);
	const made = {
		started: replaceNaN(numberOf(figures.inProgress) + completed),
		passed: replaceNaN(Math.max(0, completed - numberOf(figures.failed))),
	};
	return {
		...trainingNames(summary),
		startDate: valueOf(all, ['startDate']),
		isTest: isTest(summary),
		...figures,
		...made,
		...summary,
	};
}
