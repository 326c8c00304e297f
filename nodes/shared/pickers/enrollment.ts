import type { IDataObject } from 'n8n-workflow';

import { identityOf } from '../answer/page';
import type { Field } from '../form/field';
import { searchPicker, type Picked } from './picker';

/** The fields that may have the ID of an enrollment (contract 2.7). */
export const ENROLLMENT_ID = ['resourceId', 'enrollmentId', 'enrollmentResourceId', 'id'] as const;

/**
 * An enrollment's record with its ID under one name, whatever the service calls it; if the record lacks it, as its first
 * field.
 */
export function withEnrollmentId(json: IDataObject): IDataObject {
	if ('enrollmentId' in json) return json;
	const enrollmentId = identityOf(json, ENROLLMENT_ID);
	return enrollmentId === undefined ? json : { enrollmentId, ...json };
}

/** The fields that may have the ID of a target user. */
export const TARGET_USER_ID = ['targetUserResourceId', 'resourceId', 'id'] as const;

/** The other fields of a person's row that identify a target user. */
export const ALSO_TARGET_USER = ['resourceId', 'userId', 'targetUserId', 'email'] as const;

/** The field that chooses an enrollment of the chosen customer, the newest first. */
export const enrollmentPicker = (): Field<Picked> =>
	searchPicker({
		displayName: 'Enrollment',
		description: 'The training sent to target groups',
		method: 'searchEnrollments',
		thing: 'enrollment',
		listing: {
			contract: 'POST /api/enrollments/search',
			id: ENROLLMENT_ID,
			name: ['name', 'enrollmentName', 'trainingName'],
			orderBy: 'CreateTime',
			descending: true,
			scoped: true,
		},
	});

/** The field that chooses one of the users that an enrollment was sent to. */
export const targetUserPicker = (): Field<Picked> =>
	searchPicker({
		displayName: 'Target User',
		description: 'The user who was enrolled',
		method: 'searchTargetUsers',
		thing: 'target user',
		listing: {
			contract: 'POST /api/training-reports/{enrollmentId}/users/search',
			path: ({ id }) => ({ enrollmentId: id('enrollment', 'Enrollment') }),
			id: TARGET_USER_ID,
			name: ['email', 'name', 'fullName', 'firstName'],
			orderBy: 'Email',
			scoped: true,
		},
	});
