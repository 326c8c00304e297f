import { added, CODED, count, CREATING, OWN_ZONE, SENDING, type LaunchFields } from '../shared/campaign/launchFields';
import { mustHaveValues } from '../shared/form/field';
import { dateTime, text, texts, wholeNumber } from '../shared/form/fields';
import { IN_ZONE, zonePicker } from '../shared/pickers/zone';

const number = { default: 1, min: 0 };
const starting = {
	...SENDING,
	...OWN_ZONE,
	distributionDays: count('Distribution Days', 'Over how many days it is sent'),
	distributionDelayTimeTypeId: wholeNumber({ ...number, ...CODED.delayUnit }),
	distributionEndTime: text({ displayName: 'Distribution End Time', description: 'As the platform writes it' }),
	distributionStartTime: text({ displayName: 'Distribution Start Time', description: 'As the platform writes it' }),
	distributionStartTypeId: count('Distribution Start', "When its distribution begins, by the platform's number", 0),
	...mustHaveValues({
		scheduledDate: dateTime({
			displayName: 'Start Date',
			description: 'When it is sent, with a schedule that has a date',
			hint: IN_ZONE,
			required: true,
		}),
		scheduledDateTimeZoneId: zonePicker(),
	}),
};

/** What the simulators other than phishing have in common (deployment beyond). */
export const commonFields = {
	schedule: wholeNumber({ ...number, ...CODED.schedule }),
	starting,
	creating: {
		...starting,
		...CREATING,
		awardCertificate: added('Award Certificate', 'Whether those who pass the training get a certificate'),
		description: text({ displayName: 'Description', description: 'What the campaign is for' }),
		distributionTypeId: wholeNumber({ ...number, ...CODED.distribution }),
		frequency: text({ displayName: 'Frequency', description: 'How often it is sent, as the platform writes it' }),
		...mustHaveValues({
			sendRandomlyUsers: added('Random Users', 'Whether to send it to some users only, drawn at random'),
			sendRandomlyUsersCalculateTypeId: count(
				'Random Users Unit',
				"What 'Random Users Count' counts, by the platform's number",
				0,
			),
			sendRandomlyUsersCount: count('Random Users Count', 'How many users are drawn'),
		}),
	},
} satisfies LaunchFields;

export const launchFields: LaunchFields = {
	...commonFields,
	creating: {
		...commonFields.creating,
		smsProviderNumberResourceIds: texts({
			displayName: 'SMS Provider Number IDs',
			description: 'The numbers it is sent from, with commas between them',
		}),
	},
};
