import { pages } from '../../shared/answer/pages';
import { defineOperation } from '../../shared/operation/define';
import { TRAINING_ID } from '../../shared/pickers/training';

export const getMany = defineOperation({
	value: 'getMany',
	name: 'Get Many Trainings',
	action: 'Get many trainings',
	description: 'List the trainings that a customer, or every one, can enroll people in',
	contract: 'POST /api/trainings/search',
	scope: 'companies',
	fields: {},
	request: () => ({}),
	answer: pages({
		identity: TRAINING_ID,
		filterable: [
			'TrainingName',
			'Category',
			'CreatedBy',
			'CreateTime',
			'Duration',
			'HasQuiz',
			'Languages',
			'Level',
			'Tags',
			'TargetAudience',
			'Type',
			'VendorName',
		],
		// Contract 2.5 has 24 fields.
		known: {
			essentials: [
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
			others: [
				...[
					'availableFor',
					'compliances',
					'coverImage',
					'coverImage.imageUrl',
					'coverImage.name',
					'createdBy',
					'hasQuiz',
				],
				...['isEditable', 'isFavourite', 'isNew', 'tags', 'targetAudience', 'trainingRoles'],
			],
		},
	}),
});
