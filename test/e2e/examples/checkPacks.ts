/** Compares the files of evidence packs with figures that are calculated from the data of the stand-in. */
import { describePeople } from '../../cases/humanRiskExpectation';
import type { Company } from '../../stand-in/seed';
import { hasWrongHashes, parseCsvRows, readHtmlRows, readPack, readTiles, type Pack } from './evidencePack';
import {
	buildCoverageRows,
	buildFigureRows,
	buildSimulationRows,
	calculateComparedFigures,
	formatFigure,
	listTrainings,
	readPeriod,
	type Days,
	type ExpectedTraining,
	type Figures,
} from './evidenceFigures';
import { sortForComparison, type ExampleContext } from './registerCheck';

const PACK_FILE_NAMES = [
	'SHA256SUMS.txt',
	'certificates.csv',
	'coverage.csv',
	'exams.csv',
	'exceptions.csv',
	'figures.csv',
	'frameworks.html',
	'people.csv',
	'simulations.csv',
	'summary.html',
	'trainings.csv',
];

/** The facts about a customer that its pack must contain. */
interface Expectation {
	figures: Figures;
	coverageRows: string[][];
	simulationRows: string[][];
	trainings: ExpectedTraining[];
	certificateCount: number;
}

function buildExpectation({ world }: ExampleContext['service'], company: Company, days: Days): Expectation {
	const companyData = world.getCompanyData(company.companyResourceId);
	const trainings = listTrainings(world, company, days);
	const [firstEnrollment] = companyData.enrollments;
	const hasCertificates =
		firstEnrollment?.status === 'Completed' &&
		trainings.some(({ enrollmentId }) => enrollmentId === firstEnrollment.resourceId);
	return {
		figures: calculateComparedFigures(world, company, days),
		coverageRows: buildCoverageRows(world, company, days),
		simulationRows: buildSimulationRows(world, company, days),
		trainings,
		certificateCount: hasCertificates ? companyData.getGroupMembers(firstEnrollment.targetGroupResourceIds).length : 0,
	};
}

// In the stand-in, an exam is passed with 60 points. A person without a score has no result.
const hasPassed = ({ score }: ExpectedTraining['people'][number]) => score !== null && score >= 60;
const hasFailed = ({ score }: ExpectedTraining['people'][number]) => score !== null && score < 60;
const countPeople = (
	trainings: ExpectedTraining[],
	isCounted: (person: ExpectedTraining['people'][number]) => boolean = () => true,
) => trainings.flatMap(({ people }) => people).filter(isCounted).length;
// The due dates of all trainings of the period are over.
const isOverdue = ({ isCompleted }: ExpectedTraining['people'][number]) => !isCompleted;

/** Builds the rows of the exams: enrolled, passed, failed, without a result, and the average score. */
const buildExamRows = (trainings: ExpectedTraining[]): Array<Array<string | number>> =>
	trainings.flatMap((training) => {
		const scores = training.people.flatMap(({ score }) => (score === null ? [] : [score]));
		if (scores.length === 0) return [];
		const average = Math.round((scores.reduce((sum, score) => sum + score, 0) / scores.length) * 10) / 10;
		const [all, passed, failed] = [undefined, hasPassed, hasFailed].map((isCounted) =>
			countPeople([training], isCounted),
		);
		return [[training.name, all ?? 0, passed ?? 0, failed ?? 0, training.people.length - scores.length, average]];
	});

/** Builds the rows of the trainings by standard: trainings, enrolled and finished. */
function buildStandardRows(trainings: ExpectedTraining[]): Array<Array<string | number>> {
	const names = [...new Set(trainings.flatMap(({ standards }) => standards))].sort();
	return names.map((name) => {
		const selected = trainings.filter(({ standards }) => standards.includes(name));
		return [name, selected.length, countPeople(selected), countPeople(selected, ({ isCompleted }) => isCompleted)];
	});
}

