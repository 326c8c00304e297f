import { get } from 'lodash';
import { IANAZone } from 'luxon';

import { collection } from '../../core/fields/collection';
import type { Field, FieldMap, Label, Values } from '../../core/fields/field';
import { dateTime, parseEndDate, shown } from '../../core/fields/fieldTypes';
import { checkUpcoming } from '../../core/fields/period';
import { InvalidInput } from '../../core/http/errors';
import { platformPicker } from './platformLists';

/** The hint of a date beside which a time zone can be chosen. */
export const IN_ZONE = "In the time zone of 'Time Zone', if you add that; else in the workflow's";

/** A point in time as it was given, for `inChosenZone`. */
export interface GivenDate {
	raw: unknown;
	timezone: string;
}

/** A field for a point in time that stands outside of the block with the time zone; empty means none. */
export function dateBesideZone(label: Label): Field<GivenDate | undefined> {
	const whole = dateTime(label);
	return {
		property: whole.property,
		parse: async (raw, item) =>
			(await whole.parse(raw, item)) === undefined ? undefined : { raw, timezone: item.timezone },
	};
}

/** The end date in ISO 8601, read in the time zone that was chosen, or else in the workflow's. */
export const inChosenZone = (given: GivenDate | undefined, zone: string | undefined): string | undefined =>
	given && parseEndDate(given.raw, zone ?? given.timezone);

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

const additionalFields = <F extends FieldMap>(fields: F) => collection({ displayName: 'Additional Fields', fields });

/**
 * A block whose dates are read in the time zone that is chosen beside them; the service takes IANA names (deployment behaviour).
 * @param zone the name of the field with the time zone
 * @param blockOf makes the block of the fields: for an update, `changes`
 */
export function inZone<F extends FieldMap>(
	zone: string,
	fields: F,
	blockOf = additionalFields<F>,
): Field<Partial<Values<F>>> {
	const withoutZone = blockOf(fields);
	return {
		...withoutZone,
		parse: async (raw, item) => {
			const values = await withoutZone.parse(raw, item);
			const timezone: unknown = values[zone];
			return typeof timezone === 'string' ? await withoutZone.parse(raw, { ...item, timezone }) : values;
		},
	};
}

/**
 * Makes a block of fields refuse a start date that has passed.
 * @param start the name of the field with the date
 * @param zone the name of the field with its time zone
 */
export const refusePastStart = <V extends object>(start: string, zone: string, block: Field<V>): Field<V> => ({
	...block,
	parse: async (raw, item) => {
		const values = await block.parse(raw, item);
		const date: unknown = get(values, start);
		const timezone: unknown = get(values, zone);
		if (typeof date === 'string') checkUpcoming(date, typeof timezone === 'string' ? timezone : item.timezone, [start]);
		return values;
	},
});
