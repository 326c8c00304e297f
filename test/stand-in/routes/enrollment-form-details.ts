/** Builds the form details of enrollments: the enumerations and email templates that users select from. */
import type { JsonObject, RouteCall } from '../http';
import { makeGuid } from '../random';

/** Builds an enumeration in the format of form details. */
export function buildEnum(names: readonly string[]): JsonObject[] {
	return names.map((displayName, id) => ({
		id: id + 1,
		name: displayName.replaceAll(' ', ''),
		displayName,
		enumResults: [],
	}));
}

/** The display names of enrollment types, by their names in a search. */
export const TYPE_NAMES = new Map(
	['Training', 'Survey', 'Poster', 'Infographic', 'Learning Path'].map((name) => [name.replaceAll(' ', ''), name]),
);

const TEMPLATE_KINDS = [
	'training',
	'reminder',
	'learningPath',
	'learningPathReminder',
	'poster',
	'infographic',
	'survey',
	'surveyReminder',
	'certificate',
];

/** Builds the response of GET form-details. */
export function buildFormDetails({ isDeployed }: RouteCall): JsonObject {
	const enums: JsonObject = {
		DeliveryType: buildEnum(['Email', 'Microsoft Teams', 'Slack']),
		ReminderFrequency: buildEnum(['Never', 'Once', 'Every Week']),
		EnrollmentStatus: buildEnum(['Draft', 'Scheduled', 'In Progress', 'Completed']),
	};
	if (isDeployed) enums.EnrollmentType = buildEnum([...TYPE_NAMES.values()]);
	return {
		enumNameValuePairs: enums,
		...Object.fromEntries(
			TEMPLATE_KINDS.map((kind) => [`${kind}EmailNotificationTemplateTypeResourceId`, makeGuid(`template ${kind}`)]),
		),
		canSaveVendor: false,
	};
}
