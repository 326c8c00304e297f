/**
 * Tests the figures of the Human Risk node. They are compared with figures that are calculated from the data of the stand-in, without the
 * nodes' code.
 */
import { omit, pick, sortBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import {
	calculateCustomerCoverage,
	calculateCustomerRisk,
	calculatePersonCoverage,
	calculatePersonRisk,
	calculatePreviousCoverage,
	describePeople,
	findFirstRecords,
	isOverdue,
	type Period,
} from '../cases/humanRiskExpectation';
import { catchNodeError, requireValue } from '../n8n-core/nodeFixture';
import {
	createHumanRiskFixture,
	EVERY,
	formatDay,
	getItems,
	omitTexts,
	period,
	sortById,
	TIMEZONE,
} from './humanRiskFixture';

const { fixture, getCompany, getData, changeResponses, run, runFor } = createHumanRiskFixture();

const previousPeriod: Period = { from: 2 * period.from - period.until, until: period.from };

/** Changes the seed data: a test that was sent, an inactive person, one without an email address, one on another domain, one with capitals, old add-ins. */
function prepareWorld(): void {
	const { world } = fixture.standIn;
	for (const [index, company] of world.companies.entries()) {
		const data = world.getCompanyData(company.companyResourceId);
		const { users, reporters, enrollments } = data;
		const [sentCampaign] = data.getCampaigns('phishing');
		if (sentCampaign && index % 2 === 1) sentCampaign.excludeFromReports = true;
		const [first, second, third, fourth, fifth] = users;
		if (!first || !second || !third || !fourth || !fifth) continue;
		if (index % 2 === 0) world.addNote(first.resourceId, { isActive: false });
		if (index % 3 === 0) second.email = '';
		third.email = third.email.toUpperCase();
		fourth.email = fourth.email.replace('@', '@mail.');
		const [, oldDevice] = reporters;
		if (oldDevice) {
			oldDevice.lastSeen = '2026-01-01T00:00:00.000Z';
			reporters.push({
				...oldDevice,
				lastSeen: index % 2 === 0 ? new Date().toISOString() : '2025-01-01T00:00:00.000Z',
			});
		}
		const [oldEnrollment] = enrollments;
		if (!oldEnrollment) continue;
		oldEnrollment.startDate = '2024-05-01T00:00:00.000Z';
		world.addNote(oldEnrollment.resourceId, { lateEnrollments: { [fifth.resourceId]: '2026-02-03T10:00:00.000Z' } });
	}
}

/** Makes a training of customer 1 overdue that some people have not finished. */
const makeTrainingOverdue = () =>
	Object.assign(requireValue(getData(1).enrollments[1]), { startDate: '2025-09-01T08:00Z', dueDate: '2026-02-01' });

/** Compares percentages with those of the period before. */
function compare(names: string[], current: IDataObject, previous: IDataObject): IDataObject {
	const comparison: IDataObject = {};
	for (const name of names) {
		const now = current[name];
		const before = previous[name];
		comparison[`${name}Before`] = before;
		comparison[`${name}Change`] =
			typeof now === 'number' && typeof before === 'number' ? Math.round((now - before) * 10) / 10 : null;
	}
	return comparison;
}

describe('figures equal those of an independent calculation', () => {
	beforeEach(prepareWorld);

	test('coverage of every customer, with the period before', async () => {
		const { world } = fixture.standIn;
		const items = getItems(await run('coverage', 'getByCustomer', { ...EVERY, compareWithPrevious: true }));
		expect(items).toHaveLength(world.companies.length);
		for (const item of items) {
			const company = requireValue(world.companies.find((entry) => entry.companyResourceId === item.companyResourceId));
			const expected = calculateCustomerCoverage(world, company, period);
			const before = calculatePreviousCoverage(world, company, previousPeriod);
			const comparison = compare(['enrolledPercent', 'finishedPercent', 'simulatedPercent'], expected, before);
			expect(omitTexts(item)).toEqual({
				periodStart: '2025-07-01',
				periodEnd: formatDay(period.until - 1),
				...expected,
				...comparison,
			});
		}
		const sum = (name: string) => items.reduce((total, item) => total + Number(item[name]), 0);
		for (const name of [
			'withoutEmail',
			'notEnrolled',
			'notSimulated',
			'cannotReport',
			'withoutVerifiedDomain',
			'finished',
		])
			expect(sum(name)).toBeGreaterThan(0);
	});

	test('coverage of every person', async () => {
		const { world } = fixture.standIn;
		const items = getItems(await run('coverage', 'getByPerson', { ...EVERY }));
		const expected = world.companies.flatMap((company) =>
			describePeople(world, company, period).map((person) =>
				calculatePersonCoverage(person, period, findFirstRecords(world, company)),
			),
		);
		expect(sortById(items.map(omitTexts))).toEqual(sortById(expected));
	});

	test('risk of every person', async () => {
		const { world } = fixture.standIn;
		const items = getItems(await run('risk', 'getByPerson', { ...EVERY }));
		const expected = world.companies.flatMap((company) =>
			describePeople(world, company, period)
				.filter(({ user }) => user.email !== '')
				.map((person) => calculatePersonRisk(person, period, TIMEZONE)),
		);
		expect(sortById(items.filter(({ email }) => email !== null).map(omitTexts))).toEqual(sortById(expected));
		const withoutEmail = items.filter(({ email }) => email === null);
		expect(withoutEmail.length).toBeGreaterThan(0);
		for (const item of withoutEmail)
			expect(item).toMatchObject({ riskPercent: null, received: null, overdueTrainings: null, repeatOffender: null });
	});

	test('risk of every customer, with the period before and the rank', async () => {
		const { world } = fixture.standIn;
		const items = getItems(await run('risk', 'getByCustomer', { ...EVERY }));
		expect(items).toHaveLength(world.companies.length);
		const risks = world.companies.flatMap(
			(company) => calculateCustomerRisk(world, company, period, TIMEZONE).riskPercent ?? [],
		);
		for (const item of items) {
			const company = requireValue(world.companies.find((entry) => entry.companyResourceId === item.companyResourceId));
			const expected = calculateCustomerRisk(world, company, period, TIMEZONE);
			const before = calculateCustomerRisk(world, company, previousPeriod, TIMEZONE);
			const comparison = compare(['riskPercent', 'failedPercent', 'reportedPercent'], expected, before);
			const lowerCount = risks.filter((risk) => risk < (expected.riskPercent ?? 0)).length;
			const isRanked = expected.riskPercent !== null;
			expect(omitTexts(item)).toEqual({
				periodStart: '2025-07-01',
				periodEnd: formatDay(period.until - 1),
				...expected,
				...comparison,
				rank: isRanked ? lowerCount + 1 : null,
				rankedCustomers: isRanked ? risks.length : null,
				quartile: isRanked ? Math.ceil((4 * (lowerCount + 1)) / risks.length) : null,
			});
		}
		expect(new Set(items.map(({ quartile }) => quartile))).toEqual(new Set([1, 2, 3, 4]));
	});
});

test('a person who has two rows in a job or an enrollment counts once', async () => {
	const repeatRows = (envelope: unknown): unknown => {
		const { data } = envelope as { data: { results: object[]; totalNumberOfRecords: number } };
		const results = data.results.flatMap((row, index) => [
			row,
			{ ...row, resourceId: `second ${index}`, clickedCount: 0 },
		]);
		return { ...(envelope as object), data: { ...data, results, totalNumberOfRecords: 2 * data.totalNumberOfRecords } };
	};
	makeTrainingOverdue();
	changeResponses(/\{searchType\}\/search|\/users\/search$/, repeatRows);
	const items = getItems(await runFor(1, 'risk', 'getByPerson'));
	const expected = describePeople(fixture.standIn.world, getCompany(1), period).map((person) =>
		calculatePersonRisk(person, period, TIMEZONE),
	);
	const pickNumbers = (item: IDataObject) => omit(omitTexts(item), ['medianMinutesToReport', 'medianMinutesToClick']);
	expect(sortById(items.map(pickNumbers))).toEqual(sortById(expected.map(pickNumbers)));
});

test('weights change the risk as documented', async () => {
	const { world } = fixture.standIn;
	const weights = {
		clickWeight: 50,
		submitWeight: 200,
		attachmentWeight: 0,
		quishingWeight: 300,
		overdueWeight: 5,
		reportWeight: 2,
	};
	const items = getItems(await runFor(1, 'risk', 'getByPerson', { options: weights }));
	const kindWeights = { phishing: 1, quishing: 3, smishing: 1 };
	for (const person of describePeople(world, getCompany(1), period)) {
		let failures = 0;
		let received = 0;
		for (const simulation of person.simulations) {
			const weight = kindWeights[simulation.simulator];
			received += weight;
			failures += weight * Math.max(simulation.submitted ? 2 : 0, simulation.clicked ? 0.5 : 0);
		}
		const points =
			5 * person.trainings.filter(isOverdue).length - 2 * person.simulations.filter(({ reported }) => reported).length;
		const risk = received === 0 ? null : Math.max(0, Math.round(10 * ((100 * failures) / received + points)) / 10);
		expect(items.find(({ email }) => email === person.user.email)?.riskPercent).toBe(risk);
	}
});

test('the points of a customer are divided by the number of people with an email address', async () => {
	makeTrainingOverdue();
	requireValue(getData(1).users[0]).email = '';
	const [item = {}] = getItems(await runFor(1, 'risk', 'getByCustomer'));
	const [itemWithPoints] = getItems(await runFor(1, 'risk', 'getByCustomer', { options: { overdueWeight: 100 } }));
	const points = (100 * Number(item.overdueTrainings)) / (getData(1).users.length - 1);
	expect(Number(itemWithPoints?.riskPercent)).toBeCloseTo(Number(item.riskPercent) + points, 0);
});

test('next steps are the first three rules that apply', async () => {
	prepareWorld();
	const { world } = fixture.standIn;
	const items = getItems(await run('risk', 'getByCustomer', EVERY));
	const allSteps: string[] = [];
	const countPeople = (count: number) => `${count} ${count === 1 ? 'person' : 'people'}`;
	for (const item of items) {
		const company = requireValue(world.companies.find((entry) => entry.companyResourceId === item.companyResourceId));
		const figures = calculateCustomerRisk(world, company, period, TIMEZONE);
		const { received, failed, reported, repeatOffenders, peopleOverdue, notSimulated, notEnrolled } = figures;
		const numbers: IDataObject = figures;
		const steps: string[] = [];
		if (received === 0) steps.push('Send a simulation: no one got one in the period.');
		if (repeatOffenders > 0)
			steps.push(
				`Enroll ${countPeople(repeatOffenders)} in a training: each failed at least 2 simulations in 3 months.`,
			);
		if (peopleOverdue > 0) steps.push(`Remind ${countPeople(peopleOverdue)} with an overdue training.`);
		if (received > 0 && notSimulated > 0)
			steps.push(`Send a simulation to ${countPeople(notSimulated)} who got none in the period.`);
		if (notEnrolled > 0) steps.push(`Enroll ${countPeople(notEnrolled)} in a training: they got none in the period.`);
		if (reported < failed)
			steps.push(
				`Show people how to report: of ${received} simulations, they reported ${reported} and failed ${failed}.`,
			);
		const kinds = (
			[
				['phishing', 'phishing emails'],
				['quishing', 'QR codes'],
				['smishing', 'text messages'],
			] as const
		)
			.map(([kind, messages]) => ({
				kind,
				messages,
				kindFailed: Number(numbers[`${kind}Failed`]),
				kindReceived: Number(numbers[`${kind}Received`]),
			}))
			.filter(({ kindReceived }) => kindReceived > 0)
			.toSorted((first, second) => second.kindFailed / second.kindReceived - first.kindFailed / first.kindReceived);
		const [worst] = kinds;
		if (worst && kinds.length > 1 && worst.kindFailed / worst.kindReceived > failed / received) {
			const { kind, messages, kindFailed, kindReceived } = worst;
			const count = `${kindFailed} of ${kindReceived} ${kind} simulation${kindReceived === 1 ? '' : 's'}`;
			steps.push(`Train people about ${messages}: they failed ${count}.`);
		}
		expect(item.nextSteps).toEqual(steps.slice(0, 3));
		allSteps.push(...steps.slice(0, 3));
	}
	for (const start of ['Enroll ', 'Show people how to report: ', 'Train people about '])
		expect(allSteps.filter((step) => step.startsWith(start))).not.toEqual([]);
});

test('a kind with the weight 0 is left out of everything', async () => {
	const { world } = fixture.standIn;
	for (const campaign of getData(1).getCampaigns('smishing')) campaign.excludeFromReports = true;
	const people = describePeople(world, getCompany(1), period);
	for (const campaign of getData(1).getCampaigns('smishing')) campaign.excludeFromReports = false;
	const unmeasured = { smishingReceived: null, smishingFailed: null, smishingFailedPercent: null };
	const result = await runFor(1, 'risk', 'getByPerson', { options: { smishingWeight: 0 } });
	const expected = people.map((person) => ({ ...calculatePersonRisk(person, period, TIMEZONE), ...unmeasured }));
	expect(sortById(getItems(result).map(omitTexts))).toEqual(sortById(expected));
	expect(fixture.requests.filter(({ path }) => path.includes('smishing'))).toEqual([]);
});

test('weights that leave out every simulation are rejected before any request', async () => {
	const options = { phishingWeight: 0, quishingWeight: 0, smishingWeight: 0 };
	for (const operation of ['getByPerson', 'getByCustomer']) {
		fixture.standIn.clearLog();
		const error = await catchNodeError(run('risk', operation, { ...EVERY, options }));
		expect(error.message).toContain(
			"'Phishing Weight' in 'Options' must not be 0 if 'Quishing Weight' and 'Smishing Weight' are 0 too",
		);
		expect(fixture.requests).toEqual([]);
	}
});

test('a survey is no training', async () => {
	const { world } = fixture.standIn;
	const surveyOnly = requireValue(getData(1).users[0]);
	for (const enrollment of getData(1).enrollments) enrollment.type = 'Survey';
	const [coverage] = getItems(await runFor(1, 'coverage', 'getByCustomer'));
	expect(coverage).toMatchObject({ enrolled: 0, neverEnrolled: getData(1).users.length, finished: 0 });
	const [risk] = getItems(await runFor(1, 'risk', 'getByCustomer'));
	expect(risk).toMatchObject({ overdueTrainings: 0, peopleOverdue: 0, notEnrolled: getData(1).users.length });
	// Somebody who was added in the period to an older survey isn't enrolled in a training, either.
	const survey = requireValue(getData(1).enrollments[0]);
	survey.startDate = '2024-05-01T00:00:00.000Z';
	world.addNote(survey.resourceId, { lateEnrollments: { [surveyOnly.resourceId]: '2026-02-03T10:00:00.000Z' } });
	const people = getItems(await runFor(1, 'coverage', 'getByPerson'));
	expect(new Set(people.map(({ enrollments }) => enrollments))).toEqual(new Set([0]));
});

test('a survey that only its record shows is no training', async () => {
	const hideTypes = (envelope: unknown) =>
		JSON.parse(JSON.stringify(envelope, (name, value: unknown) => (name === 'type' ? undefined : value))) as unknown;
	changeResponses(/\/enrollments\/search$/, hideTypes);
	const people = getItems(await runFor(1, 'coverage', 'getByPerson'));
	const first = findFirstRecords(fixture.standIn.world, getCompany(1));
	const expected = describePeople(fixture.standIn.world, getCompany(1), period).map((person) =>
		calculatePersonCoverage(person, period, first),
	);
	const pickEnrollments = (item: IDataObject) => pick(item, ['email', 'enrollments', 'enrollmentsFinished']);
	expect(sortBy(people.map(pickEnrollments), 'email')).toEqual(sortBy(expected.map(pickEnrollments), 'email'));
});

test('a report or a click before the last sending has no time', async () => {
	const changeTimes = (name: string, value: unknown) => {
		if (name === 'lastSendingTime') return '2026-01-01T10:00:00Z';
		if (name === 'lastReportedTime') return '2026-01-01T10:30:00Z';
		return name === 'lastClickedTime' ? '2026-01-01T09:00:00Z' : value;
	};
	changeResponses(/\{searchType\}\/search/, (envelope) => JSON.parse(JSON.stringify(envelope, changeTimes)) as unknown);
	const [item] = getItems(await runFor(1, 'risk', 'getByCustomer'));
	expect(item).toMatchObject({ medianMinutesToReport: 30, medianMinutesToClick: null });
});

test('two reports or clicks in one simulation have no time', async () => {
	const replaceCount = (name: string, value: unknown) =>
		/^(reported|clicked)Count$/.test(name) && Number(value) > 0 ? 2 : value;
	changeResponses(
		/\{searchType\}\/search/,
		(envelope) => JSON.parse(JSON.stringify(envelope, replaceCount)) as unknown,
	);
	const [item] = getItems(await runFor(1, 'risk', 'getByCustomer'));
	expect(item).toMatchObject({ medianMinutesToReport: null, medianMinutesToClick: null });
	expect(Number(item?.reported)).toBeGreaterThan(0);
});
