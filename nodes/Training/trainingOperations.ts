import { listResponse } from '../core/response/listResponse';
import { filtersBlock } from '../core/filters/filterFields';
import { defineOperation } from '../core/operation/defineOperation';
import { platformNumberPicker, platformPicker } from '../domain/pickers/platformLists';
import { TRAINING_ID_FIELDS } from '../domain/pickers/resourcePickers';
import { toItemJson } from '../core/values';
import { createNodeFilter, nodeFilterFields } from './trainingNodeFilters';

/** The filters that the platform's own front end sends in addition to those of every list (deployment activity 10). */
const platformFilterFields = {
	trainingSearchType: platformNumberPicker('trainingSearchTypes', {
		displayName: 'Collection',
		description: 'Which trainings to return, for example only popular ones',
		hint: "This filter isn't supported by every platform",
		idExample: '2',
	}),
	trainingType: platformPicker('trainingKinds', {
		displayName: 'Type',
		description: 'Only return trainings of this type, such as SCORM',
		hint: "This filter isn't supported by every platform",
		idExample: 'SCORM',
	}),
};

const getTrainingsOperation = defineOperation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many trainings',
	description: 'List the trainings that you can enroll people in',
	endpoint: 'POST /api/trainings/search',
	scope: 'companies',
	response: listResponse({
		identity: TRAINING_ID_FIELDS,
		// The platform's own front end filters by these fields (deployment activity 10).
		filterableFields: {
			category: { name: 'Category', type: 'choice', recordField: 'category' },
			// `recordField` is left out, because no document says if records and filters use the same names for languages.
			languages: { name: 'Languages', type: 'choice' },
			// If a record shows the level's name instead of its number, the condition can't be checked on that record.
			level: { name: 'Level Number', type: 'number', recordField: 'level' },
			Name: { name: 'Name', type: 'text', recordField: 'trainingName' },
		},
		fields: { filters: filtersBlock({ ...platformFilterFields, ...nodeFilterFields }) },
		toQuery: ({ filters: { compliance, targetAudience, ...platformFilters } }) => ({
			body: toItemJson(platformFilters),
			...createNodeFilter({ compliance, targetAudience }),
		}),
		// A record has 24 fields (contract 2.5). The simplified output has ten of them.
		outputFields: {
			simplified: [
				'trainingName',
				'category',
				'type',
				'level',
				'duration',
				'targetAudience',
				'compliances',
				'languages',
				'description',
				'trainingId',
			],
			additional: [
				'availableFor',
				'coverImage',
				'createTime',
				'createdBy',
				'hasQuiz',
				'isEditable',
				'isFavourite',
				'isNew',
				'tags',
				'trainingRoles',
				'vendorName',
			],
		},
	}),
});

/** The operations of the Training node. */
export const trainingOperations = [getTrainingsOperation];
