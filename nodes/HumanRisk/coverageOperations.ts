import type { IDataObject } from 'n8n-workflow';

import { rejectEmptyExpressions, type FieldValues } from '../core/fields/field';
import { choiceField, wholeNumberField } from '../core/fields/fieldTypes';
import { yearRangeFields } from '../core/fields/period';
import { defineComposite, type OperationHelpers } from '../core/operation/defineOperation';
import { createOptionsBlock } from '../core/operation/operationFields';
import type { OperationContext } from '../core/response/responseHandler';
import { getVerifiedDomainsOperation, readVerifiedDomains } from '../domain/people/verifiedDomains';
import {
	COMPANY_DATA_DEPENDENCIES,
	readCustomerLists,
	readPeriodData,
	type CompanyLists,
	type PeriodData,
} from './companyData';
import {
	buildCustomerFigures,
	buildPersonItem,
	COMPARED_COVERAGE,
	calculatePersonCoverage,
	type PersonCoverage,
	type AddInAndDomainData,
} from './coverage';
import { addCustomerCoverageHint, addNeverHint, addNoEarlierRecordHints, addPersonCoverageHint } from './coverageHints';
import { buildComparison } from './figures';
import { hasEmail, NO_PEOPLE_HINT } from './people';
import {
	compareField,
	formatPeriod,
	getPreviousRange,
	NO_PREVIOUS_PERIOD_HINT,
	readMeasuredRange,
	rejectFuturePeriod,
} from './periods';
import { addEmptyFiguresHint } from './readOrAddHint';
import { getReportersOperation, readReporters } from './reporters';

const DEFAULT_REPORTER_DAYS = 30;

const coverageOptions = createOptionsBlock({
	reporterDays: wholeNumberField({
		displayName: 'Add-In Seen Within (Days)',
		description: 'The number of days in which the report add-in must have been seen, such as 30',
		default: DEFAULT_REPORTER_DAYS,
		min: 1,
	}),
});

/** The operations whose requests read the coverage of a customer. */
const COVERAGE_DEPENDENCIES = [...COMPANY_DATA_DEPENDENCIES, getReportersOperation, getVerifiedDomainsOperation];

const EMPTY_NOTE =
	'A field is empty if the platform did not show all data that it needs. A hint says why. Tests and surveys never count.';

/** Reads who has the report add-in, and which domains are verified. @throws RequestError */
async function readAddInAndDomainData(reporterDays: number, helpers: OperationHelpers): Promise<AddInAndDomainData> {
	const reporters = await readReporters(helpers);
	const verifiedDomains = (await readVerifiedDomains(helpers)) ?? undefined;
	if (!verifiedDomains)
		addEmptyFiguresHint(
			'verified domains',
			"the platform has no list of them, or the credential's role may not read it",
			helpers.context,
		);
	return { reporters, verifiedDomains, reporterDays };
}

/** Calculates the coverage of each person in a period. */
const calculateCoverages = (
	lists: CompanyLists,
	data: PeriodData,
	addInAndDomainData: AddInAndDomainData,
): PersonCoverage[] => lists.people.map((person) => calculatePersonCoverage(person, lists, data, addInAndDomainData));

/** Calculates the figures of the previous period. Percentages are empty, with a hint, if the customer's first record is later. */
function buildPreviousFigures(
	lists: CompanyLists,
	data: PeriodData,
	addInAndDomainData: AddInAndDomainData,
	context: OperationContext,
): IDataObject {
	const { until } = data.timeRange;
	const { firstEnrollmentMs, firstJobMs } = lists;
	const figures = buildCustomerFigures(calculateCoverages(lists, data, addInAndDomainData));
	// If the first record is unknown, there may have been an earlier one.
	const hadEnrollment = firstEnrollmentMs === null || firstEnrollmentMs < until;
	const hadJob = firstJobMs === null || firstJobMs < until;
	if (!hadEnrollment) {
		figures.enrolledPercent = null;
		figures.finishedPercent = null;
	}
	if (!hadJob) figures.simulatedPercent = null;
	addNoEarlierRecordHints(lists, { hadEnrollment, hadJob }, context);
	return figures;
}

const customerFields = {
	...yearRangeFields,
	...rejectEmptyExpressions({ compareWithPrevious: compareField(false) }),
	...coverageOptions,
};

