/** Calculates what the files of an evidence pack must contain, from the data of the stand-in and without any code of the nodes. */
import { DateTime } from 'luxon';

import {
	calculateCustomerCoverage,
	calculateCustomerRisk,
	calculatePersonCoverage,
	calculatePreviousCoverage,
	describePeople,
	findFirstRecords,
	type Period,
} from '../../cases/humanRiskExpectation';
import { SIMULATORS } from '../../stand-in/profile';
import { getJobPeople, getSentTime, type UserAction } from '../../stand-in/routes/campaign-people';
import { listProgress } from '../../stand-in/routes/training-report-lists';
import type { Company } from '../../stand-in/seed';
import { formatDay, TIME_ZONE } from './readDay';
import type { ExampleContext } from './registerCheck';

type World = ExampleContext['service']['world'];
/** The first and the last day of a period. */
export interface Days {
	from: string;
	to: string;
}
/** The figures of a customer by name. A figure is null if it can't be measured. */
export type Figures = Record<string, number | null>;

/** Converts the days of a period to times. */
export const readPeriod = ({ from, to }: Days): Period => ({
	from: DateTime.fromISO(from, { zone: TIME_ZONE }).toMillis(),
	until: DateTime.fromISO(to, { zone: TIME_ZONE }).plus({ days: 1 }).toMillis(),
});

const COMPARED = ['enrolledPercent', 'finishedPercent', 'simulatedPercent', 'failedPercent', 'reportedPercent'];

/** Calculates the figures of a customer for one period. Without any add-in, the platform doesn't show who can report. */
function calculateFigures(world: World, company: Company, period: Period): Figures {
	const { reporters } = world.getCompanyData(company.companyResourceId);
	const unknown = reporters.length === 0 ? { canReport: null, cannotReport: null, canReportPercent: null } : {};
	const figures: Figures = {
		...calculateCustomerRisk(world, company, period, TIME_ZONE),
		...calculateCustomerCoverage(world, company, period),
		...unknown,
	};
	return figures;
}

/** Calculates the figures of a customer, with the percentages of the period before. */
export function calculateComparedFigures(world: World, company: Company, days: Days): Figures {
	const period = readPeriod(days);
	const figures = calculateFigures(world, company, period);
	const previousPeriod = { from: period.from - (period.until - period.from), until: period.from };
	const previousFigures: Figures = {
		...calculateFigures(world, company, previousPeriod),
		...calculatePreviousCoverage(world, company, previousPeriod),
	};
	for (const name of COMPARED) {
		const before = previousFigures[name] ?? null;
		const now = figures[name] ?? null;
		figures[`${name}Before`] = before;
		figures[`${name}Change`] = now === null || before === null ? null : Math.round((now - before) * 10) / 10;
	}
	return figures;
}

const NOT_MEASURED = 'not measured';
/** Formats a figure as the pack shows it. */
export const formatFigure = (figure: number | null | undefined, unit = ''): string =>
	figure === null || figure === undefined ? NOT_MEASURED : `${figure}${unit}`;

/** The titles of the figures in figures.csv, by the name of the figure. */
const FIGURE_TITLES = {
	people: 'Active people',
	withoutEmail: 'Without an email address',
	enrolled: 'Enrolled in a training',
	notEnrolled: 'In no training',
	neverEnrolled: 'Never in a training',
	finished: 'Finished all trainings',
	enrolledPercent: 'Enrolled in %',
	finishedPercent: 'Finished in %',
	simulated: 'Got a simulation',
	notSimulated: 'Got no simulation',
	neverSimulated: 'Never got a simulation',
	simulatedPercent: 'Got a simulation in %',
	phishingSimulated: 'Got a phishing simulation',
	quishingSimulated: 'Got a quishing simulation',
	smishingSimulated: 'Got a smishing simulation',
	canReport: 'Can report',
	cannotReport: 'Cannot report',
	canReportPercent: 'Can report in %',
	withoutVerifiedDomain: 'Not on a verified domain',
	received: 'Simulations received',
	failed: 'Simulations failed',
	failedPercent: 'Failed in %',
	peopleFailed: 'People who failed',
	peopleFailedPercent: 'People who failed in %',
	clicked: 'Clicked',
	submitted: 'Submitted data',
	attachmentOpened: 'Opened the attachment',
	reported: 'Reported',
	reportedPercent: 'Reported in %',
	phishingReceived: 'Phishing received',
	phishingFailed: 'Phishing failed',
	phishingFailedPercent: 'Phishing failed in %',
	quishingReceived: 'Quishing received',
	quishingFailed: 'Quishing failed',
	quishingFailedPercent: 'Quishing failed in %',
	smishingReceived: 'Smishing received',
	smishingFailed: 'Smishing failed',
	smishingFailedPercent: 'Smishing failed in %',
	repeatOffenders: 'Repeat offenders',
	overdueTrainings: 'Overdue trainings',
	peopleOverdue: 'People with an overdue training',
	medianMinutesToReport: 'Median minutes to report',
	medianMinutesToClick: 'Median minutes to click',
};

/** Builds the rows of figures.csv. */
export const buildFigureRows = (figures: Figures): string[][] =>
	Object.entries(FIGURE_TITLES).map(([name, title]) => {
		const value = formatFigure(figures[name]);
		if (!COMPARED.includes(name)) return [title, value, '', ''];
		return [title, value, formatFigure(figures[`${name}Before`]), formatFigure(figures[`${name}Change`])];
	});

