import { orderBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { rejectEmptyExpressions, type FieldValues } from '../core/fields/field';
import { choiceField } from '../core/fields/fieldTypes';
import { yearRangeFields } from '../core/fields/period';
import { defineComposite } from '../core/operation/defineOperation';
import { COMPANY_DATA_DEPENDENCIES, readCustomerLists, readPeriodData } from './companyData';
import { buildCustomerRisk, COMPARED_RISK, rankCustomers } from './customerRisk';
import { buildComparison } from './figures';
import { hasEmail } from './people';
import {
	compareField,
	formatPeriod,
	getPreviousRange,
	NO_PREVIOUS_PERIOD_HINT,
	readMeasuredRange,
	rejectFuturePeriod,
} from './periods';
import { buildPersonRiskItem, calculatePersonRisk, type PersonRisk } from './risk';
import {
	addCustomerRiskHints,
	addMissingCustomerDataHints,
	addPersonRiskHints,
	addPreviousRiskHint,
} from './riskHints';
import { listCountedSimulators, readRiskWeights, rejectZeroWeights, riskOptions } from './riskWeights';

const NOT_COUNTED_NOTE = 'Tests, surveys and actions of bots never count. Only opening a message is not a failure.';

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
		const risks = lists.people.map((person) => calculatePersonRisk(person, data, weights, timezone));
		const selectedRisks = risks.filter(RISK_CONDITIONS[onlyPeopleWho] ?? (() => true));
		const sortedRisks = orderBy(selectedRisks, ({ riskPercent }) => riskPercent ?? -1, 'desc');
		const items = sortedRisks.map((risk) => buildPersonRiskItem(risk, weights, timezone));
		addPersonRiskHints({ risks, selectedRisks, items, data, weights }, context);
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
		const hasPeople = lists.people.some(hasEmail);
		addCustomerRiskHints(figures, hasPeople, weights, context);
		const json: IDataObject = {
			...formatPeriod(timeRange, timezone),
			...figures,
			// `rankCustomers` fills in the next three columns after all companies were read.
			rank: null,
			rankedCustomers: null,
			quartile: null,
		};
		const previousRange = compareWithPrevious ? getPreviousRange(timeRange) : undefined;
		const previousData = previousRange && (await readPeriodData(lists, previousRange, helpers));
		if (compareWithPrevious) {
			if (!previousRange) context.addHint(NO_PREVIOUS_PERIOD_HINT);
			const previousFigures = previousData ? buildCustomerRisk(lists, previousData, weights, timezone) : {};
			addPreviousRiskHint(previousFigures, hasPeople, context);
			Object.assign(json, buildComparison(COMPARED_RISK, json, previousFigures));
		}
		addMissingCustomerDataHints(json, data, previousData, weights, context);
		return [{ json }];
	},
});
