/** Tests what the Human Risk node does about unknown figures: a figure that the platform doesn't show is null, and a hint says why. */
import { omit } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessHumanRisk } from '../../nodes/HumanRisk/SecurityAwarenessHumanRisk.node';
import { calculateCustomerCoverage } from '../cases/humanRiskExpectation';
import { getHintMessages, getJson, requireValue } from '../n8n-core/nodeFixture';
import type { RunResult } from '../n8n-core';
import { SIMULATORS, type Simulator } from '../stand-in/profile';
import { createHumanRiskFixture, CUSTOM_PERIOD, EVERY, getItems, omitTexts, period } from './humanRiskFixture';

const { fixture, getCompany, getData, runFor } = createHumanRiskFixture();

const rejectRequests = (route: string, status = 403) =>
	fixture.standIn.addFault({ route, kind: 'status', status, times: Infinity });
/** Masks the email addresses in the responses of some routes. */
const maskEmails = (isMasked: (route: string) => boolean) =>
	fixture.standIn.setOptions({
		transformEnvelope: (envelope, { route = '' }) =>
			isMasked(route)
				? (JSON.parse(
						JSON.stringify(envelope, (name, value: unknown) => (name === 'email' ? 'a****m@mill.example' : value)),
					) as unknown)
				: envelope,
	});
/** Removes a person of customer 1 from the simulations of all other kinds. */
function removeFromOtherSimulations(simulator: Simulator) {
	const user = requireValue(getData(1).users[0]);
	for (const campaign of SIMULATORS.filter((kind) => kind !== simulator).flatMap((kind) =>
		getData(1).getCampaigns(kind),
	))
		campaign.userResourceIds = campaign.userResourceIds.filter((id) => id !== user.resourceId);
	return user;
}
const PEOPLE_ROUTE = 'POST /api/target-users/search';

test('simulations of a kind that the role may not read, and the risk unless this kind has the weight 0', async () => {
	rejectRequests('POST /api/smishing-simulator/smishing-campaign-job-report/search');
	const user = removeFromOtherSimulations('smishing');
	const coverage = await runFor(1, 'coverage', 'getByCustomer');
	const [item] = getItems(coverage);
	expect(item).toMatchObject({ smishingSimulated: null, notSimulated: null, neverSimulated: null });
	const expected = calculateCustomerCoverage(fixture.standIn.world, getCompany(1), period);
	expect(item).toMatchObject({ phishingSimulated: expected.phishingSimulated, enrolled: expected.enrolled });
	expect(getHintMessages(coverage).join(' ')).toContain(
		"Figures about smishing simulations are empty if the platform didn't show all data that they need. This applies to A (the list of smishing campaign jobs: ",
	);
	const people = getItems(await runFor(1, 'coverage', 'getByPerson'));
	// Someone who got another simulation was certainly simulated.
	for (const { email, simulated } of people) expect(simulated).toBe(email === user.email ? null : true);
	expect(new Set(people.map(({ simulations, smishingSimulations }) => simulations ?? smishingSimulations))).toEqual(
		new Set([null]),
	);
	const [risk] = getItems(await runFor(1, 'risk', 'getByCustomer'));
	expect(risk).toMatchObject({ riskPercent: null, received: null, smishingFailed: null, rank: null });
	const [weighted] = getItems(await runFor(1, 'risk', 'getByCustomer', { options: { smishingWeight: 0 } }));
	expect(weighted?.riskPercent).toEqual(expect.any(Number));
});

describe('if a kind of simulation cannot be read, a hint names each empty figure that needs all kinds', () => {
	beforeEach(() => {
		removeFromOtherSimulations('smishing');
		rejectRequests('POST /api/smishing-simulator/smishing-campaign-job-report/search', 500);
	});
	/** Returns the fields that are empty in the output, but that no hint names. */
	const listUnexplained = (result: RunResult): string[] => {
		const hints = getHintMessages(result).join(' ');
		const names = Object.keys(getItems(result)[0] ?? {});
		const emptyNames = names.filter((name) => getItems(result).some((item) => item[name] === null));
		return emptyNames.filter((name) => !hints.includes(`'${name}'`) && !name.startsWith('smishing'));
	};

	test('risk of people', async () => {
		const result = await runFor(1, 'risk', 'getByPerson');
		expect(getHintMessages(result).join(' ')).toContain(
			"These fields are empty, because they need all simulations, and some are missing: 'riskPercent', ",
		);
		for (const item of getItems(result))
			expect(item).toMatchObject({ riskPercent: null, medianMinutesToClick: null, lastFailedTime: null });
		// A report of a text message has no time, so this figure doesn't need text messages. Not everyone got or reported something.
		const personalNames = ['phishingFailedPercent', 'quishingFailedPercent', 'medianMinutesToReport'];
		expect(listUnexplained(result)).toEqual(personalNames);
		expect(getItems(result).some((item) => item.medianMinutesToReport !== null)).toBe(true);
	});

	test('risk of a customer', async () => {
		const result = await runFor(1, 'risk', 'getByCustomer');
		const [item] = getItems(result);
		expect(item).toMatchObject({ medianMinutesToClick: null, medianMinutesToReport: expect.any(Number) });
		expect(item).toMatchObject({ riskPercentBefore: null, riskPercentChange: null });
		expect(listUnexplained(result)).toEqual([]);
	});

	test('coverage', async () => {
		for (const operation of ['getByPerson', 'getByCustomer']) {
			const result = await runFor(1, 'coverage', operation, { compareWithPrevious: true });
			// Not everyone has the add-in, and the customer had no training before the period.
			const isPersonalOrEarlier = (name: string) => /^lastReporterSeen$|^(finished|enrolled)Percent/.test(name);
			expect(listUnexplained(result).filter((name) => !isPersonalOrEarlier(name))).toEqual([]);
			for (const { lastSimulationTime = null } of getItems(result)) expect(lastSimulationTime).toBeNull();
		}
	});
});

