import { pages } from '../shared/answer/pages';
import { defineOperation } from '../shared/operation/operation';
import { TRAINING_ID } from '../shared/pickers/resources';

const getMany = defineOperation({
	value: 'getMany',
	name: 'Get Many Trainings',
	description: 'List the trainings that a customer, or every one, can enroll people in',
	endpoint: 'POST /api/trainings/search',
	scope: 'companies',
	answer: pages({
		identity: TRAINING_ID,
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
