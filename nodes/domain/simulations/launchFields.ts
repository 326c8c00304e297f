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
 * Adds a text to a field's description that says where to find a value to enter. The platform has no list of these
 * values, but the record of an existing campaign contains one (deployment beyond, "Campaigns").
 */
const describeCampaignValue = (simulator: Simulator, description: string) =>
	`${description}. 'Get ${simulator} campaign' shows it with the output 'Raw'.`;

const createMissingTimeError = () =>
	new InvalidInputError('must not be empty', [], "Enter when to send the campaign, or select 'Now' in 'Schedule'.");

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
const startDateField = ({ isDateRequired }: ScheduleFieldSettings): Field<unknown> => ({
	...dateTimeField({
		displayName: 'Start Date',
		description: 'When to send the campaign',
		hint: isDateRequired
			? "The date is in the time zone of 'Time Zone'"
			: "The date is in the time zone of 'Time Zone'. Leave it empty if you start the campaign later yourself.",
		required: isDateRequired,
	}),
	parse: (raw, { timezone }) => {
		if (isEmpty(raw) && !isDateRequired) return '';
		if (isEmpty(raw)) throw createMissingTimeError();
		// This call only checks that the value is a date. Its result isn't used.
		parseDate(raw, timezone);
		return raw;
	},
});

/**
 * Creates the fields for the time when a simulation is sent: immediately or at a date. The keys are the names of the
 * body fields. They are documented for quishing and smishing; the record of a phishing campaign has fields with the
 * same names (deployment beyond, "Campaigns").
 */
export const createScheduleFields = (simulator: Simulator, settings: ScheduleFieldSettings) => ({
	schedule: simulationPicker('scheduleTypes', simulator, {
		displayName: 'Schedule',
		description: "When to send the campaign: 'Now', or one of your platform's other schedules",
		hint: settings.isDateRequired
			? "'Now' sends it immediately. Any other schedule sends it at the start date that you enter."
			: "'Now' sends it as soon as you start it. Any other schedule sends it at a start date, or leaves the start to you.",
		default: SCHEDULE_TYPE_NOW,
		defaultLabel: 'Now',
		required: true,
	}),
	scheduledDate: showWhen(SENT_LATER_CONDITION, rejectEmptyExpression(startDateField(settings))),
	scheduledDateTimeZoneId: showWhen(
		settings.isDateRequired ? SENT_LATER_CONDITION : SENT_AT_DATE_CONDITION,
		timeZonePicker(),
	),
});

/**
 * Builds the part of a request body that says when a simulation is sent.
 * @throws InvalidInputError if the date or the time zone is missing, or if the date has passed
 */
export function buildScheduleBody(values: Partial<FieldValues<ReturnType<typeof createScheduleFields>>>) {
	const { schedule: scheduleTypeId, scheduledDate: enteredDate, scheduledDateTimeZoneId } = values;
	// The start date is empty only if the form allows that.
	if (scheduleTypeId === SCHEDULE_TYPE_NOW || enteredDate === '') return { scheduleTypeId };
	// A value is undefined if the workflow was saved without this field.
	if (enteredDate === undefined) throw createMissingTimeError().prependPath('scheduledDate');
	if (scheduledDateTimeZoneId === undefined) throw createMissingTimeError().prependPath('scheduledDateTimeZoneId');
	const scheduledDate = toStartDate(enteredDate, scheduledDateTimeZoneId, ['scheduledDate']);
	return { scheduleTypeId, scheduledDate, scheduledDateTimeZoneId };
}

/**
 * Creates the optional fields that every simulator has, both for creating and for starting a campaign. Settings that
 * are objects have no field of their own; users enter them in 'Additional Fields (JSON)'.
 */
const createSendingFields = (simulator: Simulator) => ({
	distributionDelayEvery: countField('Delay Every', "Time between two messages, in the unit of 'Delay Unit'", 0),
	distributionDelayTimeTypeId: simulationPicker('delayUnits', simulator, {
		displayName: 'Delay Unit',
		description: "The unit of 'Delay Every', for example minutes",
	}),
	excludeFromReports: rejectEmptyExpression(
		enabledToggleField('Mark as Test', 'Whether to leave the campaign out of reports'),
	),
	additionalFieldsJson: additionalFieldsJsonField(),
	sendingLimit: countField('Sending Limit', 'Maximum number of messages to send at a time'),
});

