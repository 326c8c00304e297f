/** Tests how events are read from the rows of campaign jobs, and how these rows confirm the events of a timeline. */
import type { IDataObject } from 'n8n-workflow';
import { RequestError } from '../../nodes/core/http/errors';
import type { PickerContext } from '../../nodes/core/fields/field';
import type { Choice } from '../../nodes/core/values';
import { createActionTypeFilter } from '../../nodes/domain/people/actionTypeFilter';
import { createEventConfirmer, findBotAction, isHumanRow } from '../../nodes/domain/simulations/confirmedActions';
import { getJobEventKey, readJobEvents, readJobEventTime } from '../../nodes/domain/simulations/jobEvents';
import { JobReader } from '../../nodes/domain/simulations/jobReader';
import { runWithClient } from '../http/runWithClient';
import { closeFakeServers, startFakeServer, type RouteReply } from '../n8n-core/nodeFixture';

beforeEach(() => jest.spyOn(Math, 'random').mockReturnValue(0));
afterEach(() => {
	jest.restoreAllMocks();
	closeFakeServers();
});

const SINCE = Date.parse('2026-06-01T09:00:00Z');
const { signal } = new AbortController();
const getReportPath = (simulator: string) => `/api/${simulator}-simulator/${simulator}-campaign-job-report`;
const PHISHING_PATH = getReportPath('phishing');
/** The lists of jobs of a platform without any job. */
const NO_JOBS: Record<string, RouteReply> = Object.fromEntries(
	['phishing', 'quishing', 'smishing'].map((simulator) => [`POST ${getReportPath(simulator)}/search`, { data: [] }]),
);
const JOB = { resourceId: 'c', instanceGroup: 1, name: 'Spring', startDate: '2026-05-30T09:00:00Z' };

