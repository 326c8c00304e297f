import type { Field } from '../form/field';
import { searchPicker, type Picked } from './picker';

/** The fields that may have the ID of a training (contract 2.5). */
export const TRAINING_ID = ['trainingId', 'resourceId', 'id'] as const;

/** The field that chooses a training that the chosen customer can use. */
export const trainingPicker = (): Field<Picked> =>
	searchPicker({
		displayName: 'Training',
		description: 'The training to send',
		method: 'searchTrainings',
		thing: 'training',
		listing: {
			contract: 'POST /api/trainings/search',
			id: TRAINING_ID,
			name: ['trainingName', 'name'],
			scoped: true,
		},
	});