/**
 * Creates the optional fields, both for creating and for starting a campaign, that every simulator except phishing has.
 */
const createNonPhishingSendingFields = (simulator: Simulator) => ({
	distributionDays: countField('Distribution Days', 'Number of days over which the messages are sent'),
	distributionEndTime: textField({
		displayName: 'Distribution End Time',
		description: describeCampaignValue(simulator, 'Time of day at which sending ends'),
	}),
	distributionStartTime: textField({
		displayName: 'Distribution Start Time',
		description: describeCampaignValue(simulator, 'Time of day at which sending begins'),
	}),
	distributionStartTypeId: countField(
		'Distribution Start',
		describeCampaignValue(simulator, "The number of the distribution's start type"),
		0,
	),
});

/** The field for sending each message in the time zone of its recipient. */
const recipientTimeZoneFields = {
	useTargetUserTimeZone: enabledToggleField(
		"Use Users' Own Time Zone",
		'Whether to send in the time zone of each user',
	),
};

/** Creates the optional fields for creating a campaign that every simulator has. */
const createCreationFields = (simulator: Simulator) => ({
	distributionTypeId: simulationPicker('distributionTypes', simulator, {
		displayName: 'Distribution',
		description: 'How the messages are spread over time',
	}),
	duration: countField('Duration', "How long the campaign lasts, in the unit that the platform's own form shows"),
	sendOnlyActiveUsers: rejectEmptyExpression(
		enabledToggleField('Only Active Users', 'Whether to send the campaign to active users only'),
	),
});

/** Creates the optional fields for creating a campaign that every simulator except phishing has. */
const createNonPhishingCreationFields = (simulator: Simulator) => ({
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
		description: describeCampaignValue(simulator, 'How often the campaign is sent'),
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
		sendRandomlyUsersCount: countField('Random Users Count', 'How many users to select'),
	}),
});

const createEmailDeliveryFields = (simulator: Simulator) => ({
	emailDeliverySettingType: countField(
		'Delivery',
		describeCampaignValue(simulator, 'The number of the email delivery type'),
		0,
	),
});

/** Creates the optional fields for creating a campaign that only quishing has. */
const createQuishingFields = () => ({
	directEmailSettingResourceId: {
		...resourcePicker('directEmailSettings', { required: false }),
		parse: (raw: unknown) => parseTypedValue(raw),
	},
	distributionEmailOver: countField(
		'Distribute Over',
		"How long to spread the emails, such as 3. Select the unit in 'Distribute Over Unit'.",
	),
	distributionEmailOverTimeTypeId: simulationPicker('overTimeUnits', 'quishing', {
		displayName: 'Distribute Over Unit',
		description: "The unit of 'Distribute Over', for example days",
	}),
	smtpSettingResourceId: {
		...resourcePicker('smtpSettings', { required: false }),
		parse: (raw: unknown) => parseTypedValue(raw),
	},
	templateType: textField({
		displayName: 'Template Type',
		description: 'The type of the templates, as the platform writes it',
	}),
});

/** Creates the optional fields for creating a campaign that only smishing has. */
const createSmishingFields = () => ({
	// The other simulators have this field only for starting a campaign (deployment beyond, "Campaigns").
	...recipientTimeZoneFields,
	smsProviderNumberResourceIds: textListField({
		displayName: 'SMS Provider Number IDs',
		description: 'The phone numbers to send from, as IDs separated by commas',
	}),
});

/** Creates the optional fields for creating a campaign that not every simulator has. */
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
			creationFields: { ...sendingFields, ...createCreationFields(simulator), ...createSimulatorFields(simulator) },
		};
	}
	const sendingFields = { ...createSendingFields(simulator), ...createNonPhishingSendingFields(simulator) };
	return {
		startFields: { ...sendingFields, ...recipientTimeZoneFields },
		creationFields: {
			...sendingFields,
			...createCreationFields(simulator),
			...createNonPhishingCreationFields(simulator),
			...createSimulatorFields(simulator),
		},
	};
}