describe('the events of campaign jobs', () => {
	const readEvents = async (replies: Record<string, RouteReply>, excludeBots = true) => {
		const { credentialStore, requests } = await startFakeServer({ ...NO_JOBS, ...replies });
		const query = { company: undefined, since: SINCE, actions: ['clicked'] as const, excludeBots };
		const result = await runWithClient(credentialStore, (client) => readJobEvents(client, signal, query));
		return { result, routes: requests.map(({ route }) => route) };
	};
	const SUMMARY_ROUTE = `GET ${PHISHING_PATH}/summary/c/1`;
	const readEventsOfPeople = (people: IDataObject[], job: IDataObject = JOB, excludeBots = true) =>
		readEvents(
			{
				[`POST ${PHISHING_PATH}/search`]: { data: [job, { name: 'No ID' }] },
				[`POST ${PHISHING_PATH}/Clicked/search/c/1`]: { data: people },
				[SUMMARY_ROUTE]: { data: { name: 'Spring' } },
			},
			excludeBots,
		);

	test('have the fields of the row; fields that the row lacks are null', async () => {
		const row = { email: 'a@example.com', clickedCount: 1, lastClickedTime: '2026-06-01T09:00:00' };
		const { result } = await readEventsOfPeople([row]);
		expect(result).toEqual({
			isComplete: true,
			events: [
				{
					email: 'a@example.com',
					firstName: null,
					lastName: null,
					department: null,
					ActionTime: '2026-06-01T09:00:00',
					ActionType: 'Clicked',
					name: 'Spring',
					result: null,
					points: null,
					productType: 'Phishing',
					campaignType: null,
					difficultyType: null,
					activityType: null,
					resourceId: 'c',
					targetUserResourceId: null,
					jobId: 'c/1',
					personResourceId: null,
				},
			],
		});
	});

	test('begin with the time from which they are read; rows without a time are none', async () => {
		const times = ['2026-06-01T08:59:59.999Z', '2026-06-01T09:00:00.000Z', null, 'soon', '2026-06-01T11:00:00+02:00'];
		const people = times.map((lastClickedTime, index) => ({
			email: `${index}@example.com`,
			clickedCount: 1,
			lastClickedTime,
		}));
		const { result } = await readEventsOfPeople(people);
		expect(result).toMatchObject({ events: [{ email: '1@example.com' }, { email: '4@example.com' }] });
	});

	test('occur once, even if a row is read twice', async () => {
		const row = { resourceId: 'r', email: 'a@example.com', clickedCount: 1, lastClickedTime: '2026-06-01T10:00:00Z' };
		const { result } = await readEventsOfPeople([row, row, { ...row, resourceId: 's' }]);
		expect(result).toMatchObject({ events: [{ personResourceId: 'r' }, { personResourceId: 's' }] });
	});

	const RECENT_ROW = { email: 'a@example.com', clickedCount: 1, lastClickedTime: '2026-06-01T10:00:00Z' };

	test.each<[string, IDataObject, number]>([
		['30 days before', { ...JOB, startDate: '2026-05-02T09:00:00Z' }, 1],
		['more than 30 days before', { ...JOB, startDate: '2026-05-02T08:59:59Z' }, 0],
		['at an unknown time', { ...JOB, startDate: null }, 1],
	])('of a job that started %s', async (_when, job, expectedCount) => {
		const { result, routes } = await readEventsOfPeople([RECENT_ROW], job);
		expect(result).toMatchObject({ events: { length: expectedCount } });
		expect(routes.filter((route) => route.includes('/Clicked/'))).toHaveLength(expectedCount);
	});

	test('of bots are only read if they are not excluded', async () => {
		const botRow = { ...RECENT_ROW, activityType: 'Bot Activity' };
		expect((await readEventsOfPeople([botRow])).result).toMatchObject({ events: [] });
		expect((await readEventsOfPeople([botRow], JOB, false)).result).toMatchObject({
			events: [{ activityType: 'Bot Activity' }],
		});
	});

	test('need the summary of the job only if there are new ones', async () => {
		const old = { ...RECENT_ROW, lastClickedTime: '2026-05-31T10:00:00Z' };
		expect((await readEventsOfPeople([old])).routes).not.toContain(SUMMARY_ROUTE);
		expect((await readEventsOfPeople([RECENT_ROW])).routes).toContain(SUMMARY_ROUTE);
	});

	test.each<[string, IDataObject]>([
		['jobs', { [`POST ${PHISHING_PATH}/search`]: { data: { results: [JOB], totalNumberOfRecords: 2 } } }],
		['people', { [`POST ${PHISHING_PATH}/Clicked/search/c/1`]: { data: { results: [], totalNumberOfRecords: 2 } } }],
	])('are incomplete if the platform counts more %s than it lists', async (_records, replies) => {
		const { result } = await readEvents({
			[`POST ${PHISHING_PATH}/search`]: { data: [JOB] },
			[`POST ${PHISHING_PATH}/Clicked/search/c/1`]: { data: [] },
			...(replies as Record<string, RouteReply>),
		});
		expect(result).toEqual({ events: [], isComplete: false });
	});

	test('are identified by the row, the job, the action and its time', () => {
		const event = { personResourceId: 'r', targetUserResourceId: 'u', email: 'e', jobId: 'c/1' };
		const action = { ActionType: 'Clicked', ActionTime: '2026-06-01T10:00:00Z' };
		const events: IDataObject[] = [
			{ ...event, ...action },
			{ ...event, ...action, personResourceId: null },
			{ ...event, ...action, personResourceId: null, targetUserResourceId: null },
			{ ...event, ...action, jobId: 'c/2' },
			{ ...event, ...action, ActionType: 'Opened' },
			{ ...event, ...action, ActionTime: '2026-06-01T10:00:01Z' },
		];
		expect(new Set(events.map(getJobEventKey)).size).toBe(events.length);
		expect(getJobEventKey({ ...event, ...action, department: 'IT' })).toBe(getJobEventKey({ ...event, ...action }));
	});

	test.each([
		['2026-06-01T10:00:00', '2026-06-01T10:00:00Z'],
		['2026-06-01T10:00:00+02:00', '2026-06-01T08:00:00Z'],
	])('have the time %s, in UTC if it has no time zone', (ActionTime, expected) => {
		expect(readJobEventTime({ ActionTime })).toBe(Date.parse(expected));
		expect(readJobEventTime({ ActionTime: 'soon' })).toBeUndefined();
		expect(readJobEventTime({})).toBeUndefined();
	});
});

