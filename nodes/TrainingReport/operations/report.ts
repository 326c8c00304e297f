import { enrollmentPicker } from '../../shared/pickers/enrollment';

/** Every report is about one enrollment; in paths it stands as {enrollmentId} (contract 4.8). */
export const aboutEnrollment = { enrollment: enrollmentPicker() };

/** What mails and users of a report can be sorted by. */
export const REPORT_SORT = { Email: 'Email', 'Create Time': 'CreateTime' };

export const BY_EMAIL = { orderBy: 'Email', ascending: true };
