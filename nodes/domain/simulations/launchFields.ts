import { additionalFieldsJson } from '../../core/fields/collection';
import {
	anythingBut,
	mustHaveValue,
	mustHaveValues,
	showWhen,
	type Field,
	type FieldMap,
	type Values,
} from '../../core/fields/field';
import { dateTime, parseDate, text, texts, toggle, wholeNumber } from '../../core/fields/fieldTypes';
import { checkUpcoming } from '../../core/fields/period';
import { parseTyped } from '../../core/pickers/picker';
import { simulationPicker } from '../pickers/platformLists';
import { pickerOf } from '../pickers/resourcePickers';
import { zonePicker } from '../pickers/timeZone';
import { InvalidInput } from '../../core/http/errors';
import { isEmpty } from '../../core/values';
import { titleOf, type Simulator } from './simulator';

/** The schedule that sends at once (deployment behaviour, 3); all others are the platform's own. */
export const NOW = 1;

const NOT_NOW = { schedule: [anythingBut(String(NOW))] };

/** A field of 'Additional Fields' for what is on or off: it is added to be on. */
const added = (displayName: string, description: string) => toggle({ displayName, description, default: true });
const count = (displayName: string, description: string, min = 1) =>
	wholeNumber({ displayName, description, default: min, min });

/** What no list has, but a campaign that was made in the platform (deployment beyond). */
const asOf = (simulator: Simulator, description: string) =>
	`${description}, as 'Get ${titleOf(simulator)} Campaign' gives it with the output 'Raw'`;

const noTime = () => new InvalidInput('must not be empty', [], "Enter when it is sent, or choose 'Now' in 'Schedule'.");

/** A date that is read later, in the time zone of another field; it is returned as it was entered. */
const dateInOtherZone = (): Field<unknown> => ({
	...dateTime({
		displayName: 'Start Date',
		description: 'When it is sent',
		hint: "In the time zone of 'Time Zone'",
		required: true,
	}),
	parse: (raw, { timezone }) => {
		if (isEmpty(raw)) throw noTime();
		parseDate(raw, timezone);
		return raw;
	},
});

/**
 * When a simulation is sent: at once, or at a time. The date and the zone are in what the others take, and in the record of a phishing
 * campaign (deployment beyond).
 */
export const whenFields = (simulator: Simulator) => ({
	schedule: simulationPicker('scheduleTypes', simulator, {
		displayName: 'Schedule',
		description: "When it is sent, once it is started; anything but 'Now' needs a date and a time zone",
		default: NOW,
		defaultName: 'Now',
		required: true,
	}),
	scheduledDate: showWhen(NOT_NOW, dateInOtherZone()),
	scheduledDateTimeZoneId: showWhen(NOT_NOW, zonePicker()),
});

/** The same in a body. @throws InvalidInput where a time is missing, or has passed */
export function whenBody({
	schedule: scheduleTypeId,
	scheduledDate: date,
	scheduledDateTimeZoneId,
}: Partial<Values<ReturnType<typeof whenFields>>>) {
	if (scheduleTypeId === NOW) return { scheduleTypeId };
	// Where a workflow lacks the field altogether.
	if (date === undefined) throw noTime().within('scheduledDate');
	if (scheduledDateTimeZoneId === undefined) throw noTime().within('scheduledDateTimeZoneId');
	const scheduledDate = parseDate(date, scheduledDateTimeZoneId);
	checkUpcoming(scheduledDate, scheduledDateTimeZoneId, ['scheduledDate']);
	return { scheduleTypeId, scheduledDate, scheduledDateTimeZoneId };
}

/** What every simulator takes when a campaign is created or started. What is an object there is left to 'Additional Fields (JSON)'. */
const sendingOf = (simulator: Simulator) => ({
	distributionDelayEvery: count('Delay Every', "How many units of 'Delay Unit' lie between messages", 0),
	distributionDelayTimeTypeId: simulationPicker('delayUnits', simulator, {
		displayName: 'Delay Unit',
		description: "The unit of 'Delay Every'",
	}),
	excludeFromReports: mustHaveValue(added('Mark as Test', 'Whether to leave it out of reports')),
	additionalFieldsJson: additionalFieldsJson(),
	sendingLimit: count('Sending Limit', 'Most messages at a time'),
});