test('the risk, if it needs trainings that cannot be read', async () => {
	rejectRequests('POST /api/enrollments/search');
	const result = await runFor(1, 'risk', 'getByCustomer', { options: { overdueWeight: 5 } });
	expect(getItems(result)[0]).toMatchObject({ riskPercent: null });
	expect(getHintMessages(result).join(' ')).toContain(
		"These fields are empty, because they need all trainings, and some are missing: 'riskPercent', ",
	);
});

test('simulations, if one campaign job cannot be read', async () => {
	fixture.standIn.addFault({
		route: 'GET /api/quishing-simulator/quishing-campaign-job-report/summary/{resourceId}/{instanceGroup}',
		kind: 'status',
		status: 404,
	});
	const result = await runFor(1, 'coverage', 'getByCustomer');
	expect(getItems(result)[0]).toMatchObject({ quishingSimulated: null });
	expect(getItems(result)[0]?.phishingSimulated).toEqual(expect.any(Number));
	expect(getHintMessages(result).join(' ')).toContain('quishing simulations are empty');
});

test('trainings, the add-in and domains that the platform does not have', async () => {
	rejectRequests('POST /api/enrollments/search');
	rejectRequests('POST /api/phishing-reporter/search', 404);
	rejectRequests('GET /api/allow-list/search/verified', 404);
	const result = await runFor(1, 'coverage', 'getByCustomer');
	const unknown = { enrolled: null, notEnrolled: null, neverEnrolled: null, finished: null, enrolledPercent: null };
	const unknownReach = { canReport: null, cannotReport: null, canReportPercent: null, withoutVerifiedDomain: null };
	expect(getItems(result)[0]).toMatchObject({ ...unknown, ...unknownReach, simulated: expect.any(Number) });
	for (const topic of ['trainings', 'the report add-in', 'verified domains'])
		expect(getHintMessages(result).join(' ')).toContain(`Figures about ${topic} are empty`);
	const [person] = getItems(await runFor(1, 'risk', 'getByPerson'));
	expect(person).toMatchObject({ overdueTrainings: null, riskPercent: expect.any(Number) });
	const [weighted] = getItems(await runFor(1, 'risk', 'getByPerson', { options: { overdueWeight: 5 } }));
	expect(weighted?.riskPercent).toBeNull();
});

test('the add-in of a customer whose list is empty', async () => {
	getData(1).reporters = [];
	const result = await runFor(1, 'coverage', 'getByCustomer');
	expect(getItems(result)[0]).toMatchObject({ canReport: null, cannotReport: null });
	expect(getHintMessages(result).join(' ')).toContain('the list of people with the add-in is empty');
});

test('an add-in whose last time is unknown, unless the person has another device', async () => {
	const [ownerOfOneDevice, ...ownersOfTwoDevices] = getData(1).reporters.slice(0, 3);
	const unknownRows = getData(1).reporters.map((row) => ({ ...row, lastSeen: null }));
	const [earlierRow, laterRow] = ownersOfTwoDevices.map((row) => ({ ...row, lastSeen: new Date().toISOString() }));
	if (earlierRow && laterRow) getData(1).reporters = [earlierRow, ...unknownRows, laterRow];
	const people = getItems(await runFor(1, 'coverage', 'getByPerson'));
	expect(people.find(({ email }) => email === ownerOfOneDevice?.email)).toMatchObject({ canReport: null, gaps: [] });
	const emails = people.filter(({ canReport }) => canReport === true).map(({ email }) => email);
	expect(emails.sort()).toEqual(ownersOfTwoDevices.map(({ email }) => email).sort());
});

