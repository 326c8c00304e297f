/** Calculates the figures of a review from the data of the service, and reads them from the document. */
import { DateTime } from 'luxon';

import {
	calculateCustomerCoverage,
	calculateCustomerRisk,
	calculatePersonRisk,
	describePeople,
	type Period,
} from '../../cases/humanRiskExpectation';
import { getJobPeople } from '../../stand-in/routes/campaign-people';
import type { Company } from '../../stand-in/seed';
import type { ExampleContext } from './registerCheck';
import { QUARTER_NAME } from './reviews';

type World = ExampleContext['service']['world'];

/** n8n's time zone, which the workflow uses. */
const TIMEZONE = 'America/New_York';
const QUARTER = DateTime.fromFormat(QUARTER_NAME, "yyyy-'Q'q", { zone: TIMEZONE });
const PERIOD: Period = { from: QUARTER.toMillis(), until: QUARTER.plus({ quarters: 1 }).toMillis() };
const PREVIOUS_PERIOD: Period = { from: 2 * PERIOD.from - PERIOD.until, until: PERIOD.from };
const UNMEASURED = 'not measured';
const KINDS = ['phishing', 'quishing', 'smishing'] as const;

const round = (value: number): number => Math.round(value * 10) / 10;
const show = (value: unknown): string => String(value ?? UNMEASURED);
const removeTags = (html: string): string =>
	html
		.replace(/<[^>]*>/g, ' ')
		.replace(/&#(\d+);/g, (_all, code: string) => String.fromCodePoint(Number(code)))
		.replace(/\s+/g, ' ')
		.trim();

const calculateRisk = (world: World, company: Company, period = PERIOD) => {
	const risk = calculateCustomerRisk(world, company, period, TIMEZONE);
	return { ...risk, values: { ...risk } as Record<string, number | null> };
};

/** Formats the trend of a percentage as the tiles do. */
function formatTrend(current: number | null, before: number | null): string {
	if (current === null || before === null) return 'trend not measured';
	const change = round(current - before);
	if (change === 0) return 'as before';
	return `${change > 0 ? '▲' : '▼'} ${Math.abs(change)} points, was ${before} %`;
}

/**
 * Calculates all texts with figures of a customer's review.
 * @param rankedCompanies the customers of the run, whose risks are compared
 */
export function calculateReview({ service: { world } }: ExampleContext, company: Company, rankedCompanies: Company[]) {
	const risk = calculateRisk(world, company);
	const before = calculateRisk(world, company, PREVIOUS_PERIOD);
	const coverage = calculateCustomerCoverage(world, company, PERIOD);
	const risks = rankedCompanies
		.map((rankedCompany) => calculateRisk(world, rankedCompany))
		.filter(({ riskPercent }) => riskPercent !== null);
	const lowerCount = risks.filter(({ riskPercent }) => Number(riskPercent) < Number(risk.riskPercent)).length;
	const buildTile = (value: number | null, unit: string, trend: string[], note: string) =>
		value === null ? [UNMEASURED, ...trend] : [`${value} ${unit}`, ...trend, note];
	const sum = (column: string) => risks.reduce((total, { values }) => total + Number(values[column]), 0);
	const getBars = (column: string, receivedColumn: string, values: Array<number | null>) => {
		const all = sum(receivedColumn) === 0 ? null : (100 * sum(column)) / sum(receivedColumn);
		return [...values, all].map((value) => (value === null ? '–' : String(Math.round(value))));
	};
	const formatCount = (count: number, text: string) => `${count} ${count === 1 ? 'person' : 'people'} ${text}.`;
	return {
		tiles: [
			[
				'Risk',
				...buildTile(
					risk.riskPercent,
					'%',
					[formatTrend(risk.riskPercent, before.riskPercent)],
					`${risk.failed} of ${risk.received} simulations failed`,
				),
			],
			[
				'Reported',
				...buildTile(
					risk.reportedPercent,
					'%',
					[formatTrend(risk.reportedPercent, before.reportedPercent)],
					`${risk.reported} of ${risk.received} simulations`,
				),
			],
			['Time to report', ...buildTile(risk.medianMinutesToReport, 'min', [], 'half of the reports were faster')],
			[
				'Trainings finished',
				...buildTile(coverage.finishedPercent, '%', [], `${coverage.finished} of ${coverage.enrolled} people`),
			],
		].map((texts) => texts.join(' ')),
		rank:
			risk.riskPercent === null
				? 'Not measured. A rank needs a risk at five or more companies.'
				: `Rank ${lowerCount + 1} of ${risks.length} companies. Rank 1 has the lowest risk.`,
		quartile: risk.riskPercent === null ? 0 : Math.ceil((4 * (lowerCount + 1)) / risks.length),
		bars: [
			...getBars('failed', 'received', [before.failedPercent, risk.failedPercent]),
			...getBars('reported', 'received', [before.reportedPercent, risk.reportedPercent]),
			...KINDS.flatMap((kind) =>
				getBars(`${kind}Failed`, `${kind}Received`, [risk.values[`${kind}FailedPercent`] ?? null]),
			),
		],
		kinds: KINDS.map((kind, index) =>
			[
				['Emails', 'QR codes', 'Text messages'][index],
				...['Received', 'Failed', 'FailedPercent'].map((column) => show(risk.values[kind + column])),
			].join(' '),
		),
		actions: `Clicked or scanned: ${risk.clicked}. Submitted data: ${risk.submitted}. Opened an attachment: ${risk.attachmentOpened}. Reported: ${risk.reported}. Minutes to the first click: ${show(risk.medianMinutesToClick)} (median). Minutes to the report: ${show(risk.medianMinutesToReport)} (median).`,
		coverage: [
			['Enrolled in a training', coverage.enrolledPercent, coverage.notEnrolled],
			['Got a simulation', coverage.simulatedPercent, coverage.notSimulated],
			['Have the button to report emails', coverage.canReportPercent, coverage.cannotReport],
		]
			.map(([title, percent, missing]) => `${title} ${percent === null ? UNMEASURED : `${percent} %`} ${missing}`)
			.concat(
				`Have an address on a verified domain ${coverage.withoutVerifiedDomain}`,
				`Active people without an email address ${coverage.withoutEmail}`,
			),
		risk: [
			formatCount(risk.peopleFailed, 'failed at least one simulation'),
			formatCount(risk.repeatOffenders, 'failed 2 or more'),
			formatCount(risk.peopleOverdue, 'had an overdue training when this review was made'),
		].join(' '),
		simulations: listSimulations(world, company),
		people: listPeopleAtRisk(world, company),
	};
}

/** Lists the people with a reason, as the review shows them, sorted as text. The review shows the twelve people with the highest risk. */
function listPeopleAtRisk(world: World, company: Company): string[] {
	return describePeople(world, company, PERIOD)
		.filter(({ user }) => user.email !== '')
		.map((person) => calculatePersonRisk(person, PERIOD, TIMEZONE))
		.filter(({ reasons }) => reasons.length > 0)
		.map(({ firstName, lastName, email, failed, received, reasons }) => {
			const more = reasons.length > 3 ? ` And ${reasons.length - 3} more.` : '';
			return `${firstName.trim()} ${lastName} ${email} ${failed} of ${received} ${reasons.slice(0, 3).join(' ')}${more}`.replace(
				/\s+/g,
				' ',
			);
		});
}

/** Lists the phishing simulation of the quarter with its actions, one text for each job. */
function listSimulations(world: World, company: Company): string[] {
	const [campaign] = world.getCompanyData(company.companyResourceId).getCampaigns('phishing');
	if (!campaign) return [];
	return campaign.instanceGroups.map((group) => {
		const people = getJobPeople(world, campaign, group).map(({ activities }) => activities);
		const counts = (['opened', 'clicked', 'submitted', 'reported'] as const).map(
			(action) => people.filter((activities) => activities[action].some(({ isBot }) => !isBot)).length,
		);
		return [people.length, ...counts].join(' ');
	});
}

/** Reads the texts with figures from a review. */
export function readReview(html: string) {
	const readAll = (pattern: RegExp, text = html) =>
		[...text.matchAll(pattern)].map(([, part = '']) => removeTags(part));
	const [, kindsTable = ''] = /<h3>What people did<\/h3>(.*?)<\/table>/s.exec(html) ?? [];
	const [, simulationsTable = ''] = /<th>Simulation<\/th>(.*?)<\/table>/s.exec(html) ?? [];
	const [, coverageTable = ''] = /<table class="coverage">(.*?)<\/table>/s.exec(html) ?? [];
	const [, chart = ''] = /<svg class="chart"(.*?)<\/svg>/s.exec(html) ?? [];
	const [, peopleTable = ''] = /<table class="people">(.*?)<\/table>/s.exec(html) ?? [];
	const [, riskSection = ''] = /<h2>People at risk<\/h2>(.*?)<\/p>/s.exec(html) ?? [];
	const rowPattern = /(<tr><td.*?<\/tr>)/g;
	return {
		tiles: readAll(/(<div class="tile">.*?<\/div><\/div>)/g),
		rank: readAll(/<p(?: class="none")?>(Rank \d.*?|Not measured\. A rank.*?)<\/p>/g).join(' '),
		quartile: readAll(/<div class="(here)?">(?:Lowest|Lower|Higher|Highest) risk/g).indexOf('here') + 1,
		bars: readAll(/<text class="(?:number|none)"[^>]*>(.*?)<\/text>/g, chart),
		kinds: readAll(rowPattern, kindsTable),
		actions: readAll(/<p class="others">(Clicked or scanned.*?)<\/p>/g).join(' '),
		coverage: readAll(rowPattern, coverageTable),
		risk: removeTags(riskSection),
		simulations: readAll(rowPattern, simulationsTable).map((row) => (/(\d+(?: \d+){4})$/.exec(row) ?? [])[1] ?? row),
		people: readAll(rowPattern, peopleTable),
	};
}