/** Formats the day of a person's last record. The day is empty if the person has no record. */
const formatLastDay = (time: string | null, hasRecord: boolean | null): string =>
	formatDay(time) ?? (hasRecord === false ? '' : NOT_MEASURED);

const formatAnswer = (value: boolean | null): string => {
	if (value === null) return NOT_MEASURED;
	return value ? 'yes' : 'no';
};

/** Builds the rows of coverage.csv, with the gaps of each person in the last column. */
export function buildCoverageRows(world: World, company: Company, days: Days): string[][] {
	const period = readPeriod(days);
	const first = findFirstRecords(world, company);
	const { reporters } = world.getCompanyData(company.companyResourceId);
	return describePeople(world, company, period).map((person) => {
		const coverage = calculatePersonCoverage(person, period, first);
		const canReport = reporters.length === 0 ? null : coverage.canReport;
		const lastSeen = formatDay(coverage.lastReporterSeen) ?? '';
		const gaps = [
			coverage.neverEnrolled === true && 'Was never enrolled in a training.',
			coverage.enrolled === false &&
				coverage.neverEnrolled !== true &&
				`Was not enrolled in a training from ${days.from} to ${days.to}.`,
			coverage.neverSimulated === true && 'Never got a simulation.',
			coverage.simulated === false &&
				coverage.neverSimulated !== true &&
				`Got no simulation from ${days.from} to ${days.to}.`,
			canReport === false &&
				(lastSeen === '' ? 'Has no report add-in.' : `The report add-in was last seen on ${lastSeen}.`),
			coverage.onVerifiedDomain === false && `The domain ${coverage.email?.split('@')[1]} isn't verified.`,
		].filter((gap) => gap !== false);
		return [
			(coverage.email ?? '').toLowerCase(),
			[coverage.firstName, coverage.lastName].filter(Boolean).join(' ').trim().replace(/^=/, "'="),
			coverage.department ?? '',
			formatAnswer(coverage.enrolled),
			formatAnswer(coverage.neverEnrolled),
			formatFigure(coverage.enrollments),
			formatFigure(coverage.enrollmentsFinished),
			coverage.enrolled === false ? '' : formatAnswer(coverage.finished),
			formatAnswer(coverage.simulated),
			formatAnswer(coverage.neverSimulated),
			formatFigure(coverage.simulations),
			formatFigure(coverage.phishingSimulations),
			formatFigure(coverage.quishingSimulations),
			formatFigure(coverage.smishingSimulations),
			formatLastDay(coverage.lastSimulationTime, coverage.simulated),
			formatAnswer(canReport),
			formatLastDay(coverage.lastReporterSeen, canReport),
			formatAnswer(coverage.onVerifiedDomain),
			gaps.join(' '),
		];
	});
}

/** Builds the rows of simulations.csv: everyone in each job of the period, and what humans did. */
export function buildSimulationRows(world: World, { companyResourceId: id }: Company, days: Days): string[][] {
	const { from, until } = readPeriod(days);
	return SIMULATORS.flatMap((simulator) =>
		world
			.getCompanyData(id)
			.getCampaigns(simulator)
			.filter(({ status, excludeFromReports }) => status !== 'Scheduled' && !excludeFromReports)
			.flatMap((campaign) =>
				campaign.instanceGroups
					.map((group) => ({ sentTime: getSentTime(campaign, group), people: getJobPeople(world, campaign, group) }))
					.filter(({ sentTime }) => Date.parse(sentTime) >= from && Date.parse(sentTime) < until)
					.map(({ sentTime, people }) => {
						const count = (action: UserAction) =>
							people.filter(({ activities }) => activities[action].some(({ isBot }) => !isBot)).length;
						const kind = simulator[0]?.toUpperCase() + simulator.slice(1);
						// The platform doesn't show who opened a text message.
						const opened = simulator === 'smishing' ? null : count('opened');
						const counts = [people.length, opened, count('clicked'), count('submitted'), count('reported')];
						return [campaign.name, kind, formatDay(sentTime) ?? '', ...counts.map((number) => formatFigure(number))];
					}),
			),
	);
}

/** The people of a training in the period who are still active, with their results. */
export interface ExpectedTraining {
	enrollmentId: string;
	name: string;
	standards: string[];
	due: string;
	people: Array<{ email: string; person: string; isCompleted: boolean; score: number | null }>;
}

/** Lists the trainings that began in the period. */
export function listTrainings(world: World, { companyResourceId: id }: Company, days: Days): ExpectedTraining[] {
	const { from, until } = readPeriod(days);
	const companyData = world.getCompanyData(id);
	return companyData.enrollments
		.filter(({ startDate }) => Date.parse(startDate) >= from && Date.parse(startDate) < until)
		.filter(({ markedAsTest, excludeFromReports }) => !markedAsTest && !excludeFromReports)
		.map((enrollment) => ({
			enrollmentId: enrollment.resourceId,
			name: enrollment.trainingName,
			standards:
				[...world.catalogue, ...companyData.trainings].find(({ trainingId }) => trainingId === enrollment.trainingId)
					?.compliances ?? [],
			due: formatDay(enrollment.dueDate) ?? '',
			people: listProgress(world, enrollment)
				.filter(({ user }) => world.getNotes(user.resourceId).isActive !== false)
				.map(({ user, status, score }) => ({
					email: user.email.toLowerCase(),
					person: `${user.firstName} ${user.lastName}`.trim().replace(/^=/, "'="),
					isCompleted: status === 'Completed',
					score,
				})),
		}));
}
