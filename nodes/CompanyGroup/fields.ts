import type { Filterable } from '../shared/form/fieldFilters';
import { text } from '../shared/form/text';
import type { Values } from '../shared/form/field';
import { participants, participantsOf } from './participants';

/** The fields of a listed group (deployment shapes). */
export const GROUP_FILTERABLE: Filterable = ['Name', 'CompanyCount', 'CreateTime'];

/** The fields for creating and updating a group (contract 2.14). */
export const groupFields = {
	name: text({
		displayName: 'Name',
		description: 'The name of the group',
		placeholder: 'e.g. Gold customers',
		required: true,
		max: 64,
	}),
	...participants,
};

/** The request body of creating and updating. */
export const groupBody = ({ name, ...chosen }: Values<typeof groupFields>) => ({
	name,
	companyResourceIdArray: participantsOf(chosen),
});
