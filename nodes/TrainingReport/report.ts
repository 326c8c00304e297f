import { pages } from '../shared/answer/pages';
import { collection } from '../shared/form/collection';
import type { FieldMap } from '../shared/form/field';
import type { Filterable } from '../shared/form/fieldFilters';
import { defineOperation } from '../shared/operation/define';
import type { Operation, Words } from '../shared/operation/operation';
import { enrollmentPicker } from '../shared/pickers/enrollment';
import { toJson } from '../shared/transport/envelope';

/** Every report is about one enrollment: {enrollmentId} in the paths of contract 4.8. */
export const aboutEnrollment = { enrollment: enrollmentPicker() };

/** The fields that mails and users of a report can be sorted by. */
export const REPORT_SORT = { Email: 'Email', 'Create Time': 'CreateTime' };

/** The fields of a row of the sending report (deployment shapes). */
export const SENDING_FILTERABLE: Filterable = [
	'Email',
	'Department',
	'EmailDelivery',
	'FirstName',
	'FirstSendDate',
	'LastName',
	'LastSendDate',
	'LastSendingStatus',
	'TargetUserStatus',
];

export const BY_EMAIL = { orderBy: 'Email', ascending: true };

type ReportList =
	| `POST /api/training-reports/{enrollmentId}/${'sending-report' | 'reminder-mails' | 'users'}/search`
	| 'POST /api/enrollments/{enrollmentId}/certificates/search'
	| 'POST /api/notifications/{enrollmentId}/search';

/**
 * Defines an operation that lists what belongs to an enrollment. Its rows have no ID in the contract, and the same person
 * or mail may be in several rows.
 * @param definition.filterable the fields of its rows (deployment shapes)
 * @param definition.narrowing further fields of the request body, by the service's names
 */
export function reportList(
	definition: Words & { contract: ReportList; filterable: Filterable; narrowing?: FieldMap },
): Operation {
	const { narrowing, filterable, ...words } = definition;
	const reportOptions = collection({
		displayName: 'Report Options',
		button: 'Add Option',
		fields: narrowing ?? {},
	});
	return defineOperation({
		...words,
		scope: 'company',
		fields: aboutEnrollment,
		request: ({ enrollment }) => ({ path: { enrollmentId: enrollment.id } }),
		answer: pages({
			identity: [],
			sortable: REPORT_SORT,
			filterable,
			defaultOrder: BY_EMAIL,
			...(narrowing ? { fields: { reportOptions }, narrow: (chosen) => ({ body: toJson(chosen.reportOptions) }) } : {}),
		}),
	});
}
