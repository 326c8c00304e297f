/** The records and the expected rows that the check of example 25 works with. */
import { DateTime } from 'luxon';

import { calculateCustomerCoverage, calculateCustomerRisk, type Period } from '../../cases/humanRiskExpectation';
import { SIMULATORS } from '../../stand-in/profile';
import type { Company } from '../../stand-in/seed';
import { parseAttachments } from './mailbox';
import type { ExampleContext } from './registerCheck';

export const UNMEASURED = 'not measured';
/** n8n's time zone, which the workflow uses. */
const TIMEZONE = 'America/New_York';
const DAY_MS = 86_400_000;

/** Returns the time some days ago. */
const getPastTime = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();

/** Moves simulations and trainings of each customer into the last three months and into the three months before. */
export function prepareRecords({ service: { world } }: ExampleContext, customers: Company[]): void {
	for (const [index, company] of customers.entries()) {
		const companyData = world.getCompanyData(company.companyResourceId);
		for (const simulator of SIMULATORS) {
			const [campaign, earlierCampaign] = companyData.getCampaigns(simulator);
			if (campaign) campaign.createTime = getPastTime(20 + (index % 30));
			if (earlierCampaign) earlierCampaign.createTime = getPastTime(130);
			// Some people get no simulation.
			for (const { userResourceIds } of [campaign, earlierCampaign].flatMap((entry) => entry ?? []))
				userResourceIds.splice(0, index % 4);
		}
		for (const [position, enrollment] of companyData.enrollments.entries())
			Object.assign(enrollment, { startDate: getPastTime(40), dueDate: getPastTime(position === 0 ? -10 : 5) });
		const [first, second] = companyData.users;
		if (index % 5 === 1 && first) first.email = '';
		if (index % 5 === 2 && second) world.addNote(second.resourceId, { isActive: false });
	}
}

/** Moves all simulations of a customer before the two periods that are compared. */
export function removeSimulations({ service: { world } }: ExampleContext, company: Company): void {
	const companyData = world.getCompanyData(company.companyResourceId);
	for (const campaign of SIMULATORS.flatMap((simulator) => companyData.getCampaigns(simulator)))
		campaign.createTime = getPastTime(400);
}

/** Returns the last three months and the period of the same length before. */
function getPeriods(): { period: Period; previousPeriod: Period } {
	const now = DateTime.now().setZone(TIMEZONE);
	const period = { from: now.minus({ months: 3 }).startOf('day').toMillis(), until: now.toMillis() };
	return { period, previousPeriod: { from: 2 * period.from - period.until, until: period.from } };
}

const round = (value: number): number => Math.round(value * 10) / 10;
const formatPeople = (count: number) => `${count} ${count === 1 ? 'person' : 'people'}`;
const writeIf = (count: number, sentence: string): string[] => (count > 0 ? [sentence] : []);

/** Writes the first sentence of the reason. */
function describeSimulations(
	{ people, withoutEmail }: ReturnType<typeof calculateCustomerCoverage>,
	{ failed, received }: ReturnType<typeof calculateCustomerRisk>,
	worstText: string,
): string {
	if (people === 0) return 'The customer has no active people.';
	if (people === withoutEmail) return 'No active person has an email address.';
	if (received === 0) return 'No simulation was sent in the period.';
	return `${failed} of ${received} simulations failed${worstText}.`;
}

