import { additionalFieldsJsonField } from '../../core/fields/collection';
import {
	createNotEqualCondition,
	rejectEmptyExpression,
	rejectEmptyExpressions,
	showWhen,
	type Field,
	type FieldMap,
	type FieldValues,
} from '../../core/fields/field';
import {
	dateTimeField,
	parseDate,
	textField,
	textListField,
	toggleField,
	wholeNumberField,
} from '../../core/fields/fieldTypes';
import { parseTypedValue } from '../../core/pickers/picker';
import { simulationPicker } from '../pickers/platformLists';
import { resourcePicker } from '../pickers/resourcePickers';
import { timeZonePicker, toStartDate } from '../pickers/timeZone';
import { InvalidInputError } from '../../core/http/errors';
import { isEmpty } from '../../core/values';
import type { Simulator } from './simulator';

/**
 * The ID of the schedule type that sends immediately (deployment behaviour 3). The IDs of all other schedule types
 * differ between platforms.
 */
export const SCHEDULE_TYPE_NOW = 1;

const SENT_LATER_CONDITION = { schedule: [createNotEqualCondition(String(SCHEDULE_TYPE_NOW))] };
const SENT_AT_DATE_CONDITION = { ...SENT_LATER_CONDITION, scheduledDate: [createNotEqualCondition('')] };

/**
 * Creates an optional on/off field. It is on when the user adds it, because the user adds it to turn the setting on.
 */
const enabledToggleField = (displayName: string, description: string) =>
	toggleField({ displayName, description, default: true });

const countField = (displayName: string, description: string, min = 1) =>
	wholeNumberField({ displayName, description, default: min, min });

/**
 * Creates a hint that says where to find the value of a field. The platform has no list of these values, but the record
 * of an existing campaign contains one (deployment beyond, "Campaigns").
 * @param fieldName the record's field with the value
 * @param condition says which campaign has the value, such as 'that is sent as often as you want'
 */
const createValueHint = (simulator: Simulator, fieldName: string, condition: string) =>
	`Find a campaign ${condition}. Use 'Get ${simulator} campaign' for it with 'Output' set to 'Raw', and copy ${fieldName} into this field.`;

const createMissingTimeError = () =>
	new InvalidInputError('must not be empty', [], "Enter when to send the campaign, or select 'Now' in 'Schedule'.");

const createUnusedDateError = () =>
	new InvalidInputError(
		"can't be used with the schedule 'Now', which doesn't wait for a date",
		[],
		"Leave 'Start Date' empty, or select another 'Schedule'.",
	);

/** How a form's schedule fields differ between the operations. */
interface ScheduleFieldSettings {
	/**
	 * False if a campaign that isn't sent now may have no start date. That is possible when it is created, because it is started later. When it
	 * is started, the date is required, because no document says if a campaign without a date would be sent at once.
	 */
	isDateRequired: boolean;
}

/**
 * Creates the field for the start date. Parsing returns the value as the user entered it, because the time zone comes
 * from another field and isn't known yet.
 */
const startDateField = (simulator: Simulator, { isDateRequired }: ScheduleFieldSettings): Field<unknown> => ({
	...dateTimeField({
		displayName: 'Start Date',
		description: isDateRequired
			? 'When to send the campaign, such as 2026-05-04 09:00'
			: 'The start date to save with the campaign, such as 2026-05-04 09:00. It may be empty for schedules without a date.',
		hint: isDateRequired
			? "Required for every schedule except 'Now'. The date is in the time zone that you select in 'Time Zone'."
			: `The platform may not start the campaign at this date. To start it at a date, enter the date in 'Start ${simulator} campaign'.`,
	}),
	parse: (raw, { timezone }) => {
		// `buildScheduleBody` checks if a date is required: the schedule may be a name that hasn't been looked up yet.
		if (isEmpty(raw)) return '';
		// This call only checks that the value is a date. Its result isn't used.
		parseDate(raw, timezone);
		return raw;
	},
	createErrorIfUnused: createUnusedDateError,
});

/**
 * Creates the fields for the time when a simulation is sent: immediately or at a date. The keys are the names of the
 * body fields. They are documented for quishing and smishing; the record of a phishing campaign has fields with the
 * same names (deployment beyond, "Campaigns").
 */
export const createScheduleFields = (simulator: Simulator, settings: ScheduleFieldSettings) => ({
	schedule: simulationPicker('scheduleTypes', simulator, {
		displayName: 'Schedule',
		description: settings.isDateRequired
			? "When to send the campaign: 'Now', or one of your platform's other schedules"
			: "The schedule to save with the campaign: 'Now', or one of your platform's other schedules",
		hint: settings.isDateRequired
			? "'Now' sends the campaign immediately. Any other schedule sends the campaign at the date in 'Start Date'."
			: `This operation sends nothing, not even with 'Now'. To send the campaign, use 'Start ${simulator} campaign'.`,
		default: SCHEDULE_TYPE_NOW,
		defaultLabel: 'Now',
		required: true,
	}),
	scheduledDate: showWhen(SENT_LATER_CONDITION, rejectEmptyExpression(startDateField(simulator, settings))),
	scheduledDateTimeZoneId: showWhen(
		settings.isDateRequired ? SENT_LATER_CONDITION : SENT_AT_DATE_CONDITION,
		timeZonePicker(),
	),
});