test('an add-in that was not seen lately, if the last time of another device of the person is unknown', async () => {
	const [device] = getData(1).reporters;
	if (device) device.lastSeen = '2025-01-01T00:00:00.000Z';
	if (device) getData(1).reporters.push({ ...device, lastSeen: null });
	const people = getItems(await runFor(1, 'coverage', 'getByPerson'));
	expect(people.find(({ email }) => email === device?.email)).toMatchObject({ canReport: null, gaps: [] });
});

test('an add-in that was not seen lately, if the person of another device is masked', async () => {
	const [device, maskedDevice] = getData(1).reporters;
	if (device) device.lastSeen = '2025-01-01T00:00:00.000Z';
	if (maskedDevice) maskedDevice.email = 'a****m@mill.example';
	const people = getItems(await runFor(1, 'coverage', 'getByPerson'));
	expect(people.find(({ email }) => email === device?.email)).toMatchObject({ canReport: null, gaps: [] });
});

test('everything that needs the address of a masked person', async () => {
	maskEmails((route) => route === PEOPLE_ROUTE);
	const result = await runFor(1, 'coverage', 'getByCustomer');
	const [item = {}] = getItems(result);
	const { people, ...figures } = omit(omitTexts(item), ['periodStart', 'periodEnd']);
	expect(people).toBe(getData(1).users.length);
	expect(figures).toEqual({
		...Object.fromEntries(Object.keys(figures).map((name) => [name, null])),
		withoutEmail: 0,
	});
	expect(getHintMessages(result).join(' ')).toContain('whose email address the platform masks');
	const [risk] = getItems(await runFor(1, 'risk', 'getByCustomer'));
	expect(risk).toMatchObject({ riskPercent: null, received: null, repeatOffenders: null, nextSteps: [] });
});

test('simulations and trainings whose rows are masked', async () => {
	maskEmails((route) => /campaign-job-report\/\{searchType\}|users\/search$/.test(route) && route !== PEOPLE_ROUTE);
	const result = await runFor(1, 'coverage', 'getByPerson');
	for (const item of getItems(result))
		expect(item).toMatchObject({ enrolled: null, simulated: null, simulations: null });
	expect(getHintMessages(result).join(' ')).toContain('the platform masks email addresses');
});

test("figures that begin with 'never', if the period starts after the first record", async () => {
	const [enrollment] = getData(1).enrollments;
	const [user] = getData(1).users;
	for (const group of getData(1).targetGroups)
		group.userResourceIds = group.userResourceIds.filter((id) => id !== user?.resourceId);
	if (enrollment) enrollment.startDate = '2025-08-01T00:00:00.000Z';
	const getPerson = async (parameters: IDataObject) => {
		const result = await runFor(1, 'coverage', 'getByPerson', parameters);
		return { hints: getHintMessages(result), person: getItems(result).find(({ email }) => email === user?.email) };
	};
	const late = await getPerson({});
	expect(late.person).toMatchObject({ enrolled: false, neverEnrolled: null, simulated: false });
	expect(late.hints.join(' ')).toContain("Fields that begin with 'never' are empty");
	const early = await getPerson({ periodStart: '2000-01-01' });
	expect(early.person).toMatchObject({
		neverEnrolled: true,
		neverSimulated: true,
		gaps: expect.arrayContaining(['Was never enrolled in a training.', 'Never got a simulation.']),
	});
	expect(early.hints.join(' ')).not.toContain("'never'");
});

test('risk of a customer without simulations, and ranks of fewer than five customers', async () => {
	const result = await runFor(1, 'risk', 'getByCustomer', { periodStart: '2001-01-01', periodEnd: '2001-12-31' });
	expect(getItems(result)[0]).toMatchObject({
		riskPercent: null,
		failedPercent: null,
		received: 0,
		rank: null,
		quartile: null,
		nextSteps: expect.arrayContaining(['Send a simulation: no one got one in the period.']),
	});
	const hints = getHintMessages(result).join(' ');
	expect(hints).toContain("fewer than five customers were read. To compare customers, select 'Every Company'.");
	expect(hints).toContain(
		"Percentages and times of simulations, such as 'riskPercent', are empty, because no one got a simulation in the period.",
	);
	expect(hints).not.toContain('can be timed');
	expect(hints).toContain('because no one got a simulation in the previous period.');
});

test('risk of people who got no simulation', async () => {
	const result = await runFor(1, 'risk', 'getByPerson', { periodStart: '2001-01-01', periodEnd: '2001-12-31' });
	expect(new Set(getItems(result).map(({ riskPercent }) => riskPercent))).toEqual(new Set([null]));
	expect(getHintMessages(result).join(' ')).toMatch(
		/The field 'riskPercent' is empty for people who got no simulation in the period\. .*This applies to A \(\d+ people\)/,
	);
	const measured = await runFor(1, 'risk', 'getByPerson');
	expect(getHintMessages(measured).join(' ')).not.toContain("'riskPercent' is empty");
});

