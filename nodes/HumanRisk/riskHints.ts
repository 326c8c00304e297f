import type { IDataObject } from 'n8n-workflow';

import type { OperationContext } from '../core/response/responseHandler';
import { formatCount } from '../core/values';
import type { PeriodData } from './companyData';
import { COMPARED_RISK } from './customerRisk';
import { listUnknownColumns } from './figures';
import { NO_PEOPLE_HINT } from './people';
import { addMissingPartsHint } from './readOrAddHint';
import {
	CUSTOMER_FIELDS_NEEDING_ALL_KINDS,
	listFieldsOfUnknownKinds,
	PERSON_FIELDS_NEEDING_ALL_KINDS,
	sumReceived,
	type PersonRisk,
} from './risk';
import type { RiskWeights } from './riskWeights';
import { areSimulationsUnknown } from './simulations';

const describeShortPeriod = ({ repeatWindowMonths }: RiskWeights): string =>
	repeatWindowMonths > 1
		? "because the period is shorter than 'Repeat Offender Months'. Enter fewer months there, or select a longer 'Period'."
		: "because the period is shorter than a month. Select a longer 'Period'.";

const NO_RISK_HINT =
	"The field 'riskPercent' is empty for people who got no simulation in the period. To include older simulations, select a longer 'Period'.";

const NO_CUSTOMER_RISK_HINT =
	"Percentages and times of simulations, such as 'riskPercent', are empty, because no one got a simulation in the period. To include older simulations, select a longer 'Period'.";

const NO_PREVIOUS_RISK_HINT =
	"Fields about the risk that end with 'Before' and 'Change' are empty, because no one got a simulation in the previous period.";

/** The fields that need the trainings, because overdue trainings add to the risk. */
const FIELDS_NEEDING_TRAININGS = ['riskPercent', 'rank', 'rankedCustomers', 'quartile'];

/** The output of 'Get risk by person', and the data from which it comes. */
interface PersonRiskOutput {
	/** The risks of all people. */
	risks: readonly PersonRisk[];
	/** The risks of the people whom the user wants to see. */
	selectedRisks: readonly PersonRisk[];
	/** The output items of these people. */
	items: readonly IDataObject[];
	data: PeriodData;
	weights: RiskWeights;
}

/** Adds the hints about empty fields of people. */
export function addPersonRiskHints(
	{ risks, selectedRisks, items, data, weights }: PersonRiskOutput,
	context: OperationContext,
): void {
	const isRepeatStatusUnknown = risks.some(
		({ totals, isRepeatOffender }) => isRepeatOffender === null && sumReceived(totals) !== null,
	);
	if (isRepeatStatusUnknown)
		context.addHint(
			`The field 'repeatOffender' is empty for people without enough failures, ${describeShortPeriod(weights)}`,
		);
	const notSimulatedCount = selectedRisks.filter(({ totals }) => sumReceived(totals) === 0).length;
	if (notSimulatedCount > 0) context.addHint(NO_RISK_HINT, formatCount(notSimulatedCount, 'person'));
	addMissingDataHints(items, PERSON_FIELDS_NEEDING_ALL_KINDS, data, undefined, weights, context);
}

/**
 * Adds the hints about a customer's empty figures of the period.
 * @param figures the figures that `buildCustomerRisk` returns
 * @param hasPeople false if no active person has an email address
 */
export function addCustomerRiskHints(
	figures: IDataObject,
	hasPeople: boolean,
	weights: RiskWeights,
	context: OperationContext,
): void {
	if (!hasPeople) context.addHint(NO_PEOPLE_HINT);
	else if (figures.received === 0) context.addHint(NO_CUSTOMER_RISK_HINT);
	else if (figures.received !== null) addMedianHints(figures, context);
	if (figures.repeatOffenders === null && figures.received !== null)
		context.addHint(`The field 'repeatOffenders' is empty, ${describeShortPeriod(weights)}`);
}

/** Adds a hint for each median time that is empty although the simulations are known. */
function addMedianHints(figures: IDataObject, { addHint }: OperationContext): void {
	const addHintIfEmpty = (name: string, action: string) => {
		if (figures[name] === null)
			addHint(
				`The field '${name}' is empty, because no ${action} can be timed. A ${action} can be timed if the platform shows its time, and if it is the person's only one in that simulation.`,
			);
	};
	addHintIfEmpty('medianMinutesToReport', 'report');
	addHintIfEmpty('medianMinutesToClick', 'click');
}

/** Adds a hint if the comparison with the previous period is empty, because no one got a simulation in that period. */
export function addPreviousRiskHint(
	previousFigures: IDataObject,
	hasPeople: boolean,
	{ addHint }: OperationContext,
): void {
	if (hasPeople && previousFigures.received === 0) addHint(NO_PREVIOUS_RISK_HINT);
}

/** Adds hints with the names of a customer's fields that are empty because data of a period is missing. */
export function addMissingCustomerDataHints(
	item: IDataObject,
	data: PeriodData,
	previousData: PeriodData | undefined,
	weights: RiskWeights,
	context: OperationContext,
): void {
	addMissingDataHints([item], CUSTOMER_FIELDS_NEEDING_ALL_KINDS, data, previousData, weights, context);
}

/** Adds hints with the names of the fields that are empty because data of a period, or of the previous period, is missing. */
function addMissingDataHints(
	items: readonly IDataObject[],
	fieldNames: readonly string[],
	data: PeriodData,
	previousData: PeriodData | undefined,
	weights: RiskWeights,
	context: OperationContext,
): void {
	const simulationNames = listUnknownColumns({
		columnNames: listFieldsOfUnknownKinds(fieldNames, data.simulations),
		comparedColumnNames: COMPARED_RISK,
		isUnknown: areSimulationsUnknown(data.simulations),
		isPreviousUnknown: previousData !== undefined && areSimulationsUnknown(previousData.simulations),
	});
	addMissingPartsHint('simulations', simulationNames, items, context);
	if (weights.overdue === 0) return;
	const trainingNames = listUnknownColumns({
		columnNames: FIELDS_NEEDING_TRAININGS,
		comparedColumnNames: ['riskPercent'],
		isUnknown: data.trainings.isUnknown,
		isPreviousUnknown: previousData?.trainings.isUnknown ?? false,
	});
	addMissingPartsHint('trainings', trainingNames, items, context);
}
