import type { NodeResource } from '../core/operation/nodeResource';
import { getEnrolledUsersOperation } from '../domain/enrollments/enrolledUsersOperation';
import { getTrainingActivityOperation } from '../domain/enrollments/trainingActivityOperation';
import { getTrainingSummaryOperation } from '../domain/enrollments/trainingSummaryOperation';
import { getCertificatesOperation } from './certificateOperations';
import {
	exportSendingReportOperation,
	getNotificationsOperation,
	getReminderEmailsOperation,
	getSendingReportOperation,
} from './emailOperations';
import { exportEnrolledUsersOperation, getUserInteractionsOperation } from './enrolledUserOperations';
import { getProgressOfPeriodOperation } from './progressOperations';

/** The n8n resources of the Training Report node. The node opens on the first one. */
export const trainingReportResources: NodeResource[] = [
	{
		value: 'progress',
		name: 'Progress',
		defaultOperation: 'getManyByPeriod',
		operations: [getProgressOfPeriodOperation, getTrainingSummaryOperation],
	},
	{
		value: 'certificate',
		name: 'Certificate',
		defaultOperation: 'getMany',
		operations: [getCertificatesOperation],
	},
	{
		value: 'email',
		name: 'Email',
		defaultOperation: 'getSendingReport',
		operations: [
			exportSendingReportOperation,
			getSendingReportOperation,
			getReminderEmailsOperation,
			getNotificationsOperation,
		],
	},
	{
		value: 'enrolledUser',
		name: 'Enrolled User',
		defaultOperation: 'getMany',
		operations: [exportEnrolledUsersOperation, getEnrolledUsersOperation, getUserInteractionsOperation],
	},
	{
		value: 'userActivity',
		name: 'User Activity',
		defaultOperation: 'getMany',
		operations: [getTrainingActivityOperation],
	},
];
