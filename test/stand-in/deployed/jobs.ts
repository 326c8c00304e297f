import { between, numericId, pick, seeded, shortId } from '../random';
import { sentTime } from '../routes/campaigns';
import type { Campaign, TargetUser } from '../seed';
import type { World } from '../world';

/** Who caused an event: a person, or a program that opens messages and follows their links. */
export type ActivityType = 'Human' | 'Bot';

/** One open, click, submission and so on. */
export interface Activity {
	resourceId: string;
	time: string;
	activityType: ActivityType;
	browserName: string;
	userAgent: string;
	userGeolocation: string;
	userIpAddressList: string;
}

/** What can be done with a simulated message. */
export const DEEDS = ['opened', 'clicked', 'submitted', 'reported', 'attachmentOpened', 'replied'] as const;
export type Deed = (typeof DEEDS)[number];

/** A person in a job, with all events; the counts are those of the listed events. */
export interface JobPerson {
	/** The ID of this person in this job; it is neither the person's own nor the campaign's. */
	resourceId: string;
	user: TargetUser;
	sentTime: string;
	done: Record<Deed, readonly Activity[]>;
}

const BROWSERS = ['Chrome 126', 'Firefox 128', 'Safari 17', 'Edge 126'] as const;
const PLACES = ['Berlin, Germany', 'Istanbul, Türkiye', 'London, United Kingdom'] as const;
const MINUTE = 60_000;
/** All events in the order of time. */
const DELAY: Record<Deed, number> = {
	opened: 5,
	clicked: 50,
	submitted: 100,
	reported: 150,
	attachmentOpened: 40,
	replied: 200,
};

function activities(key: string, deed: Deed, sent: string, times: number, bots: number): Activity[] {
	const next = seeded(`${key} ${deed}`);
	return Array.from({ length: times }, (_, at) => {
		const isBot = at < bots;
		return {
			resourceId: shortId(`activity ${key} ${deed} ${at}`),
			time: new Date(Date.parse(sent) + (DELAY[deed] + at * 7) * MINUTE).toISOString(),
			activityType: isBot ? 'Bot' : 'Human',
			browserName: isBot ? 'Headless Chrome' : pick(next, BROWSERS),
			userAgent: isBot ? 'MailScanner/2.0' : 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)',
			userGeolocation: isBot ? 'Dublin, Ireland' : pick(next, PLACES),
			userIpAddressList: `198.51.100.${between(next, 1, 250)}`,
		};
	});
}

interface Times {
	opened: number;
	clicked: number;
	submitted: number;
	reported: number;
	attachmentOpened: number;
	replied: number;
	bots: number;
}

/** How often a person did each action. Each click includes an open, and each submission a click. */
function drawn(key: string): Times {
	const next = seeded(key);
	const depth = next();
	const more = () => between(next, 1, 3);
	const opened = depth > 0.35 ? more() : 0;
	return {
		opened,
		clicked: depth > 0.6 ? more() : 0,
		submitted: depth > 0.8 ? 1 : 0,
		reported: next() > 0.7 ? 1 : 0,
		attachmentOpened: opened > 0 && next() > 0.8 ? 1 : 0,
		replied: opened > 0 && next() > 0.85 ? 1 : 0,
		bots: next() > 0.8 ? 1 : 0,
	};
}

/** The same for a job whose figures are known: who did it is given, how often is not. */
function given(
	key: string,
	{ opened, clicked, submitted }: { opened: boolean; clicked: boolean; submitted: boolean },
): Times {
	const next = seeded(key);
	const times = (did: boolean) => (did ? between(next, 1, 3) : 0);
	return {
		opened: times(opened),
		clicked: times(clicked),
		submitted: submitted ? 1 : 0,
		reported: 0,
		attachmentOpened: 0,
		replied: 0,
		bots: next() > 0.9 ? 1 : 0,
	};
}

function make(world: World, campaign: Campaign, instanceGroup: number): JobPerson[] {
	const company = world.company(campaign.companyResourceId) ?? world.reseller;
	const known = new Map(campaign.people?.map((behaviour) => [behaviour.user.resourceId, behaviour]));
	const users =
		campaign.people?.map(({ user }) => user) ??
		world.of(company).users.filter(({ resourceId }) => campaign.userResourceIds.includes(resourceId));
	const sent = sentTime(campaign, instanceGroup);
	return users.map((user) => {
		const key = `${campaign.resourceId} ${instanceGroup} ${user.resourceId}`;
		const behaviour = known.get(user.resourceId);
		const { bots, ...times } = behaviour ? given(key, behaviour) : drawn(key);
		const list = (deed: Deed) =>
			activities(key, deed, sent, times[deed], deed === 'opened' || deed === 'clicked' ? bots : 0);
		const done = {
			opened: list('opened'),
			clicked: list('clicked'),
			submitted: list('submitted'),
			reported: list('reported'),
			attachmentOpened: list('attachmentOpened'),
			replied: list('replied'),
		};
		return { resourceId: shortId(`person in job ${key}`), user, sentTime: sent, done };
	});
}

const made = new WeakMap<Campaign, Map<number, JobPerson[]>>();

/** The people of one run of a campaign, always the same. */
export function peopleOf(world: World, campaign: Campaign, instanceGroup: number): JobPerson[] {
	const jobs = made.get(campaign) ?? new Map<number, JobPerson[]>();
	made.set(campaign, jobs);
	const people = jobs.get(instanceGroup) ?? make(world, campaign, instanceGroup);
	jobs.set(instanceGroup, people);
	return people;
}

/** When somebody did it last; null for never. */
export function lastTime(list: readonly Activity[]): string | null {
	return list.at(-1)?.time ?? null;
}

/** The number of a person in the deployment's own tables. */
export const userNumber = ({ user }: JobPerson): number => numericId(user.resourceId);
