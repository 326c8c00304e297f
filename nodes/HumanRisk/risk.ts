import { max, orderBy } from 'lodash';
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { SIMULATORS, type Simulator } from '../core/api/endpoints';
import type { TimeRange } from '../core/fields/relativePeriods';
import { readLastMoment } from '../core/values';
import type { PeriodData } from './companyData';
import { countReceived, findSimulations, findTrainings } from './coverage';
import { findMedian, mapSimulators, roundRisk, sumKnown, toPercent } from './figures';
import { getPersonFields, getPersonIdField, type Person } from './people';
import { formatDay, formatTimeField } from './periods';
import { listCountedSimulators, type RiskWeights } from './riskWeights';
import type { COUNTED_ACTIONS, Failure, Simulations } from './simulations';
import type { PersonTrainings } from './trainings';

/** The largest number of reasons of a person. */
const MAX_REASONS = 10;

/** The numbers from which a risk is calculated, of one person or of several people together. A number is null if it is unknown. */
export interface RiskTotals {
	receivedCounts: Record<Simulator, number | null>;
	failedCounts: Record<Simulator, number | null>;
	/** The failures of each kind of simulation, each multiplied by the weight of its action. */
	weightedFailures: Record<Simulator, number>;
	reportedCounts: Record<Simulator, number | null>;
	overdueTrainings: number | null;
}

/** The risk of one person in a period. */
export interface PersonRisk {
	person: Person;
	totals: RiskTotals;
	riskPercent: number | null;
	/** For each action, the number of simulations in which the person did this; null if it is unknown. */
	actionCounts: Record<(typeof COUNTED_ACTIONS)[number], number | null>;
	failures: readonly Failure[];
	overdue: PersonTrainings['overdue'];
	isRepeatOffender: boolean | null;
	minutesToReport: readonly number[];
	minutesToClick: readonly number[];
}

/** Returns the number of simulations of all kinds that were received. @returns null if the number of one kind is unknown */
export const sumReceived = ({ receivedCounts }: RiskTotals): number | null => sumKnown(Object.values(receivedCounts));

/**
 * Calculates a risk in percent: Σ (failures × weight of the action × weight of the kind) ÷ Σ (received × weight of the kind)
 * + (points of overdue trainings − points of reports) ÷ people. It is at least 0. With the default weights, it is the share of failed
 * simulations (deployment activity 3).
 * @param peopleCount the number of people whose numbers the totals contain
 * @returns null if no simulation was received, or if a needed number is unknown
 */
export function calculateRisk(totals: RiskTotals, weights: RiskWeights, peopleCount: number): number | null {
	const simulators = listCountedSimulators(weights);
	const receivedWeightSum = sumKnown(
		simulators.map((simulator) => {
			const count = totals.receivedCounts[simulator];
			return count === null ? null : count * weights.simulators[simulator];
		}),
	);
	const reported = sumKnown(simulators.map((simulator) => totals.reportedCounts[simulator]));
	const { overdueTrainings } = totals;
	if (receivedWeightSum === null || receivedWeightSum === 0 || reported === null) return null;
	if (weights.overdue > 0 && overdueTrainings === null) return null;
	let failureWeightSum = 0;
	for (const simulator of simulators)
		failureWeightSum += totals.weightedFailures[simulator] * weights.simulators[simulator];
	const points = weights.overdue * (overdueTrainings ?? 0) - weights.report * reported;
	// The weights of actions are in percent, so the quotient is in percent, too.
	return roundRisk(failureWeightSum / receivedWeightSum + points / peopleCount);
}

/** Returns the start of the months in which a repeat offender failed, in ms since 1970. */
const getRepeatStartMs = ({ until }: TimeRange, { repeatWindowMonths }: RiskWeights, timezone: string): number =>
	DateTime.fromMillis(until, { zone: timezone }).minus({ months: repeatWindowMonths }).toMillis();

/** Returns true if a period is shorter than the months in which a repeat offender failed. Failures before it are not read. */
const isPeriodTooShort = (timeRange: TimeRange, weights: RiskWeights, timezone: string): boolean =>
	timeRange.from > getRepeatStartMs(timeRange, weights, timezone);

