import { choiceField } from '../core/fields/fieldTypes';
import { showWhen } from '../core/fields/field';
import { resourceMultiPicker } from '../domain/pickers/resourcePickers';

const FROM_LIST_OPTION = { name: 'Choose From List', value: 'list' } as const;
const NO_COMPANIES_OPTION = {
	name: 'No Companies',
	value: 'none',
	description: 'Remove all companies from the group',
} as const;
const KEEP_COMPANIES_OPTION = {
	name: 'Keep Companies',
	value: 'keep',
	description: 'Leave those that are in the group',
} as const;

const participantsFromSettings = { displayName: 'Participants', description: 'Which companies the group is to have' };

/**
 * The form field for the companies that a group should have. It can't be empty: to remove all companies, the user has to choose
 * 'No Companies'. An expression without a result therefore never removes them by accident.
 */
const participantListFields = {
	participantList: showWhen(
		{ participantsFrom: ['list'] },
		resourceMultiPicker('companies', {
			displayName: 'Company Names or IDs',
			required: true,
			emptyAdvice: "If the group is to have no companies, choose 'No Companies' in 'Participants'.",
		}),
	),
};

/** The form fields with which the user replaces the companies of a group. */
export const participantsFields = {
	participantsFrom: choiceField({
		...participantsFromSettings,
		default: 'list',
		options: [FROM_LIST_OPTION, NO_COMPANIES_OPTION],
	}),
	...participantListFields,
};

/** The form fields with which the user replaces or keeps the companies of a group. */
export const optionalParticipantsFields = {
	participantsFrom: {
		...choiceField({
			...participantsFromSettings,
			default: 'keep',
			options: [FROM_LIST_OPTION, KEEP_COMPANIES_OPTION, NO_COMPANIES_OPTION],
		}),
		valuesForbiddenToAgents: ['list', 'none'],
	},
	...participantListFields,
};
