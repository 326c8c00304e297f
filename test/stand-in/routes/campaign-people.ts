/**
 * Generates the activities of people in simulations. They are drawn from the IDs of the campaign and the user, so they
 * are always the same.
 */
import { drawInteger, pickOne, createRandom, makeShortId } from '../random';
import type { Campaign, TargetUser } from '../seed';
import type { World } from '../world';

/** One activity of a person, such as an open, a click or a submission. */
export interface Activity {
	resourceId: string;
	time: string;
	/** True if the activity comes from a program that opens messages and follows links, such as an email scanner. */
	isBot: boolean;
	browserName: string;
	userAgent: string;
	userGeolocation: string;
	userIpAddressList: string;
}

/** The actions of people, each with its delay after the message was sent, in minutes. */
const ACTION_DELAY_MINUTES = {
	opened: 5,
	clicked: 50,
	submitted: 100,
	reported: 150,
	attachmentOpened: 40,
	replied: 200,
};
/** An action of a person on a simulated message. */
export type UserAction = keyof typeof ACTION_DELAY_MINUTES;

/** A person in a campaign job, with all activities. */
export interface JobPerson {
	/** The ID of the person in this job. It differs from the user's ID and from the campaign's ID. */
	resourceId: string;
	user: TargetUser;
	instanceGroup: number;
	sentTime: string;
	/** The time at which the message was last sent to the person; it is later than `sentTime` if it was resent. */
	lastSentTime: string;
	activities: Record<UserAction, readonly Activity[]>;
}

const BROWSERS = ['Chrome 126', 'Firefox 128', 'Safari 17', 'Edge 126'] as const;
const LOCATIONS = ['Berlin, Germany', 'Istanbul, Türkiye', 'London, United Kingdom'] as const;
const MS_PER_MINUTE = 60_000;

/**
 * Returns the time at which a campaign job was sent. A job that a request started was sent then. Of the other jobs, the
 * first one was sent a day after the campaign's creation, and each next one a day later.
 */
export function getSentTime(campaign: Campaign, instanceGroup: number): string {
	const createTime = Date.parse(campaign.createTime);
	return (
		campaign.sentTimes?.[instanceGroup] ?? new Date(createTime + instanceGroup * 1440 * MS_PER_MINUTE).toISOString()
	);
}

function createActivities(
	key: string,
	action: UserAction,
	{ sentTime, msPerMinute }: { sentTime: string; msPerMinute: number },
	count: number,
	botCount: number,
): Activity[] {
	const random = createRandom(`${key} ${action}`);
	return Array.from({ length: count }, (_, index) => {
		const isBot = index < botCount;
		return {
			resourceId: makeShortId(`activity ${key} ${action} ${index}`),
			time: new Date(Date.parse(sentTime) + (ACTION_DELAY_MINUTES[action] + index * 7) * msPerMinute).toISOString(),
			isBot,
			browserName: isBot ? 'Headless Chrome' : pickOne(random, BROWSERS),
			userAgent: isBot ? 'MailScanner/2.0' : 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)',
			userGeolocation: isBot ? 'Dublin, Ireland' : pickOne(random, LOCATIONS),
			userIpAddressList: `198.51.100.${drawInteger(random, 1, 250)}`,
		};
	});
}

/**
 * Creates a person in a job. Everyone who submitted data has also clicked, and everyone who clicked has also opened the
 * message. For one person in five, all opens and clicks come from a bot.
 */
function createJobPerson(user: TargetUser, campaign: Campaign, instanceGroup: number, index: number): JobPerson {
	const key = `${campaign.resourceId} ${instanceGroup} ${user.resourceId}`;
	const random = createRandom(key);
	const drawnEngagement = random();
	const isBotOnly = index % 5 === 2;
	const engagement = isBotOnly ? Math.min(0.7, 0.61 + drawnEngagement / 10) : drawnEngagement;
	const drawCount = (hasHappened: boolean, maxCount = 3) => (hasHappened ? drawInteger(random, 1, maxCount) : 0);
	const sentTime = getSentTime(campaign, instanceGroup);
	// After a request has started a job, its people act within a few seconds, so that no action is in the future.
	const msPerMinute = campaign.sentTimes?.[instanceGroup] === undefined ? MS_PER_MINUTE : 10;
	const drawnBotCount = drawCount(random() > 0.8, 1);
	const createActionActivities = (action: UserAction, count: number) => {
		const botCount = isBotOnly ? count : Math.min(drawnBotCount, count - 1);
		const isBotAction = action === 'opened' || action === 'clicked';
		return createActivities(key, action, { sentTime, msPerMinute }, count, isBotAction ? botCount : 0);
	};
	const hasOpened = engagement > 0.35;
	const activities = {
		opened: createActionActivities('opened', drawCount(hasOpened)),
		clicked: createActionActivities('clicked', drawCount(engagement > 0.6)),
		submitted: createActionActivities('submitted', drawCount(engagement > 0.8, 1)),
		reported: createActionActivities('reported', drawCount(random() > 0.7, 1)),
		attachmentOpened: createActionActivities('attachmentOpened', drawCount(hasOpened && random() > 0.8, 1)),
		replied: createActionActivities('replied', drawCount(hasOpened && random() > 0.85, 1)),
	};
	return {
		resourceId: makeShortId(`person in job ${key}`),
		user,
		instanceGroup,
		sentTime,
		lastSentTime: sentTime,
		activities,
	};
}

const peopleCache = new WeakMap<Campaign, Map<number, JobPerson[]>>();

/** Returns the people of one campaign job. */
export function getJobPeople(world: World, campaign: Campaign, instanceGroup: number): JobPerson[] {
	const peopleByGroup = peopleCache.get(campaign) ?? new Map<number, JobPerson[]>();
	peopleCache.set(campaign, peopleByGroup);
	const { users } = world.getCompanyData(campaign.companyResourceId);
	const people =
		peopleByGroup.get(instanceGroup) ??
		users
			.filter(({ resourceId }) => campaign.userResourceIds.includes(resourceId))
			.map((user, index) => createJobPerson(user, campaign, instanceGroup, index + instanceGroup));
	peopleByGroup.set(instanceGroup, people);
	return people;
}
