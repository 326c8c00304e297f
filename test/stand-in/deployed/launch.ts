/** Creating, starting and stopping simulations (deployment beyond). */
import { z } from 'zod';
import { check, dateTime, found, int32, invalid } from '../envelope';
import { acting, beside, ok, reading, writing, type Call, type LiveOptions, type Route, type Row } from '../http';
import { SIMULATORS, type Simulator } from '../personality';
import { shortId } from '../random';
import { campaignsOf, wasSent } from '../routes/campaigns';
import type { Campaign } from '../seed';
import { strictSearch } from './lists';

const THEMES = ['Parcel Notice', 'Password Expiry', 'Invoice Overdue'];

/** A scenario's identifier. @param owner the company that made it; none for those that every company has */
export const scenarioId = (simulator: Simulator, name: string, owner = ''): string =>
	shortId(`scenario ${simulator} ${name} ${owner}`);

function scenarioRow(simulator: Simulator, name: string, owner?: string): Row {
	const isPhishing = simulator === 'phishing';
	return {
		resourceId: scenarioId(simulator, name, owner),
		name,
		quishingType: null,
		method: 'Click-Only',
		difficulty: 'Easy',
		category: 'Delivery',
		tags: [],
		isOwner: owner !== undefined,
		isSelected: false,
		languageTypeName: isPhishing ? ['English', 'German'] : 'English',
		languageTypeCode: isPhishing ? ['EN', 'DE'] : 'EN',
		createdBy: owner === undefined ? 'System' : 'admin@awareness.example',
		createTime: '2025-06-01T09:00:00.000Z',
		...(isPhishing ? { roles: [{ name: 'Everybody' }] } : {}),
	};
}

/** Those that every company has, and one of each company's own. */
const scenariosOf = (call: Call, simulator: Simulator): Row[] => [
	...THEMES.map((name) => scenarioRow(simulator, name)),
	...call.companies.map((company) => scenarioRow(simulator, 'Own Template', company.companyResourceId)),
];

const entry = (text: string, at: number): Row => ({ text, value: String(at + 1), extraDatas: [] });
const entries = (...texts: string[]): Row[] => texts.map(entry);

const DETAILS = {
	distributionEmailOverTimeTypes: entries('Hours', 'Days'),
	distributionSmtpDelayTimeTypes: entries('Seconds', 'Minutes'),
	phishingCampaignCategoryDistributionType: entries('Random Category'),
	distributionTypes: entries('All at Once', 'Over Time'),
	scheduleTypes: entries('Now', 'Later', 'Schedule'),
	sendRandomlyUsersCalculateTypes: entries('Percent', 'Number'),
	status: entries('Idle', 'Running', 'Completed'),
	categories: entries('Delivery'),
	sendUserPreferredLanguageTypes: entries('No', 'Yes'),
};

const ids = z.array(z.string().min(1)).nullish();
const sending = {
	targetGroupResourceIds: ids,
	excludeFromReports: z.boolean().nullish(),
	sendingLimit: int32.nullish(),
	distributionDelayEvery: int32.nullish(),
	distributionDelayTimeTypeId: int32.nullish(),
	useTargetUserTimeZone: z.boolean().nullish(),
	scheduledDate: dateTime.nullish(),
	scheduledDateTimeZoneId: z.string().nullish(),
};
const startBody = z.object({ ...sending, scheduleTypeId: int32.nullish() }).passthrough();
const createBody = z
	.object({
		...sending,
		name: z.string().min(1),
		scheduleTypeId: int32,
		duration: int32.nullish(),
		distributionTypeId: int32.nullish(),
		sendOnlyActiveUsers: z.boolean().nullish(),
	})
	.passthrough();

function membersOf(call: Call, groupIds: readonly string[]): string[] {
	const known = call.home.targetGroups.map(({ resourceId }) => resourceId);
	const stranger = groupIds.find((id) => !known.includes(id));
	if (stranger !== undefined) throw invalid(`The TargetGroupResourceIds has an unknown target group: ${stranger}.`);
	return call.home.members(groupIds).map(({ resourceId }) => resourceId);
}

