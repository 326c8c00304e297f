import { DateTime } from 'luxon';

import { InvalidInput } from '../transport/errors';
import type { Field } from './field';
import { labelOf, type Label } from './label';
import { isEmpty, shown } from './value';

/**
 * Parses a point in time as n8n gives it: ISO 8601 text, a luxon DateTime or a Date.
 * @param timezone the IANA name of the time zone for text without an offset: the workflow's, as everywhere in n8n
 * @returns ISO 8601 in UTC (contract 2)
 * @throws InvalidInput for anything else
 */
export function parseDate(raw: unknown, timezone: string): string {
	const date =
		raw instanceof Date || DateTime.isDateTime(raw)
			? DateTime.fromMillis(raw.valueOf())
			: typeof raw === 'string' && /^\s*\d{4}-\d{2}-\d{2}/.test(raw)
				? DateTime.fromISO(raw.trim().replace(' ', 'T'), { zone: timezone })
				: DateTime.invalid('not a date');
	if (!date.isValid)
		throw new InvalidInput(`must be a date such as 2026-01-31 or 2026-01-31T09:00:00Z, but is ${shown(raw)}`);
	return date.toUTC().toISO();
}

/** Whether a text is a time without a time zone or offset, so that the moment depends on the zone. */
export function isLocalTime(raw: unknown): boolean {
	if (typeof raw !== 'string') return false;
	const [one, other] = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'].map((zone) =>
		DateTime.fromISO(raw.trim().replace(' ', 'T'), { zone }),
	);
	return one?.isValid === true && one.toMillis() !== other?.toMillis();
}

/** A field for a point in time; empty means none. */
export function dateTime(label: Label): Field<string | undefined> {
	return {
		property: {
			...labelOf(label),
			type: 'dateTime',
			default: '',
		},
		parse: (raw, { timezone }) => (isEmpty(raw) ? undefined : parseDate(raw, timezone)),
	};
}
