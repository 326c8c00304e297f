import { get } from 'lodash';
import { IANAZone } from 'luxon';

import { collectionField } from '../../core/fields/collection';
import type { Field, FieldMap, FieldSettings, FieldValues, PickerContext } from '../../core/fields/field';
import { dateTimeField, parseDate, parseEndDate, describeValue, readLocatorValue } from '../../core/fields/fieldTypes';
import { rejectStartInPast } from '../../core/fields/period';
import { readCompanyTimeZone } from '../../core/companies/companyTimeZone';
import { InvalidInputError, isNotFoundOrForbidden, RequestError, toError } from '../../core/http/errors';
import { normalizeText } from '../../core/values';
import { CUSTOMERS_OWN_TIME_ZONE, platformPicker } from './platformLists';

/** The hint of a date field, if the user can add the field 'Time Zone' to the same form. */
export const TIME_ZONE_HINT = "The date is in the workflow's time zone, unless you add 'Time Zone'";

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

/**
 * Converts an end date to ISO 8601 in UTC.
 * @param timezone the selected time zone, or undefined for the workflow's time zone
 * @returns undefined if there is no date, or if its time zone is not known yet
 */
export function toEndDate(date: DateInput | undefined, timezone: string | undefined): string | undefined {
	if (date === undefined || (timezone !== undefined && !isTimeZoneKnown(timezone))) return undefined;
	return parseEndDate(date.raw, timezone ?? date.timezone);
}

/** Returns true if a picker's raw value is the choice *Customer's Own*, as its ID or, from an expression, as its name. */
function isCustomersOwn(raw: unknown): boolean {
	const value = readLocatorValue(raw);
	const { id, name } = CUSTOMERS_OWN_TIME_ZONE;
	return typeof value === 'string' && [id, name].some((text) => normalizeText(text) === normalizeText(value));
}

/** Creates the error for a company whose record the platform doesn't have (404) or doesn't show (403). */
const createUnreadableZoneError = ({ details }: RequestError, customer: string, isOwnCompany: boolean) =>
	new InvalidInputError(
		`is '${CUSTOMERS_OWN_TIME_ZONE.name}', but the time zone of ${customer} can't be read: ${details.reason}`,
		[],
		`${isOwnCompany ? '' : 'Is this one of your customers? '}${details.advice} Or select a time zone from the list.`,
	);

/**
 * Reads the time zone of the company that the operation runs for.
 * @throws InvalidInputError if the platform doesn't say which it is, or if it isn't valid; RequestError
 */
async function readCustomersOwn(context: PickerContext, isValid: (timezone: string) => boolean): Promise<string> {
	const company = await context.getCompany();
	const customer = company ? `'${company.name || company.id}'` : "the credential's own company";
	const client = await context.getClient();
	const timezone = await readCompanyTimeZone(client, company?.id, context.signal).catch((error: unknown) => {
		if (error instanceof RequestError && isNotFoundOrForbidden(error))
			throw createUnreadableZoneError(error, customer, company === undefined);
		throw toError(error);
	});
	if (timezone !== undefined && isValid(timezone)) return timezone;
	const reason =
		timezone === undefined
			? `the platform doesn't say which time zone ${customer} has`
			: `the time zone of ${customer} is ${describeValue(timezone)}, which isn't an IANA name such as Europe/Berlin`;
	throw new InvalidInputError(
		`is '${CUSTOMERS_OWN_TIME_ZONE.name}', but ${reason}`,
		[],
		'Select a time zone from the list.',
	);
}

/**
 * Adds the choice *Customer's Own* to a field with a time zone. It is replaced before the operation's own request.
 * @param isValid returns true if the field accepts a customer's time zone
 */
const addCustomersOwn = (
	field: Field<string | undefined>,
	isValid: (timezone: string) => boolean,
): Field<string | undefined> => ({
	...field,
	parse: (raw, item) => (isCustomersOwn(raw) ? CUSTOMERS_OWN_TIME_ZONE.id : field.parse(raw, item)),
	resolveNames: async (raw, context) => {
		if (isCustomersOwn(raw)) return { mode: 'id', value: await readCustomersOwn(context, isValid) };
		return field.resolveNames ? await field.resolveNames(raw, context) : raw;
	},
});

/** Creates the field in which the user selects the time zone of a person. */
export const personTimeZonePicker = (): Field<string | undefined> =>
	addCustomersOwn(
		platformPicker('personTimeZones', {
			displayName: 'Time Zone',
			description: "Select the person's time zone, such as Europe/Berlin",
			idExample: 'Europe/Berlin',
		}),
		() => true,
	);

/**
 * Creates the field in which the user selects the time zone of a date. Until names are resolved, its parsed value may be the ID of
 * `CUSTOMERS_OWN_TIME_ZONE` (see `isTimeZoneKnown`).
 */
export function timeZonePicker(): Field<string | undefined> {
	const field = platformPicker('ianaZones', {
		displayName: 'Time Zone',
		description: 'Select the time zone of the dates in this form, such as Europe/Berlin',
		hint: "Customer's Own is the time zone that the platform has for the customer",
		idExample: 'Europe/Berlin',
		default: CUSTOMERS_OWN_TIME_ZONE.id,
		defaultLabel: CUSTOMERS_OWN_TIME_ZONE.name,
		required: true,
	});
	const parse: Field<string | undefined>['parse'] = async (raw, item) => {
		const timezone = await field.parse(raw, item);
		if (timezone === undefined || IANAZone.isValidZone(timezone)) return timezone;
		throw new InvalidInputError(
			`must be the IANA name of a time zone, such as Europe/Berlin, but is ${describeValue(timezone)}`,
			[],
			'Select a time zone from the list.',
		);
	};
	return addCustomersOwn({ ...field, parse }, (timezone) => IANAZone.isValidZone(timezone));
}

/** Returns false for the choice *Customer's Own* as long as the customer's time zone hasn't been read. */
const isTimeZoneKnown = (timezone: string): boolean => timezone !== CUSTOMERS_OWN_TIME_ZONE.id;

/**
 * Converts a start date to ISO 8601 in UTC. If its time zone is not known yet, the date is only checked, and read as a date in UTC.
 * @param path the field names on the path to the start date, for the error
 * @throws InvalidInputError if the value isn't a date, or if it has passed
 */
export function toStartDate(raw: unknown, timezone: string, path: string[]): string {
	if (!isTimeZoneKnown(timezone)) return parseDate(raw, 'utc');
	const start = parseDate(raw, timezone);
	rejectStartInPast(start, timezone, path);
	return start;
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
			const shouldParseAgain = typeof timezone === 'string' && isTimeZoneKnown(timezone);
			return shouldParseAgain ? await block.parse(raw, { ...item, timezone }) : values;
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
		const selectedTimezone: unknown = get(values, timezoneFieldName);
		const timezone = typeof selectedTimezone === 'string' ? selectedTimezone : item.timezone;
		if (typeof start === 'string' && isTimeZoneKnown(timezone)) rejectStartInPast(start, timezone, [startFieldName]);
		return values;
	},
});