function create(call: Call, simulator: Simulator): Campaign {
	const asked = check(createBody, call.json);
	const chosen = check(ids, asked[`${simulator}ScenarioResourceIds`]) ?? [];
	const known = scenariosOf(call, simulator);
	const [first] = chosen.map((id) => {
		const scenario = known.find(({ resourceId }) => resourceId === id);
		if (!scenario) throw invalid(`The scenario is unknown: ${id}.`);
		return scenario;
	});
	const { companyResourceId, companyName } = call.home.company;
	const campaign: Campaign = {
		resourceId: call.world.newId('campaign'),
		name: asked.name,
		simulator,
		companyResourceId,
		companyName,
		status: 'Idle',
		scenario: String(first?.name ?? ''),
		difficulty: 'Easy',
		createTime: new Date().toISOString(),
		excludeFromReports: asked.excludeFromReports ?? false,
		instanceGroups: [],
		userResourceIds: membersOf(call, asked.targetGroupResourceIds ?? []),
		asked,
		starts: [],
	};
	call.home.campaigns(simulator).push(campaign);
	return campaign;
}

/** What the deployment's description leaves open, as each simulator does it unless a test says otherwise. */
const ANSWERS: Record<Simulator, NonNullable<LiveOptions['createdCampaigns']>> = {
	phishing: 'id',
	smishing: 'page',
	quishing: 'page',
};

function created({ resourceId, name, status }: Campaign, form: LiveOptions['createdCampaigns']): Row {
	if (form === 'id') return { resourceId };
	if (form === 'map') return { name, status };
	const counts = { pageNumber: 1, pageSize: 10, totalNumberOfPages: 1, totalNumberOfRecords: 1 };
	return { ...counts, results: [{ name, status }] };
}

const campaignOf = (call: Call, simulator: Simulator): Campaign =>
	found(
		campaignsOf(call, simulator).find(({ resourceId }) => resourceId === call.params.resourceId),
		`${simulator} campaign`,
	);

function start(call: Call, simulator: Simulator): string {
	const campaign = campaignOf(call, simulator);
	const asked = check(startBody, call.json);
	const groupIds = asked.targetGroupResourceIds ?? [];
	if (groupIds.length > 0) campaign.userResourceIds = membersOf(call, groupIds);
	campaign.excludeFromReports = asked.excludeFromReports ?? campaign.excludeFromReports;
	// What waits for its time has its first run already.
	const runs = wasSent(campaign) ? campaign.instanceGroups : [];
	campaign.instanceGroups = [...runs, (runs.at(-1) ?? 0) + 1];
	const isNow = (asked.scheduleTypeId ?? 1) === 1;
	campaign.status = isNow || runs.length > 0 ? 'Running' : 'Scheduled';
	(campaign.starts ??= []).push(asked);
	return campaign.resourceId;
}

function stop(call: Call, simulator: Simulator): string {
	const campaign = campaignOf(call, simulator);
	found(
		wasSent(campaign) && campaign.instanceGroups.find((group) => String(group) === call.params.instanceGroup),
		`${simulator} campaign job`,
	);
	campaign.status = 'Canceled';
	return campaign.resourceId;
}

function remove(call: Call, simulator: Simulator): string {
	const { resourceId, companyResourceId } = campaignOf(call, simulator);
	const company = call.world.company(companyResourceId) ?? call.world.reseller;
	const campaigns = call.world.of(company).campaigns(simulator);
	campaigns.splice(
		campaigns.findIndex((each) => each.resourceId === resourceId),
		1,
	);
	return resourceId;
}

/** What a training that follows a simulation is like; none does here. */
const TRAINING = {
	trainingId: null,
	trainingName: null,
	trainingLanguageIds: [],
	emailPeriodTypeId: null,
	periodCount: 0,
	reminderEndTypeId: null,
	isEnrollmentReminderActive: false,
	awardCertificate: false,
	enrollmentSendTypeId: null,
	certificateConfigSendType: null,
	trainingRedirectPage: { informationMessage: null, redirectMessage: null, startButtonLabel: null },
};

