/** What live deployments show of simulations (deployment shapes); what is left out here is completed from there. */
import mapValues from 'lodash/mapValues';
import { customFieldValues, person, phoneNumber } from '../deployed/lists';
import type { Row } from '../http';
import type { Simulator } from '../personality';
import { numericId, shortId } from '../random';
import type { Campaign } from '../seed';
import { sentTime, type Activity, type Deed, type JobPerson } from './campaign-people';

const did =
	(deed: Deed) =>
	({ done }: JobPerson): boolean =>
		done[deed].length > 0;

/** The only search types; there is none for people who submitted (deployment behaviour). */
export const SEARCH_TYPES: Record<string, (person: JobPerson) => boolean> = {
	All: () => true,
	Opened: did('opened'),
	Clicked: did('clicked'),
	NoResponse: ({ done }) => Object.values(done).every((list) => list.length === 0),
	Reported: did('reported'),
	AttachmentOpened: did('attachmentOpened'),
	Replied: did('replied'),
	// Deployment activity, 2.
	SubmittedData: did('submitted'),
	MFA: () => false,
};

const by = { createdBy: 'admin@awareness.example', method: 'Click-Only' };
const delivery = (simulator: Simulator) => (simulator === 'smishing' ? 'SMS' : 'SMTP');
const methodDetail = ({ scenario, difficulty }: Campaign) => `${scenario}, ${difficulty}`;

export function campaignRow(campaign: Campaign): Row {
	const { resourceId, name, simulator, status, createTime, instanceGroups, userResourceIds } = campaign;
	return {
		resourceId,
		name,
		...by,
		methodDetail: methodDetail(campaign),
		scenarioCount: '1',
		status,
		createTime,
		instanceCount: String(instanceGroups.length),
		targetUsers: String(userResourceIds.length),
		instanceGroup: instanceGroups.at(-1) ?? 1,
		emailDelivery: delivery(simulator),
		frequency: 1,
		lastLaunch: ['Idle', 'Scheduled'].includes(status) ? null : createTime,
	};
}

export function jobRow(campaign: Campaign, instanceGroup: number, people: readonly JobPerson[]): Row {
	const { resourceId, name, simulator, status, createTime } = campaign;
	const count = (is: ((person: JobPerson) => boolean) | undefined) => people.filter((each) => is?.(each)).length;
	const channel = simulator === 'smishing' ? 'sms' : 'email';
	return {
		[`${simulator}CampaignResourceId`]: resourceId,
		instanceGroup,
		name,
		...by,
		status,
		startDate: sentTime(campaign, instanceGroup),
		createdDate: createTime,
		totalOpenedCount: count(did('opened')),
		totalClickedCount: count(did('clicked')),
		totalSubmittedCount: count(did('submitted')),
		totalAttachmentOpenedCount: count(did('attachmentOpened')),
		totalNoResponseCount: count(SEARCH_TYPES.NoResponse),
		totalTargetUserCount: people.length,
		[`${channel}DeliveredUserCount`]: people.length,
		[`${channel}Delivery`]: delivery(simulator),
		methodDetail: methodDetail(campaign),
	};
}

/** A time as it is, and, but for one simulator, in the reader's time zone. */
const seen = (simulator: Simulator, field: string, time: string | null): Row => ({
	[field]: time,
	...(simulator === 'quishing' ? {} : { [`${field}ToLocalUser`]: time && time.slice(0, 19).replace('T', ' ') }),
});

/** The last action that a person did. */
function statusOf({ submitted, clicked, opened }: JobPerson['done']): string {
	if (submitted.length > 0) return 'Submitted';
	if (clicked.length > 0) return 'Clicked';
	return opened.length > 0 ? 'Opened' : 'No Response';
}

/** The text of an activity; Sandbox is the older word for a bot (deployment activity 1). */
const typeText = (simulator: Simulator, isBot: boolean): string =>
	isBot ? `${simulator === 'smishing' ? 'Sandbox' : 'Bot'} Activity` : 'Human Activity';

function typeOf(simulator: Simulator, { opened, clicked, submitted }: JobPerson['done']): string | null {
	const all = [...opened, ...clicked, ...submitted];
	if (all.length === 0) return null;
	return typeText(
		simulator,
		all.every(({ isBot }) => isBot),
	);
}

/** What a person did, without what programs did. */
const byHuman = (person: JobPerson): JobPerson => ({
	...person,
	done: mapValues(person.done, (list) => list.filter(({ isBot }) => !isBot)),
});

