import type { IDataObject } from 'n8n-workflow';

import { collection, rows } from '../shared/form/collection';
import { dateTime, isLocalTime } from '../shared/form/date';
import { text } from '../shared/form/text';
import { toggle } from '../shared/form/toggle';
import { isRecord } from '../shared/form/value';
import type { Values } from '../shared/form/field';
import { moreFields } from '../shared/form/more';
import { checkOrder } from '../shared/form/period';
import { withEnrollmentId } from '../shared/pickers/enrollment';
import { codedBody, codedField } from '../shared/pickers/codedValue';
import { targetGroupsPicker } from '../shared/pickers/targetGroup';
import { ianaZoneOf, timeZonePicker } from '../shared/pickers/timeZone';
import { trainingPicker } from '../shared/pickers/training';
import { InvalidInput } from '../shared/transport/errors';

/** The fields of a created enrollment (contract 2.7). */
export const CREATED_ENROLLMENT = {
	// Other operations take the ID under this name, which `asListed` adds.
	id: ['enrollmentId'],
	essentials: [
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
	],
	others: [
		...['awardCertificate', 'category', 'certificateName', 'hasReminder', 'languages', 'name'],
		...['sendTemplatesInPreferredLanguage', 'tags', 'targetAudience'],
	],
};

/**
 * A created enrollment as the list of enrollments has it: its ID and the name that was sent, which the service does not repeat
 * (contract 2.7).
 */
export function asListed(json: IDataObject, { name }: IDataObject): IDataObject {
	const { enrollmentId, ...others } = withEnrollmentId(json);
	return { name, ...(enrollmentId === undefined ? {} : { enrollmentId }), ...others };
}

const timeZone = timeZonePicker();

const zone = collection({
	displayName: 'Schedule',
	fields: { scheduledTimeZoneId: timeZone },
});

const IN_ZONE = "In the time zone added here; without one, in the workflow's";

/** When an enrollment starts and ends (contract 2.9). */
const scheduler = collection({
	displayName: 'Schedule',
	button: 'Add Date or Time Zone',
	description: 'When the enrollment starts and ends; without a start date it is sent only when you send it',
	fields: {
		scheduledDate: dateTime({
			displayName: 'Start Date',
			description: 'When it is sent',
			hint: IN_ZONE,
		}),
		dueDate: dateTime({
			displayName: 'Due Date',
			description: 'The date by which people must finish the training',
			hint: IN_ZONE,
		}),
		scheduledTimeZoneId: timeZone,
		useOwnTimeZone: toggle({
			displayName: "Use Users' Own Time Zone",
			description: 'Whether each user gets it at this time in their own time zone',
			default: true,
		}),
	},
});

/**
 * Reads dates in the time zone that is chosen next to them; the zone may also have a name that Windows uses.
 * @throws InvalidInput for a time without an offset in an unknown zone, because it could be a different moment
 */
const inItsZone: typeof scheduler = {
	...scheduler,
	parse: async (raw, item) => {
		const { scheduledTimeZoneId: id } = await zone.parse(raw, item);
		const timezone = id === undefined ? item.timezone : ianaZoneOf(id);
		const local = ['scheduledDate', 'dueDate'].find((name) => isRecord(raw) && isLocalTime(raw[name]));
		if (timezone === undefined && local !== undefined)
			throw new InvalidInput(
				`must have its offset from UTC, because the time zone '${id}' is unknown`,
				[local],
				'Write it as 2026-01-31T09:00:00+01:00 or, in UTC, 2026-01-31T09:00:00Z; or choose the time zone from the list.',
			);
		return await scheduler.parse(raw, { ...item, timezone: timezone ?? item.timezone });
	},
};

/** The fields for creating an enrollment (contract 4.7, 2.9). */
export const enrollmentFields = {
	training: trainingPicker(),
	name: text({
		displayName: 'Name',
		description: 'The name of the enrollment',
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
				fields: codedField,
			}),
			markedAsTest: toggle({
				displayName: 'Mark as Test',
				description: 'Whether to leave it out of dashboards and reports',
				default: true,
			}),
			moreFields: moreFields(),
			sendTeamsNotification: toggle({
				displayName: 'Send Teams Notification',
				description: 'Whether to notify people in Microsoft Teams as well',
				default: true,
			}),
		},
	}),
};

/**
 * The request body for creating an enrollment.
 * @throws InvalidInput without a target group, or for an end before the start
 */
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
		...codedBody(codedFields, ['additionalFields', 'codedFields']),
		...more,
	};
}
