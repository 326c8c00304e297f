/** Routes that create, start, stop and delete campaigns (deployment beyond, "Campaigns"). */
import { z } from 'zod';
import { parseWithSchema, dateTimeSchema, requireFound, int32Schema, createBadRequestError } from '../envelope';
import {
	defineActionRoute,
	markOutsideContract,
	okResponse,
	defineReadRoute,
	defineSaveRoute,
	type RouteCall,
	type RuntimeOptions,
	type Route,
	type JsonObject,
} from '../http';
import { SIMULATORS, type Simulator } from '../profile';
import { makeShortId } from '../random';
import { listCampaigns, wasSent } from '../routes/campaigns';
import type { Campaign } from '../seed';
import { defineDeployedSearchRoute } from './lists';

const SCENARIO_NAMES = ['Parcel Notice', 'Password Expiry', 'Invoice Overdue'];

/**
 * Returns the ID of a scenario.
 * @param ownerId the ID of the company that created the scenario; empty for scenarios that every company has
 */
export function getScenarioId(simulator: Simulator, name: string, ownerId = ''): string {
	return makeShortId(`scenario ${simulator} ${name} ${ownerId}`);
}

function buildScenarioRow(simulator: Simulator, name: string, owner?: string): JsonObject {
	const isPhishing = simulator === 'phishing';
	const row: JsonObject = {
		resourceId: getScenarioId(simulator, name, owner),
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
	};
	if (isPhishing) row.roles = [{ name: 'Everybody' }];
	return row;
}

/** Lists the scenarios that every company has, and one scenario that each company has created. */
function listScenarios(call: RouteCall, simulator: Simulator): JsonObject[] {
	const companies = call.visibleCompanies;
	return [
		...SCENARIO_NAMES.map((name) => buildScenarioRow(simulator, name)),
		...companies.map((company) => buildScenarioRow(simulator, 'Own Template', company.companyResourceId)),
	];
}

function buildOptions(...labels: string[]): JsonObject[] {
	return labels.map((text, index) => ({ text, value: String(index + 1), extraDatas: [] }));
}

const FORM_DETAILS = {
	distributionEmailOverTimeTypes: buildOptions('Hours', 'Days'),
	distributionSmtpDelayTimeTypes: buildOptions('Seconds', 'Minutes'),
	phishingCampaignCategoryDistributionType: buildOptions('Random Category'),
	distributionTypes: buildOptions('All at Once', 'Over Time'),
	scheduleTypes: buildOptions('Now', 'Later', 'Schedule'),
	sendRandomlyUsersCalculateTypes: buildOptions('Percent', 'Number'),
	status: buildOptions('Idle', 'Running', 'Completed'),
	categories: buildOptions('Delivery'),
	sendUserPreferredLanguageTypes: buildOptions('No', 'Yes'),
};

const optionalIdsSchema = z.array(z.string().min(1)).nullish();
const sendingFields = {
	targetGroupResourceIds: optionalIdsSchema,
	excludeFromReports: z.boolean().nullish(),
	sendingLimit: int32Schema.nullish(),
	distributionDelayEvery: int32Schema.nullish(),
	distributionDelayTimeTypeId: int32Schema.nullish(),
	useTargetUserTimeZone: z.boolean().nullish(),
	scheduledDate: dateTimeSchema.nullish(),
	scheduledDateTimeZoneId: z.string().nullish(),
};
const startSchema = z.object({ ...sendingFields, scheduleTypeId: int32Schema.nullish() }).passthrough();
const createSchema = z
	.object({
		...sendingFields,
		name: z.string().min(1),
		scheduleTypeId: int32Schema,
		duration: int32Schema.nullish(),
		distributionTypeId: int32Schema.nullish(),
		sendOnlyActiveUsers: z.boolean().nullish(),
	})
	.passthrough();

function listMemberIds(call: RouteCall, groupIds: readonly string[]): string[] {
	const knownIds = call.companyData.targetGroups.map(({ resourceId }) => resourceId);
	const unknownId = groupIds.find((id) => !knownIds.includes(id));
	if (unknownId !== undefined)
		throw createBadRequestError(`The TargetGroupResourceIds has an unknown target group: ${unknownId}.`);
	return call.companyData.getGroupMembers(groupIds).map(({ resourceId }) => resourceId);
}

