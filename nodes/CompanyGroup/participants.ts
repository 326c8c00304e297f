import { choice } from '../shared/form/choice';
import { texts } from '../shared/form/text';
import { showWhen } from '../shared/form/field';
import { companiesPicker } from '../shared/pickers/company';
import { parseIds } from '../shared/pickers/picker';
import { InvalidInput } from '../shared/transport/errors';

/**
 * The fields for the companies of a group (contract 2.14). 'No Companies' is a choice of its own, so that an expression
 * without a result can never clear a group.
 */
export const participants = {
	participantsFrom: choice({
		displayName: 'Participants',
		description: 'How to specify the companies of the group',
		default: 'list',
		options: [
			{ name: 'Choose From List', value: 'list' },
			{ name: 'No Companies', value: 'none', description: 'Remove all companies from the group' },
			{ name: 'Specify by ID', value: 'id' },
		],
	}),
	participantList: showWhen(
		{ participantsFrom: ['list'] },
		companiesPicker({ displayName: 'Company Names or IDs', required: true }),
	),
	participantIds: showWhen(
		{ participantsFrom: ['id'] },
		{
			...texts({
				displayName: 'Company IDs',
				description: 'The IDs of the companies, separated by commas, or an expression with a list of IDs',
				placeholder: 'e.g. 3f2a9c10-6b1e-4f57, 77c0de12-0a4b-4c9e',
				required: true,
			}),
			parse: parseIds,
		},
	),
};

/** The chosen IDs. @throws InvalidInput for an empty list without the choice 'No Companies' */
export function participantsOf(chosen: {
	participantsFrom: 'list' | 'id' | 'none';
	participantList: string[] | undefined;
	participantIds: string[] | undefined;
}): string[] {
	const { participantsFrom, participantList = [], participantIds = [] } = chosen;
	if (participantsFrom === 'none') return [];
	const [name, ids] =
		participantsFrom === 'list'
			? (['participantList', participantList] as const)
			: (['participantIds', participantIds] as const);
	if (ids.length > 0) return ids;
	throw new InvalidInput(
		'must name at least one company',
		[name],
		"If the group is to have no companies, choose 'No Companies' in 'Participants'.",
	);
}
