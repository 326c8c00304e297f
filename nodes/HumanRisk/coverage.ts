import type { IDataObject } from 'n8n-workflow';

import type { Simulator } from '../core/api/endpoints';
import { getEmailDomain } from '../domain/people/verifiedDomains';
import type { CompanyLists, PeriodData } from './companyData';
import { countTrue, mapSimulators, sumKnown, toPercent } from './figures';
import { getPersonFields, getPersonIdField, hasEmail, type Person } from './people';
import { describePeriod, formatDay, formatTimeField } from './periods';
import type { Reporters } from './reporters';
import { areSimulationsUnknown, type PersonSimulations } from './simulations';
import type { PersonTrainings } from './trainings';

const MS_PER_DAY = 86_400_000;

/** The people who have the report add-in, and the verified domains. A value is undefined if it can't be read. */
export interface AddInAndDomainData {
	reporters: Reporters | undefined;
	/** The domains in lower case. */
	verifiedDomains: ReadonlySet<string> | undefined;
	/** The number of days in which a person's add-in must have been seen. Otherwise the person counts as unable to report. */
	reporterDays: number;
}

/** The coverage of one person. A value is null if it is unknown. */
export interface PersonCoverage {
	person: Person;
	enrolled: boolean | null;
	/** Null also for a person who wasn't enrolled. */
	finished: boolean | null;
	neverEnrolled: boolean | null;
	enrollments: number | null;
	enrollmentsFinished: number | null;
	simulated: boolean | null;
	neverSimulated: boolean | null;
	simulations: Record<Simulator, number | null>;
	/** In ms since 1970. */
	lastSimulationMs: number | null;
	canReport: boolean | null;
	/** The time when the person's add-in was last seen, in ms since 1970. */
	lastSeenMs: number | null;
	onVerifiedDomain: boolean | null;
}

/** Returns how many simulations of each kind a person got. @returns null for a kind that is unknown */
export function countReceived({ emailKey }: Person, { simulations }: PeriodData): Record<Simulator, number | null> {
	const person = emailKey === undefined ? undefined : simulations.byEmail.get(emailKey);
	return mapSimulators((simulator) =>
		emailKey === undefined || simulations.unknownKinds.has(simulator) ? null : (person?.receivedCounts[simulator] ?? 0),
	);
}

/** Finds what is known about a person's simulations. @returns undefined if nothing is known */
export const findSimulations = ({ emailKey }: Person, { simulations }: PeriodData): PersonSimulations | undefined =>
	emailKey === undefined ? undefined : simulations.byEmail.get(emailKey);

/** Finds what is known about a person's trainings. @returns undefined if nothing is known */
export const findTrainings = ({ emailKey }: Person, { trainings }: PeriodData): PersonTrainings | undefined =>
	emailKey === undefined ? undefined : trainings.byEmail.get(emailKey);

/** Returns true if a person was enrolled in at least one training. @returns null if it is unknown */
export function isEnrolled(person: Person, data: PeriodData): boolean | null {
	if (findTrainings(person, data)) return true;
	return person.emailKey === undefined || data.trainings.isUnknown ? null : false;
}

/** Returns true if a person got at least one simulation. @returns null if it is unknown */
export function isSimulated(person: Person, data: PeriodData): boolean | null {
	if (findSimulations(person, data)) return true;
	return person.emailKey === undefined || areSimulationsUnknown(data.simulations) ? null : false;
}

/**
 * Returns true if a person has never had a record, such as a training. Records from before the period aren't read. So this is only known if
 * the company had none before the period.
 * @param hasRecord true if the person has a record in the period
 * @param firstMs the time of the company's first record, in ms since 1970
 * @returns null if it is unknown
 */
function hasNeverHadRecord(
	hasRecord: boolean | null,
	{ timeRange }: PeriodData,
	firstMs: number | null,
): boolean | null {
	if (hasRecord === null) return null;
	if (hasRecord) return false;
	if (firstMs === null || firstMs < timeRange.from) return null;
	return true;
}

/** Returns true if a person's report add-in was seen in the last `reporterDays` days. @returns null if it is unknown */
function canReport({ emailKey }: Person, { reporters, reporterDays }: AddInAndDomainData): boolean | null {
	if (!reporters || emailKey === undefined) return null;
	const lastSeenMs = reporters.lastSeenByEmail.get(emailKey) ?? null;
	if (lastSeenMs !== null && lastSeenMs >= Date.now() - reporterDays * MS_PER_DAY) return true;
	// A masked email address may be this person's, and a device with an unknown time may have been seen later.
	return reporters.hasMaskedPeople || reporters.emailsWithUnknownTime.has(emailKey) ? null : false;
}

/** Calculates the coverage of a person in a period. */
export function calculatePersonCoverage(
	person: Person,
	{ firstJobMs, firstEnrollmentMs }: CompanyLists,
	data: PeriodData,
	addInAndDomainData: AddInAndDomainData,
): PersonCoverage {
	const { emailKey } = person;
	const training = findTrainings(person, data);
	const isTrainingKnown = emailKey !== undefined && !data.trainings.isUnknown;
	const enrolled = isEnrolled(person, data);
	const simulated = isSimulated(person, data);
	const domain = emailKey === undefined ? undefined : getEmailDomain(emailKey);
	return {
		person,
		enrolled,
		finished: training && isTrainingKnown ? training.finishedCount === training.enrolledCount : null,
		neverEnrolled: hasNeverHadRecord(enrolled, data, firstEnrollmentMs),
		enrollments: isTrainingKnown ? (training?.enrolledCount ?? 0) : null,
		enrollmentsFinished: isTrainingKnown ? (training?.finishedCount ?? 0) : null,
		simulated,
		neverSimulated: hasNeverHadRecord(simulated, data, firstJobMs),
		simulations: countReceived(person, data),
		// An unknown simulation may be later.
		lastSimulationMs: areSimulationsUnknown(data.simulations)
			? null
			: (findSimulations(person, data)?.lastSentMs ?? null),
		canReport: canReport(person, addInAndDomainData),
		lastSeenMs:
			(emailKey === undefined ? undefined : addInAndDomainData.reporters?.lastSeenByEmail.get(emailKey)) ?? null,
		onVerifiedDomain:
			addInAndDomainData.verifiedDomains && domain !== undefined
				? addInAndDomainData.verifiedDomains.has(domain)
				: null,
	};
}

