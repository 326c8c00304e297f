import { choiceField } from '../core/fields/fieldTypes';
import { showWhen } from '../core/fields/field';
import { resourceMultiPicker } from '../domain/pickers/resourcePickers';

const FROM_LIST_OPTION = {
	name: 'Selected Companies',
	value: 'list',
	description: 'Only the companies that you select below',
} as const;
const NO_COMPANIES_OPTION = {
	name: 'No Companies',
	value: 'none',
	description: 'Remove all companies from the group',
} as const;
const KEEP_COMPANIES_OPTION = {
	name: 'Keep Current Companies',
	value: 'keep',
	description: 'Leave the members of the group unchanged',
} as const;

const membersFromSettings = {
	displayName: 'Members',
	description: 'Which companies the group should have after the change',
};

/**
 * The form field for the companies that a group should have. It can't be empty: to remove all companies, the user has to choose
 * 'No Companies'. An expression without a result therefore never removes them by accident.
 */
const memberListFields = {
	companies: showWhen(
		{ membersFrom: ['list'] },
		resourceMultiPicker('companies', {
			displayName: 'Company Names or IDs',
			description: 'The companies that the group should have',
			required: true,
			emptyAdvice: "To remove all companies from the group, select 'No Companies' in 'Members'.",
		}),
	),
};

/** The form fields with which the user replaces the companies of a group. */
export const membersFields = {
	membersFrom: choiceField({
		...membersFromSettings,
		default: 'list',
		options: [FROM_LIST_OPTION, NO_COMPANIES_OPTION],
	}),
	...memberListFields,
};

/** The form fields with which the user replaces or keeps the companies of a group. */
export const optionalMembersFields = {
	membersFrom: {
		...choiceField({
			...membersFromSettings,
			default: 'keep',
			options: [FROM_LIST_OPTION, KEEP_COMPANIES_OPTION, NO_COMPANIES_OPTION],
		}),
		valuesForbiddenToAgents: ['list', 'none'],
	},
	...memberListFields,
};
