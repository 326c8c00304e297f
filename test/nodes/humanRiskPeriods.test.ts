/** Tests how the Human Risk node measures periods that end or begin in the future, begin before the first record, have one day, or are short. */
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import {
	calculateCustomerCoverage,
	calculateCustomerRisk,
	calculatePersonRisk,
	describePeople,
	type Period,
} from '../cases/humanRiskExpectation';
import { catchNodeError, getHintMessages } from '../n8n-core/nodeFixture';
import { SIMULATORS } from '../stand-in/profile';
import { createHumanRiskFixture, EVERY, formatDay, getItems, omitTexts, sortById, TIMEZONE } from './humanRiskFixture';

const { fixture, getCompany, getData, run, runFor } = createHumanRiskFixture();

const DAY_MS = 86_400_000;
const FUTURE_HINT = 'The period ends in the future, so its figures count until now.';
const getDayIn = (days: number): string => formatDay(Date.now() + days * DAY_MS);
const parseDayMs = (day: string): number => DateTime.fromISO(day, { zone: TIMEZONE }).toMillis();

/** Moves the simulations of customer 1 into the last weeks, and one of each kind into the weeks before. */
function moveSimulations(): void {
	for (const simulator of SIMULATORS) {
		const [campaign, earlierCampaign] = getData(1).getCampaigns(simulator);
		if (campaign) campaign.createTime = new Date(Date.now() - 15 * DAY_MS).toISOString();
		if (earlierCampaign) earlierCampaign.createTime = new Date(Date.now() - 40 * DAY_MS).toISOString();
	}
}

/** Calculates the risk of the people of customer 1. */
const calculateRisks = (period: Period) =>
	describePeople(fixture.standIn.world, getCompany(1), period).map((person) =>
		calculatePersonRisk(person, period, TIMEZONE),
	);

describe('a period that ends in the future is measured until now', () => {
	beforeEach(moveSimulations);

	test('repeat offenders', async () => {
		const future = { periodStart: '2025-07-01', periodEnd: getDayIn(340) };
		const result = await runFor(1, 'risk', 'getByPerson', future);
		const expected = calculateRisks({ from: parseDayMs('2025-07-01'), until: Date.now() });
		const offenders = expected.filter(({ repeatOffender }) => repeatOffender);
		expect(offenders).not.toEqual([]);
		expect(sortById(getItems(result).map(omitTexts))).toEqual(sortById(expected));
		expect(getHintMessages(result)).toContain(FUTURE_HINT);
		const onlyOffenders = await runFor(1, 'risk', 'getByPerson', { ...future, onlyPeopleWho: 'repeatOffenders' });
		expect(sortById(getItems(onlyOffenders).map(omitTexts))).toEqual(sortById(offenders));
		const [customer] = getItems(await runFor(1, 'risk', 'getByCustomer', future));
		expect(customer).toMatchObject({ repeatOffenders: offenders.length, periodEnd: getDayIn(0) });
	});

	test('the period before has the length of the time until now', async () => {
		const periodStart = getDayIn(-27);
		const from = parseDayMs(periodStart);
		const before: Period = { from: 2 * from - Date.now(), until: from };
		const parameters = { periodStart, periodEnd: getDayIn(340), compareWithPrevious: true };
		const { world } = fixture.standIn;
		const [risk] = getItems(await runFor(1, 'risk', 'getByCustomer', parameters));
		const riskBefore = calculateCustomerRisk(world, getCompany(1), before, TIMEZONE);
		expect(riskBefore.received).toBeGreaterThan(0);
		expect(risk).toMatchObject({ periodStart, periodEnd: getDayIn(0), riskPercentBefore: riskBefore.riskPercent });
		const result = await runFor(1, 'coverage', 'getByCustomer', parameters);
		const { simulatedPercent } = calculateCustomerCoverage(world, getCompany(1), before);
		expect(getItems(result)[0]).toMatchObject({ periodEnd: getDayIn(0), simulatedPercentBefore: simulatedPercent });
		expect(getHintMessages(result)).toContain(FUTURE_HINT);
	});

	test('a period that ends today has no hint about the future', async () => {
		const result = await runFor(1, 'risk', 'getByPerson', { periodStart: '2025-07-01', periodEnd: getDayIn(0) });
		expect(getHintMessages(result).join(' ')).not.toContain('future');
	});
});