const isSame = (actual: unknown[][], expected: unknown[][]): boolean => {
	const toTexts = (rows: unknown[][]) => sortForComparison(rows.map((row) => row.map(String)));
	return JSON.stringify(toTexts(actual)) === JSON.stringify(toTexts(expected));
};

/** Compares the CSV files. @returns the result of each comparison, by what is compared */
function compareLists(pack: Pack, expectation: Expectation): Record<string, boolean> {
	const { trainings, coverageRows, simulationRows, figures } = expectation;
	const trainingRows = trainings.map(({ enrollmentId, name, standards, due, people }) => [
		name,
		enrollmentId,
		standards.join('; ') || 'none',
		due,
		people.length,
		people.filter(({ isCompleted }) => isCompleted).length,
		people.filter(isOverdue).length,
	]);
	const peopleRows = trainings.flatMap(({ name, due, people }) =>
		people.map((person) => [
			person.email,
			person.person,
			name,
			due,
			isOverdue(person) ? 'yes' : 'no',
			person.score ?? '',
		]),
	);
	const gapRows = coverageRows.flatMap((row) =>
		(row.at(-1) ?? '').split(/(?<=\.) (?=[A-Z])/).flatMap((gap) => (gap === '' ? [] : [[gap, row[0], row[1]]])),
	);
	const overdueRows = trainings.flatMap(({ people }) =>
		people.filter(isOverdue).map(({ email, person }) => ['Overdue', email, person]),
	);
	const failedRows = trainings.flatMap(({ people }) =>
		people.filter(hasFailed).map(({ email, person }) => ['Exam failed', email, person]),
	);
	return {
		'the figures in figures.csv': isSame(parseCsvRows(pack['figures.csv']), buildFigureRows(figures)),
		'the people in coverage.csv': isSame(parseCsvRows(pack['coverage.csv']), coverageRows),
		'the trainings and their standards': isSame(parseCsvRows(pack['trainings.csv']), trainingRows),
		'the people in trainings': isSame(
			parseCsvRows(pack['people.csv']).map((row) => [row[0], row[1], row[3], row[6], row[7], row[8]]),
			peopleRows,
		),
		'the exams': isSame(
			parseCsvRows(pack['exams.csv']).map(([name, , ...numbers]) => [name, ...numbers]),
			buildExamRows(trainings),
		),
		'the simulations of all three kinds': isSame(parseCsvRows(pack['simulations.csv']), simulationRows),
		'the exceptions': isSame(
			parseCsvRows(pack['exceptions.csv'])
				.map((row) => row.slice(0, 3))
				.filter(([what]) => what !== 'Finished after the due date'),
			[...overdueRows, ...failedRows, ...gapRows],
		),
		'the sent certificates':
			parseCsvRows(pack['certificates.csv']).filter((row) => row[3]).length === expectation.certificateCount,
	};
}

/** Formats a part of a whole: "3 of 5 people". */
const formatShare = (part: number | null | undefined, whole: number | null | undefined, noun: string): string =>
	[part, whole].some((figure) => figure === null || figure === undefined)
		? formatFigure(null)
		: `${part} of ${whole} ${noun}`;

