/**
 * Calculates the coverage and the risk of a customer from the data of the stand-in, without any code of the nodes. A person whose email
 * address is empty has no figures. Tests change the data so that nothing else is unknown.
 */
import { DateTime } from 'luxon';
import type { World } from '../stand-in';
import { SIMULATORS, type Simulator } from '../stand-in/profile';
import { getJobPeople, getSentTime, type JobPerson } from '../stand-in/routes/campaign-people';
import { listProgress } from '../stand-in/routes/training-report-lists';
import type { Company, TargetUser } from '../stand-in/seed';

/** A period in ms since 1970, without its end. */
export interface Period {
	from: number;
	until: number;
}

/** A simulation that a person got. */
interface ExpectedSimulation {
	simulator: Simulator;
	campaignName: string;
	sentMs: number;
	clicked: boolean;
	submitted: boolean;
	attachmentOpened: boolean;
	reported: boolean;
	/** The time of the most serious action; NaN without one. */
	failedMs: number;
	minutesToReport: number | undefined;
	minutesToClick: number | undefined;
}

/** The facts about one person. */
export interface ExpectedPerson {
	user: TargetUser;
	simulations: ExpectedSimulation[];
	trainings: Array<{ name: string; isFinished: boolean; dueDate: string | null }>;
	addInSeenMs: number | undefined;
	isOnVerifiedDomain: boolean;
}

const toKey = (email: string): string => email.trim().toLowerCase();
const round = (value: number): number => Math.round(value * 10) / 10;
export const toPercent = (part: number, whole: number): number | null =>
	whole === 0 ? null : round((part / whole) * 100);

export function findExpectedMedian(values: number[]): number | null {
	const sorted = values.toSorted((first, second) => first - second);
	const { length } = sorted;
	if (length === 0) return null;
	const half = Math.floor(length / 2);
	return round(length % 2 === 1 ? (sorted[half] ?? 0) : ((sorted[half - 1] ?? 0) + (sorted[half] ?? 0)) / 2);
}

/** Describes one person in a job. The actions of bots don't count, if no action is a human's. */
function describeSimulation(
	simulator: Simulator,
	campaignName: string,
	{ activities, lastSentTime }: JobPerson,
): ExpectedSimulation {
	const visibleActions = [...activities.opened, ...activities.clicked, ...activities.submitted];
	const isBot = visibleActions.length > 0 && visibleActions.every((action) => action.isBot);
	const sentMs = Date.parse(lastSentTime);
	// Only rows of phishing show attachments.
	const attachments = isBot || simulator !== 'phishing' ? [] : activities.attachmentOpened;
	const clicks = isBot ? [] : activities.clicked;
	const submits = isBot ? [] : activities.submitted;
	const findLastMs = (list: ReadonlyArray<{ time: string }>) => Date.parse(list.at(-1)?.time ?? '');
	const failedMs = [submits, attachments, clicks].map(findLastMs).find((ms) => !Number.isNaN(ms)) ?? NaN;
	const getMinutes = (list: ReadonlyArray<{ time: string }>) =>
		list.length === 1 && findLastMs(list) >= sentMs ? Math.round((findLastMs(list) - sentMs) / 60_000) : undefined;
	return {
		simulator,
		campaignName,
		sentMs,
		clicked: clicks.length > 0,
		submitted: submits.length > 0,
		attachmentOpened: attachments.length > 0,
		reported: activities.reported.length > 0,
		failedMs,
		// A text message has no time of the report.
		minutesToReport: simulator === 'smishing' ? undefined : getMinutes(activities.reported),
		minutesToClick: getMinutes(clicks),
	};
}