/** A person in a job, as the list of its people shows them. */
export function personRow(entry: JobPerson, { simulator, scenario }: Campaign): Row {
	const { resourceId, user, done } = entry;
	const last = (field: string, deed: Deed) => seen(simulator, field, done[deed].at(-1)?.time ?? null);
	const type = typeOf(simulator, done);
	const common: Row = {
		resourceId,
		...person(user),
		[`${simulator}ScenarioName`]: scenario,
		status: statusOf(done),
		...last('lastClickedTime', 'clicked'),
		clickedCount: done.clicked.length,
		...last('lastSubmittedTime', 'submitted'),
		submittedCount: done.submitted.length,
		...seen(simulator, 'lastSendingTime', entry.sentTime),
		reportedCount: done.reported.length,
		minPasswordComplexity: done.submitted.length > 0 ? 'Weak' : null,
		emailDelivery: delivery(simulator),
		activityType: type,
		customFieldValues: customFieldValues(user),
		targetUserId: numericId(user.resourceId),
	};
	if (simulator === 'smishing') return { ...common, phoneNumber: phoneNumber(user), senderPhoneNumber: '+15550000000' };
	const opened = { ...last('lastOpenedTime', 'opened'), openedCount: done.opened.length };
	const rest = { ...opened, ...last('lastReportedTime', 'reported'), systemActivityType: type };
	if (simulator === 'quishing') return { ...common, ...rest };
	return {
		...common,
		...rest,
		...last('lastAttachmentOpenedTime', 'attachmentOpened'),
		...last('replySent', 'replied'),
		attachmentOpenedCount: done.attachmentOpened.length,
		replyType: done.replied.length > 0 ? 'Reply' : null,
		phishingScenarioLanguage: 'en',
		emailTemplateLanguage: 'en',
		preferredLanguage: user.language,
		targetGroups: 'Everybody',
	};
}

/**
 * One event, such as an open or a click.
 * @param total how many events there are in all, which only one simulator's rows contain
 */
export function eventRow(simulator: Simulator, deed: Deed, activity: Activity, total: number): Row {
	const { resourceId, time, isBot, ...where } = activity;
	const row = { ...seen(simulator, `${deed}Time`, time), ...where };
	const counted: Row = simulator === 'quishing' ? { totalRowCount: total } : {};
	if (deed === 'reported') return row;
	// What was typed is masked (deployment behaviour).
	if (deed === 'submitted') return { ...counted, ...row, submittedData: 'username: a****; password: P******* (8)' };
	const sandBoxType = isBot ? 1 : 0;
	const activityType = typeText(simulator, isBot);
	const types = { sandBoxType, systemSandBoxType: sandBoxType, activityType, systemActivityType: activityType };
	return { ...counted, resourceId, ...row, ...types };
}

/** The report of one run of a campaign; its figures leave bots out (deployment activity 1: since 2025-04-21). */
export function jobSummary(campaign: Campaign, instanceGroup: number, people: readonly JobPerson[]): Row {
	const { resourceId, name, scenario, companyName, excludeFromReports } = campaign;
	const startDate = sentTime(campaign, instanceGroup);
	const humans = people.map(byHuman);
	const count = (is: ((person: JobPerson) => boolean) | undefined) => humans.filter((each) => is?.(each)).length;
	const trainingInfo = { companyName, languageList: [{ languageId: shortId('language en'), languageShortCode: 'en' }] };
	const template = {
		resourceId: shortId(`mail ${scenario}`),
		name: scenario,
		subject: scenario,
		languageShortCode: 'en',
	};
	const landingPageTemplateInfo = { resourceId: shortId(`page ${scenario}`), name: scenario, methodTypeId: 1 };
	return {
		phishingCampaignResourceId: resourceId,
		phishingCampaignName: name,
		landingPageTemplateInfo,
		campaignInfo: {
			startDate,
			scheduledDate: startDate,
			emailDeliveryStartDate: startDate,
			emailDeliveryEndDate: startDate,
			endDate: new Date(Date.parse(startDate) + 14 * 86_400_000).toISOString(),
			totalTargetUserCount: people.length,
			emailDeliveredUserCount: people.length,
			frequency: 1,
			scheduleTypeId: 1,
		},
		settings: { excludeFromReports, duration: 14, smtpName: 'Default' },
		targetUsers: { targetGroupsCount: 1, sendOnlyActiveUsers: true },
		scenarioStats: {
			openedEmail: count(did('opened')),
			clickedEmail: count(did('clicked')),
			submittedEmail: count(did('submitted')),
			attachmentOpenedEmail: count(did('attachmentOpened')),
			reportedEmail: count(did('reported')),
			noResponseEmail: count(SEARCH_TYPES.NoResponse),
		},
		scenarios: [
			{
				scenarioInfo: {
					name: scenario,
					category: 'Delivery',
					methodTypeId: 1,
					difficultyTypeId: 1,
					languageShortCode: 'en',
				},
				trainingInfo,
				emailTemplateInfo: template,
				emailTemplateInfos: [template],
				landingPageTemplateInfo,
			},
		],
		scenariosGeneralInfo: {
			categories: ['Delivery'],
			methodTypeId: 1,
			difficultyTypeIds: [1],
			languageShortCodes: ['en'],
		},
		trainingInfoForCategory: trainingInfo,
	};
}
