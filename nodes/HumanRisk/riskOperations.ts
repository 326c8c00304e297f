import { orderBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { rejectEmptyExpressions, type FieldValues } from '../core/fields/field';
import { choiceField } from '../core/fields/fieldTypes';
import { yearRangeFields } from '../core/fields/period';
import { defineComposite } from '../core/operation/defineOperation';
import { formatCount } from '../core/values';
import type { OperationContext } from '../core/response/responseHandler';
import { COMPANY_DATA_DEPENDENCIES, readCustomerLists, readPeriodData, type PeriodData } from './companyData';
import { buildCustomerRisk, COMPARED_RISK, rankCustomers } from './customerRisk';
import { buildComparison, listUnknownColumns, sumKnown } from './figures';
import { hasMeasuredPeople, NO_PEOPLE_HINT } from './people';
import {
	compareField,
	formatPeriod,
	getPreviousRange,
	NO_PREVIOUS_PERIOD_HINT,
	readMeasuredRange,
	rejectFuturePeriod,
} from './periods';
import { addMissingPartsHint } from './readOrAddHint';
import {
	buildPersonRiskItem,
	CUSTOMER_FIELDS_NEEDING_ALL_KINDS,
	listFieldsOfUnknownKinds,
	PERSON_FIELDS_NEEDING_ALL_KINDS,
	readPersonRisk,
	type PersonRisk,
} from './risk';
import {
	listCountedSimulators,
	readRiskWeights,
	rejectZeroWeights,
	riskOptions,
	type RiskWeights,
} from './riskWeights';
import { areSimulationsUnknown } from './simulations';

const NOT_COUNTED_NOTE = 'Tests, surveys and actions of bots never count. Only opening a message is not a failure.';

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

/** Adds hints with the names of the fields that are empty because data of a period, or of the previous period, is missing. */
function addMissingDataHints(
	items: readonly IDataObject[],
	fieldNames: readonly string[],
	data: PeriodData,
	previousData: PeriodData | undefined,
	weights: RiskWeights,
	context: OperationContext,
): void {
	const simulationNames = listUnknownColumns(
		listFieldsOfUnknownKinds(fieldNames, data.simulations),
		COMPARED_RISK,
		areSimulationsUnknown(data.simulations),
		previousData !== undefined && areSimulationsUnknown(previousData.simulations),
	);
	addMissingPartsHint('simulations', simulationNames, items, context);
	if (weights.overdue === 0) return;
	const trainingNames = listUnknownColumns(
		['riskPercent', 'rank', 'rankedCustomers', 'quartile'],
		['riskPercent'],
		data.trainings.isUnknown,
		previousData?.trainings.isUnknown ?? false,
	);
	addMissingPartsHint('trainings', trainingNames, items, context);
}

/** Checks that the values of a form about risk fit together. @throws InvalidInputError */
function checkRiskForm(values: FieldValues<typeof yearRangeFields & typeof riskOptions>): void {
	rejectFuturePeriod(values);
	rejectZeroWeights(values.options);
}

/** The condition that a person's risk must meet to be returned, by the value of 'Only People Who'. */
const RISK_CONDITIONS: Record<string, (risk: PersonRisk) => boolean> = {
	all: () => true,
	failed: ({ failures }) => failures.length > 0,
	haveReason: ({ failures, overdue }) => failures.length > 0 || overdue.length > 0,
	overdue: ({ overdue }) => overdue.length > 0,
	repeatOffenders: ({ isRepeatOffender }) => isRepeatOffender === true,
};

const personFields = {
	...yearRangeFields,
	...rejectEmptyExpressions({
		onlyPeopleWho: choiceField({
			displayName: 'Only People Who',
			description: 'Select which people to return. By default, all active people are returned.',
			default: 'all',
			options: [
				{ name: 'Are Active', value: 'all', description: 'All active people of the customer' },
				{ name: 'Are Overdue', value: 'overdue', description: 'People with an overdue training' },
				{ name: 'Are Repeat Offenders', value: 'repeatOffenders' },
				{ name: 'Failed', value: 'failed', description: 'People who failed at least one simulation' },
				{ name: 'Failed or Are Overdue', value: 'haveReason' },
			],
		}),
	}),
	...riskOptions,
};

export const getRiskByPersonOperation = defineComposite({
	value: 'getByPerson',
	name: 'Get by Person',
	action: 'Get risk by person',
	description: "List each customer's active people with their risk and the reasons for it, the highest risk first",
	outputNote: `Each output item is one active person. Each customer's people are together, the highest risk first. The output field 'reasons' names each failed simulation and each overdue training. A field is empty if the platform did not show all data that it needs, or if the person got no simulation. ${NOT_COUNTED_NOTE} Each customer needs about 24 requests.`,
	scope: 'companies',
	fields: personFields,
	isReadOnly: true,
	dependencies: COMPANY_DATA_DEPENDENCIES,
	check: checkRiskForm,
	run: async ({ onlyPeopleWho, options, ...period }, helpers) => {
		const { context } = helpers;
		const { timezone } = context;
		const weights = readRiskWeights(options);
		const lists = await readCustomerLists(helpers, listCountedSimulators(weights));
		context.reportSearch({
			noun: 'active person',
			recordCount: lists.people.length,
			emptyReason: 'none of them is known to match',
		});
		const data = await readPeriodData(lists, readMeasuredRange(period, context), helpers);
		const risks = lists.people.map((person) => readPersonRisk(person, data, weights, timezone));
		const isPeriodTooShort = risks.some(
			({ totals, isRepeatOffender }) =>
				isRepeatOffender === null && sumKnown(Object.values(totals.receivedCounts)) !== null,
		);
		if (isPeriodTooShort)
			context.addHint(
				`The field 'repeatOffender' is empty for people without enough failures, ${describeShortPeriod(weights)}`,
			);
		const selectedRisks = risks.filter(RISK_CONDITIONS[onlyPeopleWho] ?? (() => true));
		const notSimulatedCount = selectedRisks.filter(
			({ totals }) => sumKnown(Object.values(totals.receivedCounts)) === 0,
		).length;
		if (notSimulatedCount > 0) context.addHint(NO_RISK_HINT, formatCount(notSimulatedCount, 'person'));
		const sortedRisks = orderBy(selectedRisks, ({ riskPercent }) => riskPercent ?? -1, 'desc');
		const items = sortedRisks.map((risk) => buildPersonRiskItem(risk, weights, timezone));
		addMissingDataHints(items, PERSON_FIELDS_NEEDING_ALL_KINDS, data, undefined, weights, context);
		return items.map((json) => ({ json }));
	},
});

export const getRiskByCustomerOperation = defineComposite({
	value: 'getByCustomer',
	name: 'Get by Customer',
	action: 'Get risk by customer',
	description: 'Get the risk of each customer with its trend, its rank among your customers and next steps',
	outputNote: `Each output item is one customer. Rank 1 is the lowest risk. With 'Every Company', the node ranks customers if at least five have a risk. A field is empty if the platform did not show all data that it needs, or if no one got a simulation. ${NOT_COUNTED_NOTE} Each customer needs about 43 requests, without the previous period about 24.`,
	scope: 'companies',
	fields: {
		...yearRangeFields,
		...rejectEmptyExpressions({ compareWithPrevious: compareField(true) }),
		...riskOptions,
	},
	isReadOnly: true,
	dependencies: COMPANY_DATA_DEPENDENCIES,
	check: checkRiskForm,
	completeOutput: rankCustomers,
	run: async ({ compareWithPrevious, options, ...period }, helpers) => {
		const { context } = helpers;
		const { timezone } = context;
		const weights = readRiskWeights(options);
		const timeRange = readMeasuredRange(period, context);
		const lists = await readCustomerLists(helpers, listCountedSimulators(weights));
		const data = await readPeriodData(lists, timeRange, helpers);
		const figures = buildCustomerRisk(lists, data, weights, timezone);
		const hasPeople = hasMeasuredPeople(lists.people);
		if (!hasPeople) context.addHint(NO_PEOPLE_HINT);
		else if (figures.received === 0) context.addHint(NO_CUSTOMER_RISK_HINT);
		else if (figures.received !== null) addMedianHints(figures, context);
		if (figures.repeatOffenders === null && figures.received !== null)
			context.addHint(`The field 'repeatOffenders' is empty, ${describeShortPeriod(weights)}`);
		const json: IDataObject = {
			...formatPeriod(timeRange, timezone),
			...figures,
			rank: null,
			rankedCustomers: null,
			quartile: null,
		};
		const previousRange = compareWithPrevious ? getPreviousRange(timeRange) : undefined;
		const previousData = previousRange && (await readPeriodData(lists, previousRange, helpers));
		if (compareWithPrevious) {
			if (!previousRange) context.addHint(NO_PREVIOUS_PERIOD_HINT);
			const previousFigures = previousData ? buildCustomerRisk(lists, previousData, weights, timezone) : {};
			if (hasPeople && previousFigures.received === 0) context.addHint(NO_PREVIOUS_RISK_HINT);
			Object.assign(json, buildComparison(COMPARED_RISK, json, previousFigures));
		}
		addMissingDataHints([json], CUSTOMER_FIELDS_NEEDING_ALL_KINDS, data, previousData, weights, context);
		return [{ json }];
	},
});
