/** Tests how people with their events become rows, and how long lists of events are read to their end. */
import type { IDataObject } from 'n8n-workflow';
import { isRecord } from '../../nodes/core/values';
import {
	buildTimelinePage,
	createTimelineCompleter,
	flattenPersonEvents,
	TIMELINE_ENDPOINT,
} from '../../nodes/domain/people/personTimeline';

test.each<[string, IDataObject, boolean, IDataObject[]]>([
	[
		'each event is a row with the fields of its person',
		{ email: 'a', timeline: [{ name: 'Quiz' }, { name: 'Poster' }], timelineTotalCount: 2 },
		false,
		[
			{ email: 'a', name: 'Quiz' },
			{ email: 'a', name: 'Poster' },
		],
	],
	[
		'the points of the person and of the event are two fields, also if they are 0',
		{ points: 0, performance: 0, timeline: [{ points: 5, performance: 6 }] },
		false,
		[{ userPoints: 0, userPerformance: 0, points: 5, performance: 6 }],
	],
	[
		'the ID of an event is that of its campaign, not that of the person',
		{ resourceId: 'person', timeline: [{ resourceId: 'campaign' }] },
		false,
		[{ resourceId: 'campaign' }],
	],
	['a person without points has no field for them', { timeline: [{ name: 'Quiz' }] }, false, [{ name: 'Quiz' }]],
	['a person without events has no row', { email: 'a', timeline: [] }, false, []],
	['a person without events has one row if that is wanted', { email: 'a', timeline: null }, true, [{ email: 'a' }]],
	['a person with events has no further row', { email: 'a', timeline: [{ b: 1 }] }, true, [{ email: 'a', b: 1 }]],
	[
		'entries that are no events are left out',
		{ email: 'a', timeline: ['x', null, { b: 1 }] },
		false,
		[{ email: 'a', b: 1 }],
	],
])('%s', (_name, user, shouldKeepPersonWithoutEvents, expected) => {
	expect(flattenPersonEvents(user, shouldKeepPersonWithoutEvents)).toEqual(expected);
});

test('the first request asks for the latest events first', () => {
	expect(buildTimelinePage()).toMatchObject({
		includeTimeline: true,
		timelinePagination: { pageNumber: 1, pageSize: 100, ascending: false },
	});
});

describe('the rest of a long list of events', () => {
	const createEvents = (from: number, to: number) =>
		Array.from({ length: to - from + 1 }, (_, index) => ({ name: `event ${from + index}` }));
	type User = { targetUserResourceId: string; timeline: IDataObject[]; timelineTotalCount?: number | string | null };

	/** Completes a page of people. @param furtherPages the people in the responses to the further requests */
	const complete = async (users: User[], ...furtherPages: User[][]) => {
		const requestedPages: unknown[] = [];
		const requestJson = ({ body = {} }: { body?: IDataObject }) => {
			const { timelinePagination } = body;
			requestedPages.push(isRecord(timelinePagination) ? timelinePagination.pageNumber : undefined);
			const data = { results: furtherPages[requestedPages.length - 1] ?? [] };
			return Promise.resolve({ data, messages: [], isFailure: false });
		};
		const { completePage, countIncompletePeople } = createTimelineCompleter({ requestJson });
		const request = { endpoint: TIMELINE_ENDPOINT, purpose: 'read' } as const;
		const { records } = await completePage({ records: users.map((user) => ({ ...user })) }, request);
		const eventCounts = records.map(({ timeline }) => (Array.isArray(timeline) ? timeline.length : undefined));
		return { records, eventCounts, requestedPages, incompleteCount: countIncompletePeople() };
	};
	const createUser = (id: string, from: number, to: number, timelineTotalCount?: number | string | null): User => {
		const user: User = { targetUserResourceId: id, timeline: createEvents(from, to) };
		if (timelineTotalCount !== undefined) user.timelineTotalCount = timelineTotalCount;
		return user;
	};

	test('is read page by page, and added to its person', async () => {
		const result = await complete(
			[createUser('a', 1, 2, 5), createUser('b', 1, 2, 2)],
			[createUser('b', 9, 9, 2), createUser('a', 3, 4, 5)],
			[createUser('a', 5, 5, 5)],
		);
		expect(result).toMatchObject({ eventCounts: [5, 2], requestedPages: [2, 3], incompleteCount: 0 });
		expect(result.records[0]?.timeline).toEqual(createEvents(1, 5));
	});

	test.each([
		['of exactly one page', 2],
		['without a count', undefined],
		['with null as its count', null],
		['with a text as its count', '2'],
	])('is not requested for a list %s', async (_which, totalCount) => {
		expect(await complete([createUser('a', 1, 2, totalCount)])).toMatchObject({
			eventCounts: [2],
			requestedPages: [],
			incompleteCount: 0,
		});
	});

	test.each<[string, User[], number]>([
		['has no person', [], 2],
		['has no event', [{ targetUserResourceId: 'a', timeline: [], timelineTotalCount: 5 }], 2],
		['repeats the page before', [createUser('a', 1, 2, 5)], 2],
		['has another count', [createUser('a', 3, 4, 6)], 4],
		['has another person', [createUser('b', 3, 4, 5)], 2],
	])('may have changed if the next page %s', async (_what, nextPage, expectedCount) => {
		expect(await complete([createUser('a', 1, 2, 5)], nextPage)).toMatchObject({
			eventCounts: [expectedCount],
			requestedPages: [2],
			incompleteCount: 1,
		});
	});

	test('counts the people of all pages', async () => {
		const requestJson = () => Promise.resolve({ data: { results: [] }, messages: [], isFailure: false });
		const { completePage, countIncompletePeople } = createTimelineCompleter({ requestJson });
		const request = { endpoint: TIMELINE_ENDPOINT, purpose: 'read' } as const;
		for (const user of [createUser('a', 1, 2, 5), createUser('b', 1, 2, 5), createUser('c', 1, 2, 2)])
			await completePage({ records: [{ ...user }] }, request);
		expect(countIncompletePeople()).toBe(2);
	});
});
