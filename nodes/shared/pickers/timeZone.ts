import { checkText, isRecord } from '../fields/basic';
import type { Field } from '../fields/field';
import { picker } from './picker';

/** Chooses a time zone by its IANA name, or takes another identifier as it is. */
export function timeZonePicker(): Field<string> {
	const field = picker({
		displayName: 'Time Zone',
		method: 'searchTimeZones',
		thing: 'time zone',
		example: 'Europe/Berlin',
		search: async (_filled, searchText) => {
			const wanted = searchText.toLowerCase().replace(/\s+/g, '_');
			const names = ['UTC', ...Intl.supportedValuesOf('timeZone')];
			return {
				entries: names
					.filter((name) => name.toLowerCase().includes(wanted))
					.map((name) => ({ id: name, name: name.replaceAll('_', ' ') })),
				isLast: true,
			};
		},
	});
	// Unlike an ID it has a slash, and it never stands in a path.
	return { ...field, check: (raw) => checkText(isRecord(raw) ? raw.value : raw, { min: 1, max: 100 }) };
}