/** Describes the active people of a customer in a period, in the order of their records. */
export function describePeople(world: World, company: Company, { from, until }: Period): ExpectedPerson[] {
	const data = world.getCompanyData(company.companyResourceId);
	const isInPeriod = (time: string) => Date.parse(time) >= from && Date.parse(time) < until;
	const jobs = SIMULATORS.flatMap((simulator) => data.getCampaigns(simulator)).flatMap((campaign) =>
		campaign.status === 'Scheduled' || campaign.excludeFromReports
			? []
			: campaign.instanceGroups
					.filter((group) => isInPeriod(getSentTime(campaign, group)))
					.map((group) => ({ campaign, people: getJobPeople(world, campaign, group) })),
	);
	const enrollments = data.enrollments
		.filter(({ markedAsTest, excludeFromReports, type }) => !markedAsTest && !excludeFromReports && type !== 'Survey')
		.map((enrollment) => ({ enrollment, people: listProgress(world, enrollment) }));
	const verifiedDomains = data.allowedDomains.filter(({ verifyTime }) => verifyTime).map(({ domain }) => toKey(domain));
	return data.users
		.filter(({ resourceId }) => world.getNotes(resourceId).isActive !== false)
		.map((user): ExpectedPerson => {
			const isSame = ({ email }: { email: string }) => toKey(email) === toKey(user.email) && user.email !== '';
			return {
				user,
				simulations: jobs.flatMap(({ campaign: { simulator, name }, people }) =>
					people.filter((person) => isSame(person.user)).map((person) => describeSimulation(simulator, name, person)),
				),
				trainings: enrollments.flatMap(({ enrollment: { name, startDate, dueDate }, people }) =>
					people
						.filter((progress) => isSame(progress.user))
						// A person who was added in the period to an older enrollment counts, too.
						.filter(({ sentTime }) => isInPeriod(startDate) || isInPeriod(sentTime))
						.map(({ status }) => ({
							name,
							isFinished: status === 'Completed',
							dueDate: isInPeriod(startDate) ? dueDate : null,
						})),
				),
				addInSeenMs: data.reporters
					.filter(isSame)
					.map(({ lastSeen }) => Date.parse(lastSeen ?? ''))
					.sort((first, second) => second - first)[0],
				isOnVerifiedDomain: verifiedDomains.includes(toKey(user.email).split('@')[1] ?? ''),
			};
		});
}

/** The start of the first campaign job and of the first enrollment, in ms since 1970, including tests. A survey is no training. */
export function findFirstRecords(world: World, company: Company) {
	const data = world.getCompanyData(company.companyResourceId);
	const jobTimes = SIMULATORS.flatMap((simulator) => data.getCampaigns(simulator))
		.filter(({ status }) => status !== 'Scheduled')
		.flatMap((campaign) => campaign.instanceGroups.map((group) => Date.parse(getSentTime(campaign, group))));
	return {
		jobMs: Math.min(...jobTimes),
		enrollmentMs: Math.min(
			...data.enrollments.filter(({ type }) => type !== 'Survey').map(({ startDate }) => Date.parse(startDate)),
		),
	};
}

const MS_PER_DAY = 86_400_000;
const hasEmail = ({ user }: ExpectedPerson) => user.email !== '';
export const hasFailed = ({ failedMs }: ExpectedSimulation) => !Number.isNaN(failedMs);
export const isOverdue = ({ isFinished, dueDate }: ExpectedPerson['trainings'][number]) =>
	!isFinished && dueDate !== null && Date.parse(dueDate) < Date.now();

/** Calculates the item of *Get coverage by customer*, without the comparison. */
export function calculateCustomerCoverage(world: World, company: Company, period: Period) {
	const people = describePeople(world, company, period);
	const counted = people.filter(hasEmail);
	const first = findFirstRecords(world, company);
	const count = (isCounted: (person: ExpectedPerson) => boolean) => counted.filter(isCounted).length;
	const enrolled = count(({ trainings }) => trainings.length > 0);
	const finished = count(({ trainings }) => trainings.length > 0 && trainings.every(({ isFinished }) => isFinished));
	const simulated = count(({ simulations }) => simulations.length > 0);
	const canReport = count(({ addInSeenMs = 0 }) => addInSeenMs >= Date.now() - 30 * MS_PER_DAY);
	const total = counted.length;
	const hasNever = (gap: number, firstMs: number) => (gap === 0 || period.from <= firstMs ? gap : null);
	const countKind = (kind: Simulator) => count(({ simulations }) => simulations.some((row) => row.simulator === kind));
	return {
		people: people.length,
		withoutEmail: people.length - total,
		enrolled,
		notEnrolled: total - enrolled,
		neverEnrolled: hasNever(total - enrolled, first.enrollmentMs),
		finished,
		enrolledPercent: toPercent(enrolled, total),
		finishedPercent: toPercent(finished, enrolled),
		simulated,
		notSimulated: total - simulated,
		neverSimulated: hasNever(total - simulated, first.jobMs),
		simulatedPercent: toPercent(simulated, total),
		phishingSimulated: countKind('phishing'),
		quishingSimulated: countKind('quishing'),
		smishingSimulated: countKind('smishing'),
		canReport,
		cannotReport: total - canReport,
		canReportPercent: toPercent(canReport, total),
		withoutVerifiedDomain: count(({ isOnVerifiedDomain }) => !isOnVerifiedDomain),
	};
}

