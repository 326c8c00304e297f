import { IANAZone } from 'luxon';
import { z } from 'zod';

import { parseText } from '../form/text';
import { isRecord } from '../form/value';
import type { Field } from '../form/field';
import { firstAvailable, readHelper, whole, type Source } from './sources';
import { picker } from './picker';
import { WINDOWS_ZONES } from './windowsZones';

/**
 * The IANA name (or distance from UTC) of a time zone that is given by that, or by its name on Windows as on platforms there.
 * @returns undefined for a zone that cannot be known
 */
export function ianaZoneOf(id: string): string | undefined {
	const name = id.trim();
	const isKnown = IANAZone.isValidZone(name) || /^utc[+-]\d{1,2}(:\d{2})?$/i.test(name);
	return isKnown ? name : WINDOWS_ZONES.get(name.toLowerCase());
}

const zones = z.object({
	timeZoneList: z.array(z.object({ id: z.string().min(1), displayName: z.string().nullish() })),
});

/** The zones that the platform knows (deployment shapes: timezone/timezones). */
const ofPlatform = whole(async (filled) => {
	// Whatever keeps the platform from telling, there are zones to choose from.
	const listed = await readHelper(filled, { contract: 'GET /api/timezone/timezones', shape: zones }).catch(
		() => undefined,
	);
	const { timeZoneList = [] } = listed ?? {};
	return timeZoneList.map(({ id, displayName }) => ({ id, name: displayName ?? id }));
});

/** Zones by their IANA names. */
const ofIana: Source = async (_filled, searchText) => {
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
 * Chooses a time zone by its IANA name, or takes another identifier as it is.
 * @param isPlatforms whether the platform's own list comes first, where it has one
 */
export function timeZonePicker({ isPlatforms = false } = {}): Field<string> {
	const field = picker({
		displayName: 'Time Zone',
		method: 'searchTimeZones',
		thing: 'time zone',
		example: 'Europe/Berlin',
		search: firstAvailable([...(isPlatforms ? [ofPlatform] : []), ofIana], 'Enter the time zone by its IANA name'),
	});
	// Unlike an ID it has a slash, and it never stands in a path.
	return { ...field, parse: (raw) => parseText(isRecord(raw) ? raw.value : raw, { min: 1, max: 100 }) };
}