function record(call: Call, simulator: Simulator): Row {
	const { resourceId, name, scenario, excludeFromReports, asked = {} } = campaignOf(call, simulator);
	const nothing = { text: null, value: null, extraDatas: [] };
	const groupIds = check(ids, asked.targetGroupResourceIds) ?? [];
	const groups = call.home.targetGroups.filter((group) => groupIds.includes(group.resourceId));
	return {
		resourceId,
		name,
		smtpSetting: nothing,
		directEmailSetting: nothing,
		[`${simulator}Scenarios`]: [{ text: scenario, value: scenarioId(simulator, scenario), ...TRAINING }],
		emailDeliverySettingType: asked.emailDeliverySettingType ?? 1,
		scheduleTypeId: asked.scheduleTypeId ?? 1,
		scheduledDate: asked.scheduledDate ?? null,
		scheduledDateTimeZoneId: asked.scheduledDateTimeZoneId ?? null,
		duration: asked.duration ?? 14,
		distributionStartTypeId: 1,
		distributionTypeId: asked.distributionTypeId ?? 1,
		distributionDelayEvery: asked.distributionDelayEvery ?? 0,
		distributionEmailOver: 0,
		distributionDelayTimeTypeId: asked.distributionDelayTimeTypeId ?? 1,
		distributionEmailOverTimeTypeId: 1,
		distributionStartTime: null,
		distributionEndTime: null,
		distributionDays: 0,
		sendingLimit: asked.sendingLimit ?? 0,
		excludeFromReports,
		sendOnlyActiveUsers: asked.sendOnlyActiveUsers ?? false,
		sendRandomlyUsers: false,
		sendRandomlyUsersCount: 0,
		sendRandomlyUsersCalculateTypeId: 1,
		targetGroups: groups.map((group) => ({ text: group.name, value: group.resourceId, extraDatas: [] })),
		frequency: 1,
		emailPeriodTypeId: null,
		periodCount: 0,
		reminderEndTypeId: null,
		awardCertificate: false,
		isEnrollmentReminderActive: false,
		useTargetUserTimeZone: false,
		categoryFilter: { searchInputTextValue: null, condition: 'AND', filterGroups: [] },
		categoryDistributionType: 0,
		clickedUserGroupResourceId: null,
		trainingForCategory: TRAINING,
		emailReplySettings: {
			isEnabled: false,
			isSaveContentEnabled: false,
			isOutOfOfficeEnabled: false,
			customReplyToAddress: null,
		},
		sendUserPreferredLanguage: 0,
	};
}

function simulatorRoutes(simulator: Simulator): Route[] {
	const path = `/api/${simulator}-simulator/${simulator}-campaign`;
	const isPhishing = simulator === 'phishing';
	return [
		strictSearch(`POST /api/${simulator}-simulator/${simulator}-scenario/search`, {
			rows: (call) => scenariosOf(call, simulator),
			id: 'resourceId',
			name: 'name',
			required: isPhishing ? 'pages' : 'none',
			filter: 'optional',
			sorts: ['Name', 'Method', 'Difficulty', 'Category', 'CreatedBy'],
		}),
		{
			...writing(`POST ${path}`, () => ''),
			handle: (call: Call) => ok(created(create(call, simulator), call.options.createdCampaigns ?? ANSWERS[simulator])),
		},
		writing(`POST ${path}-job/start/{resourceId}`, (call) => start(call, simulator)),
		// Of the others it is the same by their base path (deployment behaviour, 2).
		reading(`GET ${path}/form-details`, () => DETAILS),
		reading(`GET ${path}/{resourceId}`, (call) => record(call, simulator)),
		acting(`DELETE ${path}/{resourceId}`, (call) => remove(call, simulator)),
		acting(`PATCH ${path}-job/stop/{resourceId}/{instanceGroup}`, (call) => stop(call, simulator)),
	].map(beside);
}

export function launchRoutes(): Route[] {
	return SIMULATORS.flatMap(simulatorRoutes);
}
