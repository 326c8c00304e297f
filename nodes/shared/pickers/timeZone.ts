import { IANAZone } from 'luxon';
import { z } from 'zod';

import { parseText } from '../form/text';
import { enteredIn } from '../form/value';
import type { Field } from '../form/field';
import { firstAvailable, readOptionalOperation, wholeList, type Source } from './sources';
import { picker } from './picker';
import { WINDOWS_ZONES } from './windowsZones';

/**
 * The IANA name of a time zone, or its offset such as UTC+2.
 * @param id an IANA name, an offset, or a name of Windows, which some platforms use
 * @returns undefined for an unknown zone
 */
export function ianaZoneOf(id: string): string | undefined {
	const name = id.trim();
	const isKnown = IANAZone.isValidZone(name) || /^utc[+-]\d{1,2}(:\d{2})?$/i.test(name);
	return isKnown ? name : WINDOWS_ZONES.get(name.toLowerCase());
}

const zones = z.object({
	timeZoneList: z.array(z.object({ id: z.string().min(1), displayName: z.string().nullish() })),
});

/** The list of the platform's time zones (deployment shapes: timezone/timezones). */
const platformZones = wholeList(async (filled) => {
	// If the platform's list cannot be read for any reason, the IANA names are offered.
	const listed = await readOptionalOperation(filled, { contract: 'GET /api/timezone/timezones', shape: zones }).catch(
		() => undefined,
	);
	const { timeZoneList = [] } = listed ?? {};
	return timeZoneList.map(({ id, displayName }) => ({ id, name: displayName ?? id }));
});

/** The list of IANA time zones. */
const ianaZones: Source = async (_filled, searchText) => {
	const wanted = searchText.toLowerCase().replace(/\s+/g, '_');
	const names = ['UTC', ...Intl.supportedValuesOf('timeZone')];
	return {
		entries: names
			.filter((name) => name.toLowerCase().includes(wanted))
			.map((name) => ({ id: name, name: name.replaceAll('_', ' ') })),
		isLast: true,
	};
};

/**
 * The field that chooses a time zone by its IANA name; another identifier is sent as it is.
 * @param options.isPlatforms whether to offer the platform's own list instead, if it has one
 */
export function timeZonePicker({ isPlatforms = false } = {}): Field<string> {
	const field = picker({
		displayName: 'Time Zone',
		method: 'searchTimeZones',
		thing: 'time zone',
		example: 'Europe/Berlin',
		search: firstAvailable(
			[...(isPlatforms ? [platformZones] : []), ianaZones],
			'Enter the time zone by its IANA name',
		),
	});
	// Unlike an ID it may have a slash, because it is never part of a path.
	return { ...field, parse: (raw) => parseText(enteredIn(raw), { min: 1, max: 100 }) };
}
