import { changes } from '../core/fields/collection';
import { markAsReplacing, type Field } from '../core/fields/field';
import { text, texts, toggle } from '../core/fields/fieldTypes';
import { wholeSource } from '../core/pickers/listSource';
import { parseTyped, picker } from '../core/pickers/picker';
import { pickerOf } from '../domain/pickers/resourcePickers';

/** Each mail is a row of its own (deployment activity, 2). */
export const NOT_CLUSTERED = { clusteredBy: '' };

/** Words that platforms were seen to use (deployment activity, 2); others may be typed. */
export const STATUSES = ['BeingAnalyzed', 'Closed', 'FalsePositive', 'InProgress', 'Open'];
const RESULTS = ['Malicious', 'NonMalicious', 'Phishing', 'Simulation', 'Undetected'];

/** The field that chooses one of some words, or takes a platform's own. */
function word(displayName: string, words: readonly string[], description: string): Field<string | undefined> {
	const choices = words.map((id) => ({ id, name: id }));
	const field = picker({
		displayName,
		description: `${description}. Enter another word By Name if your platform uses one.`,
		method: `searchReportedEmail${displayName}`,
		thing: displayName.toLowerCase(),
		typed: 'By Name',
		example: words[0] ?? '',
		required: false,
		source: wholeSource(async () => Promise.resolve(choices)),
	});
	return { ...field, parse: (raw) => parseTyped(raw) };
}

export const reportedEmail = { reportedEmail: pickerOf('reportedEmails') };

/** What can be changed of a reported mail (deployment activity, 2). */
export const changedFields = {
	...reportedEmail,
	notifyReporter: toggle({
		displayName: 'Notify Reporter',
		description: 'Whether the platform sends a mail about it to the person who reported it',
		default: false,
	}),
	additionalFields: changes({
		customMessage: text({
			displayName: 'Custom Message',
			description: 'What the mail to the reporter says, if one is sent',
			rows: 4,
		}),
		note: text({
			displayName: 'Note',
			description: 'For those who look at the mail after you',
			hint: 'Platforms may take 256 characters at most',
			rows: 4,
		}),
		result: word('Result', RESULTS, 'What the mail turned out to be'),
		status: word('Status', STATUSES, 'How far the work on it is'),
		tag: markAsReplacing(
			texts({
				displayName: 'Tags',
				description: 'All tags that it is to have, separated by commas',
				placeholder: 'e.g. invoice, wave 2',
			}),
			'tag',
		),
	}),
};