function createCampaign(call: RouteCall, simulator: Simulator): Campaign {
	const body = parseWithSchema(createSchema, call.json);
	const scenarioIds = parseWithSchema(optionalIdsSchema, body[`${simulator}ScenarioResourceIds`]) ?? [];
	const scenarios = listScenarios(call, simulator);
	const [firstScenario] = scenarioIds.map((id) => {
		const scenario = scenarios.find(({ resourceId }) => resourceId === id);
		if (!scenario) throw createBadRequestError(`The scenario is unknown: ${id}.`);
		return scenario;
	});
	const { companyResourceId, companyName } = call.companyData.company;
	const campaign: Campaign = {
		resourceId: call.world.createId('campaign'),
		name: body.name,
		simulator,
		companyResourceId,
		companyName,
		status: 'Idle',
		scenario: String(firstScenario?.name ?? ''),
		difficulty: 'Easy',
		createTime: new Date().toISOString(),
		excludeFromReports: body.excludeFromReports ?? false,
		instanceGroups: [],
		userResourceIds: listMemberIds(call, body.targetGroupResourceIds ?? []),
		createBody: body,
		startBodies: [],
	};
	call.companyData.getCampaigns(simulator).push(campaign);
	return campaign;
}

/**
 * The format of the response to creating a campaign, by simulator. The interface description does not define it, so tests
 * can choose another format.
 */
const DEFAULT_CREATE_FORMATS: Record<Simulator, NonNullable<RuntimeOptions['createdCampaignFormat']>> = {
	phishing: 'id',
	smishing: 'page',
	quishing: 'page',
};

function buildCreateResult(
	{ resourceId, name, status }: Campaign,
	format: RuntimeOptions['createdCampaignFormat'],
): JsonObject {
	if (format === 'id') return { resourceId };
	if (format === 'map') return { name, status };
	const counts = { pageNumber: 1, pageSize: 10, totalNumberOfPages: 1, totalNumberOfRecords: 1 };
	return { ...counts, results: [{ name, status }] };
}

const findCampaign = (call: RouteCall, simulator: Simulator): Campaign =>
	requireFound(
		listCampaigns(call, simulator).find(({ resourceId }) => resourceId === call.params.resourceId),
		`${simulator} campaign`,
	);

function startCampaign(call: RouteCall, simulator: Simulator): string {
	const campaign = findCampaign(call, simulator);
	const body = parseWithSchema(startSchema, call.json);
	const groupIds = body.targetGroupResourceIds ?? [];
	if (groupIds.length > 0) campaign.userResourceIds = listMemberIds(call, groupIds);
	campaign.excludeFromReports = body.excludeFromReports ?? campaign.excludeFromReports;
	// A campaign that waits for its scheduled time already has its first instance group.
	const earlierInstanceGroups = wasSent(campaign) ? campaign.instanceGroups : [];
	const instanceGroup = (earlierInstanceGroups.at(-1) ?? 0) + 1;
	campaign.instanceGroups = [...earlierInstanceGroups, instanceGroup];
	const isStartedNow = (body.scheduleTypeId ?? 1) === 1;
	if (isStartedNow) campaign.sentTimes = { ...campaign.sentTimes, [instanceGroup]: new Date().toISOString() };
	campaign.status = isStartedNow || earlierInstanceGroups.length > 0 ? 'Running' : 'Scheduled';
	(campaign.startBodies ??= []).push(body);
	return campaign.resourceId;
}

function stopJob(call: RouteCall, simulator: Simulator): string {
	const campaign = findCampaign(call, simulator);
	requireFound(
		wasSent(campaign) && campaign.instanceGroups.find((group) => String(group) === call.params.instanceGroup),
		`${simulator} campaign job`,
	);
	campaign.status = 'Canceled';
	return campaign.resourceId;
}

function removeCampaign(call: RouteCall, simulator: Simulator): string {
	const { resourceId, companyResourceId } = findCampaign(call, simulator);
	const company = call.world.findCompany(companyResourceId) ?? call.world.resellerCompany;
	const campaigns = call.world.getCompanyData(company).getCampaigns(simulator);
	campaigns.splice(
		campaigns.findIndex((campaign) => campaign.resourceId === resourceId),
		1,
	);
	return resourceId;
}

