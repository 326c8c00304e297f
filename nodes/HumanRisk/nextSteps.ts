import { maxBy } from 'lodash';

import { SIMULATORS, type Simulator } from '../core/api/endpoints';
import { formatCount } from '../core/values';
import { toPercent } from './figures';
import type { RiskTotals } from './risk';
import type { RiskWeights } from './riskWeights';

/** The largest number of next steps of a customer. */
const MAX_STEPS = 3;

/** The figures of a customer from which the next steps follow. A figure is null if it is unknown. */
export interface StepFigures {
	totals: RiskTotals;
	received: number | null;
	failedPercent: number | null;
	reportedPercent: number | null;
	repeatOffenders: number | null;
	peopleOverdue: number | null;
	notSimulated: number | null;
	notEnrolled: number | null;
}

const SIMULATOR_TOPICS: Record<Simulator, string> = {
	phishing: 'phishing emails',
	quishing: 'QR codes',
	smishing: 'text messages',
};

/** A rule that suggests a step. It returns undefined if the step isn't needed, or if a figure is unknown. */
type StepRule = (figures: StepFigures, weights: RiskWeights) => string | undefined;

/** Suggests the first simulation. */
const suggestFirstSimulation: StepRule = ({ received }) =>
	received === 0 ? 'Send a simulation: no one got one in the period.' : undefined;

/** Suggests a training for repeat offenders. */
const suggestRepeatTraining: StepRule = ({ repeatOffenders }, { repeatFailures, repeatMonths }) => {
	if (!repeatOffenders) return undefined;
	const rule = `${formatCount(repeatFailures, 'simulation')} in ${formatCount(repeatMonths, 'month')}`;
	return `Enroll ${formatCount(repeatOffenders, 'person')} who failed at least ${rule} in a training.`;
};

/** Suggests a reminder for overdue trainings. */
const suggestReminder: StepRule = ({ peopleOverdue }) =>
	peopleOverdue ? `Remind ${formatCount(peopleOverdue, 'person')} with an overdue training.` : undefined;

/** Suggests a simulation for the people who got none. */
const suggestSimulation: StepRule = ({ received, notSimulated }) =>
	received && notSimulated
		? `Send a simulation to ${formatCount(notSimulated, 'person')} who got none in the period.`
		: undefined;

/** Suggests a training for the people who got none. */
const suggestTraining: StepRule = ({ notEnrolled }) =>
	notEnrolled ? `Enroll ${formatCount(notEnrolled, 'person')} who got no training in the period.` : undefined;

/** Suggests a training about reports, if fewer simulations were reported than failed. */
const suggestReportTraining: StepRule = ({ reportedPercent, failedPercent }) => {
	if (reportedPercent === null || failedPercent === null || reportedPercent >= failedPercent) return undefined;
	return `Show people how to report: ${reportedPercent} % of the simulations were reported, and ${failedPercent} % failed.`;
};

/** Suggests a training about the kind of simulation that people fail most often, if it is clearly the worst one. */
const suggestTopic: StepRule = ({ totals, failedPercent }) => {
	const kinds = SIMULATORS.map((simulator) => ({
		simulator,
		percent: toPercent(totals.failed[simulator], totals.received[simulator]) ?? NaN,
	})).filter(({ percent }) => !Number.isNaN(percent));
	const worstKind = maxBy(kinds, 'percent');
	if (!worstKind || kinds.length < 2 || failedPercent === null || worstKind.percent <= failedPercent) return undefined;
	return `Train people about ${SIMULATOR_TOPICS[worstKind.simulator]}: ${worstKind.percent} % of these simulations failed.`;
};

/** The rules, the most urgent step first. */
const STEP_RULES: StepRule[] = [
	suggestFirstSimulation,
	suggestRepeatTraining,
	suggestReminder,
	suggestSimulation,
	suggestTraining,
	suggestReportTraining,
	suggestTopic,
];

/** Suggests up to three next steps for a customer, as sentences. */
export const suggestNextSteps = (figures: StepFigures, weights: RiskWeights): string[] =>
	STEP_RULES.flatMap((suggest) => suggest(figures, weights) ?? []).slice(0, MAX_STEPS);
