import { NOT_CLUSTERED, STATUSES } from '../ReportedEmail/reportedEmailFields';
import { REPORTED_EMAIL_ID } from '../domain/pickers/resourcePickers';
import { defineTrigger } from '../core/trigger/types';
import { identityOf } from '../core/values';

/** New or changed mails that people reported. */
export const reportedEmailTrigger = defineTrigger({
	things: 'reported emails',
	fields: {},
	statuses: { lists: () => ['POST /api/notified-emails/search'], known: STATUSES },
	kinds: () => [
		{
			name: 'reportedEmail',
			things: 'reported emails',
			endpoint: 'POST /api/notified-emails/search',
			body: NOT_CLUSTERED,
			identity: (record) => identityOf(record, REPORTED_EMAIL_ID),
		},
	],
});