export const getCoverageByCustomerOperation = defineComposite({
	value: 'getByCustomer',
	name: 'Get by Customer',
	action: 'Get coverage by customer',
	description: 'Count the people of each customer who got trainings and simulations, and who can report emails',
	outputNote: `Each output item is one customer. ${EMPTY_NOTE} Each customer needs about 26 requests, with the previous period about 45.`,
	scope: 'companies',
	fields: customerFields,
	isReadOnly: true,
	dependencies: COVERAGE_DEPENDENCIES,
	check: rejectFuturePeriod,
	run: async ({ compareWithPrevious, options, ...period }, helpers) => {
		const { context } = helpers;
		const timeRange = readMeasuredRange(period, context);
		const lists = await readCustomerLists(helpers);
		if (!lists.people.some(hasEmail)) context.addHint(NO_PEOPLE_HINT);
		const data = await readPeriodData(lists, timeRange, helpers);
		const addInAndDomainData = await readAddInAndDomainData(options.reporterDays ?? DEFAULT_REPORTER_DAYS, helpers);
		const coverages = calculateCoverages(lists, data, addInAndDomainData);
		addNeverHint(coverages, context);
		const json: IDataObject = { ...formatPeriod(timeRange, context.timezone), ...buildCustomerFigures(coverages) };
		const previousRange = compareWithPrevious ? getPreviousRange(timeRange) : undefined;
		const previousData = previousRange && (await readPeriodData(lists, previousRange, helpers));
		if (compareWithPrevious) {
			if (!previousRange) context.addHint(NO_PREVIOUS_PERIOD_HINT);
			const previousFigures = previousData
				? buildPreviousFigures(lists, previousData, addInAndDomainData, context)
				: {};
			Object.assign(json, buildComparison(COMPARED_COVERAGE, json, previousFigures));
		}
		addCustomerCoverageHint(json, data, previousData, context);
		return [{ json }];
	},
});

/** The condition that a person's coverage must meet to be returned, by the value of 'Only People Who'. */
const COVERAGE_CONDITIONS: Record<string, (coverage: PersonCoverage) => boolean> = {
	all: () => true,
	cannotReport: ({ canReport }) => canReport === false,
	haveGap: ({ enrolled, simulated, canReport, onVerifiedDomain }) =>
		[enrolled, simulated, canReport, onVerifiedDomain].includes(false),
	notEnrolled: ({ enrolled }) => enrolled === false,
	notSimulated: ({ simulated }) => simulated === false,
	withoutVerifiedDomain: ({ onVerifiedDomain }) => onVerifiedDomain === false,
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
				{ name: 'Are Not on a Verified Domain', value: 'withoutVerifiedDomain' },
				{
					name: "Can't Report",
					value: 'cannotReport',
					description: 'People whose report add-in is missing or was not seen lately',
				},
				{ name: 'Got No Simulation', value: 'notSimulated' },
				{
					name: 'Have a Gap',
					value: 'haveGap',
					description: 'People without a training, a simulation, the report add-in or a verified domain',
				},
				{ name: 'Were Not Enrolled', value: 'notEnrolled', description: 'People without a training in the period' },
			],
		}),
	}),
	...coverageOptions,
};

/** Reads the coverage of the company's people. @throws RequestError */
async function listPeopleCoverage(
	{ onlyPeopleWho, options, ...period }: FieldValues<typeof personFields>,
	helpers: OperationHelpers,
): Promise<IDataObject[]> {
	const { context } = helpers;
	const timeRange = readMeasuredRange(period, context);
	const lists = await readCustomerLists(helpers);
	context.reportSearch({
		noun: 'active person',
		recordCount: lists.people.length,
		emptyReason: 'none of them is known to match',
	});
	const data = await readPeriodData(lists, timeRange, helpers);
	const addInAndDomainData = await readAddInAndDomainData(options.reporterDays ?? DEFAULT_REPORTER_DAYS, helpers);
	const coverages = calculateCoverages(lists, data, addInAndDomainData);
	addNeverHint(coverages, context);
	const items = coverages
		.filter(COVERAGE_CONDITIONS[onlyPeopleWho] ?? (() => true))
		.map((coverage) => buildPersonItem(coverage, data, context.timezone));
	addPersonCoverageHint(items, data, context);
	return items;
}

export const getCoverageByPersonOperation = defineComposite({
	value: 'getByPerson',
	name: 'Get by Person',
	action: 'Get coverage by person',
	description: 'List the active people and what each one lacks: trainings, simulations or the report add-in',
	outputNote: `Each output item is one active person. The output field 'gaps' says what is missing. ${EMPTY_NOTE} Each customer needs about 26 requests.`,
	scope: 'companies',
	fields: personFields,
	isReadOnly: true,
	dependencies: COVERAGE_DEPENDENCIES,
	check: rejectFuturePeriod,
	run: async (values, helpers) => {
		const items = await listPeopleCoverage(values, helpers);
		return items.map((json) => ({ json }));
	},
});
