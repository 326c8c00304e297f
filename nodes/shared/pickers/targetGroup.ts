import type { Label } from '../form/label';
import type { Field } from '../form/field';
import type { Listing } from './listing';
import { searchPicker, searchMultiPicker, type Picked } from './picker';

/** The fields that may have the ID of a target group (contract 2.6). */
export const TARGET_GROUP_ID = ['resourceId', 'targetGroupResourceId', 'id'] as const;

const LISTING: Listing = {
	contract: 'POST /api/target-groups/search/current-company',
	id: TARGET_GROUP_ID,
	name: ['name', 'targetGroupName'],
	scoped: true,
};

/** The field that chooses several target groups of the chosen customer. */
export const targetGroupsPicker = (label: Label): Field<string[]> =>
	searchMultiPicker({ ...label, method: 'loadTargetGroups', thing: 'target group', listing: LISTING });

/** The field that chooses one target group of the chosen customer. */
export const targetGroupPicker = (label: Label): Field<Picked> =>
	searchPicker({ ...label, method: 'searchTargetGroups', thing: 'target group', listing: LISTING });
