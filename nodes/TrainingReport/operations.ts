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

/** The operations of the Training Report node. Their forms follow each other in this order in the node's properties. */
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