/** Returns true if a person failed several simulations in the months before the end of the period. @returns null if it is unknown */
function isRepeatOffender(
	failures: readonly Failure[],
	areSimulationsKnown: boolean,
	{ timeRange }: PeriodData,
	weights: RiskWeights,
	timezone: string,
): boolean | null {
	const startMs = getRepeatStartMs(timeRange, weights, timezone);
	if (failures.filter(({ ms }) => ms !== null && ms >= startMs).length >= weights.minRepeatFailures) return true;
	return areSimulationsKnown && !isPeriodTooShort(timeRange, weights, timezone) ? false : null;
}

/** Calculates the risk of a person in a period. */
export function calculatePersonRisk(
	person: Person,
	data: PeriodData,
	weights: RiskWeights,
	timezone: string,
): PersonRisk {
	const { emailKey } = person;
	const simulations = findSimulations(person, data);
	const received = countReceived(person, data);
	const areSimulationsKnown = sumKnown(Object.values(received)) !== null;
	const failures = simulations?.failures ?? [];
	const training = findTrainings(person, data);
	const areTrainingsKnown = emailKey !== undefined && !data.trainings.isUnknown;
	const listFailures = (simulator: Simulator) => failures.filter((failure) => failure.simulator === simulator);
	const countIfKnown = (count: number | undefined) => (areSimulationsKnown ? (count ?? 0) : null);
	const counts = simulations?.actionCounts;
	const totals: RiskTotals = {
		receivedCounts: received,
		failedCounts: mapSimulators((simulator) => (received[simulator] === null ? null : listFailures(simulator).length)),
		weightedFailures: mapSimulators((simulator) =>
			listFailures(simulator).reduce((sum, failure) => sum + getFailureWeight(failure, weights), 0),
		),
		reportedCounts: mapSimulators((simulator) =>
			received[simulator] === null ? null : (simulations?.reportedCounts[simulator] ?? 0),
		),
		overdueTrainings: areTrainingsKnown ? (training?.overdue.length ?? 0) : null,
	};
	return {
		person,
		totals,
		riskPercent: calculateRisk(totals, weights, 1),
		actionCounts: {
			clicked: countIfKnown(counts?.clicked),
			submitted: countIfKnown(counts?.submitted),
			attachmentOpened: countIfKnown(counts?.attachmentOpened),
			reported: countIfKnown(counts?.reported),
		},
		failures,
		overdue: training?.overdue ?? [],
		isRepeatOffender: isRepeatOffender(failures, areSimulationsKnown, data, weights, timezone),
		minutesToReport: simulations?.minutesToReport ?? [],
		minutesToClick: simulations?.minutesToClick ?? [],
	};
}

/** Returns the weight of a failure: the largest weight of the actions with which the person failed. */
const getFailureWeight = ({ actions }: Failure, weights: RiskWeights): number =>
	Math.max(...actions.map((action) => weights.actions[action]));

/** The message of each kind of simulation. */
const MESSAGE_NAMES: Record<Simulator, string> = {
	phishing: 'the email',
	quishing: 'the QR code',
	smishing: 'the text message',
};

/** Writes in words how a person failed: "Clicked in the email", before the name of the campaign. */
function describeAction({ simulator, actions: [action] }: Failure): string {
	const messageName = MESSAGE_NAMES[simulator];
	if (action === 'submitted') return `Submitted data through ${messageName}`;
	if (action === 'attachmentOpened') return `Opened the attachment of ${messageName}`;
	return simulator === 'quishing' ? `Scanned ${messageName}` : `Clicked in ${messageName}`;
}

/** Writes why a person has a risk: one sentence for each failed simulation and each overdue training, the newest first. */
function listReasons({ failures, overdue }: PersonRisk, timezone: string): string[] {
	const failureReasons = failures.map((failure) => {
		const day = failure.ms === null ? 'an unknown day' : formatDay(failure.ms, timezone);
		return { ms: failure.ms, text: `${describeAction(failure)} "${failure.campaignName}" on ${day}.` };
	});
	const overdueReasons = overdue.map(({ name, due }) => {
		const ms = readLastMoment(due, timezone).toMillis();
		return { ms, text: `Has not finished "${name}", which was due on ${formatDay(ms, timezone)}.` };
	});
	// Jobs are read in any order, so reasons of the same time are sorted by their text.
	const reasons = orderBy([...failureReasons, ...overdueReasons], [({ ms }) => ms ?? 0, 'text'], ['desc', 'asc']);
	return reasons.slice(0, MAX_REASONS).map(({ text }) => text);
}

