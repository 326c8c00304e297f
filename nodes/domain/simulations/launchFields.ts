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
import { rejectStartInPast } from '../../core/fields/period';
import { parseTypedValue } from '../../core/pickers/picker';
import { simulationPicker } from '../pickers/platformLists';
import { resourcePicker } from '../pickers/resourcePickers';
import { timeZonePicker } from '../pickers/timeZone';
import { InvalidInputError } from '../../core/http/errors';
import { isEmpty } from '../../core/values';
import { getSimulatorTitle, type Simulator } from './simulator';

/**
 * The ID of the schedule type that sends immediately (deployment behaviour 3). The IDs of all other schedule types
 * differ between platforms.
 */
export const SCHEDULE_TYPE_NOW = 1;

const SENT_LATER_CONDITION = { schedule: [createNotEqualCondition(String(SCHEDULE_TYPE_NOW))] };

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
	`${description}, as 'Get ${getSimulatorTitle(simulator)} Campaign' gives it with the output 'Raw'`;

const createMissingTimeError = () =>
	new InvalidInputError('must not be empty', [], "Enter when it is sent, or choose 'Now' in 'Schedule'.");

/**
 * Creates the field for the start date. Parsing returns the value as the user entered it, because the time zone comes
 * from another field and isn't known yet.
 */
