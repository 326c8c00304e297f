import { additionalFieldsJson } from '../form/collection';
import { mustHaveValue, type Field, type FieldMap } from '../form/field';
import { toggle, wholeNumber } from '../form/fields';

/** A field of 'Additional Fields' for what is on or off: it is added to be on. */
export const added = (displayName: string, description: string) => toggle({ displayName, description, default: true });
export const count = (displayName: string, description: string, min = 1) =>
	wholeNumber({ displayName, description, default: min, min });

/** What all simulators take alike when they are started (deployment beyond). What is an object there is left to 'More Fields (JSON)'. */
export const SENDING = {
	distributionDelayEvery: count('Delay Every', "How many units of 'Delay Unit' lie between messages", 0),
	excludeFromReports: mustHaveValue(added('Mark as Test', 'Whether to leave it out of reports')),
	additionalFieldsJson: additionalFieldsJson(),
	sendingLimit: count('Sending Limit', 'Most messages at a time'),
};
export const OWN_ZONE = {
	useTargetUserTimeZone: added("Use Users' Own Time Zone", 'Whether each user gets it in their own time zone'),
};
export const CREATING = {
	duration: count('Duration', "How long it lasts, in the unit of the platform's own form"),
	sendOnlyActiveUsers: mustHaveValue(added('Only Active Users', 'Whether to send it to active users only')),
};
/** The words for what a platform knows by numbers. */
export const CODED = {
	delayUnit: { displayName: 'Delay Unit', description: "The unit of 'Delay Every', by the platform's number" },
	distribution: { displayName: 'Distribution', description: "How the messages are spread, by the platform's number" },
	/** 1 is at once (deployment behaviour, 3). */
	schedule: { displayName: 'Schedule', description: 'When it is sent; 1 is now', default: 1, required: true },
};

/** The fields in which the simulators differ. */
export interface LaunchFields {
	/** When it is sent, by the platform's number. */
	schedule: Field<number | undefined>;
	/** What starting one takes besides (deployment beyond), and what creating one takes. */
	starting: FieldMap;
	creating: FieldMap;
}
