import { collection } from '../shared/form/collection';
import { wholeNumber } from '../shared/form/number';
import { text } from '../shared/form/text';
import type { PerformTools } from '../shared/operation/define';
import { firstAccepted } from '../shared/transport/firstAccepted';

/** The type of training, which some services require for a report (deployment shapes); a survey is type 0. */
const trainingType = wholeNumber({
	displayName: 'Training Type',
	description:
		'The type of the training, by its number; 0 is a survey. If it is empty and the service refuses the report, it is requested again as that of a survey.',
	default: 0,
	min: 0,
});

export const summaryOptions = collection({
	displayName: 'Report Options',
	button: 'Add Option',
	fields: { trainingType },
});

export const interactionOptions = collection({
	displayName: 'Report Options',
	button: 'Add Option',
	fields: {
		emailEventType: text({
			displayName: 'Email Event Type',
			description: "Only events of this type, in the platform's spelling",
		}),
		trainingType,
	},
});

/** The query parameters of the chosen options; empty text is left out. */
export const queryOf = ({ emailEventType, ...options }: { emailEventType?: string; trainingType?: number }) => ({
	...options,
	...(emailEventType ? { emailEventType } : {}),
});

/**
 * Reads a report. If no training type was chosen and the service refuses the request, it is repeated with the type of a
 * survey.
 */
export const asTrainingOrSurvey = async (chosen: number | undefined, send: PerformTools['send']) =>
	chosen === undefined
		? await firstAccepted(
				async () => await send(),
				async () => await send({ query: { trainingType: 0 } }),
			)
		: await send();