/**
 * Builds the part of a request body that says when a simulation is sent.
 * @throws InvalidInputError if the date or the time zone is missing, or if the date has passed or isn't used
 */
export function buildScheduleBody(
	values: Partial<FieldValues<ReturnType<typeof createScheduleFields>>>,
	{ isDateRequired }: ScheduleFieldSettings,
) {
	const { schedule: scheduleTypeId, scheduledDate: enteredDate, scheduledDateTimeZoneId } = values;
	const hasDate = !isEmpty(enteredDate);
	if (scheduleTypeId === SCHEDULE_TYPE_NOW && hasDate) throw createUnusedDateError().prependPath('scheduledDate');
	// Until its name has been looked up, the schedule may still be 'Now'.
	const canBeNow = scheduleTypeId === SCHEDULE_TYPE_NOW || Number.isNaN(scheduleTypeId);
	if (!hasDate && isDateRequired && !canBeNow) throw createMissingTimeError().prependPath('scheduledDate');
	if (!hasDate) return { scheduleTypeId };
	// The time zone is undefined if the workflow was saved without this field.
	if (scheduledDateTimeZoneId === undefined) throw createMissingTimeError().prependPath('scheduledDateTimeZoneId');
	const scheduledDate = toStartDate(enteredDate, scheduledDateTimeZoneId, ['scheduledDate']);
	return { scheduleTypeId, scheduledDate, scheduledDateTimeZoneId };
}

/**
 * Creates optional fields for both the creation and the start of a campaign. Every simulator has these fields. A setting
 * that is an object has no field, so users enter it in 'Additional Fields (JSON)'.
 */
const createSendingFields = (simulator: Simulator) => ({
	distributionDelayEvery: countField(
		'Delay Every',
		"Time to wait between two messages, such as 5. Select the unit in 'Delay Unit'.",
		0,
	),
	distributionDelayTimeTypeId: simulationPicker('delayUnits', simulator, {
		displayName: 'Delay Unit',
		description: "The unit of 'Delay Every', for example minutes",
	}),
	excludeFromReports: rejectEmptyExpression(
		enabledToggleField('Mark as Test', 'Whether to leave the campaign out of reports'),
	),
	additionalFieldsJson: additionalFieldsJsonField(),
	sendingLimit: countField('Sending Limit', 'The maximum number of messages to send at a time, such as 100'),
});

/**
 * Creates optional fields for both the creation and the start of a campaign. Every simulator except phishing has these
 * fields.
 */
const createNonPhishingSendingFields = (simulator: Simulator) => ({
	distributionDays: countField(
		'Distribution Days',
		'Number of whole days over which to spread the messages, such as 3',
	),
	distributionEndTime: textField({
		displayName: 'Distribution End Time',
		description: 'The time of day at which sending ends, in the form that the platform uses',
		hint: createValueHint(simulator, 'distributionEndTime', 'whose sending ends at the time you want'),
	}),
	distributionStartTime: textField({
		displayName: 'Distribution Start Time',
		description: 'The time of day at which sending begins, in the form that the platform uses',
		hint: createValueHint(simulator, 'distributionStartTime', 'whose sending begins at the time you want'),
	}),
	distributionStartTypeId: wholeNumberField({
		displayName: 'Distribution Start',
		description: "The platform's number for the way in which sending begins, such as 1",
		hint: createValueHint(simulator, 'distributionStartTypeId', 'whose sending begins the way you want'),
		default: 0,
		min: 0,
	}),
});

/** The field for sending each message in the time zone of its recipient. */
const recipientTimeZoneFields = {
	useTargetUserTimeZone: enabledToggleField(
		"Use Users' Own Time Zone",
		"Whether to use each user's own time zone for the time of sending",
	),
};

/** Creates optional fields for the creation of a campaign. Every simulator has these fields. */
const createOptionalCampaignFields = (simulator: Simulator) => ({
	distributionTypeId: simulationPicker('distributionTypes', simulator, {
		displayName: 'Distribution',
		description: 'How to spread the messages over time, such as all at once',
	}),
	duration: countField(
		'Duration',
		"How long the campaign lasts, such as 14. The platform's own campaign form shows the unit.",
	),
	sendOnlyActiveUsers: rejectEmptyExpression(
		enabledToggleField('Only Active Users', 'Whether to send the campaign to active users only'),
	),
});

