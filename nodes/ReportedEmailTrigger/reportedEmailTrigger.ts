import { REPORTED_EMAIL_ID_FIELDS } from '../domain/pickers/resourcePickers';
import { statusField } from '../domain/pickers/statuses';
import { REPORTED_EMAIL_STATUSES, UNCLUSTERED_BODY } from '../domain/reportedEmails';
import { defineTrigger } from '../core/trigger/defineTrigger';
import { readId } from '../core/values';

/** Starts a workflow for new or changed reported emails. */
export const reportedEmailTrigger = defineTrigger({
	noun: 'reported emails',
	fields: {},
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
