/**
 * A platform with trees of companies whose people have events, for tests of the Person Event Trigger. It behaves as
 * docs/facts/deployment-onboarding.md 3 and deployment-activity.md 1 describe. People are ranked by their number of
 * events, so that their order changes.
 */
import type { IDataObject } from 'n8n-workflow';
import { isRecord } from '../../nodes/core/values';
import type { LoggedRequest } from '../stand-in';
import { DAY, type PollingFixture } from './pollingFixture';
import { FAILED_ENVELOPE, TreePlatform, type TreePlatformTraits } from './treePlatform';

export const TIMELINE_ROUTE = 'POST /api/leaderboard/search-with-timeline';
export const JOB_PEOPLE_ROUTE =
	'POST /api/phishing-simulator/phishing-campaign-job-report/{searchType}/search/{resourceId}/{instanceGroup}';

/** The number of people of each company. */
export const PEOPLE_COUNT = 3;
export const CAMPAIGN_COUNT = 2;

/**
 * The kinds of gaps in a company's list: the later pages fail, or the platform sends only the first person or each person's
 * newest event, although it counts all of them.
 */
export const GAP_KINDS = ['failed people', 'failed events', 'cut people', 'cut events'] as const;
export type GapKind = (typeof GAP_KINDS)[number];

export interface EventPlatformTraits {
	/** The largest number of events of a person that the platform sends at once. */
	maxTimelinePageSize: number;
	/** True if the platform starts the requested period at midnight, as for a date without a time. */
	roundsToDays: boolean;
	/** True if times have no seconds and no zone, so that several events may be equal. */
	hasDisplayTimes: boolean;
}

/** An event on the platform. */
export interface PlatformEvent {
	/** The index of the person's company. */
	owner: number;
	/** The index of the person in the company. */
	person: number;
	campaign: number;
	actionType: string;
	/** The time of the action in ms since 1970. */
	time: number;
	isListed: boolean;
}

export class EventPlatform extends TreePlatform {
	events: PlatformEvent[] = [];
	/** The keys (see `getHumanKey`) of the people who are marked as humans in the results of a campaign. */
	readonly humanKeys = new Set<string>();
	/** The kind of gap in the list of each company, by the index of the company. Companies without a gap have no entry. */
	readonly gaps = new Map<number, GapKind>();
	/** The indexes of the companies whose lists lacked some events. A test clears it before a poll. */
	readonly companiesWithMissingEvents = new Set<number>();

	constructor(
		fixture: PollingFixture,
		traits: TreePlatformTraits,
		readonly eventTraits: EventPlatformTraits,
	) {
		super(fixture, traits, { events: TIMELINE_ROUTE });
		// The trigger looks for the campaigns in the list of jobs, which the stand-in answers.
		for (const company of traits.parents.keys())
			for (let campaign = 0; campaign < CAMPAIGN_COUNT; campaign++)
				fixture.createRecord('phishing', company, DAY, { id: `campaign-${campaign}` });
	}

	getPersonId(owner: number, person: number): string {
		return `person-${owner}-${person}`;
	}

	getHumanKey({ owner, person, campaign }: PlatformEvent): string {
		return `${this.getPersonId(owner, person)}@customer.example campaign-${campaign}`;
	}

	/** Returns the fields that identify an event for the platform's users. */
	getEventKey(event: PlatformEvent): string {
		return [
			this.getPersonId(event.owner, event.person),
			`campaign-${event.campaign}`,
			event.actionType,
			this.formatTime(event.time),
		].join(' ');
	}

	formatTime(time: number): string {
		const text = new Date(time).toISOString();
		return this.eventTraits.hasDisplayTimes ? text.slice(0, 16).replace('T', ' ') : text;
	}

	override replaceEnvelope(envelope: unknown, request: LoggedRequest): unknown {
		const { route, companyId, body, path } = request;
		if (!isRecord(envelope) || !isRecord(body) || envelope.data === null)
			return super.replaceEnvelope(envelope, request);
		const companyIndex = this.traits.parents.findIndex((_, index) => this.getCompanyId(index) === companyId);
		if (route === TIMELINE_ROUTE) {
			const data = this.searchWithTimeline(companyIndex, body);
			return data ? { ...envelope, data } : FAILED_ENVELOPE;
		}
		if (route === JOB_PEOPLE_ROUTE) {
			const [campaignId = ''] = /campaign-\d+/.exec(path) ?? [];
			return { ...envelope, data: createPage(this.listHumans(campaignId)) };
		}
		return super.replaceEnvelope(envelope, request);
	}

