import type { NodeResource } from '../core/operation/nodeResource';
import { getEnrollmentOperation, getEnrollmentsOperation } from '../domain/enrollments/enrollmentReadOperations';
import {
	createAndSendEnrollmentOperation,
	createAndSendEnrollmentToPeopleOperation,
	createEnrollmentOperation,
	sendEnrollmentOperation,
} from './createEnrollmentOperations';
import {
	deleteEnrollmentForGoodOperation,
	getDeletedEnrollmentsOperation,
	restoreEnrollmentOperation,
} from './deletedEnrollmentOperations';
import {
	deleteEnrollmentOperation,
	exportEnrollmentsOperation,
	getEnrollmentFormDetailsOperation,
	stopEnrollmentOperation,
	updateEnrollmentOperation,
} from './enrollmentOperations';
import {
	resendCertificateOperation,
	resendEnrollmentOperation,
	resendEnrollmentToPeopleOperation,
	stopAutoEnrollmentOperation,
	stopRemindersOperation,
} from './followUpOperations';

/** The n8n resources of the Enrollment node. The node opens on the first one. */
export const enrollmentResources: NodeResource[] = [
	{
		value: 'enrollment',
		name: 'Enrollment',
		defaultOperation: 'getMany',
		operations: [
			createEnrollmentOperation,
			createAndSendEnrollmentOperation,
			createAndSendEnrollmentToPeopleOperation,
			deleteEnrollmentOperation,
			exportEnrollmentsOperation,
			getEnrollmentOperation,
			getEnrollmentFormDetailsOperation,
			getEnrollmentsOperation,
			sendEnrollmentOperation,
			stopEnrollmentOperation,
			updateEnrollmentOperation,
		],
	},
	{
		value: 'deletedEnrollment',
		name: 'Deleted Enrollment',
		defaultOperation: 'getMany',
		operations: [deleteEnrollmentForGoodOperation, getDeletedEnrollmentsOperation, restoreEnrollmentOperation],
	},
	{
		value: 'followUp',
		name: 'Follow-Up',
		defaultOperation: 'resend',
		operations: [
			resendEnrollmentOperation,
			resendEnrollmentToPeopleOperation,
			resendCertificateOperation,
			stopAutoEnrollmentOperation,
			stopRemindersOperation,
		],
	},
];
