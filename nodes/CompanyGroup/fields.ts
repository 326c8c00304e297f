import { text } from '../shared/form/text';
import type { Values } from '../shared/form/field';
import { participants, participantsOf } from './participants';

/** What a group is made of (contract 2.14), for creating and updating. */
export const groupFields = {
	name: text({
		displayName: 'Name',
		description: 'What the group is called',
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