describe('the people of a job', () => {
	const readPeople = async (simulator: 'phishing' | 'smishing', replies: Record<string, RouteReply>) => {
		const { credentialStore, requests } = await startFakeServer(replies);
		const job = { resourceId: 'c', instanceGroup: '1' };
		const people = await runWithClient(credentialStore, (client) =>
			new JobReader(client, { company: undefined, signal, purpose: 'look' }).readPeople(
				simulator,
				job,
				'reported',
				true,
			),
		);
		return { people, routes: requests.map(({ route }) => route) };
	};
	const PEOPLE_ROUTE = `POST ${PHISHING_PATH}/Reported/search/c/1`;

	test.each([400, 404])('are none if the platform rejects their list with %i', async (status) => {
		const rejection = { status, body: { status: 'INPUT_ERROR', message: 'No.' } };
		const { people } = await readPeople('phishing', {
			[PEOPLE_ROUTE]: rejection,
			[`POST ${PHISHING_PATH}/search-email-reported/c`]: rejection,
		});
		expect(people).toEqual([]);
	});

	test.each([403, 500])('are not known if their list fails with %i', async (status) => {
		const { people } = await readPeople('phishing', { [PEOPLE_ROUTE]: { status } });
		expect(people).toMatchObject({ details: { status } });
	});

	test('who reported a text message cannot be listed, so nothing is requested', async () => {
		expect(await readPeople('smishing', {})).toEqual({ people: [], routes: [] });
	});

	test('who reported are listed, also those whose message a bot opened', async () => {
		const rows = [{ email: 'a@example.com', reportedCount: 1, activityType: 'Bot Activity' }];
		const { people } = await readPeople('phishing', { [PEOPLE_ROUTE]: { data: rows } });
		expect(people).toMatchObject([{ email: 'a@example.com', reported: true }]);
	});
});

test.each([
	['Human Activity', true],
	['human', true],
	['Non-Human Activity', false],
	['Bot Activity', false],
	['Sandbox Activity', false],
	[undefined, false],
])('a row with the activity %p is that of a human: %p', (activityType, expected) => {
	expect(isHumanRow(activityType === undefined ? {} : { activityType })).toBe(expected);
});

test.each([
	['LinkClicked', 'Phishing', 'clicked'],
	['QrCodeScanned', 'Quishing', 'clicked'],
	['DataSubmitted', 'Phishing', 'submitted'],
	['Form Submission', 'Phishing', 'submitted'],
	['EmailOpened', 'Phishing', 'opened'],
	['Opened and submitted', 'Phishing', 'submitted'],
	['Reported', 'Phishing', undefined],
	['TrainingOpened', 'Training', undefined],
	['SurveySubmitted', 'Survey', undefined],
	['LessonClicked', 'Learning Path', undefined],
	['Opened', 'Enrollment', undefined],
	['LinkClicked', undefined, 'clicked'],
])('a bot may have done %s in %s: %s', (ActionType, productType, expected) => {
	expect(findBotAction(productType === undefined ? { ActionType } : { ActionType, productType })).toBe(expected);
});

