import { getTrainingSummaryOperation } from '../domain/enrollments/trainingSummaryOperation';
import { getCertificatesOperation } from './certificateOperations';
import {
	exportSendingReportOperation,
	getNotificationsOperation,
	getReminderEmailsOperation,
	getSendingReportOperation,
} from './emailOperations';
import {
	exportEnrolledUsersOperation,
	getEnrolledUsersOperation,
	getUserInteractionsOperation,
} from './enrolledUserOperations';
import { getProgressOfPeriodOperation } from './progressOperations';
import { getTrainingActivityOperation } from './userActivityOperations';

/** The operations of the Training Report node, in the order of its form fields. */
export const allTrainingReportOperations = [
	exportEnrolledUsersOperation,
	exportSendingReportOperation,
	getTrainingActivityOperation,
	getCertificatesOperation,
	getUserInteractionsOperation,
	getNotificationsOperation,
	getReminderEmailsOperation,
	getSendingReportOperation,
	getTrainingSummaryOperation,
	getEnrolledUsersOperation,
	getProgressOfPeriodOperation,
];