/** Creates optional fields for the creation of a campaign. Every simulator except phishing has these fields. */
const createOptionalNonPhishingFields = (simulator: Simulator) => ({
	awardCertificate: enabledToggleField(
		'Award Certificate',
		'Whether to give a certificate to people who pass the training of the campaign',
	),
	description: textField({
		displayName: 'Description',
		description: 'The purpose of the campaign, for your own reference',
	}),
	frequency: textField({
		displayName: 'Frequency',
		description: 'How often the campaign is sent, in the form that the platform uses',
		hint: createValueHint(simulator, 'frequency', 'that is sent as often as you want'),
	}),
	...rejectEmptyExpressions({
		sendRandomlyUsers: enabledToggleField(
			'Random Users',
			'Whether to send the campaign to randomly selected users only',
		),
		sendRandomlyUsersCalculateTypeId: simulationPicker('randomUserUnits', simulator, {
			displayName: 'Random Users Unit',
			description: "The unit of 'Random Users Count', for example percent",
		}),
		sendRandomlyUsersCount: countField(
			'Random Users Count',
			"How many users to select, such as 20. Select the unit in 'Random Users Unit'.",
		),
	}),
});

const createEmailDeliveryFields = (simulator: Simulator) => ({
	emailDeliverySettingType: wholeNumberField({
		displayName: 'Delivery',
		description: "The platform's number for the delivery method, such as 1",
		hint: createValueHint(simulator, 'emailDeliverySettingType', 'whose messages are delivered the way you want'),
		default: 0,
		min: 0,
	}),
});

/** Creates optional fields for the creation of a campaign. Only quishing has these fields. */
const createQuishingFields = () => ({
	directEmailSettingResourceId: {
		...resourcePicker('directEmailSettings', { required: false }),
		parse: (raw: unknown) => parseTypedValue(raw),
	},
	distributionEmailOver: wholeNumberField({
		displayName: 'Distribute Over',
		description: "The time over which to spread the emails, such as 3. Select the unit in 'Distribute Over Unit'.",
		hint: "To spread the emails over whole days, you can use 'Distribution Days' instead",
		default: 1,
		min: 1,
	}),
	distributionEmailOverTimeTypeId: simulationPicker('overTimeUnits', 'quishing', {
		displayName: 'Distribute Over Unit',
		description: "The unit of 'Distribute Over', for example hours",
	}),
	smtpSettingResourceId: {
		...resourcePicker('smtpSettings', { required: false }),
		parse: (raw: unknown) => parseTypedValue(raw),
	},
	templateType: textField({
		displayName: 'Template Type',
		description: "The type of the campaign's templates, in the form that the platform uses",
		hint: "Use 'Get many quishing campaigns' with 'Output' set to 'Raw'. Find a campaign with the type of templates you want, and copy templateType into this field.",
	}),
});

/** Creates optional fields for the creation of a campaign. Only smishing has these fields. */
const createSmishingFields = () => ({
	// The other simulators have this field only for starting a campaign (deployment beyond, "Campaigns").
	...recipientTimeZoneFields,
	smsProviderNumberResourceIds: textListField({
		displayName: 'SMS Provider Number IDs',
		description: 'The IDs of the phone numbers to send from, separated by commas',
		hint: "If you don't know these IDs, ask the platform's support",
	}),
});

/** Creates the optional fields for the creation of a campaign that depend on the simulator. */
function createSimulatorFields(simulator: Simulator): FieldMap {
	switch (simulator) {
		case 'phishing':
			return createEmailDeliveryFields(simulator);
		case 'quishing':
			return { ...createEmailDeliveryFields(simulator), ...createQuishingFields() };
		case 'smishing':
			return createSmishingFields();
	}
}

/** The optional fields for creating and for starting a campaign of one simulator. */
interface LaunchFields {
	startFields: FieldMap;
	creationFields: FieldMap;
}

/**
 * Creates the optional fields for creating and for starting a campaign, except those of the schedule (deployment
 * beyond, "Campaigns").
 */
export function createLaunchFields(simulator: Simulator): LaunchFields {
	if (simulator === 'phishing') {
		const sendingFields = createSendingFields(simulator);
		return {
			startFields: { ...sendingFields, ...recipientTimeZoneFields },
			creationFields: {
				...sendingFields,
				...createOptionalCampaignFields(simulator),
				...createSimulatorFields(simulator),
			},
		};
	}
	const sendingFields = { ...createSendingFields(simulator), ...createNonPhishingSendingFields(simulator) };
	return {
		startFields: { ...sendingFields, ...recipientTimeZoneFields },
		creationFields: {
			...sendingFields,
			...createOptionalCampaignFields(simulator),
			...createOptionalNonPhishingFields(simulator),
			...createSimulatorFields(simulator),
		},
	};
}