/** Compares the figures of the summary. */
function compareSummary(html: string, expectation: Expectation): Record<string, boolean> {
	const { figures, trainings, simulationRows, coverageRows } = expectation;
	const counted = Number(figures.people) - Number(figures.withoutEmail);
	const formatPercent = (name: string) => formatFigure(figures[name], ' %');
	const get = (name: string) => formatFigure(figures[name]);
	const tiles = [
		['Enrolled in a training', formatPercent('enrolledPercent'), formatShare(figures.enrolled, counted, 'people')],
		[
			'Finished all trainings',
			formatPercent('finishedPercent'),
			formatShare(figures.finished, figures.enrolled, 'people enrolled'),
		],
		['Got a simulation', formatPercent('simulatedPercent'), formatShare(figures.simulated, counted, 'people')],
		['Can report emails', formatPercent('canReportPercent'), formatShare(figures.canReport, counted, 'people')],
		['Failed simulations', formatPercent('failedPercent'), formatShare(figures.failed, figures.received, 'messages')],
		[
			'Reported simulations',
			formatPercent('reportedPercent'),
			formatShare(figures.reported, figures.received, 'messages'),
		],
		[
			'Overdue trainings',
			get('overdueTrainings'),
			figures.peopleOverdue === null ? get('peopleOverdue') : `People: ${get('peopleOverdue')}`,
		],
		['Certificates', String(expectation.certificateCount), 'sent to people'],
	];
	const gaps = [
		['In no training', get('notEnrolled'), get('neverEnrolled')],
		['Got no simulation', get('notSimulated'), get('neverSimulated')],
		['Without a report add-in that was seen in the last 30 days', get('cannotReport'), ''],
		['Address not on a verified domain', get('withoutVerifiedDomain'), ''],
		['Without an email address', get('withoutEmail'), ''],
	];
	const formatChange = (name: string) => {
		const change = figures[`${name}Change`] ?? null;
		return change === null ? formatFigure(null) : `${change > 0 ? '+' : ''}${change} points`;
	};
	const trend = [
		['People enrolled in a training', 'enrolledPercent'],
		['Enrolled people who finished all trainings', 'finishedPercent'],
		['People who got a simulation', 'simulatedPercent'],
		['Simulations that were failed', 'failedPercent'],
		['Simulations that were reported', 'reportedPercent'],
	].map(([title, name = '']) => [title, formatPercent(`${name}Before`), formatPercent(name), formatChange(name)]);
	const kinds = [
		['Phishing (email)', 'phishing'],
		['Quishing (QR code)', 'quishing'],
		['Smishing (text message)', 'smishing'],
	].map(([title, kind]) => [
		title,
		get(`${kind}Simulated`),
		get(`${kind}Received`),
		get(`${kind}Failed`),
		formatPercent(`${kind}FailedPercent`),
	]);
	const read = (heading: string) => readHtmlRows(html, heading);
	/** Leaves out the sentence that a table shows if it has no rows. */
	const readList = (heading: string) => read(heading).filter((row) => row.length > 1);
	const exceptionCounts = new Map(read('Exceptions').map(([title = '', count]) => [title, count]));
	return {
		'the tiles of the summary': isSame(readTiles(html), tiles),
		'the coverage in the summary': isSame(read('Coverage: who was not reached'), gaps),
		'the trend in the summary': isSame(read('Trend against the period before'), trend),
		'the kinds of simulations in the summary': isSame(read('The three kinds of simulations'), kinds),
		'the simulations in the summary': isSame(readList('Simulations'), simulationRows),
		'the trainings in the summary': isSame(
			readList('Trainings'),
			trainings.map(({ name, standards, due, people }) => [
				name,
				standards.join(', ') || 'none',
				due,
				people.length,
				people.filter(({ isCompleted }) => isCompleted).length,
				people.filter(isOverdue).length,
			]),
		),
		'the standards in the summary': isSame(readList('Trainings by standard'), buildStandardRows(trainings)),
		'the exams in the summary': isSame(
			readList('Exams'),
			buildExamRows(trainings).map(([name, , ...numbers]) => [name, ...numbers]),
		),
		'the exceptions in the summary':
			exceptionCounts.get('Overdue: not finished, and the due date is over') ===
				String(countPeople(trainings, isOverdue)) &&
			exceptionCounts.get('Exam failed') === String(countPeople(trainings, hasFailed)) &&
			exceptionCounts.get('People with a gap in their coverage') ===
				String(coverageRows.filter((row) => row.at(-1) !== '').length),
	};
}

