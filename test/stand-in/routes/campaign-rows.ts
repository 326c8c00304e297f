/**
 * Builds the rows and reports of simulations as live deployments send them (deployment shapes, "Campaign reports").
 * Fields that are missing here are added later from the interface description.
 */
import mapValues from 'lodash/mapValues';
import { buildCustomFieldValues, getPersonFields, getPhoneNumber } from '../deployed/lists';
import type { JsonObject } from '../http';
import type { Simulator } from '../profile';
import { makeNumericId, makeShortId } from '../random';
import type { Campaign } from '../seed';
import { getSentTime, type Activity, type UserAction, type JobPerson } from './campaign-people';

type PersonPredicate = (person: JobPerson) => boolean;

function createActionPredicate(action: UserAction): PersonPredicate {
	return ({ activities }) => activities[action].length > 0;
}

/**
 * The search types that live deployments accept. Not every deployment accepts one for people who submitted data
 * (deployment behaviour, "Campaign reports").
 */
export const SEARCH_TYPES: Record<string, PersonPredicate> = {
	All: () => true,
	Opened: createActionPredicate('opened'),
	Clicked: createActionPredicate('clicked'),
	NoResponse: ({ activities }) => Object.values(activities).every((list) => list.length === 0),
	Reported: createActionPredicate('reported'),
	AttachmentOpened: createActionPredicate('attachmentOpened'),
	Replied: createActionPredicate('replied'),
	// Only some deployments have this search type (deployment activity 2).
	SubmittedData: createActionPredicate('submitted'),
	MFA: () => false,
};

const CREATOR_FIELDS = { createdBy: 'admin@awareness.example', method: 'Click-Only' };

function getDelivery(simulator: Simulator): string {
	return simulator === 'smishing' ? 'SMS' : 'SMTP';
}

function getMethodDetail({ scenario, difficulty }: Campaign): string {
	return `${scenario}, ${difficulty}`;
}

function countPeople(people: readonly JobPerson[], isMatch: PersonPredicate | undefined): number {
	return people.filter((person) => isMatch?.(person)).length;
}

/** Builds the row of a campaign in the list of campaigns. */
export function buildCampaignRow(campaign: Campaign): JsonObject {
	const { resourceId, name, simulator, status, createTime, instanceGroups, userResourceIds } = campaign;
	return {
		resourceId,
		name,
		...CREATOR_FIELDS,
		methodDetail: getMethodDetail(campaign),
		scenarioCount: '1',
		status,
		createTime,
		instanceCount: String(instanceGroups.length),
		targetUsers: String(userResourceIds.length),
		instanceGroup: instanceGroups.at(-1) ?? 1,
		emailDelivery: getDelivery(simulator),
		frequency: 1,
		lastLaunch: ['Idle', 'Scheduled'].includes(status) ? null : createTime,
	};
}

/** Builds the row of a campaign job in the list of jobs. */
export function buildJobRow(campaign: Campaign, instanceGroup: number, people: readonly JobPerson[]): JsonObject {
	const { resourceId, name, simulator, status, createTime } = campaign;
	const count = (isMatch: PersonPredicate | undefined) => countPeople(people, isMatch);
	const channel = simulator === 'smishing' ? 'sms' : 'email';
	return {
		[`${simulator}CampaignResourceId`]: resourceId,
		instanceGroup,
		name,
		...CREATOR_FIELDS,
		status,
		startDate: getSentTime(campaign, instanceGroup),
		createdDate: createTime,
		totalOpenedCount: count(createActionPredicate('opened')),
		totalClickedCount: count(createActionPredicate('clicked')),
		totalSubmittedCount: count(createActionPredicate('submitted')),
		totalAttachmentOpenedCount: count(createActionPredicate('attachmentOpened')),
		totalNoResponseCount: count(SEARCH_TYPES.NoResponse),
		totalTargetUserCount: people.length,
		[`${channel}DeliveredUserCount`]: people.length,
		[`${channel}Delivery`]: getDelivery(simulator),
		methodDetail: getMethodDetail(campaign),
	};
}

/** Builds a time field and, except for quishing, a second field with the same time as a text without a time zone. */
function buildTimeFields(simulator: Simulator, field: string, time: string | null): JsonObject {
	const fields: JsonObject = { [field]: time };
	if (simulator !== 'quishing') fields[`${field}ToLocalUser`] = time && time.slice(0, 19).replace('T', ' ');
	return fields;
}

/** Returns the status of a person: the most serious action of this person. */
function getStatusText({ submitted, clicked, opened }: JobPerson['activities']): string {
	if (submitted.length > 0) return 'Submitted';
	if (clicked.length > 0) return 'Clicked';
	return opened.length > 0 ? 'Opened' : 'No Response';
}

/** Returns the text for an activity type. 'Sandbox' is the older word for a bot (deployment activity 1). */
function getActivityTypeText(simulator: Simulator, isBot: boolean): string {
	if (!isBot) return 'Human Activity';
	return simulator === 'smishing' ? 'Sandbox Activity' : 'Bot Activity';
}

