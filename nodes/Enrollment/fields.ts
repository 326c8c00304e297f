import { collection, rows } from '../shared/form/collection';
import { dateTime, isLocalTime } from '../shared/form/date';
import { text } from '../shared/form/text';
import { toggle } from '../shared/form/toggle';
import { isRecord } from '../shared/form/value';
import type { Values } from '../shared/form/field';
import { moreFields } from '../shared/form/more';
import { checkOrder } from '../shared/form/period';
import { codedValuePicker } from '../shared/pickers/codedValue';
import { targetGroupsPicker } from '../shared/pickers/targetGroup';
import { ianaZoneOf, timeZonePicker } from '../shared/pickers/timeZone';
import { trainingPicker } from '../shared/pickers/training';
import { InvalidInput } from '../shared/transport/errors';

/** What 'Simplify' keeps of a created enrollment (contract 2.7 has 17 fields). */
export const ENROLLMENT_ESSENTIALS = [
	'trainingName',
	'status',
	'startDate',
	'totalTargetUserCount',
	'delivery',
	'type',
	'id',
	'enrolledBy',
	'markedAsTest',
	'autoEnroll',
] as const;

const timeZone = timeZonePicker();

const zone = collection({
	displayName: 'Schedule',
	fields: { scheduledTimeZoneId: timeZone },
});

const IN_ZONE = "In the time zone added here, or else the workflow's";

/** When it starts and ends (contract 2.9). */
const scheduler = collection({
	displayName: 'Schedule',
	button: 'Add Date or Time Zone',
	description: 'When it starts and ends; without a start it waits until it is sent',
	fields: {
		scheduledDate: dateTime({
			displayName: 'Start Date',
			description: 'When it is sent',
			hint: IN_ZONE,
		}),
		dueDate: dateTime({
			displayName: 'Due Date',
			description: 'Until when the training is to be done',
			hint: IN_ZONE,
		}),
		scheduledTimeZoneId: timeZone,
		useOwnTimeZone: toggle({
			displayName: "Use Users' Own Time Zone",
			description: 'Whether each user gets it at that hour of their own day',
			default: true,
		}),
	},
});

/**
 * Whoever chooses a time zone beside a date means the date in that zone, also where it is called as Windows does.
 * @throws InvalidInput for a time without its offset in a zone that cannot be known: it might be another hour
 */
const inItsZone: typeof scheduler = {
	...scheduler,
	parse: async (raw, item) => {
		const { scheduledTimeZoneId: id } = await zone.parse(raw, item);
		const timezone = id === undefined ? item.timezone : ianaZoneOf(id);
		const local = ['scheduledDate', 'dueDate'].find((name) => isRecord(raw) && isLocalTime(raw[name]));
		if (timezone === undefined && local !== undefined)
			throw new InvalidInput(
				`must say its distance from UTC, because the time zone '${id}' is not known here`,
				[local],
				'Write it as 2026-01-31T09:00:00+01:00 or, in UTC, 2026-01-31T09:00:00Z; or choose the time zone from the list.',
			);
		return await scheduler.parse(raw, { ...item, timezone: timezone ?? item.timezone });
	},
};

/** What an enrollment is made of (contract 4.7, 2.9). */
export const enrollmentFields = {
	training: trainingPicker(),
	name: text({
		displayName: 'Name',
		description: 'What the enrollment is called',
		placeholder: 'e.g. New hires, spring',
		required: true,
	}),
	targetGroups: targetGroupsPicker({ displayName: 'Target Group Names or IDs', required: true }),
	scheduler: inItsZone,
	additionalFields: collection({
		displayName: 'Additional Fields',
		fields: {
			awardCertificate: toggle({
				displayName: 'Award Certificate',
				description: 'Whether those who pass get a certificate',
				default: true,
			}),
			codedFields: rows({
				displayName: 'Coded Fields',
				description: 'Fields that the service takes as a number, such as how it is delivered',
				button: 'Add Field',
				row: 'Field',
				fields: {
					fieldName: text({
						displayName: 'Field Name',
						description: "The service's name of the field",
						required: true,
					}),
					value: codedValuePicker({
						displayName: 'Value',
						description: 'Read from the form details of the service',
					}),
				},
			}),
			markedAsTest: toggle({
				displayName: 'Mark as Test',
				description: 'Whether to leave it out of dashboards and reports',
				default: true,
			}),
			moreFields: moreFields(),
			sendTeamsNotification: toggle({
				displayName: 'Send Teams Notification',
				description: 'Whether to tell people in Microsoft Teams as well',
				default: true,
			}),
		},
	}),
};

/** The body of creating an enrollment. @throws InvalidInput for no target group, or an end before the start */
export function enrollmentBody(values: Values<typeof enrollmentFields>) {
	const { training, name, targetGroups, scheduler, additionalFields } = values;
	const { codedFields = [], moreFields: more, ...flags } = additionalFields;
	if (targetGroups.length === 0) throw new InvalidInput('must name at least one target group', ['targetGroups']);
	checkOrder(scheduler.scheduledDate, scheduler.dueDate, ['scheduler', 'dueDate'], 'start date');
	return {
		trainingId: training.id,
		name,
		targetGroupResourceIds: targetGroups,
		...(Object.keys(scheduler).length > 0 ? { enrollmentScheduler: scheduler } : {}),
		...flags,
		...Object.fromEntries(codedFields.map(({ fieldName, value }) => [fieldName, value])),
		...more,
	};
}
