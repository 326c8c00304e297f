import { DateTime } from 'luxon';

/** The default time zone of workflows in n8n. */
const TIME_ZONE = 'America/New_York';

/** Returns the day of a time in the default time zone of workflows. */
export const readDay = (time: string | null): string | null =>
	DateTime.fromISO(time ?? '', { zone: TIME_ZONE }).toISODate();
