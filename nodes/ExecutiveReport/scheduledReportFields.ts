import { updateFieldsBlock } from '../core/fields/collection';
import { cleanEmailAddress, isEmailAddress, rejectMaskedEmail } from '../core/fields/contact';
import { markAsListReplacement, type Field } from '../core/fields/field';
import {
	dateTimeField,
	parseTextList,
	describeValue,
	textField,
	textListField,
	toggleField,
	wholeNumberField,
} from '../core/fields/fieldTypes';
import { openChoiceField } from '../core/fields/openChoiceField';
import { readStoredTexts, type CurrentValueSources } from '../core/operation/updateRecord';
import { resourceMultiPicker } from '../domain/pickers/resourcePickers';
import { TIME_ZONE_HINT, timeZoneBlock, addStartInPastCheck, timeZonePicker } from '../domain/pickers/timeZone';
import { InvalidInputError } from '../core/http/errors';
import { executiveReportField } from './executiveReportField';

type NumberChoiceSettings = Omit<Parameters<typeof openChoiceField<number>>[0], 'parse'>;

/**
 * Creates a form field whose options stand for the numbers that the platform's own web client sends (deployment activity 6). An expression
 * may also return any other number.
 */
function numberChoiceField(settings: NumberChoiceSettings): Field<number> {
	const numberField = wholeNumberField({ displayName: settings.displayName, default: 0, min: 0 });
	return openChoiceField({ ...settings, parse: (raw, item) => numberField.parse(raw, item) });
}

/**
 * The form field that turns a schedule on or off. The numbers are an assumption: for other resources, the platform uses 1 for "on"
 * (deployment behaviour, "REST API clients, roles"), and 2 is probably "off".
 */
export const scheduleStatusField = numberChoiceField({
	displayName: 'Status',
	description: 'Select On to email the report on its schedule, or Off to stop these emails',
	default: '1',
	options: [
		{ name: 'Off', value: '2' },
		{ name: 'On', value: '1' },
	],
});

/** The platform's number for the report type "executive report". No other type is known (deployment activity 6). */
export const EXECUTIVE_REPORT_TYPE = 2;

type EmailListFieldSettings = Parameters<typeof textListField>[0] & {
	/** The name of the request field that holds the addresses. */
	requestField: string;
};

/** Creates a form field for email addresses. They are separated by commas or, as in many email programs, by semicolons. */
const emailListField = ({ requestField, ...settings }: EmailListFieldSettings) =>
	markAsListReplacement({ ...textListField(settings), parse: parseEmailAddresses }, requestField);

/** Parses a list of email addresses. @throws InvalidInputError if an entry isn't an email address, or is masked */
function parseEmailAddresses(raw: unknown): string[] {
	const entries = parseTextList(typeof raw === 'string' ? raw.replaceAll(';', ',') : raw);
	const addresses = entries.map(cleanEmailAddress).filter((address) => address !== '');
	for (const address of addresses) rejectMaskedEmail(address);
	const invalidEntry = addresses.find((address) => !isEmailAddress(address));
	if (invalidEntry === undefined) return addresses;
	throw new InvalidInputError(`must have email addresses, separated by commas, but has ${describeValue(invalidEntry)}`);
}

/** The form fields that every schedule needs. */
export const requiredScheduleFields = {
	name: textField({
		displayName: 'Name',
		description: 'A name for the scheduled report, such as Monthly Review',
		placeholder: 'e.g. Monthly Review',
		required: true,
	}),
	reportResourceId: executiveReportField,
	frequency: numberChoiceField({
		displayName: 'Frequency',
		description: 'How often to email the report',
		default: '3',
		options: [
			{ name: 'Every Month', value: '3' },
			{ name: 'Every Quarter', value: '4' },
			{ name: 'Every Two Weeks', value: '2' },
			{ name: 'Every Week', value: '1' },
			{ name: 'Once', value: '0' },
		],
	}),
	emailAddresses: emailListField({
		requestField: 'emailAddresses',
		displayName: 'Email Addresses',
		description: 'Email addresses to send the report to, separated by commas',
		hint: "The recipients don't need to be users of the platform",
		placeholder: 'e.g. ceo@example.com, it@example.com',
	}),
};

const optionalScheduleFields = {
	isRegionAwareTimeZone: toggleField({
		displayName: "Use Recipients' Own Time Zone",
		description: "Whether to use each recipient's own time zone for 'Send At'",
		default: true,
	}),
	managerEmails: emailListField({
		requestField: 'managerEmails',
		displayName: 'Manager Email Addresses',
		description: 'Email addresses of managers, separated by commas. Each manager gets a report about their team.',
		hint: 'Required for a report that has a table of managers',
		placeholder: 'e.g. lead@example.com',
	}),
	schedule: dateTimeField({
		displayName: 'Send At',
		description: 'The date and time of the first email on the schedule, such as 2026-04-01 09:00',
		hint: TIME_ZONE_HINT,
		required: true,
	}),
	scheduledDateTimeZoneId: timeZonePicker(),
	targetGroupResourceIds: markAsListReplacement(
		resourceMultiPicker('targetGroups', {
			displayName: 'Target Group Names or IDs',
			description: 'The target groups whose users get the report',
		}),
		'targetGroupResourceIds',
	),
};

/** The name of the form field, and of the record field, with the time zone of a schedule. */
export const TIME_ZONE_FIELD = 'scheduledDateTimeZoneId';

/** The collection of optional form fields for a new schedule. It rejects a start date in the past. */
export const newScheduleBlock = addStartInPastCheck(
	'schedule',
	TIME_ZONE_FIELD,
	timeZoneBlock(TIME_ZONE_FIELD, optionalScheduleFields),
);

/** The collection of form fields that an update of a schedule can change. */
export const scheduleUpdateBlock = timeZoneBlock(
	TIME_ZONE_FIELD,
	{ ...requiredScheduleFields, ...optionalScheduleFields },
	updateFieldsBlock,
);

/**
 * Creates the source from which an update reads the current value of a list field. The schedule's record has the list as one text with
 * commas (deployment activity 6), or null, which means an empty list.
 */
const createListValueSource = (name: string): CurrentValueSources => ({
	[name]: { fieldName: name, read: (value) => readStoredTexts(value === null ? [] : value) },
});

/** Maps each request field of an update to the place in the schedule's record that has its current value (deployment activity 6). */
export const SCHEDULE_CURRENT_VALUE_SOURCES: CurrentValueSources = {
	name: 'name',
	reportResourceId: 'reportResourceId',
	reportType: 'reportTypeId',
	frequency: 'frequencyTypeId',
	schedule: 'schedule',
	[TIME_ZONE_FIELD]: TIME_ZONE_FIELD,
	isRegionAwareTimeZone: 'isRegionAwareTimeZone',
	...createListValueSource('emailAddresses'),
	...createListValueSource('managerEmails'),
	...createListValueSource('targetGroupResourceIds'),
};
