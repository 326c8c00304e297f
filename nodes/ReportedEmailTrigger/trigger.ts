import { NOT_CLUSTERED, STATUSES } from '../ReportedEmail/fields';
import { REPORTED_EMAIL_ID } from '../shared/pickers/resources';
import { defineTrigger } from '../shared/polling/trigger';
import { identityOf } from '../shared/values';

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