/** Compares the figures of the page about frameworks: each must be one of the expected sentences, and each of these must be there. */
function compareFrameworks(html: string, { figures, trainings, simulationRows }: Expectation): Record<string, boolean> {
	const counted = Number(figures.people) - Number(figures.withoutEmail);
	const get = (name: string) => formatFigure(figures[name]);
	const getPercent = (name: string) => formatFigure(figures[name], ' %');
	const examCounts = [hasPassed, hasFailed].map((isCounted) => countPeople(trainings, isCounted));
	const sentences = [
		formatShare(figures.enrolled, counted, 'people were enrolled in a training'),
		formatShare(figures.finished, figures.enrolled, 'enrolled people finished all their trainings'),
		`${get('notEnrolled')} people were in no training`,
		formatShare(figures.simulated, counted, 'people got a simulation'),
		`People who got one: phishing ${get('phishingSimulated')}, quishing ${get('quishingSimulated')}, smishing ${get('smishingSimulated')}`,
		formatShare(figures.failed, figures.received, 'simulations were failed'),
		formatShare(figures.reported, figures.received, 'simulations were reported'),
		`Failed simulations: ${getPercent('failedPercent')}, before ${getPercent('failedPercentBefore')}`,
		`People enrolled: ${getPercent('enrolledPercent')}, before ${getPercent('enrolledPercentBefore')}`,
		formatShare(figures.canReport, counted, 'people have a report add-in that was seen in the last 30 days'),
		`Median minutes until a report: ${get('medianMinutesToReport')}`,
		`Repeat offenders: ${get('repeatOffenders')}`,
		`Overdue trainings: ${get('overdueTrainings')}`,
		buildExamRows(trainings).length === 0
			? 'Exams: no results'
			: `Exams: ${examCounts[0]} passed, ${examCounts[1]} failed`,
		`Trainings: ${trainings.length}. Simulations: ${simulationRows.length}`,
	];
	const lines = [...html.matchAll(/<div>(.*?)<\/div>/gs)].map(([, line = '']) => line.replace(/<[^>]*>/g, ''));
	const expectedLines = [...new Set([...sentences, 'No figure'])];
	const isoTrainings = trainings.filter(({ standards }) => standards.includes('ISO 27001')).map(({ name }) => name);
	const isoText = isoTrainings.sort().join() || 'none of the period';
	const [, listedTrainings = ''] =
		/A\.6\.3 is about.*?lists for this standard: (.*?)\.<\/p>/s.exec(html.replaceAll('&#38;', '&')) ?? [];
	return {
		'the figures of the frameworks': isSame([[...new Set(lines)].sort()], [expectedLines.sort()]),
		'the trainings for a framework': listedTrainings.split(', ').sort().join() === isoText,
	};
}

/** Checks every figure in the packs of the customers. */
export async function checkPacks(
	{ service, folder, expectNone, expectEqual }: ExampleContext,
	customers: Company[],
	days: Days,
): Promise<void> {
	const results = await Promise.all(
		customers.map(async (company) => {
			const pack = await readPack(folder, company);
			const expectation = buildExpectation(service, company, days);
			return {
				'the files': sortForComparison(Object.keys(pack)).join() === PACK_FILE_NAMES.join(),
				'the SHA-256 of each file': !hasWrongHashes(pack),
				...compareLists(pack, expectation),
				...compareSummary(pack['summary.html'] ?? '', expectation),
				...compareFrameworks(pack['frameworks.html'] ?? '', expectation),
				'all values in sentences and cells': !/undefined|NaN|Invalid|\[object|\bnull\b/.test(
					Object.values(pack).join(),
				),
			};
		}),
	);
	const names = Object.keys(results[0] ?? {}) as Array<keyof (typeof results)[number]>;
	for (const name of names)
		expectNone(
			`${name} of each of the ${customers.length} packs`,
			customers.filter((_company, index) => !results[index]?.[name]).map(({ companyName }) => companyName),
		);
	const people = customers.flatMap((company) => describePeople(service.world, company, readPeriod(days)));
	expectEqual(
		'some people were in no training, and some got no simulation',
		[
			people.some(({ trainings }) => trainings.length === 0),
			people.some(({ simulations }) => simulations.length === 0),
		],
		[true, true],
	);
}
