import { maxBy } from 'lodash';

import { SIMULATORS, type Simulator } from '../core/api/endpoints';
import { formatCount } from '../core/values';
import type { RiskTotals } from './risk';
import type { RiskWeights } from './riskWeights';

/** The largest number of next steps of a customer. */
const MAX_STEPS = 3;

/** The figures of a customer from which the next steps follow. A figure is null if it is unknown. */
export interface StepFigures {
	/** The number of active people. */
	people: number;
	/** The number of active people with an email address, even if the platform masks it. The other people have no results. */
	peopleWithEmail: number;
	totals: RiskTotals;
	received: number | null;
	failed: number | null;
	reported: number | null;
	repeatOffenders: number | null;
	peopleOverdue: number | null;
	notSimulated: number | null;
	notEnrolled: number | null;
}

/** The messages of each kind of simulation. */
const SIMULATOR_TOPICS: Record<Simulator, string> = {
	phishing: 'phishing emails',
	quishing: 'QR codes',
	smishing: 'text messages',
};

/** A rule that suggests a step. It returns undefined if the step isn't needed, or if a figure is unknown. */
type StepRule = (figures: StepFigures, weights: RiskWeights) => string | undefined;

/** Suggests adding people or email addresses, if no one can get simulations and trainings. */
const suggestPeople: StepRule = ({ people, peopleWithEmail }) => {
	if (people === 0) return 'Add people: the customer has no active people.';
	return peopleWithEmail === 0 ? 'Add email addresses: no active person has one.' : undefined;
};

/** Suggests the first simulation. */
const suggestFirstSimulation: StepRule = ({ received, peopleWithEmail }) =>
	received === 0 && peopleWithEmail > 0 ? 'Send a simulation: no one got one in the period.' : undefined;

/** Suggests a training for repeat offenders. */
const suggestRepeatTraining: StepRule = ({ repeatOffenders }, { minRepeatFailures, repeatWindowMonths }) => {
	if (!repeatOffenders) return undefined;
	const rule = `${formatCount(minRepeatFailures, 'simulation')} in ${formatCount(repeatWindowMonths, 'month')}`;
	return `Enroll ${formatCount(repeatOffenders, 'person')} in a training: each failed at least ${rule}.`;
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
	notEnrolled ? `Enroll ${formatCount(notEnrolled, 'person')} in a training: they got none in the period.` : undefined;

/** Suggests a training about reports, if fewer simulations were reported than failed. */
const suggestReportTraining: StepRule = ({ received, reported, failed }) => {
	if (!received || reported === null || failed === null || reported >= failed) return undefined;
	return `Show people how to report: of ${formatCount(received, 'simulation')}, they reported ${reported} and failed ${failed}.`;
};

/** Suggests a training about the kind of simulation that people fail most often, if it is clearly the worst one. */
const suggestTopic: StepRule = ({ totals, received, failed }) => {
	const kinds = SIMULATORS.flatMap((simulator) => {
		const kindReceived = totals.receivedCounts[simulator];
		const kindFailed = totals.failedCounts[simulator];
		if (!kindReceived || kindFailed === null) return [];
		return [{ simulator, kindReceived, kindFailed, share: kindFailed / kindReceived }];
	});
	const worstKind = maxBy(kinds, 'share');
	if (!worstKind || kinds.length < 2 || !received || failed === null) return undefined;
	const { simulator, kindReceived, kindFailed, share } = worstKind;
	if (share <= failed / received) return undefined;
	const count = formatCount(kindReceived, `${simulator} simulation`);
	return `Train people about ${SIMULATOR_TOPICS[simulator]}: they failed ${kindFailed} of ${count}.`;
};

/** The rules, the most urgent step first. */
const STEP_RULES: StepRule[] = [
	suggestPeople,
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
