/**
 * The requests that a live deployment needs in another form than the contract describes, and lists that the nodes
 * filter themselves.
 */
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { toIdLocator, cases } from '../cases';
import { findSeededEnrollment } from '../cases/enrollments';
import { createOperationFixture, TESTED_PROFILES, runCase } from '../cases/operationFixture';
import { createDeployedFixture } from './deployed';

const { fixture, run, runPrepared } = createDeployedFixture();

/** The index of the survey in the customer's enrollments. */
const SURVEY = 2;

describe('surveys, which are told apart by a type', () => {
	const typed = { options: { trainingType: 0 } };

	test.each([
		['without a type', {}, 2],
		['with its type', typed, 1],
	])('summary, %s', async (_named, options, tries) => {
		const { id, parameters } = findSeededEnrollment(fixture.customer, SURVEY);
		const { items } = await run('TrainingReport', 'getSummary', { ...parameters, ...options });
		expect(items.map(({ json }) => json.enrollmentName)).toEqual([
			fixture.customer.companyData.enrollments.find(({ resourceId }) => resourceId === id)?.name,
		]);
		expect(fixture.requests.map(({ query }) => query.trainingType).at(-1)).toBe('0');
		expect(fixture.requests).toHaveLength(tries);
	});

	test.each([
		['without a type', {}],
		['with its type', typed],
	])('interactions, %s: the answers come with fields that nobody lists', async (_named, options) => {
		const { id, parameters } = findSeededEnrollment(fixture.customer, SURVEY);
		const people = await fixture.customer.fetchList(`POST /api/training-reports/${id}/users/search`, {
			trainingType: 0,
		});
		const user = people.find(({ status }) => status === 'Completed');
		const { items } = await run('TrainingReport', 'getInteractions', {
			...parameters,
			targetUser: toIdLocator(String(user?.targetUserResourceId)),
			...options,
		});
		expect(items.length).toBeGreaterThan(1);
		for (const { json } of items) expect([json.questionText, json.answerText]).toEqual(['How useful was it?', 'Very']);
	});

	test.each([
		['a training', 0, {}],
		['a survey', SURVEY, { trainingType: 0 }],
	])('users of %s, without a type', async (_named, kind, body) => {
		const { id, parameters } = findSeededEnrollment(fixture.customer, kind);
		const { items } = await run('TrainingReport', 'getUsers', { ...parameters, returnAll: true });
		const people = await fixture.customer.fetchList(`POST /api/training-reports/${id}/users/search`, body);
		expect(people.length).toBeGreaterThan(0);
		expect(items.map(({ json }) => json.email).sort()).toEqual(people.map(({ email }) => email).sort());
	});

	test('the type of an e-mail event reaches the service', async () => {
		const { parameters } = findSeededEnrollment(fixture.customer, 0);
		const [user] = fixture.customer.companyData.users;
		await run('TrainingReport', 'getInteractions', {
			...parameters,
			targetUser: toIdLocator(user?.resourceId ?? ''),
			options: { emailEventType: 'Opened' },
		});
		expect(fixture.requests[0]?.query).toEqual({ emailEventType: 'Opened' });
	});
});

describe('a second header with the company', () => {
	const inEnrollments = () => fixture.requests.filter(({ path }) => path.startsWith('/api/enrollments'));

	// These two are requests about reports.
	const isOfReports = ({ operation }: { operation: string }) => ['resend', 'resendToPeople'].includes(operation);
	const ofEnrollments = cases.filter((each) => each.node === 'Enrollment' && !isOfReports(each));
	test.each(ofEnrollments)('Enrollment: $operation', async ({ operation }) => {
		await runPrepared('Enrollment', operation);
		expect(inEnrollments().length).toBeGreaterThan(0);
		for (const { headers } of inEnrollments()) expect(headers['x-ir-company-id']).toBe(fixture.customer.companyId);
	});
});

