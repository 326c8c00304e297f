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
		description: `${description}. To enter a value that isn't listed, select 'By Name'.`,
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
			description: 'A note about the email for other administrators',
			hint: 'Some platforms accept at most 256 characters',
			rows: 4,
		}),
		result: knownValuePicker('Result', REPORTED_EMAIL_RESULTS, 'The result of the analysis, such as Phishing'),
		status: knownValuePicker('Status', REPORTED_EMAIL_STATUSES, 'How far the email has been processed, such as Closed'),
		tag: markAsListReplacement(
			textListField({
				displayName: 'Tags',
				description: 'The tags that the email should have, separated by commas. Existing tags are replaced.',
				placeholder: 'e.g. invoice, wave 2',
			}),
			'tag',
		),
	}),
};
