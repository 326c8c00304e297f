/** Tests what the Human Risk node does about unknown figures: a figure that the platform doesn't show is null, and a hint says why. */
import { omit } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessHumanRisk } from '../../nodes/HumanRisk/SecurityAwarenessHumanRisk.node';
import { calculateCustomerCoverage } from '../cases/humanRiskExpectation';
import { getHintMessages, getJson, requireValue } from '../n8n-core/nodeFixture';
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
		"Figures about smishing simulations are empty where the platform didn't show all that they need. This applies to A (the list of smishing campaign jobs: ",
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

test('repeat offenders, if the period is shorter than their months', async () => {
	const result = await runFor(1, 'risk', 'getByPerson', { periodStart: '2026-01-01', periodEnd: '2026-01-31' });
	const flags = new Set(getItems(result).map(({ repeatOffender }) => repeatOffender));
	expect(flags.has(false)).toBe(false);
	expect(flags.has(null)).toBe(true);
	expect(getHintMessages(result).join(' ')).toContain('Fields about repeat offenders are empty');
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
	expect(hints).toContain('fewer than five customers have a risk');
	expect(hints).toContain("The field 'riskPercent' is empty, because no one got a simulation in the period.");
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