	/** Lists the people of a company, and on some platforms those of the companies below it. */
	private listPeople(companyIndex: number): Array<{ owner: number; person: number }> {
		const owners = [...this.traits.parents.keys()].filter((owner) =>
			this.traits.shouldListDescendants ? this.getAncestry(owner).includes(companyIndex) : owner === companyIndex,
		);
		return owners.flatMap((owner) => Array.from({ length: PEOPLE_COUNT }, (_, person) => ({ owner, person })));
	}

	/** Returns undefined if the request fails. */
	private searchWithTimeline(companyIndex: number, body: Record<string, unknown>): IDataObject | undefined {
		const requestedStart = Date.parse(String(body.startDate));
		const start = this.eventTraits.roundsToDays ? Math.floor(requestedStart / DAY) * DAY : requestedStart;
		const timelines = this.listPeople(companyIndex).map(({ owner, person }) => {
			const events = this.events.filter(
				(event) => event.isListed && event.owner === owner && event.person === person && event.time >= start,
			);
			events.sort((first, second) => second.time - first.time);
			return { owner, person, events };
		});
		timelines.sort((first, second) => second.events.length - first.events.length);
		const userPage = selectPage(timelines, body.userPagination);
		const maxPageSize = this.eventTraits.maxTimelinePageSize;
		const eventPages = userPage.map(({ events }) => selectPage(events, body.timelinePagination, maxPageSize));
		const gap = this.gaps.get(companyIndex);
		const hasFailed =
			(gap === 'failed people' && userPage.length > 0 && !isFirstPage(body.userPagination)) ||
			(gap === 'failed events' && !isFirstPage(body.timelinePagination));
		if (hasFailed) {
			this.companiesWithMissingEvents.add(companyIndex);
			return undefined;
		}
		const sentUsers = gap === 'cut people' ? keepFirst(userPage, body.userPagination) : userPage;
		const sentEventPages =
			gap === 'cut events' ? eventPages.map((page) => keepFirst(page, body.timelinePagination)) : eventPages;
		const hasGap =
			sentUsers.length < userPage.length ||
			sentEventPages.some((page, index) => page.length < (eventPages[index]?.length ?? 0));
		if (hasGap) this.companiesWithMissingEvents.add(companyIndex);
		const users = sentUsers.map(({ owner, person, events }, index) => ({
			rank: index + 1,
			targetUserResourceId: this.getPersonId(owner, person),
			email: `${this.getPersonId(owner, person)}@customer.example`,
			firstName: 'Ada',
			points: events.length,
			timeline: (sentEventPages[index] ?? []).map((event) => ({
				resourceId: `campaign-${event.campaign}`,
				name: `Campaign ${event.campaign}`,
				productType: event.actionType === 'LinkClicked' ? 'Phishing' : 'Training',
				ActionType: event.actionType,
				ActionTime: this.formatTime(event.time),
				// Equal events differ in their points, so that two pages of them are not the same page.
				points: this.events.indexOf(event),
			})),
			timelineTotalCount: events.length,
		}));
		return { users, totalUserCount: timelines.length };
	}

	/** Lists the people who clicked in a campaign as humans. */
	private listHumans(campaignId: string): IDataObject[] {
		return [...this.humanKeys].flatMap((key) => {
			const [email = '', campaign] = key.split(' ');
			return campaign === campaignId ? [{ email, clickedCount: 1, activityType: 'Human Activity' }] : [];
		});
	}
}

const readPageNumber = (pagination: unknown): number => Number(isRecord(pagination) ? pagination.pageNumber : NaN);

const isFirstPage = (pagination: unknown): boolean => readPageNumber(pagination) === 1;

function selectPage<T>(rows: T[], pagination: unknown, maxPageSize = Infinity): T[] {
	const pageSize = Math.min(Number(isRecord(pagination) ? pagination.pageSize : NaN), maxPageSize);
	const start = (readPageNumber(pagination) - 1) * pageSize;
	return rows.slice(start, start + pageSize);
}

/** Returns the first row of the first page, and nothing of the other pages. */
const keepFirst = <T>(page: T[], pagination: unknown): T[] => page.slice(0, isFirstPage(pagination) ? 1 : 0);

const createPage = (results: IDataObject[]): IDataObject => ({
	results,
	totalNumberOfRecords: results.length,
	totalNumberOfPages: 1,
});
