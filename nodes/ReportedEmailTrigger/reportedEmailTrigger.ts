import { REPORTED_EMAIL_ID_FIELDS } from '../domain/pickers/resourcePickers';
import { statusField } from '../domain/pickers/statuses';
import { REPORTED_EMAIL_STATUSES, UNCLUSTERED_BODY } from '../domain/reportedEmails';
import { defineTrigger } from '../core/trigger/defineTrigger';
import { noticeField } from '../core/trigger/noticeField';
import { readId } from '../core/values';

/** Starts a workflow for new or changed reported emails. */
export const reportedEmailTrigger = defineTrigger({
	noun: 'reported emails',
	fields: {
		platformNotice: noticeField(
			"Reported emails aren't supported by every platform. If your platform doesn't support them, n8n shows an error.",
		),
	},
	statusField: statusField({
		getEndpoints: () => ['POST /api/notified-emails/search'],
		knownStatuses: REPORTED_EMAIL_STATUSES,
	}),
	getWatchedLists: () => [
		{
			name: 'reportedEmail',
			noun: 'reported emails',
			endpoint: 'POST /api/notified-emails/search',
			body: UNCLUSTERED_BODY,
			readId: (record) => readId(record, REPORTED_EMAIL_ID_FIELDS),
		},
	],
});
