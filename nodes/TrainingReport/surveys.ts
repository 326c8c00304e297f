import { collection } from '../shared/form/collection';
import { wholeNumber } from '../shared/form/number';
import { text } from '../shared/form/text';
import type { PerformTools } from '../shared/operation/define';
import { firstAccepted } from '../shared/transport/firstAccepted';

/** What narrows a report by, where the service asks for it (deployment shapes); a survey is type 0. */
const trainingType = wholeNumber({
	displayName: 'Training Type',
	description:
		'The type of the training, by its number; 0 is a survey. Without it, a survey is tried where the service refuses.',
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
			description: "Only events of this type, by the platform's name for it",
		}),
		trainingType,
	},
});

/** What of the chosen options goes into the query. */
export const queryOf = ({ emailEventType, ...options }: { emailEventType?: string; trainingType?: number }) => ({
	...options,
	...(emailEventType ? { emailEventType } : {}),
});

/** Reads a report; where nobody said of which type the training is and the service refuses, as that of a survey. */
export const asTrainingOrSurvey = async (chosen: number | undefined, send: PerformTools['send']) =>
	chosen === undefined
		? await firstAccepted(
				async () => await send(),
				async () => await send({ query: { trainingType: 0 } }),
			)
		: await send();
