/** The cases for the coverage and the risk of people and customers. */
import assert from 'node:assert/strict';
import { omit } from 'lodash';
import { SIMULATORS } from '../stand-in/profile';
import { getSentTime } from '../stand-in/routes/campaign-people';
import { defineCases, omitAddedFields, type Case, type CaseRun, type Item } from './case';
import type { CustomerFixture } from './customerFixture';
import {
	calculateCustomerCoverage,
	calculateCustomerRisk,
	calculatePersonCoverage,
	calculatePersonRisk,
	describePeople,
	findFirstRecords,
	type Period,
} from './humanRiskExpectation';

/** The requests of all four operations for a period in which all enrollments began. */
function listRequests({ companyData }: CustomerFixture, { until }: Period): string[] {
	const jobRequests = SIMULATORS.flatMap((simulator) => {
		const path = `/api/${simulator}-simulator/${simulator}-campaign-job-report`;
		const campaigns = companyData.getCampaigns(simulator).filter(({ status }) => status !== 'Scheduled');
		const jobs = campaigns.flatMap((campaign) =>
			campaign.instanceGroups.flatMap((instanceGroup) => {
				if (Date.parse(getSentTime(campaign, instanceGroup)) >= until) return [];
				const summaryRequest = `GET ${path}/summary/{resourceId}/{instanceGroup}`;
				const peopleRequest = `POST ${path}/{searchType}/search/{resourceId}/{instanceGroup}`;
				return campaign.excludeFromReports ? [summaryRequest] : [summaryRequest, peopleRequest];
			}),
		);
		return [`POST ${path}/search`, ...jobs];
	});
	const trainingEnrollments = companyData.enrollments.filter(({ type }) => type !== 'Survey');
	const enrollmentRequests = trainingEnrollments.flatMap(({ markedAsTest }) => {
		const recordRequest = 'GET /api/enrollments/{resourceId}';
		return markedAsTest ? [recordRequest] : [recordRequest, 'POST /api/training-reports/{enrollmentId}/users/search'];
	});
	return ['POST /api/target-users/search', ...jobRequests, 'POST /api/enrollments/search', ...enrollmentRequests];
}

const REACH_REQUESTS = ['POST /api/phishing-reporter/search', 'GET /api/allow-list/search/verified'];

/** Creates the run of an operation. @param getExpectedItems calculates the items without their texts */
function createRun(
	customer: CustomerFixture,
	furtherRequests: string[],
	getExpectedItems: (period: Period, timezone: string) => object[],
): CaseRun {
	// n8n's time zone, if the workflow has none.
	const timezone = 'America/New_York';
	const period = { from: Date.parse('2000-01-01T05:00:00.000Z'), until: Date.parse('2026-04-01T04:00:00.000Z') };
	const expectedItems = getExpectedItems(period, timezone);
	return {
		parameters: {
			...customer.companyParameters,
			period: 'custom',
			periodStart: '2000-01-01',
			periodEnd: '2026-03-31',
			compareWithPrevious: false,
		},
		itemCount: expectedItems.length,
		requiredRequests: [...listRequests(customer, period), ...furtherRequests],
		checkItems: (items) => assert.deepEqual(sortItems(items), sortTexts(expectedItems)),
	};
}

const sortTexts = (rows: object[]) => rows.map((row) => JSON.stringify(row)).sort();
const TEXT_FIELDS = ['gaps', 'nextSteps', 'periodStart', 'periodEnd', 'rank', 'rankedCustomers', 'quartile'];
/** Puts the fields of a row in the order of their names. */
const sortFields = (row: object) =>
	Object.fromEntries(Object.entries(row).sort(([first], [second]) => first.localeCompare(second)));
const sortItems = (items: Item[]) =>
	sortTexts(items.map((item) => sortFields(omit(omitAddedFields(item), TEXT_FIELDS))));

/** Puts the fields of each row in the order of their names, and leaves out the fields that the check leaves out of the items. */
const prepareRows = (rows: object[]) => rows.map((row) => sortFields(omit(row, 'targetUserResourceId')));

export const humanRiskCases: Case[] = defineCases(
	'HumanRisk',
	{
		getByCustomer: (customer) =>
			createRun(customer, REACH_REQUESTS, (period) =>
				prepareRows([calculateCustomerCoverage(customer.world, customer.company, period)]),
			),
		getByPerson: (customer) =>
			createRun(customer, REACH_REQUESTS, (period) => {
				const first = findFirstRecords(customer.world, customer.company);
				const people = describePeople(customer.world, customer.company, period);
				return prepareRows(people.map((person) => calculatePersonCoverage(person, period, first)));
			}),
		'risk.getByCustomer': (customer) =>
			createRun(customer, [], (period, timezone) =>
				prepareRows([calculateCustomerRisk(customer.world, customer.company, period, timezone)]),
			),
		'risk.getByPerson': (customer) =>
			createRun(customer, [], (period, timezone) => {
				const people = describePeople(customer.world, customer.company, period);
				return prepareRows(people.map((person) => calculatePersonRisk(person, period, timezone)));
			}),
	},
	{ isOutsideContract: true },
);
