import { pages } from '../core/response/listResponse';
import { filtersOf } from '../core/filters/filterFields';
import { defineOperation } from '../core/operation/defineOperation';
import { platformNumberPicker, platformPicker } from '../domain/pickers/platformLists';
import { TRAINING_ID } from '../domain/pickers/resourcePickers';
import { toJson } from '../core/values';

/** What the platforms' own client sends besides (deployment activity, 10). */
const narrowing = {
	trainingSearchType: platformNumberPicker('trainingSearchTypes', {
		displayName: 'Collection',
		description: 'All trainings, or those that are popular, your favourites or your own; not every platform knows it',
		example: '2',
	}),
	trainingType: platformPicker('trainingKinds', {
		displayName: 'Type',
		description: 'Only this type of training; not every platform knows it',
		example: 'SCORM',
	}),
};

const getMany = defineOperation({
	value: 'getMany',
	name: 'Get Many Trainings',
	description: 'List the trainings that a customer, or every one, can enroll people in',
	endpoint: 'POST /api/trainings/search',
	scope: 'companies',
	answer: pages({
		identity: TRAINING_ID,
		// Deployment activity, 10. A row may have the level's name, which cannot be compared with its number.
		conditions: {
			category: { name: 'Category', kind: 'choice', of: 'category' },
			// No document says that a row has the language in the words of the filter.
			languages: { name: 'Languages', kind: 'choice' },
			level: { name: 'Level Number', kind: 'number', of: 'level' },
			Name: { name: 'Name', kind: 'text', of: 'trainingName' },
		},
		fields: { filters: filtersOf(narrowing) },
		toRequest: ({ filters }) => ({ body: toJson(filters) }),
		// Contract 2.5 has 24 fields.
		known: {
			simplified: [
				'trainingName',
				'category',
				'type',
				'level',
				'duration',
				'languages',
				'vendorName',
				'description',
				'createTime',
				'trainingId',
			],
		},
	}),
});

export const operations = [getMany];
