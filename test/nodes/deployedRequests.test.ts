/** Tests requests that a live deployment expects in a different form than the contract, and lists that the nodes filter themselves. */
import { uniq } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { toIdLocator } from '../cases';
import { findSeededEnrollment } from '../cases/enrollments';
import { createOperationFixture, TESTED_PROFILES, runCase } from '../cases/operationFixture';
import { createDeployedFixture } from './deployedFixture';

const { fixture, run, runPrepared } = createDeployedFixture();

/** The index of the survey in the customer's enrollments. */
const SURVEY_INDEX = 2;

describe('surveys, which have their own training type', () => {
	const surveyOptions = { options: { trainingType: 0 } };

	test.each([
		['without a type', {}, 2],
		['with its type', surveyOptions, 1],
	])('summary, %s', async (_type, options, requestCount) => {
		const { id, parameters } = findSeededEnrollment(fixture.customer, SURVEY_INDEX);
		const { items } = await run('TrainingReport', 'getSummary', { ...parameters, ...options });
		expect(items.map(({ json }) => json.enrollmentName)).toEqual([
			fixture.customer.companyData.enrollments.find(({ resourceId }) => resourceId === id)?.name,
		]);
		expect(fixture.requests.map(({ query }) => query.trainingType).at(-1)).toBe('0');
		expect(fixture.requests).toHaveLength(requestCount);
	});

	test.each([
		['without a type', {}],
		['with its type', surveyOptions],
	])('interactions, %s: the items have the answers, whose fields no document lists', async (_type, options) => {
		const { id, parameters } = findSeededEnrollment(fixture.customer, SURVEY_INDEX);
		const people = await fixture.customer.fetchList(`POST /api/training-reports/${id}/users/search`, {
			trainingType: 0,
		});
		const user = people.find(({ status }) => status === 'Completed');
		const { items } = await run('TrainingReport', 'enrolledUser.getInteractions', {
			...parameters,
			targetUser: toIdLocator(String(user?.targetUserResourceId)),
			...options,
		});
		expect(items.length).toBeGreaterThan(1);
		for (const { json } of items) expect([json.questionText, json.answerText]).toEqual(['How useful was it?', 'Very']);
	});

	test.each([
		['a training', 0, {}],
		['a survey', SURVEY_INDEX, { trainingType: 0 }],
	])('users of %s, without a type', async (_type, enrollmentIndex, body) => {
		const { id, parameters } = findSeededEnrollment(fixture.customer, enrollmentIndex);
		const { items } = await run('TrainingReport', 'enrolledUser.getMany', { ...parameters, returnAll: true });
		const people = await fixture.customer.fetchList(`POST /api/training-reports/${id}/users/search`, body);
		expect(people.length).toBeGreaterThan(0);
		expect(items.map(({ json }) => json.email).sort()).toEqual(people.map(({ email }) => email).sort());
	});

	test.each([
		['getSummary', {}],
		['enrolledUser.getMany', { returnAll: true }],
		['enrolledUser.getInteractions', { targetUser: toIdLocator('={{ $json.userId }}') }],
	])('only the survey of a run gets the type of a survey: %s', async (operation, operationParameters) => {
		const [survey, training] = [SURVEY_INDEX, 0].map((index) => findSeededEnrollment(fixture.customer, index));
		const userId = fixture.customer.companyData.users[0]?.resourceId;
		const items = [survey, training].map((enrollment) => ({ json: { id: enrollment?.id, userId } }));
		const parameters = {
			...fixture.customer.companyParameters,
			...operationParameters,
			enrollment: toIdLocator('={{ $json.id }}'),
			// The survey must be the first enrollment of the run.
			options: { concurrency: 1 },
		};
		await runCase(fixture, { node: 'TrainingReport', operation }, { parameters }, { items });
		const acceptedRequests = fixture.requests.filter(
			({ status, path }) => status === 200 && path.includes('-reports/'),
		);
		const types = acceptedRequests.map(({ path, query, body }) => {
			const trainingType =
				query.trainingType ?? z.object({ trainingType: z.number() }).safeParse(body).data?.trainingType;
			return `${path.includes(String(survey?.id)) ? 'survey' : 'training'}: ${trainingType}`;
		});
		expect(uniq(types).sort()).toEqual(['survey: 0', 'training: undefined']);
	});

	test('the type of an email event is sent to the platform', async () => {
		const { parameters } = findSeededEnrollment(fixture.customer, 0);
		const [user] = fixture.customer.companyData.users;
		await run('TrainingReport', 'enrolledUser.getInteractions', {
			...parameters,
			targetUser: toIdLocator(user?.resourceId ?? ''),
			options: { emailEventType: 'Opened' },
		});
		expect(fixture.requests[0]?.query).toEqual({ emailEventType: 'Opened' });
	});
});