function getActivityType(simulator: Simulator, { opened, clicked, submitted }: JobPerson['activities']): string | null {
	const botFlags = [...opened, ...clicked, ...submitted].map(({ isBot }) => isBot);
	if (botFlags.length === 0) return null;
	return getActivityTypeText(simulator, botFlags.every(Boolean));
}

/** Returns a copy of a person without the activities of bots. */
function removeBotActivities(person: JobPerson): JobPerson {
	const activities = mapValues(person.activities, (list) => list.filter(({ isBot }) => !isBot));
	return { ...person, activities };
}

/** Builds the row of a person in the list of a job's people. */
export function buildPersonRow(person: JobPerson, { simulator, scenario }: Campaign): JsonObject {
	const { resourceId, user, activities } = person;
	const buildLastTimeFields = (field: string, action: UserAction) =>
		buildTimeFields(simulator, field, activities[action].at(-1)?.time ?? null);
	const type = getActivityType(simulator, activities);
	const commonFields: JsonObject = {
		resourceId,
		...getPersonFields(user),
		[`${simulator}ScenarioName`]: scenario,
		status: getStatusText(activities),
		...buildLastTimeFields('lastClickedTime', 'clicked'),
		clickedCount: activities.clicked.length,
		...buildLastTimeFields('lastSubmittedTime', 'submitted'),
		submittedCount: activities.submitted.length,
		...buildTimeFields(simulator, 'lastSendingTime', person.lastSentTime),
		reportedCount: activities.reported.length,
		minPasswordComplexity: activities.submitted.length > 0 ? 'Weak' : null,
		emailDelivery: getDelivery(simulator),
		activityType: type,
		customFieldValues: buildCustomFieldValues(user),
		targetUserId: makeNumericId(user.resourceId),
	};
	if (simulator === 'smishing')
		return { ...commonFields, phoneNumber: getPhoneNumber(user), senderPhoneNumber: '+15550000000' };
	const emailFields = {
		...buildLastTimeFields('lastOpenedTime', 'opened'),
		openedCount: activities.opened.length,
		...buildLastTimeFields('lastReportedTime', 'reported'),
		systemActivityType: type,
	};
	if (simulator === 'quishing') return { ...commonFields, ...emailFields };
	return {
		...commonFields,
		...emailFields,
		...buildLastTimeFields('lastAttachmentOpenedTime', 'attachmentOpened'),
		...buildLastTimeFields('replySent', 'replied'),
		attachmentOpenedCount: activities.attachmentOpened.length,
		replyType: activities.replied.length > 0 ? 'Reply' : null,
		phishingScenarioLanguage: 'en',
		emailTemplateLanguage: 'en',
		preferredLanguage: user.language,
		targetGroups: 'Everybody',
	};
}

/**
 * Builds the row of one event, such as an open or a click.
 * @param totalCount the number of all events, which only quishing rows contain
 */
export function buildEventRow(
	simulator: Simulator,
	action: UserAction,
	activity: Activity,
	totalCount: number,
): JsonObject {
	const { resourceId, time, isBot, ...origin } = activity;
	const row = { ...buildTimeFields(simulator, `${action}Time`, time), ...origin };
	const countFields: JsonObject = simulator === 'quishing' ? { totalRowCount: totalCount } : {};
	if (action === 'reported') return row;
	// The platform masks what people typed (deployment behaviour, "Campaign reports").
	if (action === 'submitted')
		return { ...countFields, ...row, submittedData: 'username: a****; password: P******* (8)' };
	const sandBoxType = isBot ? 1 : 0;
	const activityType = getActivityTypeText(simulator, isBot);
	const typeFields = { sandBoxType, systemSandBoxType: sandBoxType, activityType, systemActivityType: activityType };
	return { ...countFields, resourceId, ...row, ...typeFields };
}

/** Builds the summary of one campaign job. Its counts do not include bots (deployment activity 1). */
export function buildJobSummary(campaign: Campaign, instanceGroup: number, people: readonly JobPerson[]): JsonObject {
	const { resourceId, name, scenario, companyName, excludeFromReports } = campaign;
	const startDate = getSentTime(campaign, instanceGroup);
	const humans = people.map(removeBotActivities);
	const count = (isMatch: PersonPredicate | undefined) => countPeople(humans, isMatch);
	const trainingInfo = {
		companyName,
		languageList: [{ languageId: makeShortId('language en'), languageShortCode: 'en' }],
	};
	const template = {
		resourceId: makeShortId(`mail ${scenario}`),
		name: scenario,
		subject: scenario,
		languageShortCode: 'en',
	};
	const landingPageTemplateInfo = { resourceId: makeShortId(`page ${scenario}`), name: scenario, methodTypeId: 1 };
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
			openedEmail: count(createActionPredicate('opened')),
			clickedEmail: count(createActionPredicate('clicked')),
			submittedEmail: count(createActionPredicate('submitted')),
			attachmentOpenedEmail: count(createActionPredicate('attachmentOpened')),
			reportedEmail: count(createActionPredicate('reported')),
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
