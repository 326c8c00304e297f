import { updateFieldsBlock } from '../core/fields/collection';
import { markAsListReplacement, type Field } from '../core/fields/field';
import { textField, textListField, toggleField } from '../core/fields/fieldTypes';
import { createWholeListSource } from '../core/pickers/listSource';
import { parseTypedValue, listPicker } from '../core/pickers/picker';
import { resourcePicker } from '../domain/pickers/resourcePickers';
import { REPORTED_EMAIL_STATUSES } from '../domain/reportedEmails';

/** The analysis results that platforms are known to use for reported emails (deployment activity 2). Users may enter other results. */
const REPORTED_EMAIL_RESULTS = ['Malicious', 'NonMalicious', 'Phishing', 'Simulation', 'Undetected'];

/** Creates a form field that offers the known values. It also accepts any other text, because platforms may use other values. */
function knownValuePicker(
	displayName: string,
	knownValues: readonly string[],
	description: string,
): Field<string | undefined> {
	const choices = knownValues.map((value) => ({ id: value, name: value }));
	const field = listPicker({
		displayName,
		description: `${description}. If it isn't in the list, select 'By Name' and enter your platform's word.`,
		listMethod: `searchReportedEmail${displayName}`,
		noun: displayName.toLowerCase(),
		idModeLabel: 'By Name',
		idExample: knownValues[0] ?? '',
		required: false,
		source: createWholeListSource(async () => Promise.resolve(choices)),
	});
	return { ...field, parse: (raw) => parseTypedValue(raw) };
}

/** The form field that selects a reported email. */
export const reportedEmailFields = { reportedEmail: resourcePicker('reportedEmails') };

/** The form fields for updating a reported email (deployment activity 2). */
export const reportedEmailUpdateFields = {
	...reportedEmailFields,
	notifyReporter: toggleField({
		displayName: 'Notify Reporter',
		description: 'Whether to send an email about the result to the person who reported it',
		default: false,
	}),
	additionalFields: updateFieldsBlock({
		customMessage: textField({
			displayName: 'Custom Message',
			description: "The text of the email to the reporter, if 'Notify Reporter' is on",
			rows: 4,
		}),
		note: textField({
			displayName: 'Note',
			description: 'A note for other administrators',
			hint: 'The platform may accept 256 characters at most',
			rows: 4,
		}),
		result: knownValuePicker('Result', REPORTED_EMAIL_RESULTS, 'The result of the analysis'),
		status: knownValuePicker('Status', REPORTED_EMAIL_STATUSES, 'The processing status of the email'),
		tag: markAsListReplacement(
			textListField({
				displayName: 'Tags',
				description: 'Tags of the email, separated by commas. They replace all existing tags.',
				placeholder: 'e.g. invoice, wave 2',
			}),
			'tag',
		),
	}),
};