/** What all but phishing take there besides. */
const spreadOf = (simulator: Simulator) => ({
	distributionDays: count('Distribution Days', 'Over how many days it is sent'),
	distributionEndTime: text({
		displayName: 'Distribution End Time',
		description: asOf(simulator, 'Until when on a day it is sent'),
	}),
	distributionStartTime: text({
		displayName: 'Distribution Start Time',
		description: asOf(simulator, 'From when on a day it is sent'),
	}),
	distributionStartTypeId: count('Distribution Start', asOf(simulator, 'When its distribution begins'), 0),
});

const OWN_ZONE = {
	useTargetUserTimeZone: added("Use Users' Own Time Zone", 'Whether each user gets it in their own time zone'),
};

const creatingOf = (simulator: Simulator) => ({
	distributionTypeId: simulationPicker('distributionTypes', simulator, {
		displayName: 'Distribution',
		description: 'How the messages are spread',
	}),
	duration: count('Duration', "How long it lasts, in the unit of the platform's own form"),
	sendOnlyActiveUsers: mustHaveValue(added('Only Active Users', 'Whether to send it to active users only')),
});

/** What all but phishing take besides when a campaign is created. */
const furtherOf = (simulator: Simulator) => ({
	awardCertificate: added('Award Certificate', 'Whether those who pass the training get a certificate'),
	description: text({ displayName: 'Description', description: 'What the campaign is for' }),
	frequency: text({ displayName: 'Frequency', description: asOf(simulator, 'How often it is sent') }),
	...mustHaveValues({
		sendRandomlyUsers: added('Random Users', 'Whether to send it to some users only, drawn at random'),
		sendRandomlyUsersCalculateTypeId: simulationPicker('randomUserUnits', simulator, {
			displayName: 'Random Users Unit',
			description: "What 'Random Users Count' counts",
		}),
		sendRandomlyUsersCount: count('Random Users Count', 'How many users are drawn'),
	}),
});

const deliveryOf = (simulator: Simulator) => ({
	emailDeliverySettingType: count('Delivery', asOf(simulator, 'How emails are delivered'), 0),
});

const ofQuishing = () => ({
	directEmailSettingResourceId: {
		...pickerOf('directEmailSettings', { required: false }),
		parse: (raw: unknown) => parseTyped(raw),
	},
	distributionEmailOver: count('Distribute Over', "Over how many units of 'Distribute Over Unit' it is sent"),
	distributionEmailOverTimeTypeId: simulationPicker('overTimeUnits', 'quishing', {
		displayName: 'Distribute Over Unit',
		description: "The unit of 'Distribute Over'",
	}),
	smtpSettingResourceId: text({
		displayName: 'SMTP Setting ID',
		description: asOf('quishing', 'The setting by which it is sent'),
	}),
	templateType: text({ displayName: 'Template Type', description: 'As the platform writes it' }),
});

const ofSmishing = () => ({
	// Of the others, only the start takes the users' time zone (deployment beyond).
	...OWN_ZONE,
	smsProviderNumberResourceIds: texts({
		displayName: 'SMS Provider Number IDs',
		description: 'The numbers it is sent from, with commas between them',
	}),
});

/** What a simulator alone takes when a campaign is created. */
const OWN: Record<Simulator, () => FieldMap> = {
	phishing: () => deliveryOf('phishing'),
	quishing: () => ({ ...deliveryOf('quishing'), ...ofQuishing() }),
	smishing: ofSmishing,
};

/** What starting a campaign takes besides its schedule (deployment beyond), and what creating one takes. */
export function launchFields(simulator: Simulator): { starting: FieldMap; creating: FieldMap } {
	const isPhishing = simulator === 'phishing';
	const sending = { ...sendingOf(simulator), ...(isPhishing ? {} : spreadOf(simulator)) };
	const further = isPhishing ? {} : furtherOf(simulator);
	return {
		starting: { ...sending, ...OWN_ZONE },
		creating: { ...sending, ...creatingOf(simulator), ...further, ...OWN[simulator]() },
	};
}
