import { exportSendingReport } from './exportSendingReport';
import { getCertificates } from './getCertificates';
import { getInteractions } from './getInteractions';
import { getNotifications } from './getNotifications';
import { getReminderMails } from './getReminderMails';
import { getSendingReport } from './getSendingReport';
import { getSummary } from './getSummary';
import { getUsers } from './getUsers';

export const operations = [
	exportSendingReport,
	getCertificates,
	getInteractions,
	getNotifications,
	getReminderMails,
	getSendingReport,
	getSummary,
	getUsers,
];