describe('percentages of a period before the first record', () => {
	const compare = async (parameters: IDataObject) => {
		const result = await runFor(1, 'coverage', 'getByCustomer', { ...parameters, compareWithPrevious: true });
		return { item: getItems(result)[0], hints: getHintMessages(result).join(' ') };
	};

	test('are empty, and hints say so', async () => {
		const { item, hints } = await compare({ periodStart: '2016-11-27', periodEnd: getDayIn(0) });
		for (const name of ['enrolledPercent', 'finishedPercent', 'simulatedPercent'])
			expect(item).toMatchObject({ [`${name}Before`]: null, [`${name}Change`]: null, [name]: expect.any(Number) });
		expect(hints).toContain(
			"Fields about trainings that end with 'Before' and 'Change' are empty, because the customer had no enrollment until the end of the previous period.",
		);
		expect(hints).toContain(
			"Fields about simulations that end with 'Before' and 'Change' are empty, because the customer had no campaign job until the end of the previous period.",
		);
	});

	test('are not empty, if only the trainings or the simulations began later', async () => {
		const [enrollment] = getData(1).enrollments;
		if (enrollment) enrollment.startDate = '2001-05-01T00:00:00.000Z';
		const { item, hints } = await compare({ periodStart: '2016-11-27', periodEnd: getDayIn(0) });
		expect(item).toMatchObject({ enrolledPercentBefore: 0, simulatedPercentBefore: null });
		expect(hints).not.toContain('Fields about trainings');
	});
});

test('a gap of one day names one day', async () => {
	const today = getDayIn(0);
	const items = getItems(await runFor(1, 'coverage', 'getByPerson', { periodStart: today, periodEnd: today }));
	const gaps = items.flatMap((item) => item.gaps);
	expect(gaps).toContain(`Was not enrolled in a training on ${today}.`);
	expect(gaps).toContain(`Got no simulation on ${today}.`);
	const none = await runFor(1, 'coverage', 'getByPerson', {
		periodStart: '2026-02-03',
		periodEnd: '2026-02-03',
		onlyPeopleWho: 'withoutVerifiedDomain',
	});
	const [hint = ''] = getHintMessages(none).filter((message) => message.startsWith('The node read'));
	expect(hint).toMatch(
		/^The node read \d+ active people on 3 February 2026 at A, but none of them is known to match \(filtered by 'Only People Who' \(Are Not on a Verified Domain\)\)\.$/,
	);
});

test('a period that begins in the future is rejected before any request', async () => {
	const day = DateTime.now().plus({ days: 40 });
	const future = { periodStart: day.toISODate(), periodEnd: day.plus({ months: 1 }).toISODate() };
	for (const resource of ['coverage', 'risk'])
		for (const operation of ['getByPerson', 'getByCustomer'])
			for (const parameters of [future, { ...future, periodEnd: '' }]) {
				fixture.standIn.clearLog();
				const error = await catchNodeError(run(resource, operation, { ...EVERY, ...parameters }));
				expect(error.message).toContain("Start Date' must not be in the future");
				expect(fixture.requests).toEqual([]);
			}
	const today = { periodStart: DateTime.now().setZone(TIMEZONE).toISODate(), periodEnd: '' };
	expect(getItems(await runFor(1, 'coverage', 'getByCustomer', today))).toHaveLength(1);
});

test('repeat offenders, if the period is shorter than their months', async () => {
	const result = await runFor(1, 'risk', 'getByPerson', { periodStart: '2026-01-01', periodEnd: '2026-01-31' });
	const flags = new Set(getItems(result).map(({ repeatOffender }) => repeatOffender));
	expect(flags.has(false)).toBe(false);
	expect(flags.has(null)).toBe(true);
	const hint =
		"The field 'repeatOffender' is empty for people without enough failures, because the period is shorter than 'Repeat Offender Months'. Enter fewer months there, or select a longer 'Period'.";
	expect(getHintMessages(result)).toContain(hint);
	const thirteenMonths = { period: 'last12Months', options: { repeatMonths: 13 } };
	expect(getHintMessages(await runFor(1, 'risk', 'getByPerson', thirteenMonths))).toContain(hint);
	expect(getHintMessages(await runFor(1, 'risk', 'getByCustomer', thirteenMonths))).toContain(
		"The field 'repeatOffenders' is empty, because the period is shorter than 'Repeat Offender Months'. Enter fewer months there, or select a longer 'Period'.",
	);
	const oneWeek = { periodStart: '2026-01-01', periodEnd: '2026-01-07', options: { repeatMonths: 1 } };
	expect(getHintMessages(await runFor(1, 'risk', 'getByPerson', oneWeek))).toContain(
		"The field 'repeatOffender' is empty for people without enough failures, because the period is shorter than a month. Select a longer 'Period'.",
	);
});