/** Builds the columns with the numbers of each kind of simulation, such as `phishingFailed`. For a kind with the weight 0, these columns are null. */
export function buildSimulatorColumns({ receivedCounts, failedCounts }: RiskTotals, weights: RiskWeights): IDataObject {
	const countedSimulators = listCountedSimulators(weights);
	const columns: IDataObject = {};
	for (const simulator of SIMULATORS) {
		const isCounted = countedSimulators.includes(simulator);
		columns[`${simulator}Received`] = isCounted ? receivedCounts[simulator] : null;
		columns[`${simulator}Failed`] = isCounted ? failedCounts[simulator] : null;
		columns[`${simulator}FailedPercent`] = toPercent(failedCounts[simulator], receivedCounts[simulator]);
	}
	return columns;
}

/** Finds the time of a person's last failure. @returns ms since 1970; null if no failure has a known time */
const findLastFailureMs = (failures: readonly Failure[]): number | null => max(failures.map(({ ms }) => ms)) ?? null;

/** The output fields of a person that are empty if a kind of simulation couldn't be read. */
export const PERSON_FIELDS_NEEDING_ALL_KINDS = [
	'riskPercent',
	'received',
	'failed',
	'clicked',
	'submitted',
	'attachmentOpened',
	'repeatOffender',
	'reported',
	'reportedPercent',
	'medianMinutesToReport',
	'medianMinutesToClick',
	'lastFailedTime',
];

/** The output fields of a customer that are empty if a kind of simulation couldn't be read. */
export const CUSTOMER_FIELDS_NEEDING_ALL_KINDS = [
	'riskPercent',
	'received',
	'failed',
	'failedPercent',
	'peopleFailed',
	'peopleFailedPercent',
	'clicked',
	'submitted',
	'attachmentOpened',
	'repeatOffenders',
	'reported',
	'reportedPercent',
	'notSimulated',
	'medianMinutesToReport',
	'medianMinutesToClick',
	'rank',
	'rankedCustomers',
	'quartile',
];

/**
 * Lists the fields that are empty because of the kinds of simulations that couldn't be read. The median time to a report is the only one that
 * doesn't need smishing.
 * @param fieldNames the fields that need all kinds
 */
export function listFieldsOfUnknownKinds(fieldNames: readonly string[], { unknownKinds }: Simulations): string[] {
	const isReportUnknown = unknownKinds.has('phishing') || unknownKinds.has('quishing');
	return fieldNames.filter((name) => isReportUnknown || name !== 'medianMinutesToReport');
}

/**
 * Builds the columns with the median times. They are null if a kind of simulation that they need is unknown. Text messages have no time of
 * the report (deployment activity 2).
 */
export function buildMedianColumns(
	{ phishing, quishing, smishing }: RiskTotals['receivedCounts'],
	minutesToReport: readonly number[],
	minutesToClick: readonly number[],
) {
	const areReportsKnown = phishing !== null && quishing !== null;
	const areClicksKnown = areReportsKnown && smishing !== null;
	return {
		medianMinutesToReport: areReportsKnown ? findMedian(minutesToReport) : null,
		medianMinutesToClick: areClicksKnown ? findMedian(minutesToClick) : null,
	};
}

/** Builds the output item of a person. */
export function buildPersonRiskItem(risk: PersonRisk, weights: RiskWeights, timezone: string): IDataObject {
	const { person, totals, actionCounts } = risk;
	const received = sumReceived(totals);
	return {
		...getPersonFields(person),
		riskPercent: risk.riskPercent,
		reasons: listReasons(risk, timezone),
		received,
		failed: sumKnown(Object.values(totals.failedCounts)),
		...actionCounts,
		reportedPercent: toPercent(actionCounts.reported, received),
		...buildSimulatorColumns(totals, weights),
		repeatOffender: risk.isRepeatOffender,
		overdueTrainings: totals.overdueTrainings,
		...buildMedianColumns(totals.receivedCounts, risk.minutesToReport, risk.minutesToClick),
		// An unknown simulation may have failed later.
		lastFailedTime: received === null ? null : formatTimeField(findLastFailureMs(risk.failures)),
		...getPersonIdField(person),
	};
}
