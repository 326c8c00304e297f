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
} from './reminderOperations';

/** The operations of the Enrollment node. Their forms follow each other in this order in the node's properties. */
export const allEnrollmentOperations = [
	createEnrollmentOperation,
	createAndSendEnrollmentOperation,
	createAndSendEnrollmentToPeopleOperation,
	exportEnrollmentsOperation,
	getEnrollmentOperation,
	getEnrollmentFormDetailsOperation,
	getEnrollmentsOperation,
	sendEnrollmentOperation,
	stopEnrollmentOperation,
	updateEnrollmentOperation,
	deleteEnrollmentForGoodOperation,
	deleteEnrollmentOperation,
	getDeletedEnrollmentsOperation,
	restoreEnrollmentOperation,
	resendEnrollmentOperation,
	resendCertificateOperation,
	resendEnrollmentToPeopleOperation,
	stopAutoEnrollmentOperation,
	stopRemindersOperation,
];
