/** Tests what the Human Risk node outputs if lists are incomplete, or if records lack a status, a time or a name. */
import type { IDataObject } from 'n8n-workflow';
import { getHintMessages, requireValue } from '../n8n-core/nodeFixture';
import { createHumanRiskFixture, getItems } from './humanRiskFixture';
import { createDistortion } from './listDistortions';

const { fixture, getData, changeResponses, runFor } = createHumanRiskFixture();

const ACTIVITY_ROUTE = 'POST /api/training-reports/activity-users/search';

/** Makes a list count more records than it has. */
const makeIncomplete = (route: string) =>
	fixture.standIn.setOptions({
		transformEnvelope: createDistortion(route, (page, pageNumber) => ({
			...page,
			results: pageNumber === 1 ? page.results : [],
			totalNumberOfRecords: 900,
		})),
	});

/** Makes the first enrollment of customer 1 begin before the period. Then the activities show who was added to it later. */
const makeEnrollmentOld = () => {
	requireValue(getData(1).enrollments[0]).startDate = '2024-05-01T00:00:00.000Z';
};

/** Removes fields from the responses of some routes, or replaces their values. */
const changeFields = (routes: RegExp, values: Record<string, unknown>) =>
	changeResponses(
		routes,
		(envelope) =>
			JSON.parse(
				JSON.stringify(envelope, (name, value: unknown) => (name in values ? values[name] : value)),
			) as unknown,
	);

const getCoverage = async () => {
	const result = await runFor(1, 'coverage', 'getByCustomer');
	return { item: getItems(result)[0], hints: getHintMessages(result).join(' ') };
};

test.each<[list: string, route: string, unknownFields: IDataObject]>([
	[
		'the list of phishing campaign jobs',
		'POST /api/phishing-simulator/phishing-campaign-job-report/search',
		{ phishingSimulated: null, quishingSimulated: expect.any(Number) },
	],
	['the list of enrollments', 'POST /api/enrollments/search', { enrolled: null, notEnrolled: null, finished: null }],
	['the list of training activities', ACTIVITY_ROUTE, { finished: null }],
	['the list of people with the add-in', 'POST /api/phishing-reporter/search', { canReport: null, cannotReport: null }],
])('%s is incomplete: figures that need it are empty, and a hint says why', async (list, route, unknownFields) => {
	makeEnrollmentOld();
	makeIncomplete(route);
	const { item, hints } = await getCoverage();
	expect(item).toMatchObject(unknownFields);
	expect(hints).toContain(`(${list}: it is incomplete)`);
});

test('the list of people is incomplete: a hint says that people are missing', async () => {
	makeIncomplete('POST /api/target-users/search');
	const { hints } = await getCoverage();
	expect(hints).toContain('The list of people is incomplete');
});

test('people whose status is unknown count as active, and a hint says so', async () => {
	changeFields(/POST \/api\/target-users\/search$/, { status: undefined, isActive: undefined });
	const { item, hints } = await getCoverage();
	expect(item).toMatchObject({ people: getData(1).users.length });
	expect(hints).toContain(
		"The platform doesn't show if some people are active. They count as active. This applies to A (",
	);
});

test('a platform without activities: a hint says that people who were added later do not count', async () => {
	makeEnrollmentOld();
	fixture.standIn.addFault({ route: ACTIVITY_ROUTE, kind: 'status', status: 404, times: Infinity });
	const { item, hints } = await getCoverage();
	expect(item).toMatchObject({ enrolled: expect.any(Number) });
	expect(hints).toContain("People who were added in the period to an older enrollment don't count as enrolled");
});

test('the record of an older enrollment cannot be read: it is unknown who was enrolled', async () => {
	makeEnrollmentOld();
	const { resourceId } = requireValue(getData(1).enrollments[0]);
	const [user] = getData(1).users;
	fixture.standIn.world.addNote(resourceId, {
		lateEnrollments: { [user?.resourceId ?? '']: '2026-02-03T10:00:00.000Z' },
	});
	fixture.standIn.addFault({
		route: 'GET /api/enrollments/{resourceId}',
		kind: 'status',
		status: 403,
		times: Infinity,
	});
	const { item } = await getCoverage();
	expect(item).toMatchObject({ enrolled: null, finished: null });
});

test('the gaps of a person name the add-in and the domain', async () => {
	const data = getData(1);
	const [first, second, third] = data.users;
	if (!first || !second || !third) return;
	third.email = third.email.replace('@', '@other.');
	const [reporter] = data.reporters;
	data.reporters = [{ ...requireValue(reporter), email: second.email, lastSeen: '2025-01-01T12:00:00.000Z' }];
	const people = getItems(await runFor(1, 'coverage', 'getByPerson'));
	const findGaps = (email: string) => people.find((person) => person.email === email)?.gaps;
	expect(findGaps(first.email)).toContain('Has no report add-in.');
	expect(findGaps(second.email)).toContain('The report add-in was last seen on 2025-01-01.');
	expect(findGaps(third.email)).toContain(
		`The domain ${third.email.split('@')[1]?.toLowerCase() ?? ''} isn't verified.`,
	);
});

test('a failure without a time or the name of its campaign is a reason without them', async () => {
	changeFields(/campaign-job-report\/(search|summary)|\{searchType\}\/search/, {
		lastSendingTime: 'unknown',
		lastClickedTime: undefined,
		lastSubmittedTime: undefined,
		lastAttachmentOpenedTime: undefined,
		campaignName: undefined,
		name: undefined,
	});
	const people = getItems(await runFor(1, 'risk', 'getByPerson', { onlyPeopleWho: 'failed' }));
	expect(people).not.toEqual([]);
	for (const { reasons, lastFailedTime } of people) {
		expect(reasons).toContainEqual(expect.stringMatching(/ "No name" on an unknown day\.$/));
		expect(lastFailedTime).toBeNull();
	}
});

test('a sending time that cannot be read does not replace one that can', async () => {
	const getLastTimes = async (lastSendingTime: string | undefined) => {
		changeFields(/(quishing|smishing)-campaign-job-report\/\{searchType\}\/search/, { lastSendingTime });
		const people = getItems(await runFor(1, 'coverage', 'getByPerson'));
		return people.map(({ email, lastSimulationTime }) => [email, lastSimulationTime]);
	};
	const timesOfPhishing = await getLastTimes(undefined);
	expect(timesOfPhishing.some(([, time]) => time !== null)).toBe(true);
	expect(await getLastTimes('unknown')).toEqual(timesOfPhishing);
});
