import { get } from 'lodash';
import { IANAZone } from 'luxon';

import { collectionField } from '../../core/fields/collection';
import type { Field, FieldMap, FieldSettings, FieldValues } from '../../core/fields/field';
import { dateTimeField, parseEndDate, describeValue } from '../../core/fields/fieldTypes';
import { rejectStartInPast } from '../../core/fields/period';
import { InvalidInputError } from '../../core/http/errors';
import { platformPicker } from './platformLists';

/** The hint of a date field, if the user can add the field 'Time Zone' to the same form. */
export const TIME_ZONE_HINT = "In the time zone of 'Time Zone', if you add that; else in the workflow's";

/** A date as the user entered it. `toEndDate` converts it as soon as its time zone is known. */
export interface DateInput {
	raw: unknown;
	/** The workflow's time zone. */
	timezone: string;
}

/**
 * Creates a field for a date whose time zone the user selects in a collection of other fields. The date is only checked when it is parsed,
 * not converted. If the field is empty, its parsed value is undefined.
 */
export function dateInputField(settings: FieldSettings): Field<DateInput | undefined> {
	const { property, parse } = dateTimeField(settings);
	return {
		property,
		parse: async (raw, item) => {
			const date = await parse(raw, item);
			return date === undefined ? undefined : { raw, timezone: item.timezone };
		},
	};
}

/** Converts an end date to ISO 8601 in UTC. @param timezone the selected time zone, or undefined for the workflow's time zone */
export const toEndDate = (date: DateInput | undefined, timezone: string | undefined): string | undefined =>
	date && parseEndDate(date.raw, timezone ?? date.timezone);

/** Creates the field in which the user selects the time zone of a date. */
export function timeZonePicker(): Field<string | undefined> {
	const field = platformPicker('ianaZones', { displayName: 'Time Zone', idExample: 'Europe/Berlin', required: true });
	return {
		...field,
		parse: async (raw, item) => {
			const timezone = await field.parse(raw, item);
			if (timezone === undefined || IANAZone.isValidZone(timezone)) return timezone;
			throw new InvalidInputError(
				`must be the IANA name of a time zone, such as Europe/Berlin, but is ${describeValue(timezone)}`,
				[],
				'Choose it from the list.',
			);
		},
	};
}

const additionalFieldsBlock = <F extends FieldMap>(fields: F) =>
	collectionField({ displayName: 'Additional Fields', fields });

/**
 * Creates a collection of fields whose dates are read in the time zone that the user selects in the same collection. The platform accepts
 * the IANA names of time zones (deployment behaviour, "Trainings, groups, enrollments").
 * @param timezoneFieldName the name of the field in which the user selects the time zone
 * @param createBlock creates the collection from its fields; use `updateFieldsBlock` for an update
 */
export function timeZoneBlock<F extends FieldMap>(
	timezoneFieldName: string,
	fields: F,
	createBlock = additionalFieldsBlock<F>,
): Field<Partial<FieldValues<F>>> {
	const block = createBlock(fields);
	return {
		...block,
		parse: async (raw, item) => {
			const values = await block.parse(raw, item);
			const timezone: unknown = values[timezoneFieldName];
			// The dates are parsed again, now in the selected time zone.
			return typeof timezone === 'string' ? await block.parse(raw, { ...item, timezone }) : values;
		},
	};
}

/**
 * Returns a copy of a collection of fields that rejects a start date in the past when it is parsed.
 * @param startFieldName the name of the inner field with the start date
 * @param timezoneFieldName the name of the inner field with the time zone of the start date
 */
export const addStartInPastCheck = <V extends object>(
	startFieldName: string,
	timezoneFieldName: string,
	block: Field<V>,
): Field<V> => ({
	...block,
	parse: async (raw, item) => {
		const values = await block.parse(raw, item);
		const start: unknown = get(values, startFieldName);
		const timezone: unknown = get(values, timezoneFieldName);
		if (typeof start === 'string') {
			rejectStartInPast(start, typeof timezone === 'string' ? timezone : item.timezone, [startFieldName]);
		}
		return values;
	},
});
