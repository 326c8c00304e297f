import { isEqual, omit } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { HttpClient } from '../../core/http/client';
import type { ApiRequest } from '../../core/http/request';
import { parsePage, type Page } from '../../core/pagination/parsePage';
import type { ListOptions } from '../../core/pagination/readList';
import type { OutputFields } from '../../core/response/outputFields';
import { LATEST_ACTION_FIRST } from '../../core/api/endpointTraits';
import { filterRecords, parseNumber, readId, toItemJson } from '../../core/values';
import { REPORT_USER_ID_FIELDS } from '../pickers/resourcePickers';

/** The endpoint that lists people with their events (deployment onboarding 3). */
export const TIMELINE_ENDPOINT = 'POST /api/leaderboard/search-with-timeline';

/** The number of events of each person that a request reads. */
const TIMELINE_PAGE_SIZE = 100;

/** Builds the body fields that request the events of people, latest first. */
export const buildTimelinePage = (pageNumber = 1): IDataObject => ({
	includeTimeline: true,
	timelinePagination: { pageNumber, pageSize: TIMELINE_PAGE_SIZE, ...LATEST_ACTION_FIRST },
});

/** The fields of an event with its person, as `flattenPersonEvents` creates them. */
export const PERSON_EVENT_FIELDS: OutputFields = {
	id: ['targetUserResourceId'],
	simplified: [
		'email',
		'firstName',
		'lastName',
		'department',
		'ActionTime',
		'ActionType',
		'name',
		'result',
		'points',
		'productType',
		'campaignType',
		'difficultyType',
		'resourceId',
		'targetUserResourceId',
	],
	additional: [
		'ActionTimeWithDay',
		'categoryDescription',
		'pointRule',
		'preferredLanguage',
		'rank',
		'timeZoneId',
		'trainingType',
		'userPerformance',
		'userPoints',
	],
};

const readEvents = (user: IDataObject): IDataObject[] => filterRecords(user.timeline).map((event) => toItemJson(event));

/**
 * Turns a person into one record per event, each with the person's fields. The person's own points and performance are
 * renamed to userPoints and userPerformance, because each event has points too.
 * @param shouldKeepPersonWithoutEvents true to return one record without an event for a person without events
 */
export function flattenPersonEvents(user: IDataObject, shouldKeepPersonWithoutEvents = false): IDataObject[] {
	const { points, performance, ...otherFields } = omit(user, ['timeline', 'timelineTotalCount']);
	const person: IDataObject = { ...otherFields };
	if (points !== undefined) person.userPoints = points;
	if (performance !== undefined) person.userPerformance = performance;
	const events = readEvents(user);
	if (events.length === 0 && shouldKeepPersonWithoutEvents) return [person];
	// In an event, resourceId is the ID of the campaign or the training, so the person's fields come first.
	return events.map((event) => ({ ...person, ...event }));
}

/** Reads the rest of timelines that are longer than a page. */
export interface TimelineCompleter extends Required<Pick<ListOptions, 'completePage'>> {
	/** Returns the number of people whose events may be incomplete, because they changed while they were read. */
	countIncompletePeople: () => number;
}

/**
 * Creates a function that completes the timelines of a page of people. It requests the same page of people again, with
 * the next page of their timelines, while a person has more events than were read.
 */
export function createTimelineCompleter(client: Pick<HttpClient, 'requestJson'>): TimelineCompleter {
	let incompletePeopleCount = 0;

	async function completePage(page: Page, request: ApiRequest): Promise<Page> {
		const timelines = page.records.map(readTimeline);
		let openTimelines = timelines.filter(isOpen);
		for (let pageNumber = 2; openTimelines.length > 0; pageNumber++) {
			const body = { ...request.body, ...buildTimelinePage(pageNumber) };
			const { data } = await client.requestJson({ ...request, body });
			const nextTimelines = new Map(parsePage(data).records.map((user) => [readUserId(user), readTimeline(user)]));
			for (const timeline of openTimelines) addNextEvents(timeline, nextTimelines.get(readUserId(timeline.user)));
			openTimelines = openTimelines.filter(isOpen);
		}
		incompletePeopleCount += timelines.filter(({ hasChanged }) => hasChanged).length;
		const records = timelines.map(({ user, events }) => ({ ...user, timeline: events }));
		return { ...page, records };
	}

	return { completePage, countIncompletePeople: () => incompletePeopleCount };
}

/** The events of a person that were read so far. */
interface Timeline {
	user: IDataObject;
	events: IDataObject[];
	/** The events of the page that was read last. */
	lastPageEvents: IDataObject[];
	/** The number of all events, as the platform counts them. */
	totalCount: number;
	/** True if the events changed while they were read, or if a page of them is missing. */
	hasChanged: boolean;
}

const readUserId = (user: IDataObject) => readId(user, REPORT_USER_ID_FIELDS) ?? '';

function readTimeline(user: IDataObject): Timeline {
	const events = readEvents(user);
	const totalCount = parseNumber(user.timelineTotalCount);
	return {
		user,
		events: [...events],
		lastPageEvents: events,
		totalCount: Number.isNaN(totalCount) ? events.length : totalCount,
		hasChanged: false,
	};
}

const isOpen = ({ events, totalCount, hasChanged }: Timeline) => !hasChanged && events.length < totalCount;

/**
 * Adds the next page of a person's events. A missing or repeated page, or another total count, means that the events
 * changed.
 */
function addNextEvents(timeline: Timeline, nextPage: Timeline | undefined): void {
	const nextEvents = nextPage?.events ?? [];
	const isMissing = nextEvents.length === 0 || isEqual(nextEvents, timeline.lastPageEvents);
	timeline.hasChanged = isMissing || nextPage?.totalCount !== timeline.totalCount;
	timeline.lastPageEvents = nextEvents;
	if (!isMissing) timeline.events.push(...nextEvents);
}
