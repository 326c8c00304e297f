/** What the people of a simulation did, drawn from who they are, so that it is always the same. */
import { between, pick, seeded, shortId } from '../random';
import type { Campaign, TargetUser } from '../seed';
import type { World } from '../world';

/** One open, click, submission and so on. */
export interface Activity {
	resourceId: string;
	time: string;
	/** Whether a program that opens messages and follows their links caused it, instead of a person. */
	isBot: boolean;
	browserName: string;
	userAgent: string;
	userGeolocation: string;
	userIpAddressList: string;
}

/** What can be done with a simulated message, and after how many minutes it is. */
const DELAY = { opened: 5, clicked: 50, submitted: 100, reported: 150, attachmentOpened: 40, replied: 200 };
export type Deed = keyof typeof DELAY;

/** A person in a job, with all events; the counts are those of the listed events. */
export interface JobPerson {
	/** The ID of this person in this job; it is neither the person's own nor the campaign's. */
	resourceId: string;
	user: TargetUser;
	instanceGroup: number;
	sentTime: string;
	done: Record<Deed, readonly Activity[]>;
}

const BROWSERS = ['Chrome 126', 'Firefox 128', 'Safari 17', 'Edge 126'] as const;
const PLACES = ['Berlin, Germany', 'Istanbul, Türkiye', 'London, United Kingdom'] as const;
const MINUTE = 60_000;

/** When a run of it was sent. */
export function sentTime(campaign: Campaign, instanceGroup: number): string {
	return new Date(Date.parse(campaign.createTime) + instanceGroup * 1440 * MINUTE).toISOString();
}

function activities(key: string, deed: Deed, sent: string, times: number, bots: number): Activity[] {
	const next = seeded(`${key} ${deed}`);
	return Array.from({ length: times }, (_, at) => {
		const isBot = at < bots;
		return {
			resourceId: shortId(`activity ${key} ${deed} ${at}`),
			time: new Date(Date.parse(sent) + (DELAY[deed] + at * 7) * MINUTE).toISOString(),
			isBot,
			browserName: isBot ? 'Headless Chrome' : pick(next, BROWSERS),
			userAgent: isBot ? 'MailScanner/2.0' : 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)',
			userGeolocation: isBot ? 'Dublin, Ireland' : pick(next, PLACES),
			userIpAddressList: `198.51.100.${between(next, 1, 250)}`,
		};
	});
}

/** Each click includes an open, and each submission a click. Of those who did something, some 30 % are scanners of mails, which did nothing else. */
function drawn(user: TargetUser, campaign: Campaign, instanceGroup: number, at: number): JobPerson {
	const key = `${campaign.resourceId} ${instanceGroup} ${user.resourceId}`;
	const next = seeded(key);
	const drawnDepth = next();
	const isScanned = at % 5 === 2;
	const depth = isScanned ? Math.min(0.7, 0.61 + drawnDepth / 10) : drawnDepth;
	const times = (did: boolean, most = 3) => (did ? between(next, 1, most) : 0);
	const sent = sentTime(campaign, instanceGroup);
	const some = times(next() > 0.8, 1);
	const list = (deed: Deed, count: number) => {
		const bots = isScanned ? count : Math.min(some, count - 1);
		return activities(key, deed, sent, count, deed === 'opened' || deed === 'clicked' ? bots : 0);
	};
	const isOpened = depth > 0.35;
	const done = {
		opened: list('opened', times(isOpened)),
		clicked: list('clicked', times(depth > 0.6)),
		submitted: list('submitted', times(depth > 0.8, 1)),
		reported: list('reported', times(next() > 0.7, 1)),
		attachmentOpened: list('attachmentOpened', times(isOpened && next() > 0.8, 1)),
		replied: list('replied', times(isOpened && next() > 0.85, 1)),
	};
	return { resourceId: shortId(`person in job ${key}`), user, instanceGroup, sentTime: sent, done };
}

const made = new WeakMap<Campaign, Map<number, JobPerson[]>>();

/** The people of one run of a campaign. */
export function peopleOf(world: World, campaign: Campaign, instanceGroup: number): JobPerson[] {
	const jobs = made.get(campaign) ?? new Map<number, JobPerson[]>();
	made.set(campaign, jobs);
	const { users } = world.of(campaign.companyResourceId);
	const people =
		jobs.get(instanceGroup) ??
		users
			.filter(({ resourceId }) => campaign.userResourceIds.includes(resourceId))
			.map((user, at) => drawn(user, campaign, instanceGroup, at + instanceGroup));
	jobs.set(instanceGroup, people);
	return people;
}