describe('what is sent', () => {
	test.each([
		['a survey', SURVEY, { trainingType: '0', resendTypes: [7] }],
		['a training', 1, { resendTypes: [7] }],
	])('a resend tells the type of the enrollment where it is known: %s', async (_what, index, body) => {
		const { parameters } = findSeededEnrollment(fixture.customer, index);
		await run('Enrollment', 'resend', { ...parameters, sendTo: ['7'] });
		expect(
			fixture.standIn.getRequests('POST /api/training-reports/{enrollmentId}/resend').map((sent) => sent.body),
		).toEqual([body]);
	});

	test('a resend leaves out the training type if the enrollment cannot be read', async () => {
		fixture.standIn.addFault({
			route: 'GET /api/enrollments/{resourceId}',
			kind: 'status',
			status: 404,
			times: Infinity,
		});
		const { parameters } = findSeededEnrollment(fixture.customer, SURVEY);
		await run('Enrollment', 'resend', { ...parameters, sendTo: ['7'] });
		expect(
			fixture.standIn.getRequests('POST /api/training-reports/{enrollmentId}/resend').map(({ status }) => status),
		).toEqual([200]);
	});

	test('the performance of a user has no pages, so none are sent', async () => {
		await runPrepared('Leaderboard', 'getUserPerformance');
		expect(fixture.requests.flatMap(({ undocumentedFields: undescribed = [] }) => undescribed)).toEqual([]);
		expect(
			fixture.requests.filter(({ body }) => body !== undefined).map(({ body }) => z.record(z.unknown()).parse(body)),
		).toEqual([expect.not.objectContaining({ pagination: expect.anything() })]);
	});

	test.each([
		['no body', () => fixture.standIn.addFault({ route: 'POST /api/account/login', kind: 'empty', times: 1 })],
		['no data', () => fixture.standIn.setOptions({ transformEnvelope: () => ({ data: null, status: 'SUCCESS' }) })],
	])('a login that is answered with 200 and %s succeeds', async (_what, answer) => {
		answer();
		const { items } = await run('Account', 'login', { ...fixture.customer.world.login, bypassSaml: false });
		fixture.standIn.setOptions({ transformEnvelope: undefined });
		expect(items.map(({ json }) => json)).toEqual([{ success: true }]);
	});

	test('the timeline of a user has no filter, so none is sent', async () => {
		await runPrepared('Leaderboard', 'exportUserTimeline');
		expect(Object.keys(z.record(z.unknown()).parse(fixture.requests[0]?.body))).not.toContain('filter');
	});

	test("a reseller's first company, all of it chosen from the platform's own lists", async () => {
		const first = async (key: string, pick: (data: unknown) => unknown) =>
			String(pick(await fixture.customer.fetchData(key)));
		const kinds = z
			.array(z.object({ id: z.number(), name: z.string() }))
			.parse(await fixture.customer.fetchData('GET /api/codetypes'));
		const codeOf = async (kind: RegExp) => {
			const { id } = kinds.find(({ name }) => kind.test(name)) ?? { id: 0 };
			return await first(
				`GET /api/lookups/${id}`,
				(data) => z.array(z.object({ resourceId: z.string() })).parse(data)[1]?.resourceId,
			);
		};
		const licenseTypeResourceId = await first(
			'GET /api/lookups/licenses',
			(data) =>
				z.object({ licenses: z.array(z.object({ resourceId: z.string() })) }).parse(data).licenses[1]?.resourceId,
		);
		const chosen = {
			industryResourceId: await codeOf(/^industry/i),
			countryResourceId: await codeOf(/^country/i),
			licensePeriodTypeResourceId: await codeOf(/^license period/i),
			preferredLanguageTypeResourceId: await codeOf(/language/i),
		};
		const { items } = await run('Company', 'create', {
			name: 'First',
			industry: toIdLocator(chosen.industryResourceId),
			country: toIdLocator(chosen.countryResourceId),
			licenseType: toIdLocator(licenseTypeResourceId),
			licensePeriodType: toIdLocator(chosen.licensePeriodTypeResourceId),
			numberOfUsers: 5,
			timeZone: toIdLocator('Europe/Istanbul'),
			dateFormat: toIdLocator('yyyy-MM-dd'),
			timeFormat: toIdLocator('12h'),
			additionalFields: { preferredLanguage: toIdLocator(chosen.preferredLanguageTypeResourceId) },
		});
		const id = z.object({ resourceId: z.string() }).parse(items[0]?.json).resourceId;
		expect(fixture.customer.world.companyDetails[id]).toMatchObject({
			...chosen,
			timeZoneId: 'Europe/Istanbul',
			dateFormat: 'yyyy-MM-dd',
			timeFormat: '12h',
		});
		expect(
			fixture.customer.world.companies.find(({ companyResourceId }) => companyResourceId === id)?.licenseTypeResourceId,
		).toBe(licenseTypeResourceId);
	});
});

describe.each(TESTED_PROFILES)('$title', ({ profile }) => {
	const other = createOperationFixture(profile);
	const runOther = async (node: string, operation: string, parameters: IDataObject) =>
		(await runCase(other, { node, operation }, { parameters })).items.map(({ json }) => json);

	test('companies due for renewal: from today to the last day, the first to end first', async () => {
		const DAY = 86_400_000;
		const today = Date.parse(new Date().toISOString().slice(0, 10));
		const { companies } = other.customer.world;
		for (const company of companies) company.licenseEndDate = '2090-01-01T00:00:00.000Z';
		const ends = [-1, 0, 5, 30, 31];
		for (const [at, days] of ends.entries()) {
			const company = companies[at];
			if (company) company.licenseEndDate = new Date(today + days * DAY + DAY / 2).toISOString();
		}
		const items = await runOther('Company', 'getMany', { show: 'renewal', renewalWithinDays: 30, returnAll: true });
		expect(items.map(({ companyName }) => companyName)).toEqual(
			companies.slice(1, 4).map(({ companyName }) => companyName),
		);
	});

	// Where the list says what is a test, it is left out; a live deployment's list does not say it.
	test('enrollments without tests', async () => {
		const { enrollments } = other.customer.companyData;
		const tests = enrollments.filter(({ markedAsTest }) => markedAsTest);
		expect(tests).toHaveLength(1);
		const items = await runOther('Enrollment', 'getMany', {
			...other.customer.companyParameters,
			returnAll: true,
			filters: { excludeTests: true },
		});
		expect(items).toHaveLength(enrollments.length - (profile === 'deployed' ? 0 : 1));
	});

	test('surveys only', async () => {
		const items = await runOther('Enrollment', 'getMany', {
			...other.customer.companyParameters,
			returnAll: true,
			enrollmentType: 'Survey',
		});
		expect(items.map(({ type, name }) => [type, name])).toEqual(
			other.customer.companyData.enrollments
				.filter(({ type }) => type === 'Survey')
				.map(({ type, name }) => [type, name]),
		);
	});
});