test('median times, if no report or click can be timed', async () => {
	const removeTimes = (envelope: unknown) =>
		JSON.parse(
			JSON.stringify(envelope, (name, value: unknown) =>
				['lastReportedTime', 'lastClickedTime'].includes(name) ? undefined : value,
			),
		) as unknown;
	fixture.standIn.setOptions({
		transformEnvelope: (envelope, { route = '' }) =>
			/\{searchType\}\/search/.test(route) ? removeTimes(envelope) : envelope,
	});
	const result = await runFor(1, 'risk', 'getByCustomer');
	expect(getItems(result)[0]).toMatchObject({ medianMinutesToReport: null, medianMinutesToClick: null });
	for (const [name, action] of [
		['medianMinutesToReport', 'report'],
		['medianMinutesToClick', 'click'],
	])
		expect(getHintMessages(result).join(' ')).toContain(
			`The field '${name}' is empty, because no ${action} can be timed. A ${action} can be timed if`,
		);
	fixture.standIn.setOptions({ transformEnvelope: undefined });
	const timed = await runFor(1, 'risk', 'getByCustomer');
	expect(getHintMessages(timed).join(' ')).not.toContain('can be timed');
});

describe('a customer without people to measure', () => {
	const runBoth = async () => {
		const risk = await runFor(1, 'risk', 'getByCustomer');
		const coverage = await runFor(1, 'coverage', 'getByCustomer', { compareWithPrevious: true });
		for (const result of [risk, coverage]) {
			const hints = getHintMessages(result);
			expect(hints).toContain(
				'Percentages and times are empty, because the customer has no active people with an email address.',
			);
			expect(hints.join(' ')).not.toMatch(/no one got|no enrollment|no campaign job|can be timed|offender/);
		}
		expect(getItems(coverage)[0]).toMatchObject({ enrolledPercent: null, simulatedPercentBefore: null });
		return getItems(risk)[0];
	};

	test('has the next step to add people, if there are none', async () => {
		for (const { resourceId } of getData(1).users) fixture.standIn.world.addNote(resourceId, { isActive: false });
		const nextSteps = ['Add people: the customer has no active people.'];
		expect(await runBoth()).toMatchObject({ people: 0, riskPercent: null, nextSteps });
	});

	test('has the next step to add email addresses, if no one has one', async () => {
		for (const user of getData(1).users) user.email = '';
		const nextSteps = ['Add email addresses: no active person has one.'];
		expect(await runBoth()).toMatchObject({ people: getData(1).users.length, riskPercent: null, nextSteps });
	});
});

test('ranks of every company, if fewer than five are read', async () => {
	const [first, second] = fixture.standIn.world.companies;
	for (const company of [first, second]) if (company) company.companyName = `${company.companyName} Guild`;
	const result = await runFor(1, 'risk', 'getByCustomer', { ...EVERY, onlyCompanies: { nameContains: 'Guild' } });
	expect(getItems(result)).toHaveLength(2);
	const hints = getHintMessages(result);
	expect(hints).toContain(
		"The fields 'rank', 'rankedCustomers' and 'quartile' are empty, because fewer than five customers were read.",
	);
	expect(hints.join(' ')).not.toContain('Every Company');
	const all = await runFor(1, 'risk', 'getByCustomer', {
		...EVERY,
		periodStart: '2001-01-01',
		periodEnd: '2001-12-31',
	});
	expect(getHintMessages(all)).toContain(
		"The fields 'rank', 'rankedCustomers' and 'quartile' are empty, because fewer than five customers have a risk.",
	);
});

test('people without an email address count in no other figure', async () => {
	const [user] = getData(1).users;
	if (user) user.email = '';
	const result = await runFor(1, 'coverage', 'getByCustomer');
	expect(getHintMessages(result).join(' ')).toContain(
		"Some people have no email address, so their results can't be found. Their own figures are empty. Of a customer's figures, only 'people' and 'withoutEmail' count them.",
	);
});

test('a customer that cannot be read fails alone', async () => {
	const { companyResourceId: companyId } = getCompany(2);
	fixture.standIn.addFault({ route: PEOPLE_ROUTE, kind: 'forbidden-company', companyId, times: Infinity });
	const { items } = await fixture.run(
		SecurityAwarenessHumanRisk,
		{ resource: 'coverage', operation: 'getByCustomer', ...EVERY, ...CUSTOM_PERIOD },
		{ onError: 'continueRegularOutput' },
	);
	const failedItems = getJson(items).filter(({ error }) => error !== undefined);
	expect(failedItems.map(({ companyResourceId }) => companyResourceId)).toEqual([companyId]);
	expect(items).toHaveLength(fixture.standIn.world.companies.length);
});
