import type { OperationHelpers } from '../core/operation/defineOperation';
import { readId, type Choice } from '../core/values';
import { getEnrollmentOperation } from '../domain/enrollments/enrollmentReadOperations';
import { readRecordIfPossible } from '../domain/writeReport';

/**
 * Returns the name of an enrollment for the output of a write. If the user entered the enrollment's ID, the name is read from the enrollment's
 * record.
 * @returns null if the name can't be read
 * @throws RequestError only if the run was stopped
 */
export async function readEnrollmentName(enrollment: Choice, helpers: OperationHelpers): Promise<string | null> {
	if (enrollment.name !== '') return enrollment.name;
	const path = { resourceId: enrollment.id };
	const record = await readRecordIfPossible(getEnrollmentOperation, { path }, helpers);
	return readId(record, ['name']) ?? null;
}
