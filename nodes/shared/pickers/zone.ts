import { IANAZone } from 'luxon';

import { collection } from '../form/collection';
import type { Field, FieldMap, Values } from '../form/field';
import { shown } from '../form/fields';
import { InvalidInput } from '../transport/errors';
import { platformPicker } from './platformLists';

/** The hint of a date beside which a time zone can be chosen. */
export const IN_ZONE = "In the time zone of 'Time Zone', if you add that; else in the workflow's";

/** The field for that time zone. */
export function zonePicker(): Field<string | undefined> {
	const field = platformPicker('ianaZones', { displayName: 'Time Zone', example: 'Europe/Berlin', required: true });
	return {
		...field,
		parse: async (raw, item) => {
			const zone = await field.parse(raw, item);
			if (zone === undefined || IANAZone.isValidZone(zone)) return zone;
			throw new InvalidInput(
				`must be the IANA name of a time zone, such as Europe/Berlin, but is ${shown(zone)}`,
				[],
				'Choose it from the list.',
			);
		},
	};
}

/**
 * 'Additional Fields' whose dates are read in the time zone that is chosen beside them; the service takes IANA names (deployment behaviour).
 * @param zone the name of the field with the time zone
 * @param description of the block
 */
export function inZone<F extends FieldMap>(zone: string, fields: F, description?: string): Field<Partial<Values<F>>> {
	const withoutZone = collection({ displayName: 'Additional Fields', fields, description });
	return {
		...withoutZone,
		parse: async (raw, item) => {
			const values = await withoutZone.parse(raw, item);
			const timezone: unknown = values[zone];
			return typeof timezone === 'string' ? await withoutZone.parse(raw, { ...item, timezone }) : values;
		},
	};
}
