import { orderBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { rejectEmptyExpressions, type FieldValues } from '../core/fields/field';
import { choiceField } from '../core/fields/fieldTypes';
import { readTimeRange, yearRangeFields } from '../core/fields/period';
import { defineComposite } from '../core/operation/defineOperation';
import { formatCount } from '../core/values';
import { COMPANY_DATA_DEPENDENCIES, readCustomerLists, readPeriodData } from './companyData';
import { buildCustomerRisk, COMPARED_RISK, rankCustomers } from './customerRisk';
import { buildComparison, sumKnown } from './figures';
import { compareField, formatPeriod, getPreviousRange, NO_PREVIOUS_PERIOD_HINT, rejectFuturePeriod } from './periods';
import { buildPersonRiskItem, isPeriodTooShort, readPersonRisk, type PersonRisk } from './risk';
import { listCountedSimulators, readRiskWeights, rejectZeroWeights, riskOptions } from './riskWeights';

const EMPTY_NOTE =
	'An empty field means that the platform did not show all that it needs, or that no one got a simulation. Tests, surveys, bots and mere opens never count.';

const SHORT_PERIOD_HINT =
	"Fields about repeat offenders are empty, because the period is shorter than 'Repeat Offender Months'. Select a longer 'Period'.";

const NO_RISK_HINT =
	"The field 'riskPercent' is empty for people who got no simulation in the period. To include older simulations, select a longer 'Period'.";

const NO_CUSTOMER_RISK_HINT =
	"The field 'riskPercent' is empty, because no one got a simulation in the period. To include older simulations, select a longer 'Period'.";

const NO_PREVIOUS_RISK_HINT =
	"Fields about the risk that end with 'Before' and 'Change' are empty, because no one got a simulation in the previous period.";

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
	outputNote: `Each output item is one active person. Each customer's people are together, the highest risk first. The output field 'reasons' names each failed simulation and each overdue training. ${EMPTY_NOTE} Each customer needs about 24 requests.`,
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
			emptyReason: "none of them is known to meet 'Only People Who'",
		});
		const data = await readPeriodData(lists, readTimeRange(period, timezone), helpers);
		const risks = lists.people.map((person) => readPersonRisk(person, data, weights, timezone));
		if (isPeriodTooShort(data.timeRange, weights, timezone)) context.addHint(SHORT_PERIOD_HINT);
		const selectedRisks = risks.filter(RISK_CONDITIONS[onlyPeopleWho] ?? (() => true));
		const notSimulatedCount = selectedRisks.filter(
			({ totals }) => sumKnown(Object.values(totals.received)) === 0,
		).length;
		if (notSimulatedCount > 0) context.addHint(NO_RISK_HINT, formatCount(notSimulatedCount, 'person'));
		const sortedRisks = orderBy(selectedRisks, ({ riskPercent }) => riskPercent ?? -1, 'desc');
		return sortedRisks.map((risk) => ({ json: buildPersonRiskItem(risk, weights, timezone) }));
	},
});

export const getRiskByCustomerOperation = defineComposite({
	value: 'getByCustomer',
	name: 'Get by Customer',
	action: 'Get risk by customer',
	description: 'Get the risk of each customer with its trend, its rank among your customers and next steps',
	outputNote: `Each output item is one customer. Rank 1 is the lowest risk. With 'Every Company', the node ranks customers if at least five have a risk. ${EMPTY_NOTE} Each customer needs about 43 requests, without the previous period about 24.`,
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
		const timeRange = readTimeRange(period, timezone);
		const lists = await readCustomerLists(helpers, listCountedSimulators(weights));
		const data = await readPeriodData(lists, timeRange, helpers);
		if (isPeriodTooShort(data.timeRange, weights, timezone)) context.addHint(SHORT_PERIOD_HINT);
		const figures = buildCustomerRisk(lists, data, weights, timezone);
		if (figures.received === 0) context.addHint(NO_CUSTOMER_RISK_HINT);
		const json: IDataObject = {
			...formatPeriod(timeRange, timezone),
			...figures,
			rank: null,
			rankedCustomers: null,
			quartile: null,
		};
		if (!compareWithPrevious) return [{ json }];
		const previousRange = getPreviousRange(timeRange);
		if (!previousRange) context.addHint(NO_PREVIOUS_PERIOD_HINT);
		const previousData = previousRange && (await readPeriodData(lists, previousRange, helpers));
		const previousFigures = previousData ? buildCustomerRisk(lists, previousData, weights, timezone) : {};
		if (previousFigures.received === 0) context.addHint(NO_PREVIOUS_RISK_HINT);
		return [{ json: { ...json, ...buildComparison(COMPARED_RISK, json, previousFigures) } }];
	},
});
