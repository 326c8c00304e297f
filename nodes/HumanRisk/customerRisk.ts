import { sumBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { ScopeChoice } from '../core/companyScope/companyScope';
import type { CompanyLists, PeriodData } from './companyData';
import { isEnrolled, isSimulated } from './coverage';
import { countTrue, mapSimulators, sumKnown, toPercent } from './figures';
import { hasEmail } from './people';
import { suggestNextSteps } from './nextSteps';
import {
	buildMedianColumns,
	buildSimulatorColumns,
	calculateRisk,
	calculatePersonRisk,
	sumReceived,
	type PersonRisk,
	type RiskTotals,
} from './risk';
import type { RiskWeights } from './riskWeights';

/** The percentages that are compared with the previous period. */
export const COMPARED_RISK = ['riskPercent', 'failedPercent', 'reportedPercent'] as const;

/** The smallest number of customers that are ranked. */
const MIN_RANKED_CUSTOMERS = 5;

const RANK_HINT = "The fields 'rank', 'rankedCustomers' and 'quartile' are empty, because fewer than five customers";

/** Adds up the totals of several people. */
const sumTotals = (risks: readonly PersonRisk[]): RiskTotals => ({
	receivedCounts: mapSimulators((simulator) => sumKnown(risks.map(({ totals }) => totals.receivedCounts[simulator]))),
	failedCounts: mapSimulators((simulator) => sumKnown(risks.map(({ totals }) => totals.failedCounts[simulator]))),
	weightedFailures: mapSimulators((simulator) => sumBy(risks, ({ totals }) => totals.weightedFailures[simulator])),
	reportedCounts: mapSimulators((simulator) => sumKnown(risks.map(({ totals }) => totals.reportedCounts[simulator]))),
	overdueTrainings: sumKnown(risks.map(({ totals }) => totals.overdueTrainings)),
});

/** Returns true if a number is above 0. @returns null if it is unknown */
const isPositive = (count: number | null): boolean | null => (count === null ? null : count > 0);

/** Builds the figures of a customer in a period. Only active people with an email address count. */
export function buildCustomerRisk(
	{ people }: CompanyLists,
	data: PeriodData,
	weights: RiskWeights,
	timezone: string,
): IDataObject {
	const peopleWithEmail = people.filter(hasEmail);
	const risks = peopleWithEmail.map((person) => calculatePersonRisk(person, data, weights, timezone));
	const totals = sumTotals(risks);
	const received = sumReceived(totals);
	const failed = sumKnown(Object.values(totals.failedCounts));
	const reported = sumKnown(Object.values(totals.reportedCounts));
	const sumActions = (action: keyof PersonRisk['actionCounts']) =>
		sumKnown(risks.map(({ actionCounts }) => actionCounts[action]));
	const countPeople = (isCounted: (risk: PersonRisk) => boolean | null) => countTrue(risks.map(isCounted));
	const peopleFailed = countPeople((risk) => isPositive(sumKnown(Object.values(risk.totals.failedCounts))));
	const simulated = countTrue(peopleWithEmail.map((person) => isSimulated(person, data)));
	const enrolled = countTrue(peopleWithEmail.map((person) => isEnrolled(person, data)));
	const figures = {
		people: people.length,
		peopleWithEmail: peopleWithEmail.length,
		totals,
		received,
		failed,
		reported,
		repeatOffenders: countPeople(({ isRepeatOffender }) => isRepeatOffender),
		peopleOverdue: countPeople((risk) => isPositive(risk.totals.overdueTrainings)),
		notSimulated: simulated === null ? null : peopleWithEmail.length - simulated,
		notEnrolled: enrolled === null ? null : peopleWithEmail.length - enrolled,
	};
	return {
		people: people.length,
		riskPercent: calculateRisk(totals, weights, peopleWithEmail.length),
		nextSteps: suggestNextSteps(figures, weights),
		received,
		failed,
		failedPercent: toPercent(failed, received),
		peopleFailed,
		peopleFailedPercent: toPercent(peopleFailed, simulated),
		clicked: sumActions('clicked'),
		submitted: sumActions('submitted'),
		attachmentOpened: sumActions('attachmentOpened'),
		...buildSimulatorColumns(totals, weights),
		repeatOffenders: figures.repeatOffenders,
		reported,
		reportedPercent: toPercent(reported, received),
		overdueTrainings: totals.overdueTrainings,
		peopleOverdue: figures.peopleOverdue,
		notSimulated: figures.notSimulated,
		notEnrolled: figures.notEnrolled,
		...buildMedianColumns(
			totals.receivedCounts,
			risks.flatMap(({ minutesToReport }) => minutesToReport),
			risks.flatMap(({ minutesToClick }) => minutesToClick),
		),
	};
}

/**
 * Ranks the customers by their risk, and adds the columns `rank`, `rankedCustomers` and `quartile`. Rank 1 and quartile 1 have the lowest
 * risk. Equal risks have the same rank. Customers without a risk, and fewer than five customers, aren't ranked.
 * @param scopeKind the companies that the user chose, for the hint
 */
export function rankCustomers(
	items: ReadonlyArray<{ json: IDataObject }>,
	addHint: (message: string) => void,
	scopeKind: ScopeChoice['kind'],
): void {
	const risks = items.flatMap(({ json: { riskPercent } }) => (typeof riskPercent === 'number' ? [riskPercent] : []));
	if (risks.length < MIN_RANKED_CUSTOMERS) {
		const reason = items.length < MIN_RANKED_CUSTOMERS ? 'were read' : 'have a risk';
		const advice = scopeKind === 'every' ? '' : " To compare customers, select 'Every Company'.";
		if (items.length > 0) addHint(`${RANK_HINT} ${reason}.${advice}`);
		return;
	}
	for (const { json } of items) {
		const { riskPercent } = json;
		if (typeof riskPercent !== 'number') continue;
		const lowerCount = risks.filter((risk) => risk < riskPercent).length;
		json.rank = lowerCount + 1;
		json.rankedCustomers = risks.length;
		json.quartile = Math.ceil((4 * (lowerCount + 1)) / risks.length);
	}
}
