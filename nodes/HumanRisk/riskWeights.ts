import { SIMULATORS, type Simulator } from '../core/api/endpoints';
import type { FieldValues } from '../core/fields/field';
import { wholeNumberField } from '../core/fields/fieldTypes';
import { InvalidInputError } from '../core/http/errors';
import { createOptionsBlock } from '../core/operation/operationFields';
import type { FailureAction } from './simulations';

/** The largest weight that a user can enter. */
const MAX_WEIGHT = 1000;

/** Creates the field for a weight in percent. The platform's own formula has the weight 100. */
const weightField = (displayName: string, description: string) =>
	wholeNumberField({ displayName, description, default: 100, min: 0, max: MAX_WEIGHT });

const optionFields = {
	attachmentWeight: weightField(
		'Attachment Weight',
		'How much an opened attachment counts. 100 is one failure, 200 is two failures.',
	),
	clickWeight: weightField(
		'Click Weight',
		'How much a click or a scan counts. 100 is one failure, 50 is half a failure.',
	),
	overdueWeight: wholeNumberField({
		displayName: 'Overdue Training Points',
		description: 'The number of points to add for each overdue training, such as 5',
		default: 0,
		min: 0,
		max: MAX_WEIGHT,
	}),
	phishingWeight: weightField(
		'Phishing Weight',
		'How much phishing simulations count, in percent. Enter 0 to leave them out of all figures.',
	),
	quishingWeight: weightField(
		'Quishing Weight',
		'How much quishing simulations count, in percent. Enter 0 to leave them out of all figures.',
	),
	repeatFailures: wholeNumberField({
		displayName: 'Repeat Offender Failures',
		description: 'The number of failed simulations that make a person a repeat offender, such as 2',
		default: 2,
		min: 1,
	}),
	repeatMonths: wholeNumberField({
		displayName: 'Repeat Offender Months',
		description: 'The number of months before the end of the period in which these failures count, such as 3',
		default: 3,
		min: 1,
		max: 120,
	}),
	reportWeight: wholeNumberField({
		displayName: 'Report Points',
		description: 'The number of points to subtract for each reported simulation, such as 2',
		default: 0,
		min: 0,
		max: MAX_WEIGHT,
	}),
	smishingWeight: weightField(
		'Smishing Weight',
		'How much smishing simulations count, in percent. Enter 0 to leave them out of all figures.',
	),
	submitWeight: weightField(
		'Submit Weight',
		'How much submitted data counts. 100 is one failure, 200 is two failures.',
	),
};

/** The form's options: the weights of the risk, and the rule for repeat offenders. */
export const riskOptions = createOptionsBlock(optionFields);

/** The weights of a risk. By default, they are those of the platform's formula (deployment activity 3). */
export interface RiskWeights {
	/** In percent of one failure. */
	actions: Record<FailureAction, number>;
	/** In percent. */
	simulators: Record<Simulator, number>;
	/** In points for each overdue training. */
	overdue: number;
	/** In points for each reported simulation. */
	report: number;
	/** The smallest number of failed simulations that make a person a repeat offender. */
	minRepeatFailures: number;
	/** The number of months before the end of the period in which these failures count. */
	repeatWindowMonths: number;
}

/** Reads the weights from the form. A weight that the user didn't add has its default. */
export function readRiskWeights(options: Partial<FieldValues<typeof optionFields>>): RiskWeights {
	const {
		attachmentWeight = 100,
		clickWeight = 100,
		submitWeight = 100,
		phishingWeight = 100,
		quishingWeight = 100,
		smishingWeight = 100,
		overdueWeight = 0,
		reportWeight = 0,
		repeatFailures: minRepeatFailures = 2,
		repeatMonths: repeatWindowMonths = 3,
	} = options;
	return {
		actions: { attachmentOpened: attachmentWeight, clicked: clickWeight, submitted: submitWeight },
		simulators: { phishing: phishingWeight, quishing: quishingWeight, smishing: smishingWeight },
		overdue: overdueWeight,
		report: reportWeight,
		minRepeatFailures,
		repeatWindowMonths,
	};
}

/** Returns the kinds of simulations that count. A kind with the weight 0 is left out of all figures. */
export const listCountedSimulators = (weights: RiskWeights): Simulator[] =>
	SIMULATORS.filter((simulator) => weights.simulators[simulator] > 0);

/** Rejects weights that leave out all simulations. @throws InvalidInputError */
export function rejectZeroWeights(options: Partial<FieldValues<typeof optionFields>>): void {
	if (listCountedSimulators(readRiskWeights(options)).length > 0) return;
	throw new InvalidInputError(
		"must not be 0 if 'Quishing Weight' and 'Smishing Weight' are 0 too, because no simulation would count",
		['options', 'phishingWeight'],
		'Enter a weight above 0 for at least one kind of simulation, such as 100.',
	);
}