/** Calculates the row of a customer from the data of the service. It has neither the place nor the next steps. */
export function calculateRow({ service: { world } }: ExampleContext, company: Company) {
	const { period, previousPeriod } = getPeriods();
	const risk = calculateCustomerRisk(world, company, period, TIMEZONE);
	const previousRisk = calculateCustomerRisk(world, company, previousPeriod, TIMEZONE);
	const coverage = calculateCustomerCoverage(world, company, period);
	const change =
		risk.riskPercent === null || previousRisk.riskPercent === null
			? null
			: round(risk.riskPercent - previousRisk.riskPercent);
	const values: Record<string, unknown> = { ...risk };
	const show = (value: unknown) => value ?? UNMEASURED;
	const kinds = { phishing: 'emails', quishing: 'QR codes', smishing: 'text messages' };
	const [worstKind] = Object.entries(kinds)
		.map(([kind, name]) => ({ name, percent: Number(values[`${kind}FailedPercent`] ?? 0) }))
		.filter(({ percent }) => percent > Number(risk.failedPercent))
		.sort((first, second) => second.percent - first.percent);
	const worstText = worstKind ? `, most often with ${worstKind.name} (${worstKind.percent} %)` : '';
	const sentences = [
		describeSimulations(coverage, risk, worstText),
		...writeIf(change ?? 0, `The risk rose by ${change} ${change === 1 ? 'point' : 'points'}.`),
		...writeIf(risk.repeatOffenders, `${formatPeople(risk.repeatOffenders)} failed repeatedly.`),
		...writeIf(
			risk.peopleOverdue,
			`${formatPeople(risk.peopleOverdue)} ${risk.peopleOverdue === 1 ? 'has' : 'have'} an overdue training.`,
		),
		...writeIf(risk.received && coverage.notSimulated, `${formatPeople(coverage.notSimulated)} got no simulation.`),
		...writeIf(coverage.notEnrolled, `${formatPeople(coverage.notEnrolled)} got no training.`),
		...writeIf(coverage.cannotReport, `${formatPeople(coverage.cannotReport)} can't report emails.`),
		...writeIf(
			coverage.withoutEmail === coverage.people ? 0 : coverage.withoutEmail,
			`${formatPeople(coverage.withoutEmail)} ${coverage.withoutEmail === 1 ? 'has' : 'have'} no email address.`,
		),
	];
	return {
		Customer: company.companyName,
		Why: sentences.join(' '),
		'Risk %': show(risk.riskPercent),
		'Risk % before': show(previousRisk.riskPercent),
		'Change in points': show(change),
		Simulations: risk.received,
		Failed: risk.failed,
		'Failed emails %': show(values.phishingFailedPercent),
		'Failed QR codes %': show(values.quishingFailedPercent),
		'Failed text messages %': show(values.smishingFailedPercent),
		'Reported %': show(risk.reportedPercent),
		'Median minutes to report': show(risk.medianMinutesToReport),
		'Repeat offenders': risk.repeatOffenders,
		'People overdue': risk.peopleOverdue,
		People: coverage.people,
		'Without email': coverage.withoutEmail,
		'Enrolled %': show(coverage.enrolledPercent),
		'Finished %': show(coverage.finishedPercent),
		'Simulated %': show(coverage.simulatedPercent),
		'Can report %': show(coverage.canReportPercent),
		'Not enrolled': coverage.notEnrolled,
		'Never enrolled': show(coverage.neverEnrolled),
		'Not simulated': coverage.notSimulated,
		'Never simulated': show(coverage.neverSimulated),
		"Can't report": coverage.cannotReport,
		'Without verified domain': coverage.withoutVerifiedDomain,
		'Customer ID': company.companyResourceId,
	};
}

/** Returns the page and the sheet that are attached to an email. */
export function parsePortfolio(email: string) {
	const attachments = parseAttachments(email);
	return {
		to: /^To: (.*)$/m.exec(email)?.[1]?.trim(),
		files: attachments.map(({ name }) => name),
		page: attachments.find(({ name }) => name.endsWith('.html'))?.content.toString() ?? '',
		sheet: attachments.find(({ name }) => name.endsWith('.xlsx'))?.content ?? Buffer.from(''),
	};
}

const removeTags = (html: string): string => html.replace(/<[^>]*>/g, ' ').trim();

/** Reads the text of each cell of the page's table. @returns a list for each customer */
export const readPageRows = (page: string): string[][] =>
	[...page.matchAll(/<tr><td class="place">.*?<\/tr>/g)].map(([row]) =>
		[...row.matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, cell = '']) => removeTags(cell).replace(/\s+/g, ' ')),
	);

/** Reads the numbers and notes of the page's tiles. */
export const readTiles = (page: string): string[][] =>
	[
		...page.matchAll(/<div class="what">(.*?)<\/div><div class="value">(.*?)<\/div><div class="note">(.*?)<\/div>/g),
	].map(([, ...texts]) => texts);