/** Writes the gaps of a person as sentences. An unknown value isn't a gap. */
function describeGaps(coverage: PersonCoverage, { timeRange }: PeriodData, timezone: string, domain: string): string[] {
	const period = describePeriod(timeRange, timezone);
	const gaps: string[] = [];
	if (coverage.neverEnrolled) gaps.push('Was never enrolled in a training.');
	else if (coverage.enrolled === false) gaps.push(`Was not enrolled in a training ${period}.`);
	if (coverage.neverSimulated) gaps.push('Never got a simulation.');
	else if (coverage.simulated === false) gaps.push(`Got no simulation ${period}.`);
	if (coverage.canReport === false)
		gaps.push(
			coverage.lastSeenMs === null
				? 'Has no report add-in.'
				: `The report add-in was last seen on ${formatDay(coverage.lastSeenMs, timezone)}.`,
		);
	if (coverage.onVerifiedDomain === false) gaps.push(`The domain ${domain} isn't verified.`);
	return gaps;
}

/** Builds the output item of a person. */
export function buildPersonItem(coverage: PersonCoverage, data: PeriodData, timezone: string): IDataObject {
	const { person, simulations } = coverage;
	return {
		...getPersonFields(person),
		gaps: describeGaps(coverage, data, timezone, getEmailDomain(person.emailKey ?? '')),
		enrolled: coverage.enrolled,
		finished: coverage.finished,
		neverEnrolled: coverage.neverEnrolled,
		enrollments: coverage.enrollments,
		enrollmentsFinished: coverage.enrollmentsFinished,
		simulated: coverage.simulated,
		neverSimulated: coverage.neverSimulated,
		simulations: sumKnown(Object.values(simulations)),
		phishingSimulations: simulations.phishing,
		quishingSimulations: simulations.quishing,
		smishingSimulations: simulations.smishing,
		lastSimulationTime: formatTimeField(coverage.lastSimulationMs),
		canReport: coverage.canReport,
		lastReporterSeen: formatTimeField(coverage.lastSeenMs),
		onVerifiedDomain: coverage.onVerifiedDomain,
		...getPersonIdField(person),
	};
}

/** The output fields that are empty if a kind of simulation couldn't be read. */
export const COVERAGE_FIELDS_NEEDING_ALL_KINDS = [
	'simulated',
	'notSimulated',
	'neverSimulated',
	'simulatedPercent',
	'simulations',
	'lastSimulationTime',
];

/** The percentages that are compared with the previous period. */
export const COMPARED_COVERAGE = ['enrolledPercent', 'finishedPercent', 'simulatedPercent'] as const;

/** Builds the figures of a customer from the coverage of its people. Only people with an email address count. */
export function buildCustomerFigures(coverages: readonly PersonCoverage[]): IDataObject {
	const peopleWithEmail = coverages.filter(({ person }) => hasEmail(person));
	const count = (isCounted: (coverage: PersonCoverage) => boolean | null) => countTrue(peopleWithEmail.map(isCounted));
	const getOpposite = (value: boolean | null) => (value === null ? null : !value);
	const enrolledCount = count((coverage) => coverage.enrolled);
	const finishedCount = count((coverage) => (coverage.enrolled === false ? false : coverage.finished));
	const simulatedCount = count((coverage) => coverage.simulated);
	const ableToReportCount = count((coverage) => coverage.canReport);
	const countSimulated = (simulator: Simulator) =>
		count(({ simulations }) => (simulations[simulator] === null ? null : simulations[simulator] > 0));
	return {
		people: coverages.length,
		withoutEmail: coverages.length - peopleWithEmail.length,
		enrolled: enrolledCount,
		notEnrolled: count((coverage) => getOpposite(coverage.enrolled)),
		neverEnrolled: count((coverage) => coverage.neverEnrolled),
		finished: finishedCount,
		enrolledPercent: toPercent(enrolledCount, peopleWithEmail.length),
		finishedPercent: toPercent(finishedCount, enrolledCount),
		simulated: simulatedCount,
		notSimulated: count((coverage) => getOpposite(coverage.simulated)),
		neverSimulated: count((coverage) => coverage.neverSimulated),
		simulatedPercent: toPercent(simulatedCount, peopleWithEmail.length),
		phishingSimulated: countSimulated('phishing'),
		quishingSimulated: countSimulated('quishing'),
		smishingSimulated: countSimulated('smishing'),
		canReport: ableToReportCount,
		cannotReport: count((coverage) => getOpposite(coverage.canReport)),
		canReportPercent: toPercent(ableToReportCount, peopleWithEmail.length),
		withoutVerifiedDomain: count((coverage) => getOpposite(coverage.onVerifiedDomain)),
	};
}