const startDateField = (): Field<unknown> => ({
	...dateTimeField({
		displayName: 'Start Date',
		description: 'When it is sent',
		hint: "In the time zone of 'Time Zone'",
		required: true,
	}),
	parse: (raw, { timezone }) => {
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
export const createScheduleFields = (simulator: Simulator) => ({
	schedule: simulationPicker('scheduleTypes', simulator, {
		displayName: 'Schedule',
		description: "When it is sent, once it is started; anything but 'Now' needs a date and a time zone",
		default: SCHEDULE_TYPE_NOW,
		defaultLabel: 'Now',
		required: true,
	}),
	scheduledDate: showWhen(SENT_LATER_CONDITION, startDateField()),
	scheduledDateTimeZoneId: showWhen(SENT_LATER_CONDITION, timeZonePicker()),
});

/**
 * Builds the part of a request body that says when a simulation is sent.
 * @throws InvalidInputError if the date or the time zone is missing, or if the date has passed
 */
export function buildScheduleBody(values: Partial<FieldValues<ReturnType<typeof createScheduleFields>>>) {
	const { schedule: scheduleTypeId, scheduledDate: enteredDate, scheduledDateTimeZoneId } = values;
	if (scheduleTypeId === SCHEDULE_TYPE_NOW) return { scheduleTypeId };
	// A value is undefined if the workflow was saved without this field.
	if (enteredDate === undefined) throw createMissingTimeError().prependPath('scheduledDate');
	if (scheduledDateTimeZoneId === undefined) throw createMissingTimeError().prependPath('scheduledDateTimeZoneId');
	const scheduledDate = parseDate(enteredDate, scheduledDateTimeZoneId);
	rejectStartInPast(scheduledDate, scheduledDateTimeZoneId, ['scheduledDate']);
	return { scheduleTypeId, scheduledDate, scheduledDateTimeZoneId };
}

/**
 * Creates the optional fields that every simulator has, both for creating and for starting a campaign. Settings that
 * are objects have no field of their own; users enter them in 'Additional Fields (JSON)'.
 */
const createSendingFields = (simulator: Simulator) => ({
	distributionDelayEvery: countField('Delay Every', "How many units of 'Delay Unit' lie between messages", 0),
	distributionDelayTimeTypeId: simulationPicker('delayUnits', simulator, {
		displayName: 'Delay Unit',
		description: "The unit of 'Delay Every'",
	}),
	excludeFromReports: rejectEmptyExpression(enabledToggleField('Mark as Test', 'Whether to leave it out of reports')),
	additionalFieldsJson: additionalFieldsJsonField(),
	sendingLimit: countField('Sending Limit', 'Most messages at a time'),
});

/**
 * Creates the optional fields, both for creating and for starting a campaign, that every simulator except phishing has.
 */
const createNonPhishingSendingFields = (simulator: Simulator) => ({
	distributionDays: countField('Distribution Days', 'Over how many days it is sent'),
	distributionEndTime: textField({
		displayName: 'Distribution End Time',
		description: describeCampaignValue(simulator, 'Until when on a day it is sent'),
	}),
	distributionStartTime: textField({
		displayName: 'Distribution Start Time',
		description: describeCampaignValue(simulator, 'From when on a day it is sent'),
	}),
	distributionStartTypeId: countField(
		'Distribution Start',
		describeCampaignValue(simulator, 'When its distribution begins'),
		0,
	),
});

/** The field for sending each message in the time zone of its recipient. */
const recipientTimeZoneFields = {
	useTargetUserTimeZone: enabledToggleField(
		"Use Users' Own Time Zone",
		'Whether each user gets it in their own time zone',
	),
};

/** Creates the optional fields for creating a campaign that every simulator has. */
const createCreationFields = (simulator: Simulator) => ({
	distributionTypeId: simulationPicker('distributionTypes', simulator, {
		displayName: 'Distribution',
		description: 'How the messages are spread',
	}),
	duration: countField('Duration', "How long it lasts, in the unit of the platform's own form"),
	sendOnlyActiveUsers: rejectEmptyExpression(
		enabledToggleField('Only Active Users', 'Whether to send it to active users only'),
	),
});

/** Creates the optional fields for creating a campaign that every simulator except phishing has. */
const createNonPhishingCreationFields = (simulator: Simulator) => ({
	awardCertificate: enabledToggleField('Award Certificate', 'Whether those who pass the training get a certificate'),
	description: textField({ displayName: 'Description', description: 'What the campaign is for' }),
	frequency: textField({
		displayName: 'Frequency',
		description: describeCampaignValue(simulator, 'How often it is sent'),
	}),
	...rejectEmptyExpressions({
		sendRandomlyUsers: enabledToggleField('Random Users', 'Whether to send it to some users only, drawn at random'),
		sendRandomlyUsersCalculateTypeId: simulationPicker('randomUserUnits', simulator, {
			displayName: 'Random Users Unit',
			description: "What 'Random Users Count' counts",
		}),
		sendRandomlyUsersCount: countField('Random Users Count', 'How many users are drawn'),
	}),
});

const createEmailDeliveryFields = (simulator: Simulator) => ({
	emailDeliverySettingType: countField('Delivery', describeCampaignValue(simulator, 'How emails are delivered'), 0),
});

/** Creates the optional fields for creating a campaign that only quishing has. */
const createQuishingFields = () => ({
	directEmailSettingResourceId: {
		...resourcePicker('directEmailSettings', { required: false }),
		parse: (raw: unknown) => parseTypedValue(raw),
	},
	distributionEmailOver: countField('Distribute Over', "Over how many units of 'Distribute Over Unit' it is sent"),
	distributionEmailOverTimeTypeId: simulationPicker('overTimeUnits', 'quishing', {
		displayName: 'Distribute Over Unit',
		description: "The unit of 'Distribute Over'",
	}),
	smtpSettingResourceId: textField({
		displayName: 'SMTP Setting ID',
		description: describeCampaignValue('quishing', 'The setting by which it is sent'),
	}),
	templateType: textField({ displayName: 'Template Type', description: 'As the platform writes it' }),
});

/** Creates the optional fields for creating a campaign that only smishing has. */
const createSmishingFields = () => ({
	// The other simulators have this field only for starting a campaign (deployment beyond, "Campaigns").
	...recipientTimeZoneFields,
	smsProviderNumberResourceIds: textListField({
		displayName: 'SMS Provider Number IDs',
		description: 'The numbers it is sent from, with commas between them',
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