/** The training that follows a simulation. The stand-in's simulations have none. */
const NO_TRAINING = {
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

function buildCampaignRecord(call: RouteCall, simulator: Simulator): JsonObject {
	const { resourceId, name, scenario, excludeFromReports, createBody = {} } = findCampaign(call, simulator);
	const emptyOption = { text: null, value: null, extraDatas: [] };
	const createdScenarioIds = parseWithSchema(optionalIdsSchema, createBody[`${simulator}ScenarioResourceIds`]) ?? [];
	const createdScenarios = listScenarios(call, simulator)
		.filter((row) => createdScenarioIds.includes(String(row.resourceId)))
		.map((row) => ({ text: row.name, value: row.resourceId, ...NO_TRAINING }));
	const seededScenario = { text: scenario, value: getScenarioId(simulator, scenario), ...NO_TRAINING };
	const groupIds = parseWithSchema(optionalIdsSchema, createBody.targetGroupResourceIds) ?? [];
	const groups = call.companyData.targetGroups.filter((group) => groupIds.includes(group.resourceId));
	return {
		resourceId,
		name,
		smtpSetting: emptyOption,
		directEmailSetting: emptyOption,
		[`${simulator}Scenarios`]: createdScenarios.length > 0 ? createdScenarios : [seededScenario],
		emailDeliverySettingType: createBody.emailDeliverySettingType ?? 1,
		scheduleTypeId: createBody.scheduleTypeId ?? 1,
		scheduledDate: createBody.scheduledDate ?? null,
		scheduledDateTimeZoneId: createBody.scheduledDateTimeZoneId ?? null,
		duration: createBody.duration ?? 14,
		distributionStartTypeId: 1,
		distributionTypeId: createBody.distributionTypeId ?? 1,
		distributionDelayEvery: createBody.distributionDelayEvery ?? 0,
		distributionEmailOver: 0,
		distributionDelayTimeTypeId: createBody.distributionDelayTimeTypeId ?? 1,
		distributionEmailOverTimeTypeId: 1,
		distributionStartTime: null,
		distributionEndTime: null,
		distributionDays: 0,
		sendingLimit: createBody.sendingLimit ?? 0,
		excludeFromReports,
		sendOnlyActiveUsers: createBody.sendOnlyActiveUsers ?? false,
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
		trainingForCategory: NO_TRAINING,
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
		defineDeployedSearchRoute(`POST /api/${simulator}-simulator/${simulator}-scenario/search`, {
			getRows: (call) => listScenarios(call, simulator),
			idField: 'resourceId',
			nameField: 'name',
			requiredPaging: isPhishing ? 'pages' : 'none',
			filterRequirement: 'optional',
			extraSortNames: ['Name', 'Method', 'Difficulty', 'Category', 'CreatedBy'],
		}),
		{
			...defineSaveRoute(`POST ${path}`, () => ''),
			handle: (call: RouteCall) =>
				okResponse(
					buildCreateResult(
						createCampaign(call, simulator),
						call.options.createdCampaignFormat ?? DEFAULT_CREATE_FORMATS[simulator],
					),
				),
		},
		defineSaveRoute(`POST ${path}-job/start/{resourceId}`, (call) => startCampaign(call, simulator)),
		// The other simulators have the same form details at other paths (deployment behaviour 2).
		defineReadRoute(`GET ${path}/form-details`, () => FORM_DETAILS),
		defineReadRoute(`GET ${path}/{resourceId}`, (call) => buildCampaignRecord(call, simulator)),
		defineActionRoute(`DELETE ${path}/{resourceId}`, (call) => removeCampaign(call, simulator)),
		defineActionRoute(`PATCH ${path}-job/stop/{resourceId}/{instanceGroup}`, (call) => stopJob(call, simulator)),
	].map(markOutsideContract);
}

/** Creates the routes that create, start, stop and delete campaigns, for each simulator. */
export function launchRoutes(): Route[] {
	return SIMULATORS.flatMap(simulatorRoutes);
}