/**
 * Calculates the percentages of the period before, with which *Get coverage by customer* compares. They are null if the customer's first
 * record is later than that period.
 */
export function calculatePreviousCoverage(world: World, company: Company, previousPeriod: Period) {
	const first = findFirstRecords(world, company);
	const coverage = calculateCustomerCoverage(world, company, previousPeriod);
	const hideIfEarlier = (percent: number | null, firstMs: number) => (firstMs >= previousPeriod.until ? null : percent);
	return {
		enrolledPercent: hideIfEarlier(coverage.enrolledPercent, first.enrollmentMs),
		finishedPercent: hideIfEarlier(coverage.finishedPercent, first.enrollmentMs),
		simulatedPercent: hideIfEarlier(coverage.simulatedPercent, first.jobMs),
	};
}

/** Calculates the item of *Get coverage by person*, without the texts. A person without an email address has no figures. */
export function calculatePersonCoverage(
	person: ExpectedPerson,
	period: Period,
	first: { jobMs: number; enrollmentMs: number },
) {
	const { user, simulations, trainings, addInSeenMs } = person;
	const { email, firstName, lastName, department, resourceId } = user;
	const hideIfUnknown = <T>(value: T): T | null => (hasEmail(person) ? value : null);
	const finishedCount = trainings.filter(({ isFinished }) => isFinished).length;
	const countKind = (kind: Simulator) => hideIfUnknown(simulations.filter((row) => row.simulator === kind).length);
	const lastMs = Math.max(...simulations.map(({ sentMs }) => sentMs));
	const isNever = (hasRecord: boolean, firstMs: number) => {
		if (hasRecord) return false;
		return period.from <= firstMs ? true : null;
	};
	return {
		email: email === '' ? null : email,
		firstName,
		lastName,
		department,
		enrolled: hideIfUnknown(trainings.length > 0),
		finished: hideIfUnknown(trainings.length === 0 ? null : finishedCount === trainings.length),
		neverEnrolled: hideIfUnknown(isNever(trainings.length > 0, first.enrollmentMs)),
		enrollments: hideIfUnknown(trainings.length),
		enrollmentsFinished: hideIfUnknown(finishedCount),
		simulated: hideIfUnknown(simulations.length > 0),
		neverSimulated: hideIfUnknown(isNever(simulations.length > 0, first.jobMs)),
		simulations: hideIfUnknown(simulations.length),
		phishingSimulations: countKind('phishing'),
		quishingSimulations: countKind('quishing'),
		smishingSimulations: countKind('smishing'),
		lastSimulationTime: simulations.length === 0 ? null : new Date(lastMs).toISOString(),
		canReport: hideIfUnknown((addInSeenMs ?? 0) >= Date.now() - 30 * MS_PER_DAY),
		lastReporterSeen: addInSeenMs === undefined ? null : new Date(addInSeenMs).toISOString(),
		onVerifiedDomain: hideIfUnknown(person.isOnVerifiedDomain),
		targetUserResourceId: resourceId,
	};
}

/** The numbers of people's simulations together. */
export function sumSimulations(people: ExpectedPerson[]) {
	const simulations = people.flatMap((person) => person.simulations);
	const count = (isCounted: (simulation: ExpectedSimulation) => boolean) => simulations.filter(isCounted).length;
	const received = simulations.length;
	const reported = count((simulation) => simulation.reported);
	const kinds = ['phishing', 'quishing', 'smishing'] as const;
	const kindColumns = kinds.flatMap((kind): Array<[string, number | null]> => {
		const kindReceived = count(({ simulator }) => simulator === kind);
		const kindFailed = count((simulation) => simulation.simulator === kind && hasFailed(simulation));
		return [
			[`${kind}Received`, kindReceived],
			[`${kind}Failed`, kindFailed],
			[`${kind}FailedPercent`, toPercent(kindFailed, kindReceived)],
		];
	});
	return {
		received,
		failed: count(hasFailed),
		clicked: count(({ clicked }) => clicked),
		submitted: count(({ submitted }) => submitted),
		attachmentOpened: count(({ attachmentOpened }) => attachmentOpened),
		reported,
		reportedPercent: toPercent(reported, received),
		...Object.fromEntries(kindColumns),
		medianMinutesToReport: findExpectedMedian(simulations.flatMap(({ minutesToReport }) => minutesToReport ?? [])),
		medianMinutesToClick: findExpectedMedian(simulations.flatMap(({ minutesToClick }) => minutesToClick ?? [])),
	};
}

