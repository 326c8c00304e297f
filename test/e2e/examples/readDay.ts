import { DateTime } from 'luxon';

/** The default time zone of workflows in n8n. */
export const TIME_ZONE = 'America/New_York';

/** Formats the date of an ISO time in the default time zone of workflows, such as 2026-01-31. */
export const formatDay = (time: string | null): string | null =>
	DateTime.fromISO(time ?? '', { zone: TIME_ZONE }).toISODate();
