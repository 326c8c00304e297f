import { choiceField } from '../core/fields/fieldTypes';
import { showWhen } from '../core/fields/field';
import { resourceMultiPicker } from '../domain/pickers/resourcePickers';

const FROM_LIST = { name: 'Choose From List', value: 'list' } as const;
const NO_COMPANIES = {
	name: 'No Companies',
	value: 'none',
	description: 'Remove all companies from the group',
} as const;
const KEEP_COMPANIES = {
	name: 'Keep Companies',
	value: 'keep',
	description: 'Leave those that are in the group',
} as const;

const participantsSettings = { displayName: 'Participants', description: 'Which companies the group is to have' };

/**
 * The field for the companies that the group is to have. It can't be empty. To remove all companies, the user has to choose 'No Companies',
 * so that an expression without a result never does it by accident.
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

/** The fields that replace the companies of a group. */
export const participantsFields = {
	participantsFrom: choiceField({ ...participantsSettings, default: 'list', options: [FROM_LIST, NO_COMPANIES] }),
	...participantListFields,
};

/** The fields that replace or keep the companies of a group. */
export const optionalParticipantsFields = {
	participantsFrom: {
		...choiceField({
			...participantsSettings,
			default: 'keep',
			options: [FROM_LIST, KEEP_COMPANIES, NO_COMPANIES],
		}),
		valuesForbiddenToAgents: ['list', 'none'],
	},
	...participantListFields,
};