describe('the request body', () => {
	test.each([
		['a survey', SURVEY_INDEX, { trainingType: '0', resendTypes: [7] }],
		['a training', 1, { resendTypes: [7] }],
	])('a resend contains the type of the enrollment if it is known: %s', async (_type, index, body) => {
		const { parameters } = findSeededEnrollment(fixture.customer, index);
		await run('Enrollment', 'followUp.resend', { ...parameters, sendTo: ['7'] });
		expect(
			fixture.standIn.getRequests('POST /api/training-reports/{enrollmentId}/resend').map((request) => request.body),
		).toEqual([body]);
	});

	test('a resend contains the number of the training type if the record of the enrollment has it', async () => {
		const { parameters } = findSeededEnrollment(fixture.customer, 1);
		fixture.standIn.setOptions({
			transformEnvelope: (envelope, { route }) => {
				const response = envelope as { data: object };
				const isRecord = route === 'GET /api/enrollments/{resourceId}';
				return isRecord ? { ...response, data: { ...response.data, trainingTypeId: 4 } } : envelope;
			},
		});
		await run('Enrollment', 'followUp.resend', { ...parameters, sendTo: ['7'] });
		fixture.standIn.setOptions({ transformEnvelope: undefined });
		const [request] = fixture.standIn.getRequests('POST /api/training-reports/{enrollmentId}/resend');
		expect(request?.body).toEqual({ trainingType: '4', resendTypes: [7] });
	});

	test('a resend leaves out the training type if the enrollment cannot be read', async () => {
		fixture.standIn.addFault({
			route: 'GET /api/enrollments/{resourceId}',
			kind: 'status',
			status: 404,
			times: Infinity,
		});
		const { parameters } = findSeededEnrollment(fixture.customer, SURVEY_INDEX);
		await run('Enrollment', 'followUp.resend', { ...parameters, sendTo: ['7'] });
		expect(
			fixture.standIn.getRequests('POST /api/training-reports/{enrollmentId}/resend').map(({ status }) => status),
		).toEqual([200]);
	});

	test('the performance of a user has no pages, so no pagination is sent', async () => {
		await runPrepared('Leaderboard', 'user.getPerformance');
		expect(fixture.requests.flatMap(({ undocumentedFields = [] }) => undocumentedFields)).toEqual([]);
		expect(
			fixture.requests.filter(({ body }) => body !== undefined).map(({ body }) => z.record(z.unknown()).parse(body)),
		).toEqual([expect.not.objectContaining({ pagination: expect.anything() })]);
	});

	test.each([
		['no body', () => fixture.standIn.addFault({ route: 'POST /api/account/login', kind: 'empty', times: 1 })],
		['no data', () => fixture.standIn.setOptions({ transformEnvelope: () => ({ data: null, status: 'SUCCESS' }) })],
	])('a login with status 200 and %s in the response succeeds', async (_response, changePlatform) => {
		changePlatform();
		const { items } = await run('Account', 'login', { ...fixture.customer.world.login, bypassSaml: false });
		fixture.standIn.setOptions({ transformEnvelope: undefined });
		expect(items.map(({ json }) => json)).toEqual([{ success: true }]);
	});

	test('the timeline of a user has no filter, so no filter is sent', async () => {
		await runPrepared('Leaderboard', 'user.exportTimeline');
		expect(Object.keys(z.record(z.unknown()).parse(fixture.requests[0]?.body))).not.toContain('filter');
	});

	test("creates a reseller's first company with values from the platform's own lists", async () => {
		const readId = async (key: string, selectId: (data: unknown) => unknown) =>
			String(selectId(await fixture.customer.fetchData(key)));
		const codeTypes = z
			.array(z.object({ id: z.number(), name: z.string() }))
			.parse(await fixture.customer.fetchData('GET /api/codetypes'));
		const readCodeId = async (name: RegExp) => {
			const { id } = codeTypes.find((codeType) => name.test(codeType.name)) ?? { id: 0 };
			return await readId(
				`GET /api/lookups/${id}`,
				(data) => z.array(z.object({ resourceId: z.string() })).parse(data)[1]?.resourceId,
			);
		};
		const licenseTypeResourceId = await readId(
			'GET /api/lookups/licenses',
			(data) =>
				z.object({ licenses: z.array(z.object({ resourceId: z.string() })) }).parse(data).licenses[1]?.resourceId,
		);
		const selectedIds = {
			industryResourceId: await readCodeId(/^industry/i),
			countryResourceId: await readCodeId(/^country/i),
			licensePeriodTypeResourceId: await readCodeId(/^license period/i),
			preferredLanguageTypeResourceId: await readCodeId(/language/i),
		};
		const { items } = await run('Company', 'create', {
			name: 'First',
			industry: toIdLocator(selectedIds.industryResourceId),
			country: toIdLocator(selectedIds.countryResourceId),
			licenseType: toIdLocator(licenseTypeResourceId),
			licensePeriodType: toIdLocator(selectedIds.licensePeriodTypeResourceId),
			numberOfUsers: 5,
			timeZone: toIdLocator('Europe/Istanbul'),
			dateFormat: toIdLocator('yyyy-MM-dd'),
			timeFormat: toIdLocator('12h'),
			additionalFields: { preferredLanguage: toIdLocator(selectedIds.preferredLanguageTypeResourceId) },
		});
		const id = z.object({ resourceId: z.string() }).parse(items[0]?.json).resourceId;
		expect(fixture.customer.world.companyDetails[id]).toMatchObject({
			...selectedIds,
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
	const profileFixture = createOperationFixture(profile);
	// The workflow's time zone is UTC, because the tests count days in UTC.
	const getOutput = async (node: string, operation: string, parameters: IDataObject) => {
		const overrides = { settings: { timezone: 'UTC' } };
		const { items } = await runCase(profileFixture, { node, operation }, { parameters }, overrides);
		return items.map(({ json }) => json);
	};

	test('companies due for renewal: from today to the last day, the earliest end date first', async () => {
		const DAY_MS = 86_400_000;
		const today = Date.parse(new Date().toISOString().slice(0, 10));
		const { companies } = profileFixture.customer.world;
		for (const company of companies) company.licenseEndDate = '2090-01-01T00:00:00.000Z';
		const endOffsets = [-1, 0, 5, 30, 31];
		for (const [index, days] of endOffsets.entries()) {
			const company = companies[index];
			if (company) company.licenseEndDate = new Date(today + days * DAY_MS + DAY_MS / 2).toISOString();
		}
		const items = await getOutput('Company', 'getMany', { show: 'renewal', renewalWithinDays: 30, returnAll: true });
		expect(items.map(({ companyName }) => companyName)).toEqual(
			companies.slice(1, 4).map(({ companyName }) => companyName),
		);
	});

	// The node leaves out a test enrollment only if the list marks it as a test. The list of a live deployment has no such mark.
	test('enrollments without tests', async () => {
		const { enrollments } = profileFixture.customer.companyData;
		const testEnrollments = enrollments.filter(({ markedAsTest }) => markedAsTest);
		expect(testEnrollments).toHaveLength(1);
		const items = await getOutput('Enrollment', 'getMany', {
			...profileFixture.customer.companyParameters,
			returnAll: true,
			filters: { excludeTests: true },
		});
		expect(items).toHaveLength(enrollments.length - (profile === 'deployed' ? 0 : 1));
	});

	test('surveys only', async () => {
		const items = await getOutput('Enrollment', 'getMany', {
			...profileFixture.customer.companyParameters,
			returnAll: true,
			enrollmentType: 'Survey',
		});
		expect(items.map(({ type, name }) => [type, name])).toEqual(
			profileFixture.customer.companyData.enrollments
				.filter(({ type }) => type === 'Survey')
				.map(({ type, name }) => [type, name]),
		);
	});
});