describe('an event is confirmed by the rows of its campaign', () => {
	const confirm = async (events: IDataObject[], rows: IDataObject[], simulator = 'phishing') => {
		const path = getReportPath(simulator);
		const { credentialStore, requests } = await startFakeServer({
			...NO_JOBS,
			[`POST ${path}/search`]: {
				data: [{ ...JOB, instanceGroup: 1 }, { ...JOB, instanceGroup: 2 }, { name: 'No ID' }],
			},
			[`POST ${path}/Clicked/search/c/1`]: { data: [] },
			[`POST ${path}/Clicked/search/c/2`]: { data: rows },
		});
		const confirmed = await runWithClient(credentialStore, (client) =>
			createEventConfirmer(client, signal)(undefined, events),
		);
		return { confirmed, routes: requests.map(({ route }) => route) };
	};
	const EVENT = { resourceId: 'c', ActionType: 'LinkClicked', productType: 'Phishing', email: 'A@example.com' };
	const ROW = { clickedCount: 1, activityType: 'Human Activity' };

	test.each<[string, IDataObject, IDataObject, boolean]>([
		['the address, in any case', EVENT, { ...ROW, email: 'a@Example.com' }, true],
		['the ID', { ...EVENT, email: '***', targetUserResourceId: 'U' }, { ...ROW, targetUserResourceId: 'u' }, true],
		['nothing', EVENT, { ...ROW, email: 'b@example.com' }, false],
		['the address, but the row is not marked', EVENT, { clickedCount: 1, email: 'a@example.com' }, false],
		['the address, but of a bot', EVENT, { ...ROW, email: 'a@example.com', activityType: 'Bot Activity' }, false],
		['the address, but of another campaign', { ...EVENT, resourceId: 'd' }, { ...ROW, email: 'a@example.com' }, false],
		['the address, but without a campaign', { ...EVENT, resourceId: null }, { ...ROW, email: 'a@example.com' }, false],
		[
			'the address, but with an action that bots do not do',
			{ ...EVENT, ActionType: 'Reported' },
			{ ...ROW, email: 'a@example.com' },
			false,
		],
	])('if they have in common: %s', async (_what, event, row, isConfirmed) => {
		const { confirmed } = await confirm([event], [row]);
		expect(confirmed).toEqual([isConfirmed ? { ...event, jobId: 'c/2' } : undefined]);
	});

	test('each list is read once for several events, and only those of the simulator that the product names', async () => {
		const rows = ['a', 'b'].map((name) => ({ ...ROW, email: `${name}@example.com` }));
		const { confirmed, routes } = await confirm([EVENT, { ...EVENT, email: 'b@example.com' }], rows);
		expect(confirmed).toMatchObject([{ jobId: 'c/2' }, { jobId: 'c/2' }]);
		expect(routes).toEqual([
			`POST ${PHISHING_PATH}/search`,
			`POST ${PHISHING_PATH}/Clicked/search/c/1`,
			`POST ${PHISHING_PATH}/Clicked/search/c/2`,
		]);
	});

	test.each([
		['Quishing Simulator', ['quishing']],
		['QUISH', ['quishing']],
		['Simulation', ['phishing', 'quishing']],
		['', ['phishing', 'quishing']],
	])('the product %j may belong to %j', async (productType, expectedSimulators) => {
		const rows = [{ ...ROW, email: 'a@example.com' }];
		const { confirmed, routes } = await confirm([{ ...EVENT, productType }], rows, 'quishing');
		expect(confirmed).toMatchObject([{ jobId: 'c/2' }]);
		const readSimulators = ['phishing', 'quishing'].filter((name) =>
			routes.includes(`POST ${getReportPath(name)}/search`),
		);
		expect(readSimulators).toEqual(expectedSimulators);
	});
});

describe('a filter of action types', () => {
	const EVENTS = ['LinkClicked', 'Link Clicked', 'Reported', 'Odd'].map((ActionType) => ({ ActionType }));
	const filterEvents = async (watchedIds: string[], readActionTypes: () => Promise<Choice[]>) => {
		const filter = createActionTypeFilter(watchedIds, readActionTypes, {} as PickerContext);
		return (await filter(EVENTS)).map(({ ActionType }) => ActionType);
	};
	const createFailure = (status: number) => new RequestError({ reason: 'no', advice: 'none', status });

	test('keeps every event if the credential may not read the action types (403)', async () => {
		const readActionTypes = jest.fn(() => Promise.reject(createFailure(403)));
		expect(await filterEvents(['LinkClicked'], readActionTypes)).toHaveLength(4);
	});

	test('fails if the action types cannot be read for another reason', async () => {
		await expect(filterEvents(['LinkClicked'], () => Promise.reject(createFailure(500)))).rejects.toThrow('no');
	});

	test('leaves out events of listed action types that are not watched', async () => {
		const actionTypes = [
			{ id: 'LinkClicked', name: 'Link Clicked' },
			{ id: 'Reported', name: 'Reported' },
		];
		const readActionTypes = jest.fn(() => Promise.resolve(actionTypes));
		expect(await filterEvents(['linkclicked'], readActionTypes)).toEqual(['LinkClicked', 'Link Clicked', 'Odd']);
		expect(await filterEvents([], readActionTypes)).toHaveLength(4);
		expect(readActionTypes).toHaveBeenCalledTimes(1);
	});

	test('reads the action types once, and only for an event with another word', async () => {
		const readActionTypes = jest.fn(() => Promise.resolve([]));
		const filter = createActionTypeFilter(['LinkClicked'], readActionTypes, {} as PickerContext);
		expect(await filter([{ ActionType: 'linkclicked' }])).toHaveLength(1);
		expect(readActionTypes).not.toHaveBeenCalled();
		await filter(EVENTS);
		await filter(EVENTS);
		expect(readActionTypes).toHaveBeenCalledTimes(1);
	});
});