/** Finds out if a person failed two simulations in the three months before the end of the period. */
export function isRepeatOffender({ simulations }: ExpectedPerson, { until }: Period, timezone: string): boolean {
	const startMs = DateTime.fromMillis(until, { zone: timezone }).minus({ months: 3 }).toMillis();
	return simulations.filter(({ failedMs }) => failedMs >= startMs).length >= 2;
}

const ACTION_TEXTS = [
	['submitted', 'Submitted data through'],
	['attachmentOpened', 'Opened the attachment of'],
	['clicked', 'Clicked in'],
] as const;
const MESSAGES = { phishing: 'the email', quishing: 'the QR code', smishing: 'the text message' };

/** Writes the reasons of a person. */
export function writeReasons({ simulations, trainings }: ExpectedPerson, timezone: string): string[] {
	const formatDay = (ms: number) =>
		new Intl.DateTimeFormat('en-CA', { timeZone: timezone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
			ms,
		);
	const failures = simulations.filter(hasFailed).map((simulation) => {
		const [action, usualText] = ACTION_TEXTS.find(([name]) => simulation[name]) ?? ['', ''];
		const text = action === 'clicked' && simulation.simulator === 'quishing' ? 'Scanned' : usualText;
		const { failedMs, campaignName, simulator } = simulation;
		return { ms: failedMs, text: `${text} ${MESSAGES[simulator]} "${campaignName}" on ${formatDay(failedMs)}.` };
	});
	const overdue = trainings.filter(isOverdue).map(({ name, dueDate }) => {
		const ms = Date.parse(dueDate ?? '');
		return { ms, text: `Has not finished "${name}", which was due on ${formatDay(ms)}.` };
	});
	return [...failures, ...overdue]
		.sort((first, second) => second.ms - first.ms || (first.text < second.text ? -1 : 1))
		.slice(0, 10)
		.map(({ text }) => text);
}

/** Calculates the item of *Get risk by person* with the default weights. */
export function calculatePersonRisk(person: ExpectedPerson, period: Period, timezone: string) {
	const { email, firstName, lastName, department, resourceId } = person.user;
	const sums = sumSimulations([person]);
	const failedTimes = person.simulations.filter(hasFailed).map(({ failedMs }) => failedMs);
	return {
		email,
		firstName,
		lastName,
		department,
		riskPercent: toPercent(sums.failed, sums.received),
		reasons: writeReasons(person, timezone),
		...sums,
		repeatOffender: isRepeatOffender(person, period, timezone),
		overdueTrainings: person.trainings.filter(isOverdue).length,
		lastFailedTime: failedTimes.length === 0 ? null : new Date(Math.max(...failedTimes)).toISOString(),
		targetUserResourceId: resourceId,
	};
}

/** Calculates the item of *Get risk by customer* with the default weights, without the comparison, the rank and the texts. */
export function calculateCustomerRisk(world: World, company: Company, period: Period, timezone: string) {
	const people = describePeople(world, company, period);
	const counted = people.filter(hasEmail);
	const sums = sumSimulations(counted);
	const count = (isCounted: (person: ExpectedPerson) => boolean) => counted.filter(isCounted).length;
	const simulated = count(({ simulations }) => simulations.length > 0);
	const peopleFailed = count(({ simulations }) => simulations.some(hasFailed));
	return {
		people: people.length,
		riskPercent: toPercent(sums.failed, sums.received),
		...sums,
		failedPercent: toPercent(sums.failed, sums.received),
		peopleFailed,
		peopleFailedPercent: toPercent(peopleFailed, simulated),
		repeatOffenders: count((person) => isRepeatOffender(person, period, timezone)),
		overdueTrainings: counted.flatMap(({ trainings }) => trainings.filter(isOverdue)).length,
		peopleOverdue: count(({ trainings }) => trainings.some(isOverdue)),
		notSimulated: counted.length - simulated,
		notEnrolled: count(({ trainings }) => trainings.length === 0),
	};
}
